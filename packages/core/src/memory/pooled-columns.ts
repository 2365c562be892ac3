import type { Work } from '../work.ts';
import { PooledColumn } from './column.ts';

/** Rows that places of 16 bits can name, and how many make it worth a look. */
const [LEAST, MOST] = [512, 2 ** 16 - 1];

/** One row in so many that is like the common one at least: of fewer the places take what the numbers leave. */
const COMMON = 5;

/** Rows that are tried as the common one, and those that say how common each of them is. */
const [TRIED, SAMPLE] = [4, 64];

/**
 * Pools columns in which many rows have the same numbers all together, such as those of a window in which most wallets have not traded:
 * they share the places of their rows, and each has the number of the common row once. Where few do, the columns stay as they are.
 */
export function* poolingColumns(
  columns: readonly Float64Array[],
  length: number,
): Work<readonly (PooledColumn | Float64Array)[]> {
  const common = length < LEAST || length > MOST ? undefined : commonRow(columns, length);
  if (common === undefined) return columns;
  let alike: Int32Array = Int32Array.from({ length }, (_, row) => row);
  for (const column of columns) {
    alike = rowsWith(column, column[common]!, alike);
    yield;
  }
  if (alike.length * COMMON < length) return columns;
  const places = new Uint16Array(length).fill(1);
  for (const row of alike) places[row] = 0;
  const others = new Int32Array(length - alike.length);
  let size = 0;
  for (let row = 0; row < length; row++) {
    if (places[row] === 0) continue;
    others[size++] = row;
    places[row] = size;
  }
  const pooled: PooledColumn[] = [];
  for (const column of columns) {
    const values = new Float64Array(size + 1);
    values[0] = column[common]!;
    for (let i = 0; i < others.length; i++) values[i + 1] = column[others[i]!]!;
    pooled.push(new PooledColumn(values, places));
    yield;
  }
  return pooled;
}

/** The row of some, which lie evenly among all, that most others are like; `undefined` if few are. */
function commonRow(columns: readonly Float64Array[], length: number): number | undefined {
  const step = Math.floor(length / SAMPLE);
  const isLike = (a: number, b: number): boolean => columns.every((column) => Object.is(column[a], column[b]));
  for (let tried = 0; tried < TRIED; tried++) {
    const row = tried * step * Math.floor(SAMPLE / TRIED);
    let like = 0;
    for (let other = 0; other < SAMPLE; other++) like += isLike(row, other * step) ? 1 : 0;
    if (like * COMMON >= SAMPLE) return row;
  }
  return undefined;
}

/** Those of the rows that have the number, to the bit. */
function rowsWith(column: Float64Array, number: number, rows: Int32Array): Int32Array {
  const [low, high] = wordsOf(Float64Array.of(number));
  const words = wordsOf(column);
  const left = new Int32Array(rows.length);
  let length = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    left[length] = row;
    length += +(words[row * 2] === low) & +(words[row * 2 + 1] === high);
  }
  return left.subarray(0, length);
}

function wordsOf(numbers: Float64Array): Int32Array {
  return new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
}
