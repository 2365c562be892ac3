import { type Batch, type ColumnData, NO_ID, type Table } from '@swapfold/core/engine';

/** The column that holds the checksum of its row, on engines that do not check what they read from disk. */
export const CHECKSUM = 'row_checksum';

/** The table as such an engine has it. */
export function withChecksumColumn(table: Table): Table {
  return { ...table, columns: { ...table.columns, [CHECKSUM]: 'id' } };
}

/** Stands for null, of whatever bits the `NaN` is. */
const NULL = 0x7ff80000;

/**
 * 32 bits of each row over all columns of the table, in the table's order: a change of one value always changes them, any other damage
 * is overlooked once in 2^32. Nulls of `added` columns do not count, because rows of earlier versions lack them. 0 and -0 count as one value, because columns of whole numbers do not tell them apart.
 * Stops after each column and after some thousand texts, where others may have their turn.
 */
export function* rowChecksums(
  table: Table,
  { length, columns }: Batch,
): Generator<void, Int32Array<ArrayBuffer>, void> {
  const sums = new Int32Array(length).fill(length === 0 ? 0 : SEED);
  for (const name of Object.keys(table.columns)) {
    const column = columns[name] as ColumnData;
    const before = table.added?.includes(name) ? sums.slice() : undefined;
    if (Array.isArray(column))
      for (let from = 0; from < length; from += TEXTS) {
        addTexts(sums, column, from, Math.min(from + TEXTS, length));
        yield;
      }
    else if (column instanceof Int32Array) addIds(sums, column);
    else addNumbers(sums, column);
    if (before) restoreMissing(sums, before, column);
    yield;
  }
  for (let i = 0; i < length; i++) sums[i] = finished(sums[i]!);
  return sums;
}

/** Texts after which others may have their turn. */
const TEXTS = 8192;

const SEED = 0x2f6b1a35;
const FACTOR = 0x9e3779b1;

/** Each step is one to one in both of its arguments, so that one changed value cannot go unseen. */
function step(sum: number, bits: number): number {
  const mixed = Math.imul(sum ^ bits, FACTOR);
  return mixed ^ (mixed >>> 15);
}

function restoreMissing(sums: Int32Array, before: Int32Array, column: ColumnData): void {
  for (let i = 0; i < sums.length; i++) {
    const value = column[i]!;
    const isMissing = column instanceof Int32Array ? value === NO_ID : value === null || Number.isNaN(value);
    if (isMissing) sums[i] = before[i]!;
  }
}

function addIds(sums: Int32Array, ids: Int32Array): void {
  for (let i = 0; i < sums.length; i++) sums[i] = step(sums[i]!, ids[i]!);
}

function addNumbers(sums: Int32Array, numbers: Float64Array): void {
  const bits = new Int32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2);
  for (let i = 0; i < sums.length; i++) {
    const value = numbers[i]!;
    if (value === 0) sums[i] = step(step(sums[i]!, 0), 0);
    else if (Number.isNaN(value)) sums[i] = step(step(sums[i]!, 0), NULL);
    else sums[i] = step(step(sums[i]!, bits[2 * i]!), bits[2 * i + 1]!);
  }
}

function addTexts(sums: Int32Array, texts: readonly (string | null)[], from: number, to: number): void {
  for (let i = from; i < to; i++) {
    const text = texts[i]!;
    let sum = step(sums[i]!, text === null ? NULL : text.length);
    if (text !== null) for (let at = 0; at < text.length; at++) sum = step(sum, text.charCodeAt(at));
    sums[i] = sum;
  }
}

function finished(sum: number): number {
  const mixed = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return mixed ^ (mixed >>> 13);
}
