import type { Lots } from '../ledger/lot-rows.ts';
import { copyRows, enlarged, newBatch, takeRows } from '../records/columns.ts';
import { KeyIndex, placesOf, sortingKeys } from '../records/key-index.ts';
import { lotsTable } from '../records/tables.ts';
import type { Work } from '../work.ts';
import type { PairLots } from './ledger-fold.ts';

/** Pairs whose lots are copied at once: a millisecond or two. */
const PAIRS_A_PIECE = 8192;

/** Rows that must be of no use any more before the book is copied without them. */
const LEAST_DEAD = 100_000;

/** The lots of many pairs in memory, while trades are folded batch by batch. */
export class LotBook {
  /** Lots of each pair together; longer than `#length`. */
  #lots = newBatch(lotsTable, 1024);
  #length = 0;
  /** Rows that a later `replace` made of no use. */
  #dead = 0;
  #pairs = new KeyIndex();
  /** By place of the pair: its first row, and how many. */
  #first = new Int32Array(1024);
  #count = new Int32Array(1024);

  of(pairs: Float64Array): PairLots {
    return { ...this.#take(Int32Array.from(pairs, (pair) => this.#pairs.find(pair))), index: placesOf(pairs) };
  }

  /** All lots, by pair and ordinal. */
  *all(): Work<Lots> {
    const pairs = yield* sortingKeys(this.#pairs.keys());
    const lots = newBatch(lotsTable, this.#length - this.#dead);
    let length = 0;
    for (let from = 0; from < pairs.length; from += PAIRS_A_PIECE) {
      const piece = this.of(pairs.subarray(from, from + PAIRS_A_PIECE)).lots;
      copyRows(piece, lots, length);
      length += piece.length;
      yield;
    }
    return lots;
  }

  /** Puts `lots`, by pair and ordinal, in the place of all lots that the pairs had. */
  *replacing(pairs: Float64Array, lots: Lots): Work<void> {
    for (const pair of pairs) {
      const place = this.#placeOf(pair);
      this.#dead += this.#count[place]!;
      this.#count[place] = 0;
    }
    this.#add(lots);
    yield;
    if (this.#dead > LEAST_DEAD && this.#dead * 2 > this.#length) yield* this.#compacting();
  }

  /** Copies what is of use. */
  *#compacting(): Work<void> {
    const lots = newBatch(lotsTable, (this.#length - this.#dead) * 2);
    let length = 0;
    for (let from = 0; from < this.#pairs.length; from += PAIRS_A_PIECE) {
      const to = Math.min(from + PAIRS_A_PIECE, this.#pairs.length);
      const piece = this.#take(Int32Array.from({ length: to - from }, (_, i) => from + i));
      copyRows(piece.lots, lots, length);
      for (let place = from; place < to; place++) this.#first[place] = length + piece.starts[place - from]!;
      length += piece.lots.length;
      yield;
    }
    this.#lots = lots;
    this.#length = length;
    this.#dead = 0;
  }

  /** The lots of the pairs at these places, -1 for one that has none. */
  #take(places: Int32Array): Omit<PairLots, 'index'> {
    const starts = new Int32Array(places.length + 1);
    for (let i = 0; i < places.length; i++)
      starts[i + 1] = starts[i]! + (places[i]! < 0 ? 0 : this.#count[places[i]!]!);
    const rows = new Int32Array(starts[places.length]!);
    for (let i = 0; i < places.length; i++)
      for (let at = starts[i]!; at < starts[i + 1]!; at++) rows[at] = this.#first[places[i]!]! + at - starts[i]!;
    return { lots: takeRows(this.#lots, rows), starts };
  }

  #add(lots: Lots): void {
    const start = this.#append(lots);
    for (let row = 0; row < lots.length; row++) {
      const place = this.#placeOf(lots.columns.pair[row]!);
      if (this.#count[place]!++ === 0) this.#first[place] = start + row;
    }
  }

  #placeOf(pair: number): number {
    const place = this.#pairs.placeOf(pair);
    if (place === this.#first.length) {
      const grown = [new Int32Array(place * 2), new Int32Array(place * 2)] as const;
      grown[0].set(this.#first);
      grown[1].set(this.#count);
      [this.#first, this.#count] = grown;
    }
    return place;
  }

  /** Appends rows and gives the place of the first. */
  #append(lots: Lots): number {
    const start = this.#length;
    this.#length += lots.length;
    if (this.#length > this.#lots.length)
      this.#lots = enlarged(lotsTable, this.#lots, Math.max(this.#length, this.#lots.length * 2));
    copyRows(lots, this.#lots, start);
    return start;
  }
}
