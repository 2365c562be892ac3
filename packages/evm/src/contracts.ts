import type { Call, Node, Outcome } from '@swapfold/chain';
import { hexOf } from './words.ts';

/** What a contract answers: data, or `null` if it failed or has no such function. */
export type CallResult = string | null;

export const isAnswer = (result: CallResult): result is string => result !== null && result.length >= 66;

/** How often a call is made that the node ends because it takes too long: it is busy, or the function has no end. */
const TRIES = 5;

const isAborted = ({ failure }: Outcome<string>): boolean =>
  failure?.kind === 'reverted' && /execution (aborted|timeout)/i.test(failure.message);

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
   * What contracts answer.
   *
   * - A block makes a node that lags say so, in place of answering that nothing stands at an address.
   * - Errors: a `NodeFailure` of another kind than `reverted`.
   */
  async ask(calls: readonly Call[]): Promise<CallResult[]> {
    const outcomes = await this.#node.ask<string>(calls);
    for (let tries = 1; tries < TRIES; tries++) {
      const aborted = [...outcomes.keys()].filter((i) => isAborted(outcomes[i]!));
      if (aborted.length === 0) break;
      const again = await this.#node.ask<string>(aborted.map((i) => calls[i]!));
      for (const [n, i] of aborted.entries()) outcomes[i] = again[n]!;
    }
    return outcomes.map((outcome) => this.#read(outcome));
  }

  #read({ value, failure }: Outcome<string>): CallResult {
    if (failure === undefined) return value ?? null;
    if (failure.kind === 'reverted') return null;
    throw failure;
  }
}
