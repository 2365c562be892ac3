import type { Bag } from './bag.ts';

/** What lots of a wallet cost that left and came back beside its trades, up to an as-of time, oldest first: each at the time of the trade after it. */
export interface MovedLots {
  readonly time: readonly number[];
  /** USD. */
  readonly away: readonly number[];
  readonly returned: readonly number[];
}

export const nothingMoved: MovedLots = { time: [], away: [], returned: [] };

/** What moved until a time. */
export function movedUntil({ time, away, returned }: MovedLots, until: number): MovedLots {
  const { length } = time.filter((at) => at <= until);
  return { time: time.slice(0, length), away: away.slice(0, length), returned: returned.slice(0, length) };
}

/** Moved lots of one wallet, taken from the newest on. Reused from wallet to wallet. */
export class MovedLotsFold {
  #moved = nothingMoved;
  #row = 0;
  #away = 0;
  #returned = 0;

  begin(moved: MovedLots): void {
    this.#moved = moved;
    this.#row = moved.time.length;
    this.#away = this.#returned = 0;
  }

  /** Writes what moved after `start`. `start` comes down from call to call. */
  fill(bag: Bag, start: number): void {
    const { time, away, returned } = this.#moved;
    for (; this.#row > 0 && time[this.#row - 1]! > start; this.#row--) {
      this.#away += away[this.#row - 1]!;
      this.#returned += returned[this.#row - 1]!;
    }
    bag.awayCost = this.#away;
    bag.returnedCost = this.#returned;
  }
}
