import { beginningOf, type KeptColumn, KeptNumbers, KeptTexts, type KeptWords } from '../profiles/kept-column.ts';
import { compareText } from '../records/chain-order.ts';

/** Where rows stand to a value in the order of a sort: `beyond` it on the side asked for, or at the same place. */
export interface Split {
  readonly beyond: Int32Array;
  readonly equal: Int32Array;
}

export type Side = 'before' | 'after';

/**
 * Splits `rows` by their place in the order of one sort key to that of `value`, `null` where it is missing; the others are left out.
 * Missing values come last in both directions.
 */
export function splitRows(
  column: KeptColumn,
  direction: 'asc' | 'desc',
  rows: Int32Array,
  value: number | string | null,
  side: Side,
): Split {
  const sign = direction === 'asc' ? 1 : -1;
  if (column instanceof KeptNumbers) {
    if (value === null) return splitMissing(column.values, rows, side);
    return side === 'before'
      ? splitBefore(column.values, rows, sign, value as number)
      : splitAfter(column.values, rows, sign, value as number);
  }
  const isBeyond = side === 'before' ? -1 : 1;
  if (column instanceof KeptTexts) return splitTexts(column, rows, value as string | null, sign, isBeyond);
  const { codes, texts } = column as KeptWords;
  const places = Int8Array.from(texts, (text) => Math.sign(compareTexts(text, value as string | null, sign)));
  return splitBy(rows, isBeyond, (row) => places[codes[row]!]!);
}

/** The order of two texts of a sort key: negative where `a` comes first. */
export function compareTexts(a: string | null, b: string | null, sign: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return sign * compareText(a, b);
}

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
  { values, beginnings }: KeptTexts,
  rows: Int32Array,
  value: string | null,
  sign: number,
  isBeyond: 1 | -1,
): Split {
  const beginning = value === null ? Number.NaN : beginningOf(value);
  return splitBy(rows, isBeyond, (row) => {
    const difference = beginnings[row]! - beginning;
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
