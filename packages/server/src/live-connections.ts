import { SwapfoldError } from '@swapfold/core';

/** How many live connections each caller has, so that none has them all. */
export class LiveConnections {
  readonly #most: number;
  readonly #open = new Map<unknown, number>();
  /** Connections that were cut off because their clients read too slowly. */
  cut = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get count(): number {
    let count = 0;
    for (const open of this.#open.values()) count += open;
    return count;
  }

  /** Counts one more of a caller until the function that it returns is called. Errors: `too-many-subscriptions`. */
  take(caller: unknown): () => void {
    const open = this.#open.get(caller) ?? 0;
    if (open >= this.#most)
      throw new SwapfoldError(
        'too-many-subscriptions',
        `This caller has ${open} live connections, the most that one may have: close some, or subscribe to more on each.`,
      );
    this.#open.set(caller, open + 1);
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const left = this.#open.get(caller)! - 1;
      if (left === 0) this.#open.delete(caller);
      else this.#open.set(caller, left);
    };
  }
}
