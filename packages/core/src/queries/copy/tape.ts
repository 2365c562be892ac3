import { DEPTH_PRINTS } from '../../copy/depth.ts';
import type { PlacedPrint, PrintReader } from './prints.ts';

/** Prints that are read at once when the tape goes on. */
const AHEAD = 256;
/** Prints behind a moment that are let go together. */
const BEHIND = 4096;

/**
 * The prints of a pool around moments that are asked for in their order: without a gap from `DEPTH_PRINTS` before a moment on. Between moments
 * that lie far apart it skips prints.
 */
export class PrintTape {
  readonly #source: PrintReader;
  /** No print after it is read. */
  readonly #end: number;
  /** How far beyond a moment prints will be wanted with it, in places. */
  readonly #beyond: number;
  #prints: PlacedPrint[] = [];
  /** All prints from the first one up to here are read; -1 before any is. */
  #until = -1;

  constructor(source: PrintReader, end: number, beyond: number) {
    this.#source = source;
    this.#end = end;
    this.#beyond = beyond;
  }

  /** What is read of it now. */
  get prints(): readonly PlacedPrint[] {
    return this.#prints;
  }

  /** The newest prints up to a place, the oldest first. */
  async upTo(place: number): Promise<readonly PlacedPrint[]> {
    if (this.#until >= 0 && this.#until < place) await this.#goOn();
    if (this.#until < place) await this.#begin(place);
    const end = firstAfter(this.#prints, place);
    const start = Math.max(0, end - DEPTH_PRINTS);
    const found = this.#prints.slice(start, end);
    if (start > BEHIND) this.#prints.splice(0, start);
    return found;
  }

  /** Prints after a place that was asked for and up to another one, one by one. */
  async *after(place: number, until: number): AsyncGenerator<PlacedPrint> {
    for (let next = firstAfter(this.#prints, place); ; next++) {
      while (next >= this.#prints.length) {
        if (this.#until >= until || this.#until >= this.#end) return;
        await this.#goOn();
        next = Math.min(next, firstAfter(this.#prints, place));
      }
      const print = this.#prints[next]!;
      if (print.seq > until) return;
      yield print;
    }
  }

  /** Reads what is wanted around a place at once, if that is not too much. */
  async #begin(place: number): Promise<void> {
    const until = Math.max(place, Math.min(this.#end, place + this.#beyond));
    const prints = await this.#source.before(until, AHEAD);
    if (prints.length < AHEAD || firstAfter(prints, place) >= DEPTH_PRINTS) {
      this.#prints = [...prints];
      this.#until = until;
      return;
    }
    this.#prints = [...(await this.#source.before(place, DEPTH_PRINTS))];
    this.#until = place;
  }

  async #goOn(): Promise<void> {
    const { prints, until } = await this.#source.after(this.#until, this.#end, AHEAD);
    this.#prints.push(...prints);
    this.#until = until;
  }
}

/** The number of the first print after a place. */
function firstAfter(prints: readonly PlacedPrint[], place: number): number {
  let [low, high] = [0, prints.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (prints[middle]!.seq > place) high = middle;
    else low = middle + 1;
  }
  return low;
}
