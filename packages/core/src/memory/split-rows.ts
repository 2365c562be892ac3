import { inPieces, type Work } from '../work.ts';
import { type Column, compareTexts, DictionaryColumn, prefixKey, TextColumn } from './column.ts';

/** Where rows stand to a value in the order of a sort: `beyond` it on the side asked for, or at the same place. */
export interface Split {
  readonly beyond: Int32Array;
  readonly equal: Int32Array;
}

export type Side = 'before' | 'after';

/** Rows that are split before others may have their turn. */
const PIECE = 16_384;

/**
 * Splits `rows` by their place in the order of one sort key to that of `value`, `null` if it is missing; the others are left out.
 * Missing values come last in both directions.
 */
export function* splitRows(
  column: Column,
  direction: 'asc' | 'desc',
  rows: Int32Array,
  value: number | string | null,
  side: Side,
): Work<Split> {
  const splitPiece = splitterOf(column, direction, value, side);
  const parts: Split[] = [];
  yield* inPieces(rows, PIECE, (piece) => parts.push(splitPiece(piece)));
  return { beyond: concatRows(parts.map((part) => part.beyond)), equal: concatRows(parts.map((part) => part.equal)) };
}

export function concatRows(parts: readonly Int32Array[]): Int32Array {
  if (parts.length === 1) return parts[0]!;
  const whole = new Int32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function splitterOf(
  column: Column,
  direction: 'asc' | 'desc',
  value: number | string | null,
  side: Side,
): (rows: Int32Array) => Split {
  const sign = direction === 'asc' ? 1 : -1;
  const isBeyond = side === 'before' ? -1 : 1;
  if (column instanceof TextColumn) return (rows) => splitTexts(column, rows, value as string | null, sign, isBeyond);
  if (!(column instanceof DictionaryColumn)) {
    if (value === null) return (rows) => splitMissing(column, rows, side);
    const split = side === 'before' ? splitBefore : splitAfter;
    return (rows) => split(column, rows, sign, value as number);
  }
  const { codes, texts } = column;
  const places = new Int8Array(texts.length).fill(UNKNOWN);
  const placeOf = (row: number): number => {
    const code = codes[row]!;
    if (places[code] === UNKNOWN) places[code] = Math.sign(compareTexts(texts[code]!, value as string | null, sign));
    return places[code]!;
  };
  return (rows) => splitBy(rows, isBeyond, placeOf);
}

/** The place of a text that was not compared yet. */
const UNKNOWN = 2;

// Without branches, as in `selectNumbers`: a row is written whether or not it counts. NaN fails every comparison.

function splitBefore(values: Int32Array | Float64Array, rows: Int32Array, sign: number, value: number): Split {
  const beyond = new Int32Array(rows.length);
  const equal = new Int32Array(rows.length);
  const bound = sign * value;
  let before = 0;
  let same = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const key = sign * values[row]!;
    beyond[before] = row;
    before += +(key < bound);
    equal[same] = row;
    same += +(key === bound);
  }
  return { beyond: beyond.subarray(0, before), equal: equal.subarray(0, same) };
}

function splitAfter(values: Int32Array | Float64Array, rows: Int32Array, sign: number, value: number): Split {
  const beyond = new Int32Array(rows.length);
  const equal = new Int32Array(rows.length);
  const bound = sign * value;
  let after = 0;
  let same = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const key = sign * values[row]!;
    beyond[after] = row;
    after += +!(key <= bound);
    equal[same] = row;
    same += +(key === bound);
  }
  return { beyond: beyond.subarray(0, after), equal: equal.subarray(0, same) };
}

function splitMissing(values: Int32Array | Float64Array, rows: Int32Array, side: Side): Split {
  return {
    beyond: side === 'after' ? new Int32Array(0) : rows.filter((row) => !Number.isNaN(values[row]!)),
    equal: rows.filter((row) => Number.isNaN(values[row]!)),
  };
}

/** Most texts differ from the value in their beginnings. */
function splitTexts(
  { values, prefixKeys }: TextColumn,
  rows: Int32Array,
  value: string | null,
  sign: number,
  isBeyond: 1 | -1,
): Split {
  const beginning = value === null ? Number.NaN : prefixKey(value);
  return splitBy(rows, isBeyond, (row) => {
    const difference = prefixKeys[row]! - beginning;
    if (Math.abs(difference) > 0 && values[row] !== null) return sign * difference;
    return compareTexts(values[row]!, value, sign);
  });
}

function splitBy(rows: Int32Array, isBeyond: 1 | -1, placeOf: (row: number) => number): Split {
  const beyond = new Int32Array(rows.length);
  const equal = new Int32Array(rows.length);
  let outside = 0;
  let same = 0;
  for (let i = 0; i < rows.length; i++) {
    const place = placeOf(rows[i]!);
    beyond[outside] = rows[i]!;
    outside += +(place * isBeyond > 0);
    equal[same] = rows[i]!;
    same += +(place === 0);
  }
  return { beyond: beyond.subarray(0, outside), equal: equal.subarray(0, same) };
}
