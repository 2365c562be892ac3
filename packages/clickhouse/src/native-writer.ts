import type { ColumnData, ColumnType } from '@swapfold/core/engine';

/** A column of a block: `type` is ClickHouse's, as the table declares it. */
export interface NativeColumn {
  readonly name: string;
  readonly type: string;
  readonly bytes: readonly Uint8Array[];
}

/** 2^32: a 64-bit integer is written as two halves, since a BigInt a value costs ten times as much. */
const HALF = 4_294_967_296;

/** One block of ClickHouse's Native format: rows by columns, as the engine itself keeps them. Blocks may follow one another. */
export function writeBlock(rows: number, columns: readonly NativeColumn[]): Buffer {
  const parts: Uint8Array[] = [varint(columns.length), varint(rows)];
  for (const { name, type, bytes } of columns) parts.push(text(name), text(type), ...bytes);
  return Buffer.concat(parts);
}

/** The values of a column as Native has them; NaN and null become nulls where `isNullable`. */
export function columnBytes(type: ColumnType, data: ColumnData, isNullable: boolean): Uint8Array[] {
  const values = Array.isArray(data)
    ? textBytes(data)
    : type === 'long'
      ? halves(data)
      : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return isNullable ? [nullsOf(data), values] : [values];
}

/** The whole numbers `first`, `first` + 1 and so on as UInt64. */
export function serialBytes(first: bigint, rows: number): Uint8Array {
  const numbers = new BigUint64Array(rows);
  for (let i = 0; i < rows; i++) numbers[i] = first + BigInt(i);
  return new Uint8Array(numbers.buffer);
}

function nullsOf(data: ColumnData): Uint8Array {
  const nulls = new Uint8Array(data.length);
  if (Array.isArray(data)) for (let i = 0; i < data.length; i++) nulls[i] = data[i] === null ? 1 : 0;
  else for (let i = 0; i < data.length; i++) nulls[i] = Number.isNaN(data[i]) ? 1 : 0;
  return nulls;
}

function halves(data: Int32Array | Float64Array): Uint8Array {
  const words = new Uint32Array(data.length * 2);
  for (let i = 0; i < data.length; i++) {
    const value = Number.isNaN(data[i]) ? 0 : data[i]!;
    const upper = Math.floor(value / HALF);
    words[i * 2] = value - upper * HALF;
    words[i * 2 + 1] = upper;
  }
  return new Uint8Array(words.buffer);
}

function textBytes(data: readonly (string | null)[]): Uint8Array {
  // A UTF-16 unit has three bytes of UTF-8 at most, a length of 2^31 five bytes.
  const room = data.reduce((sum, value) => sum + (value === null ? 1 : value.length * 3 + 5), 0);
  const bytes = Buffer.allocUnsafe(room);
  let at = 0;
  for (const value of data) {
    const length = value === null ? 0 : Buffer.byteLength(value);
    at = putVarint(bytes, length, at);
    if (length > 0) at += bytes.write(value!, at, 'utf8');
  }
  return bytes.subarray(0, at);
}

function text(value: string): Uint8Array {
  return textBytes([value]);
}

function varint(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  return bytes.subarray(0, putVarint(bytes, value, 0));
}

function putVarint(bytes: Uint8Array, value: number, at: number): number {
  let rest = value;
  while (rest >= 128) {
    bytes[at++] = (rest % 128) + 128;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}
