import { SwapfoldError } from '@swapfold/core';

/** How many live connections each caller has, so that none has them all. */
export class LiveConnections {
  readonly #most: number;
  readonly #mostBytes: number;
  readonly #bytes = new Map<unknown, number>();
  readonly #open = new Map<unknown, number>();
  /** Connections that were cut off because their clients read too slowly. */
  cut = 0;

  /** `mostBytes`: of what the subscriptions of one caller ask for. */
  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  get count(): number {
    let count = 0;
    for (const open of this.#open.values()) count += open;
    return count;
  }

  /**
   * Counts what a subscription of a caller asks for, until the function that it returns is called: a store keeps it as long as the
   * subscription lasts. Errors: `too-many-subscriptions`.
   */
  hold(caller: unknown, params: unknown): () => void {
    const bytes = Buffer.byteLength(JSON.stringify(params) ?? '');
    const held = this.#bytes.get(caller) ?? 0;
    if (held + bytes > this.#mostBytes)
      throw new SwapfoldError(
        'too-many-subscriptions',
        `What the subscriptions of this caller ask for would be ${held + bytes} bytes, of ${this.#mostBytes} that one may have: end some, or name fewer addresses.`,
      );
    this.#bytes.set(caller, held + bytes);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      const left = this.#bytes.get(caller)! - bytes;
      if (left === 0) this.#bytes.delete(caller);
      else this.#bytes.set(caller, left);
    };
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
