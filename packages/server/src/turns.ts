import { setImmediate } from 'node:timers/promises';

/**
 * Has work begin in turns of the event loop that it does not share: one piece a turn, and none while new connections come.
 *
 * Node takes one new connection a turn. With 8 ms of work in each, 900 callers wait 8 s to be taken, where nobody counts or refuses them.
 */
export class Turns {
  readonly #longestWait: number;
  #connections = 0;
  #last: Promise<void> = Promise.resolve();

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
    this.#last = this.#last.then(() => this.#quietTurn());
    return this.#last;
  }

  async #quietTurn(): Promise<void> {
    const end = performance.now() + this.#longestWait;
    // The rest of this turn says nothing about connections that wait.
    await setImmediate();
    let before: number;
    do {
      before = this.#connections;
      await setImmediate();
    } while (this.#connections !== before && performance.now() < end);
  }
}
