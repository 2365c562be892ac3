import type { Settled } from './options.ts';
import type { Random } from './random.ts';

const DAY = 86_400;

/** When the swaps of a market happen: evenly over its period, and on top of that, on the last day, those of the surge. */
export class Timetable {
  readonly #start: number;
  readonly #span: number;
  readonly #last: number;
  /** Part of the swaps before the last day, and part of the last day's swaps that the surge has. */
  readonly #calm: number;
  readonly #surge: number;

  constructor({ swaps, surge, days, endTime }: Settled) {
    this.#span = Math.ceil(days * DAY);
    this.#start = endTime - this.#span;
    this.#last = swaps - 1;
    this.#calm = surge === 0 ? 1 : (1 - surge) * (1 - DAY / this.#span);
    this.#surge = surge === 0 ? 0 : surge / (1 - this.#calm);
  }

  /** Unix seconds at which swap `done` of the market is due, counted from 0. */
  timeOf(done: number): number {
    const start = this.#start;
    const span = this.#span;
    if (this.#last === 0) return start + span;
    if (this.#surge === 0) return start + Math.floor((span * done) / this.#last);
    const part = done / this.#last;
    return part < this.#calm
      ? start + Math.floor(((span - DAY) * part) / this.#calm)
      : start + span - DAY + Math.floor((DAY * (part - this.#calm)) / (1 - this.#calm));
  }

  /** Whether swap `done` is one of the surge's. Draws only on its day. */
  isSurge(done: number, random: Random): boolean {
    return this.#surge > 0 && done / this.#last >= this.#calm && random.chance(this.#surge);
  }
}
