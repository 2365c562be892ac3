import { type ColumnData, newBatch, takeRows } from '../records/columns.ts';
import { lotsTable } from '../records/tables.ts';
import { KeyIndex } from './key-index.ts';
import { type Lots, LotsByPair } from './lots-by-pair.ts';

/** Rows that must be of no use any more before the book is copied without them. */
const LEAST_DEAD = 100_000;

/** The open lots of many pairs in memory, while trades are folded batch by batch. */
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

  /** The lots of these pairs. */
  of(pairs: Float64Array): Lots {
    const rows: number[] = [];
    for (const pair of pairs) {
      const place = this.#pairs.find(pair);
      if (place < 0) continue;
      for (let i = 0; i < this.#count[place]!; i++) rows.push(this.#first[place]! + i);
    }
    return takeRows(this.#lots, rows);
  }

  all(): Lots {
    return this.of(this.#pairs.keys().sort());
  }

  /** Puts `lots` in the place of all lots that the pairs had. */
  replace(pairs: Float64Array, lots: Lots): void {
    for (const pair of pairs) {
      const place = this.#placeOf(pair);
      this.#dead += this.#count[place]!;
      this.#count[place] = 0;
    }
    this.#add(lots);
    if (this.#dead > LEAST_DEAD && this.#dead * 2 > this.#length) this.#compact();
  }

  #compact(): void {
    const lots = this.all();
    this.#lots = newBatch(lotsTable, lots.length * 2);
    this.#length = this.#dead = 0;
    this.#pairs = new KeyIndex(this.#pairs.length);
    this.#add(lots);
  }

  #add(lots: Lots): void {
    const byPair = new LotsByPair(lots);
    const start = this.#append(byPair.lots);
    for (const pair of byPair.pairs) {
      const place = this.#placeOf(pair);
      const [from, to] = byPair.rangeOf(pair);
      this.#first[place] = start + from;
      this.#count[place] = to - from;
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
    if (this.#length > this.#lots.length) {
      const grown = newBatch(lotsTable, Math.max(this.#length, this.#lots.length * 2));
      copyRows(this.#lots, grown, 0);
      this.#lots = grown;
    }
    copyRows(lots, this.#lots, start);
    return start;
  }
}

function copyRows(from: Lots, to: Lots, at: number): void {
  const targets = to.columns as Readonly<Record<string, ColumnData>>;
  for (const [name, column] of Object.entries(from.columns))
    (targets[name] as Float64Array).set(column as Float64Array, at);
}
