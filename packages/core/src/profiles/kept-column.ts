import { type ColumnData, NO_ID } from '../records/columns.ts';

/** One column of kept rows, with room for more rows than there are. */
export interface KeptColumn {
  /** About what it takes in memory. */
  readonly bytes: number;
  /** Makes room for so many rows. */
  grow(room: number): void;
  /** Writes the values of `source` from `from` on, one to each of `rows`. */
  write(rows: Int32Array, source: ColumnData, from: number): void;
  /** Copies the value of one row over that of another. */
  move(from: number, to: number): void;
  /** The values of `rows`, in that order. */
  take(rows: ArrayLike<number>): ColumnData;
}

/** Numbers, as a batch holds them. */
export class KeptNumbers implements KeptColumn {
  values: Int32Array | Float64Array;

  constructor(type: 'id' | 'long' | 'double') {
    this.values = type === 'id' ? new Int32Array(0) : new Float64Array(0);
  }

  get bytes(): number {
    return this.values.byteLength;
  }

  grow(room: number): void {
    const before = this.values;
    this.values = before instanceof Int32Array ? new Int32Array(room) : new Float64Array(room);
    this.values.set(before);
  }

  write(rows: Int32Array, source: ColumnData, from: number): void {
    const values = this.values;
    const numbers = source as Float64Array;
    for (let i = 0; i < rows.length; i++) values[rows[i]!] = numbers[from + i]!;
  }

  move(from: number, to: number): void {
    this.values[to] = this.values[from]!;
  }

  take(rows: ArrayLike<number>): Int32Array | Float64Array {
    const taken = this.values instanceof Int32Array ? new Int32Array(rows.length) : new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i++) taken[i] = this.values[rows[i]!]!;
    return taken;
  }
}

/** What a text costs beside its characters: a pointer to it and the header of the string. */
const TEXT_BYTES = 32;

/** Texts that differ from row to row: addresses, and what is derived from them. */
export class KeptTexts implements KeptColumn {
  readonly values: (string | null)[] = [];
  /** By row: numbers in the order of the texts, equal where these begin alike; see `prefixKey`. */
  prefixKeys = new Float64Array(0);
  #characters = 0;

  get bytes(): number {
    return this.#characters + this.values.length * TEXT_BYTES + this.prefixKeys.byteLength;
  }

  grow(room: number): void {
    const before = this.prefixKeys;
    this.prefixKeys = new Float64Array(room);
    this.prefixKeys.set(before);
  }

  write(rows: Int32Array, source: ColumnData, from: number): void {
    const texts = source as (string | null)[];
    for (let i = 0; i < rows.length; i++) this.#set(rows[i]!, texts[from + i]!);
  }

  move(from: number, to: number): void {
    this.#set(to, this.values[from]!);
  }

  take(rows: ArrayLike<number>): (string | null)[] {
    return Array.from(rows, (row) => this.values[row]!);
  }

  #set(row: number, text: string | null): void {
    this.#characters += (text?.length ?? 0) - (this.values[row]?.length ?? 0);
    this.values[row] = text;
    this.prefixKeys[row] = text === null ? 0 : prefixKey(text);
  }
}

/** The last code of seven bits stands for all that are greater, of which only the whole texts tell the order. */
const OTHER = 127;

/** The first characters of a text as a number: where two texts have different numbers, those order them as `compareText` does. */
export function prefixKey(text: string): number {
  let number = 0;
  let isOther = false;
  for (let i = 0; i < 7; i++) {
    const code: number = isOther || i >= text.length ? 0 : Math.min(text.charCodeAt(i), OTHER);
    isOther ||= code === OTHER;
    number = number * 128 + code;
  }
  return number;
}

/** Fewer texts than this are not worth counting which of them are still in use. */
const FEW = 1024;

/** Texts that repeat, or are mostly missing: each row holds the number of its text. Number 0 is the missing one. */
export class KeptWords implements KeptColumn {
  codes = new Int32Array(0);
  /** By number. */
  texts: (string | null)[] = [null];
  #codeOf = new Map<string | null, number>([[null, 0]]);
  #characters = 0;

  get bytes(): number {
    // A map of texts costs about as much again as the texts.
    return this.codes.byteLength + this.#characters + this.texts.length * (TEXT_BYTES + 64);
  }

  grow(room: number): void {
    const before = this.codes;
    this.codes = new Int32Array(room);
    this.codes.set(before);
  }

  write(rows: Int32Array, source: ColumnData, from: number): void {
    const texts = source as (string | null)[];
    for (let i = 0; i < rows.length; i++) this.codes[rows[i]!] = this.#code(texts[from + i]!);
    if (this.texts.length > FEW && this.texts.length > 2 * this.codes.length) this.#forgetUnused();
  }

  move(from: number, to: number): void {
    this.codes[to] = this.codes[from]!;
  }

  take(rows: ArrayLike<number>): (string | null)[] {
    return Array.from(rows, (row) => this.texts[this.codes[row]!]!);
  }

  #code(text: string | null): number {
    let code = this.#codeOf.get(text);
    if (code === undefined) {
      code = this.texts.push(text) - 1;
      this.#codeOf.set(text, code);
      this.#characters += text!.length;
    }
    return code;
  }

  /** Rows change their texts: those that no row has any more go. */
  #forgetUnused(): void {
    const { texts, codes } = this;
    this.texts = [null];
    this.#codeOf = new Map([[null, 0]]);
    this.#characters = 0;
    const codeOf = new Int32Array(texts.length).fill(NO_ID);
    codeOf[0] = 0;
    for (let row = 0; row < codes.length; row++) {
      const code = codes[row]!;
      if (codeOf[code] === NO_ID) codeOf[code] = this.#code(texts[code]!);
      codes[row] = codeOf[code]!;
    }
  }
}
