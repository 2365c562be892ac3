import type { DuckDBVector } from '@duckdb/node-api';
import type { ColumnData } from '@swapfold/core/engine';
import { readTexts } from './texts.ts';

/** 2^32: a `bigint` of DuckDB is read and written as two halves, since a BigInt a value costs ten times as much. */
const HALF = 4_294_967_296;

/**
 * What node-api's vectors are made of. Its types keep these fields private and offer one value at a time instead, with a BigInt shift
 * for each null: ten to fifty times the cost of a batch.
 */
interface RawVector {
  readonly items: Int32Array | Float64Array | BigInt64Array;
  readonly validity: { data: BigUint64Array | null };
  readonly dataView: DataView;
  setItem(row: number, value: string | null): void;
  flush(): void;
}

/** Fills a vector of the column's type with `count` values from `from` on; NaN becomes null. */
export function writeVector(vector: DuckDBVector, column: ColumnData, from: number, count: number): void {
  const raw = vector as unknown as RawVector;
  if (Array.isArray(column)) {
    for (let i = 0; i < count; i++) raw.setItem(i, column[from + i]!);
  } else if (raw.items instanceof BigInt64Array) {
    writeHalves(raw.items, column, from, count);
  } else {
    raw.items.set(column.subarray(from, from + count));
  }
  if (column instanceof Float64Array) raw.validity.data = validityOf(column, from, count);
  raw.flush();
}

/** Copies the `count` values of a vector into `column` from `at` on; null becomes NaN. */
export function readVector(vector: DuckDBVector, column: ColumnData, at: number, count: number): void {
  const raw = vector as unknown as RawVector;
  if (Array.isArray(column)) {
    readTexts(raw, column, at, count);
    return;
  }
  if (raw.items instanceof BigInt64Array) readHalves(raw.items, column, at, count);
  else column.set(raw.items.subarray(0, count), at);
  const { data } = raw.validity;
  if (data) markNulls(new Uint32Array(data.buffer, data.byteOffset, data.length * 2), column, at, count);
}

function writeHalves(items: BigInt64Array, column: Int32Array | Float64Array, from: number, count: number): void {
  const low = new Uint32Array(items.buffer, items.byteOffset, count * 2);
  const high = new Int32Array(items.buffer, items.byteOffset, count * 2);
  for (let i = 0; i < count; i++) {
    const value = column[from + i]!;
    const upper = Math.floor(value / HALF);
    high[i * 2 + 1] = upper;
    low[i * 2] = value - upper * HALF;
  }
}

function readHalves(items: BigInt64Array, column: Int32Array | Float64Array, at: number, count: number): void {
  const low = new Uint32Array(items.buffer, items.byteOffset, count * 2);
  const high = new Int32Array(items.buffer, items.byteOffset, count * 2);
  for (let i = 0; i < count; i++) column[at + i] = high[i * 2 + 1]! * HALF + low[i * 2]!;
}

/** A bit a row, set where the value is not NaN; `null` where all are set. */
function validityOf(column: Float64Array, from: number, count: number): BigUint64Array | null {
  let words: Uint32Array | undefined;
  for (let i = 0; i < count; i++) {
    if (!Number.isNaN(column[from + i])) continue;
    words ??= new Uint32Array(Math.ceil(count / 64) * 2).fill(0xffffffff);
    words[i >>> 5]! &= ~(1 << (i & 31));
  }
  return words ? new BigUint64Array(words.buffer) : null;
}

function markNulls(valid: Uint32Array, column: Int32Array | Float64Array, at: number, count: number): void {
  for (let from = 0; from < count; from += 32) {
    const word = valid[from >>> 5]!;
    if (word === 0xffffffff) continue;
    const to = Math.min(from + 32, count);
    for (let i = from; i < to; i++) if (((word >>> (i & 31)) & 1) === 0) column[at + i] = Number.NaN;
  }
}
