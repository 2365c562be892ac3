import type { Share } from '@swapfold/core/host';
import { Overload } from './overload.ts';
import { removeFrom } from './remove-from.ts';

/** A body that is being received. */
export interface Receiving {
  readonly share: Share;
  /** Ends it, and gives its bytes back. */
  readonly cut: (error: Overload) => void;
}

/**
 * The bytes of bodies that the server holds at once, for all callers together.
 *
 * One share may have them all while no other wants any. If there is no room for a body, the share that holds most loses the one that it
 * has been sending for longest, as long as it holds more than the other would.
 */
export class BodyBudget {
  readonly #most: number;
  #held = 0;
  readonly #heldBy = new WeakMap<Share, number>();
  /** The oldest first. No Set: see `removeFrom`. */
  readonly #receiving: Receiving[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get held(): number {
    return this.#held;
  }

  /** Makes room for so many bytes more, if there is none. Errors: `unavailable`. */
  makeRoom(share: Share, bytes: number): void {
    while (this.#held + bytes > this.#most) {
      const slow = this.#slowest((this.#heldBy.get(share) ?? 0) + bytes);
      if (slow === undefined)
        throw new Overload('bodies', 'The server is receiving too many large requests at once; try again later.', 1);
      slow.cut(
        new Overload(
          'cut',
          'The body came so slowly that others, who waited for its room, were served first; try again.',
          1,
        ),
      );
    }
  }

  add(share: Share, bytes: number): void {
    this.#held += bytes;
    this.#heldBy.set(share, (this.#heldBy.get(share) ?? 0) + bytes);
  }

  begin(receiving: Receiving): void {
    this.#receiving.push(receiving);
  }

  end(receiving: Receiving): void {
    removeFrom(this.#receiving, receiving);
  }

  /** The oldest body of the share that holds most, of those that hold more than `than` and still receive one. */
  #slowest(than: number): Receiving | undefined {
    let slowest: Receiving | undefined;
    let most = than;
    for (const receiving of this.#receiving) {
      const held = this.#heldBy.get(receiving.share) ?? 0;
      if (held <= most) continue;
      slowest = receiving;
      most = held;
    }
    return slowest;
  }
}
