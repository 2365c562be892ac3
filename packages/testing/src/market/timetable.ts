import type { Settled } from './options.ts';
import type { Random } from './random.ts';

const HOUR = 3600;
const DAY = 86_400;

/** When the swaps of a market happen: evenly over its period, and on top of that, on the last day or in the last hour, those of the surge or rush. */
export class Timetable {
  readonly #start: number;
  readonly #span: number;
  readonly #last: number;
  /** Seconds of the surge or rush. */
  readonly #busy: number;
  /** Part of the swaps before it, and part of the swaps during it that it has. */
  readonly #calm: number;
  readonly #surge: number;

  constructor({ swaps, surge, rush, days, endTime }: Settled) {
    const share = surge + rush;
    this.#busy = rush > 0 ? HOUR : DAY;
    this.#span = Math.ceil(days * DAY);
    this.#start = endTime - this.#span;
    this.#last = swaps - 1;
    this.#calm = share === 0 ? 1 : (1 - share) * (1 - this.#busy / this.#span);
    this.#surge = share === 0 ? 0 : share / (1 - this.#calm);
  }

  /** Unix seconds at which swap `done` of the market is due, counted from 0. */
  timeOf(done: number): number {
    const start = this.#start;
    const span = this.#span;
    if (this.#last === 0) return start + span;
    if (this.#surge === 0) return start + Math.floor((span * done) / this.#last);
    const part = done / this.#last;
    return part < this.#calm
      ? start + Math.floor(((span - this.#busy) * part) / this.#calm)
      : start + span - this.#busy + Math.floor((this.#busy * (part - this.#calm)) / (1 - this.#calm));
  }

  /** Whether swap `done` is one of the surge's or rush's. Draws only during it. */
  isSurge(done: number, random: Random): boolean {
    return this.#surge > 0 && done / this.#last >= this.#calm && random.chance(this.#surge);
  }
}
