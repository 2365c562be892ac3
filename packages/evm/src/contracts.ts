import type { Call, Node, Outcome } from '@swapfold/chain';
import { hexOf } from './words.ts';

/** What a contract answers: data, or `null` if it failed or has no such function. */
export type CallResult = string | null;

export const isAnswer = (result: CallResult): result is string => result !== null && result.length >= 66;

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
    return outcomes.map((outcome) => this.#read(outcome));
  }

  #read({ value, failure }: Outcome<string>): CallResult {
    if (failure === undefined) return value ?? null;
    if (failure.kind === 'reverted') return null;
    throw failure;
  }
}
