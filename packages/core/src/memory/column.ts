import { compareText } from '../records/chain-order.ts';
import { type ColumnData, takeValues } from '../records/columns.ts';
import { mergeSorting } from '../records/key-index.ts';
import type { Work } from '../work.ts';

/** One column of a segment: numbers as a batch holds them, or pooled, texts that differ from row to row, or that repeat. Never changes. */
export type Column = Int32Array | Float64Array | PooledColumn | TextColumn | DictionaryColumn;

/** Numbers of which many rows have the same one. Columns in which the same rows do share their places (`pooled-columns.ts`). */
export class PooledColumn {
  constructor(
    readonly values: Float64Array,
    /** By row. */
    readonly places: Uint16Array,
  ) {}

  /** Without the places. */
  get bytes(): number {
    return this.values.byteLength;
  }
}

/** What a text takes beside its characters: a pointer to it and the header of the string. */
const TEXT_BYTES = 32;

/** Texts that differ from row to row, such as addresses. */
export class TextColumn {
  readonly bytes: number;
  #prefixKeys: Float64Array | undefined;

  constructor(readonly values: (string | null)[]) {
    this.bytes = textBytes(values) + values.length * Float64Array.BYTES_PER_ELEMENT;
  }

  /** By row: numbers in the order of the texts, equal where these begin alike; see `prefixKey`. */
  get prefixKeys(): Float64Array {
    this.#prefixKeys ??= Float64Array.from(this.values, (text) => (text === null ? 0 : prefixKey(text)));
    return this.#prefixKeys;
  }
}

/** Texts that repeat, or are mostly missing: each row holds the number of its text. */
export class DictionaryColumn {
  readonly bytes: number;

  constructor(
    readonly codes: Uint16Array,
    /** By number. */
    readonly texts: (string | null)[],
  ) {
    this.bytes = codes.byteLength + textBytes(texts);
  }
}

function textBytes(texts: readonly (string | null)[]): number {
  return texts.reduce((sum, text) => sum + (text?.length ?? 0) + TEXT_BYTES, 0);
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

/** Rows after which it shows whether texts repeat. */
const SAMPLE = 512;

/** The values of `data`, of at most 65,536 rows, as a column. The arrays are the column's from then on. */
export function storedColumn(data: ColumnData): Column {
  if (!Array.isArray(data)) return data;
  const codes = new Uint16Array(data.length);
  const codeOf = new Map<string | null, number>();
  for (let row = 0; row < data.length; row++) {
    const text = data[row]!;
    let code = codeOf.get(text);
    if (code === undefined) {
      code = codeOf.size;
      codeOf.set(text, code);
      if (codeOf.size * 2 > Math.max(SAMPLE, data.length) || (row === SAMPLE && codeOf.size * 2 > SAMPLE))
        return new TextColumn(data);
    }
    codes[row] = code;
  }
  return new DictionaryColumn(codes, [...codeOf.keys()]);
}

/** The values of `rows`, in that order. */
export function takeFrom(column: Column, rows: ArrayLike<number>): ColumnData {
  // Numbers first: most columns are, and to find that a value is of neither class costs more than to copy it.
  if (column instanceof Float64Array || column instanceof Int32Array) return takeValues(column, rows);
  if (column instanceof PooledColumn) return takePooled(column, rows);
  if (column instanceof TextColumn) return takeValues(column.values, rows);
  const { codes, texts } = column;
  const taken = new Array<string | null>(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = texts[codes[rows[i]!]!]!;
  return taken;
}

function takePooled({ values, places }: PooledColumn, rows: ArrayLike<number>): Float64Array {
  const taken = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) taken[i] = values[places[rows[i]!]!]!;
  return taken;
}

/** Copies the values of `rows` to the places `at` of a batch's column. Most are numbers: in a loop of their own they take half as long. */
export function copyTo(target: ColumnData, at: readonly number[], column: Column, rows: readonly number[]): void {
  if (column instanceof Float64Array) for (let i = 0; i < at.length; i++) target[at[i]!] = column[rows[i]!]!;
  else if (column instanceof PooledColumn) {
    const { values, places } = column;
    for (let i = 0; i < at.length; i++) target[at[i]!] = values[places[rows[i]!]!]!;
  } else for (let i = 0; i < at.length; i++) target[at[i]!] = valueAt(column, rows[i]!) as never;
}

/** The value of a row: `NaN` for a number that is missing, `null` for a text. */
export function valueAt(column: Column, row: number): number | string | null {
  if (column instanceof Float64Array || column instanceof Int32Array) return column[row]!;
  if (column instanceof PooledColumn) return column.values[column.places[row]!]!;
  return column instanceof TextColumn ? column.values[row]! : column.texts[column.codes[row]!]!;
}

/** How row `a` stands to row `b`: negative where it comes first. */
export type RowOrder = (a: number, b: number) => number;

/** The order of rows by one column, missing values last in both directions. */
export function rowOrder(column: Column, direction: 'asc' | 'desc'): RowOrder {
  const sign = direction === 'asc' ? 1 : -1;
  if (column instanceof Int32Array) return (a, b) => (column[a]! - column[b]!) * sign;
  if (column instanceof Float64Array) return (a, b) => compareNumbers(column[a]!, column[b]!, sign);
  if (column instanceof PooledColumn) {
    const { values, places } = column;
    return (a, b) => compareNumbers(values[places[a]!]!, values[places[b]!]!, sign);
  }
  if (column instanceof DictionaryColumn) {
    const { codes, texts } = column;
    return (a, b) => (codes[a] === codes[b] ? 0 : compareTexts(texts[codes[a]!]!, texts[codes[b]!]!, sign));
  }
  const { values, prefixKeys } = column;
  return (a, b) => {
    const difference = prefixKeys[a]! - prefixKeys[b]!;
    if (difference !== 0 && values[a] !== null && values[b] !== null) return difference * sign;
    return compareTexts(values[a]!, values[b]!, sign);
  };
}

/** How rows stand to a value of their column, `null` if it is missing: negative where the row comes first. */
export function placeTo(
  column: Column,
  direction: 'asc' | 'desc',
  value: number | string | null,
): (row: number) => number {
  const sign = direction === 'asc' ? 1 : -1;
  if (column instanceof DictionaryColumn) {
    const { codes, texts } = column;
    return (row) => compareTexts(texts[codes[row]!]!, value as string | null, sign);
  }
  if (column instanceof TextColumn) {
    const { values, prefixKeys } = column;
    const beginning = value === null ? Number.NaN : prefixKey(value as string);
    return (row) => {
      const difference = prefixKeys[row]! - beginning;
      if (Math.abs(difference) > 0 && values[row] !== null) return sign * difference;
      return compareTexts(values[row]!, value as string | null, sign);
    };
  }
  const bound = (value ?? Number.NaN) as number;
  if (column instanceof PooledColumn) {
    const { values, places } = column;
    return (row) => compareNumbers(values[places[row]!]!, bound, sign);
  }
  return (row) => compareNumbers(column[row]!, bound, sign);
}

/** The order of rows by the first column, then the second, and so on. */
export function rowOrderBy(orders: readonly RowOrder[]): RowOrder {
  const [first, second] = orders;
  if (first === undefined) return () => 0;
  if (second === undefined) return first;
  if (orders.length === 2) return (a, b) => first(a, b) || second(a, b);
  return (a, b) => {
    for (const order of orders) {
      const result = order(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

/** The order of two values of a column: negative where `a` comes first. */
export function compareValues(a: number | string | null, b: number | string | null, direction: 'asc' | 'desc'): number {
  const sign = direction === 'asc' ? 1 : -1;
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b, sign);
  return compareTexts(a as string | null, b as string | null, sign);
}

/** NaN is missing: it comes last in both directions. */
function compareNumbers(a: number, b: number, sign: number): number {
  if (a < b) return -sign;
  if (a > b) return sign;
  return +Number.isNaN(a) - +Number.isNaN(b);
}

/** The order of two texts, missing ones last. */
export function compareTexts(a: string | null, b: string | null, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return sign * compareText(a, b);
}

/** Rows sorted, and then merged, before others may have their turn. */
const RUN = 2048;

/** The rows in order, equal ones as they came: a new list, or the list itself if it is in order. */
export function* sortRows(rows: Int32Array, order: RowOrder): Work<Int32Array> {
  if (yield* isSorted(rows, order)) return rows;
  return yield* mergeSorting(rows.slice(), RUN, (run) => run.sort(order), order);
}

function* isSorted(rows: Int32Array, order: RowOrder): Work<boolean> {
  for (let i = 1; i < rows.length; i++) {
    if (order(rows[i - 1]!, rows[i]!) > 0) return false;
    if (i % RUN === 0) yield;
  }
  return true;
}
