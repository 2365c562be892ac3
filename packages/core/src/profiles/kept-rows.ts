import { foldedColumn } from '../filter/fold.ts';
import { wordsColumn } from '../filter/words.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import { addressField } from './catalogue.ts';
import { type KeptColumn, KeptNumbers, KeptTexts, KeptWords } from './kept-column.ts';
import type { ProfileShape } from './shape.ts';
import { resumeColumns } from './table.ts';

/** What a row costs in the two maps that find it. */
const LOOKUP_BYTES = 100;

/**
 * Stored profiles of a kind in this process's memory: a column each, in no order; ids and addresses find their rows.
 * The rows change in place: whoever reads them for longer than a turn of the event loop holds them, and they are changed after that.
 */
export class KeptRows {
  /** Columns of the stored table that are kept: all but the one that only a refresh asks for. */
  readonly names: readonly string[];
  readonly address: string;
  length = 0;
  /** As-of time of the rows; `null` where no refresh has run. */
  asOf: number | null = null;
  readonly #columns: ReadonlyMap<string, KeptColumn>;
  readonly #rowOfId = new Map<number, number>();
  readonly #rowOfAddress = new Map<string, number>();
  #room = 0;
  #holders = 0;
  #free: Promise<void> | undefined;
  #setFree: () => void = () => undefined;
  /** The numbers of rows, as far as there is room. */
  #numbers = new Int32Array(0);

  constructor(shape: Pick<ProfileShape, 'kind' | 'table'>) {
    const address = addressField[shape.kind];
    const distinct = [address, foldedColumn(address), wordsColumn(address)];
    this.address = address;
    this.names = Object.keys(shape.table.columns).filter((name) => !(name in resumeColumns));
    this.#columns = new Map(
      this.names.map((name): [string, KeptColumn] => {
        const type = shape.table.columns[name]!;
        if (type !== 'text') return [name, new KeptNumbers(type)];
        return [name, distinct.includes(name) ? new KeptTexts() : new KeptWords()];
      }),
    );
  }

  /** About what the rows take in memory. */
  get bytes(): number {
    let bytes = this.length * LOOKUP_BYTES;
    for (const column of this.#columns.values()) bytes += column.bytes;
    return bytes;
  }

  /** Every row. */
  get all(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }

  /** Runs a function that may hold the rows from the call of `hold` on, until it ends: they do not change meanwhile. */
  async heldWhile<R>(read: (hold: () => void) => Promise<R>): Promise<R> {
    let isHeld = false;
    try {
      return await read(() => {
        isHeld = true;
        this.#hold();
      });
    } finally {
      if (isHeld && --this.#holders === 0) this.#setFree();
    }
  }

  /** Resolves once nobody holds the rows; `undefined` where nobody does now. */
  get free(): Promise<void> | undefined {
    return this.#holders === 0 ? undefined : this.#free;
  }

  #hold(): void {
    if (this.#holders++ > 0) return;
    this.#free = new Promise((resolve) => {
      this.#setFree = resolve;
    });
  }

  /** The least that so many rows take. */
  bytesOf(rows: number): number {
    return rows * (this.names.length * Float64Array.BYTES_PER_ELEMENT + LOOKUP_BYTES);
  }

  /** A column by its name. */
  column(name: string): KeptColumn {
    const column = this.#columns.get(name);
    if (column === undefined) throw new Error(`The kept profiles have no column "${name}".`);
    return column;
  }

  /** The row of an address; `undefined` where it has none. */
  rowOf(address: string): number | undefined {
    return this.#rowOfAddress.get(address);
  }

  /** The columns `names` of `rows`, as a batch of its own. */
  take(rows: ArrayLike<number>, names: readonly string[]): Batch {
    const columns: Record<string, ColumnData> = {};
    for (const name of names) columns[name] = this.column(name).take(rows);
    return { length: rows.length, columns };
  }

  /** Makes room for so many rows. */
  reserve(room: number): void {
    if (room <= this.#room) return;
    this.#room = room;
    this.#numbers = new Int32Array(room);
    for (let row = 0; row < room; row++) this.#numbers[row] = row;
    for (const column of this.#columns.values()) column.grow(room);
  }

  /** Writes rows [from, to) of a batch: in the place of the row of the same id, or as a new one. */
  write(batch: Batch, from: number, to: number): void {
    const ids = batch.columns.id as Int32Array;
    const addresses = batch.columns[this.address] as string[];
    const rows = new Int32Array(to - from);
    for (let i = from; i < to; i++) {
      let row = this.#rowOfId.get(ids[i]!);
      if (row === undefined) {
        row = this.length++;
        this.#rowOfId.set(ids[i]!, row);
        this.#rowOfAddress.set(addresses[i]!, row);
      }
      rows[i - from] = row;
    }
    if (this.length > this.#room) this.reserve(this.length + (this.length >> 3));
    for (const [name, column] of this.#columns) column.write(rows, batch.columns[name]!, from);
  }

  /** Removes the rows of `ids`; the last rows take their places. */
  remove(ids: Iterable<number>): void {
    const own = this.column('id') as KeptNumbers;
    const addresses = this.column(this.address) as KeptTexts;
    for (const id of ids) {
      const row = this.#rowOfId.get(id);
      if (row === undefined) continue;
      this.#rowOfId.delete(id);
      this.#rowOfAddress.delete(addresses.values[row]!);
      const last = --this.length;
      if (row === last) continue;
      this.#rowOfId.set(own.values[last]!, row);
      this.#rowOfAddress.set(addresses.values[last]!, row);
      for (const column of this.#columns.values()) column.move(last, row);
    }
  }
}
