import type { Call, Node, NodeFailure, Outcome } from '@swapfold/chain';
import { hexOf } from './words.ts';

/** What a contract answers: data, or `null` if it failed or has no such function. */
export type CallResult = string | null;

export const isAnswer = (result: CallResult): result is string => result !== null && result.length >= 66;

/** How often a call is made that the node answers, and not with what the contract says, while it answers others. */
const TRIES = 5;
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
   * - Errors: a `NodeFailure` of another kind than `reverted`.
   */
  async ask(calls: readonly Call[]): Promise<CallResult[]> {
    const outcomes = await this.#node.ask<string>(calls, isDoubtful);
    for (let [tries, wait] = [1, FIRST_WAIT]; tries < TRIES; tries++, wait *= 3) {
      const doubtful = [...outcomes.keys()].filter((i) => isFailed(outcomes[i]!));
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
    return outcomes.map((outcome) => this.#read(outcome));
  }

  #read({ value, failure }: Outcome<string>): CallResult {
    if (failure === undefined) return value ?? null;
    if (failure.kind === 'reverted' || isDoubtful(failure)) return null;
    throw failure;
  }
}

const isFailed = ({ failure }: Outcome<string>): boolean => failure !== undefined && isDoubtful(failure);
