import { setImmediate } from 'node:timers/promises';

/**
 * Has work begin in turns of the event loop that it does not share: one piece a turn, and none while new connections come.
 *
 * - Node takes one new connection a turn. With 8 ms of work in each, 900 callers wait 8 s to be taken, where nobody counts or refuses them.
 * - A piece waits for connections no longer than ago the one before it began: whoever connects again and again leaves work half of the time.
 */
export class Turns {
  readonly #longestWait: number;
  #connections = 0;
  #last: Promise<void> = Promise.resolve();
  /** Pieces that have not begun. */
  #waiting = 0;
  /** When the last piece of work began. */
  #begunAt = Number.NEGATIVE_INFINITY;

  /** `longestWait`: how long new connections may hold up a piece of work, ms. */
  constructor(longestWait = 20) {
    this.#longestWait = longestWait;
  }

  /** A connection was taken. */
  connected(): void {
    this.#connections++;
  }

  /** Resolves where the next piece of work may begin, in the order of the calls. */
  next(): Promise<void> {
    const isFirst = this.#waiting++ === 0;
    this.#last = this.#last.then(() => this.#quietTurn(isFirst));
    return this.#last;
  }

  async #quietTurn(isFirst: boolean): Promise<void> {
    const start = performance.now();
    const end = start + Math.min(this.#longestWait, start - this.#begunAt);
    // The rest of the turn in which a first piece comes says nothing; the next piece comes where the last one began.
    if (isFirst) await setImmediate();
    let before: number;
    do {
      before = this.#connections;
      await setImmediate();
    } while (this.#connections !== before && performance.now() < end);
    this.#begunAt = performance.now();
    this.#waiting--;
  }
}
