import type { Call, Node, NodeFailure, Outcome } from '@swapfold/chain';
import { Inconsistent } from './blocks.ts';
import { hexOf } from './words.ts';

/** What a contract answers: data, `0x` if nothing came, or `null` if it failed. */
export type CallResult = string | null;

export const isAnswer = (result: CallResult): result is string => result !== null && result.length >= 66;

/** Whether nothing came: an address without a contract answers so, and a node that does not have the contract yet. */
export const isEmpty = (result: CallResult): boolean => result === '0x';

/** How often a call is made that the node answers, and not with what the contract says, while it answers others. */
const TRIES = 5;
/** How often a contract that has to answer is looked at, TRIES times at first, until its answer is taken to be nothing. */
const LOOKS = 3;
/** Milliseconds until the first try more; each wait is three times the one before. */
const FIRST_WAIT = 100;

/** The contract of the chain that gives back what it is given. An address without a contract answers nothing to nothing, too. */
const IDENTITY = `0x${'4'.padStart(40, '0')}`;

/** Whether the node may be busy, or the contract have no end, no room or no sense: it gives more than the node sends, or fails in words of its own. */
const isDoubtful = (failure: NodeFailure): boolean =>
  (failure.kind === 'unavailable' && failure.code !== undefined) ||
  failure.kind === 'too-much' ||
  (failure.kind === 'reverted' && /execution (aborted|timeout)/i.test(failure.message));

/** Functions of contracts, which are asked only what never changes. */
export class Contracts {
  readonly #node: Node;
  /** By contract that gave nothing where an answer has to be: how often it was looked at. */
  readonly #looks = new Map<string, number>();
  /** A call that was answered. */
  #answered: { readonly to: string; readonly data: string } | undefined;

  constructor(node: Node) {
    this.#node = node;
  }

  /** The call of a function as of a block, or of the newest one. */
  calling(to: string, data: string, block: number | undefined): Call {
    return ['eth_call', [{ to, data }, block === undefined ? 'latest' : hexOf(block)]];
  }

  /**
   * What contracts answer. One that gives no answer while the chain's own does counts as failed: anybody may write it.
   *
   * - A block makes a node that lags say so, in place of answering that nothing stands at an address.
   * - `neededOf`: the pool or token that is nothing without the answer to a call. If nothing comes, it is asked for again.
   * - Errors: a `NodeFailure` of another kind than `reverted`.
   */
  async ask(
    calls: readonly Call[],
    neededOf: (call: number) => string | undefined = () => undefined,
  ): Promise<CallResult[]> {
    const outcomes = await this.#node.ask<string>(calls, isDoubtful);
    const lacks = (i: number): boolean => {
      const of = neededOf(i);
      return of !== undefined && isEmpty(this.#read(outcomes[i]!)) && !this.#looks.has(of);
    };
    for (let [tries, wait] = [1, FIRST_WAIT]; tries < TRIES; tries++, wait *= 3) {
      const doubtful = [...outcomes.keys()].filter((i) => isFailed(outcomes[i]!) || lacks(i));
      if (doubtful.length === 0) break;
      await this.#node.pause(wait);
      // Asked until they are answered, as of the same block: a call and a look at its state, of which no contract decides.
      const [, [{ to }, block]] = calls[doubtful[0]!]! as Call & [string, [{ to: string }, string]];
      await this.#node.ask<string>([
        ['eth_call', [{ to: IDENTITY, data: '0x' }, block]],
        ['eth_getBalance', [to, block]],
      ]);
      const again = await this.#node.ask<string>(
        doubtful.map((i) => calls[i]!),
        isDoubtful,
      );
      for (const [n, i] of doubtful.entries()) outcomes[i] = again[n]!;
    }
    const results = outcomes.map((outcome) => this.#read(outcome));
    const answered = results.findIndex(isAnswer);
    if (answered >= 0) this.#answered = calledBy(calls[answered]!);
    return results;
  }

  /**
   * Whether contracts that had to answer and gave nothing are to be taken at their word from now on. A pool or a token is not lost because its
   * node had one bad second; a contract that somebody made so is not asked for ever.
   *
   * - Errors: `Inconsistent` if the node gives nothing of a contract either that has answered, or none has answered yet.
   */
  async looked(contracts: readonly string[], block: number | undefined): Promise<(contract: string) => boolean> {
    if (contracts.length > 0) await this.#requireAnswer(contracts[0]!, block);
    for (const contract of new Set(contracts)) this.#looks.set(contract, (this.#looks.get(contract) ?? 0) + 1);
    return (contract) => (this.#looks.get(contract) ?? LOOKS) >= LOOKS;
  }

  async #requireAnswer(contract: string, block: number | undefined): Promise<void> {
    const known = this.#answered;
    const [result] = known === undefined ? [] : await this.ask([this.calling(known.to, known.data, block)]);
    if (result === undefined || isEmpty(result))
      throw new Inconsistent(`The node answers nothing of contract ${contract}, nor of any other one.`);
  }

  #read({ value, failure }: Outcome<string>): CallResult {
    if (failure === undefined) return value ?? '0x';
    if (failure.kind === 'reverted' || isDoubtful(failure)) return null;
    throw failure;
  }
}

const calledBy = ([, [call]]: Call): { readonly to: string; readonly data: string } =>
  call as { to: string; data: string };

const isFailed = ({ failure }: Outcome<string>): boolean => failure !== undefined && isDoubtful(failure);
