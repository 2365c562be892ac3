import { invalidInput, SwapfoldError } from '../errors.ts';
import type { UnknownField } from '../ingest-result.ts';
import { nearest, show } from '../nearest.ts';
import { isTextField, type SwapFieldName, swapFieldNames } from '../records/swap-fields.ts';
import { isTime } from '../time.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { GivenSwap, SwapColumns } from './columns.ts';

/** Stands for a text field that held something else: no address, hash or symbol contains it, so the row is rejected. */
const WRONG_TEXT = '\u0000';

/** Unknown fields beyond these are not counted: a list of swaps does not have so many. */
const MOST_UNKNOWN = 1000;

/** Characters of the name of an unknown field that are reported. */
const NAME_LENGTH = 60;

const knownFields: ReadonlySet<string> = new Set(swapFieldNames);

/** A Parquet file of swaps that an engine may read by itself; any other way in reads its `batches`. */
export interface SwapFile {
  /** Path of the file. Columns of text hold text, columns of numbers hold numbers, times are Unix seconds. */
  readonly parquet: string;
  /** The file's column of each field that it has. */
  readonly columns: Readonly<Partial<Record<SwapFieldName, string>>>;
  /** A column that holds a text in the rows that are left out, if it has one. Their numbers count all the same. */
  readonly leftOut?: string | undefined;
  /** As in `SwapColumns`. */
  readonly file?: string | undefined;
  readonly numbers?: Float64Array | number | undefined;
  readonly batches: () => AsyncIterable<SwapColumns>;
}

/** What an iterable of swaps gives: single swaps, lists or column batches of them, or files. */
export type SwapItem = GivenSwap | readonly GivenSwap[] | SwapColumns | SwapFile;

/** What `ingest` takes. */
export type SwapSource = readonly GivenSwap[] | SwapColumns | Iterable<SwapItem> | AsyncIterable<SwapItem>;

export type InputBatch = readonly GivenSwap[] | SwapColumns;

export type InputItem = InputBatch | SwapFile;

/** The source in batches: an array or a column batch stays whole, single swaps are gathered up to `batchSize`. */
export async function* inputItems(source: SwapSource, batchSize: number): AsyncIterable<InputItem> {
  if (Array.isArray(source) && !source.some((item) => isColumns(item) || Array.isArray(item))) {
    yield source as readonly GivenSwap[];
    return;
  }
  if (isColumns(source)) {
    yield source;
    return;
  }
  if (typeof source !== 'object' || source === null || !(Symbol.iterator in source || Symbol.asyncIterator in source)) {
    throw invalidInput(`Expected an array, an iterable or a column batch of swaps, received ${show(source)}.`);
  }
  let gathered: GivenSwap[] = [];
  for await (const item of readable(() => source as AsyncIterable<SwapItem>, 'The source of swaps')) {
    const isBatch = Array.isArray(item) || isColumns(item) || isSwapFile(item);
    if (!isBatch) gathered.push(item as GivenSwap);
    if (gathered.length > 0 && (isBatch || gathered.length >= batchSize)) {
      yield gathered;
      gathered = [];
    }
    if (isBatch) yield item as InputItem;
  }
  if (gathered.length > 0) yield gathered;
}

/** The items of what `open` gives. Errors: `source-failed` of `what`, with what was thrown as cause. */
export async function* readable<T>(open: () => AsyncIterable<T>, what: string): AsyncGenerator<T, void, undefined> {
  try {
    yield* open();
  } catch (cause) {
    // An error of another ingest has the result of that one.
    if (cause instanceof SwapfoldError && cause.result === undefined) throw cause;
    const reason = cause instanceof Error ? cause.message : show(cause);
    throw new SwapfoldError('source-failed', `${what} failed: ${reason}`, { cause });
  }
}

export function isColumns(value: unknown): value is SwapColumns {
  const { columns, length } = Object(value) as Partial<SwapColumns>;
  return length !== undefined && typeof columns === 'object';
}

/** What is said of a row of the input, with where the row is from, if its batch says so. `firstRow`: the number of the batch's first one. */
export function located<R extends { readonly row: number }>(found: R, batch: object, firstRow: number): R {
  const { file, numbers } = batch as Partial<SwapFile>;
  if (file === undefined || numbers === undefined) return found;
  const at = found.row - firstRow;
  return { ...found, from: { file, row: typeof numbers === 'number' ? numbers + at : numbers[at]! } };
}

export function isSwapFile(item: unknown): item is SwapFile {
  return typeof item === 'object' && item !== null && 'parquet' in item && 'batches' in item;
}

/**
 * Swap objects as a column batch. A value of the wrong type becomes one that the checks reject. Other work of the process has its turn
 * meanwhile.
 */
export async function objectsToColumns(swaps: readonly GivenSwap[]): Promise<SwapColumns> {
  const rows = swaps.slice();
  const pause = yielder();
  const columns: Record<string, (string | null)[] | Float64Array> = {};
  for (const name of swapFieldNames) {
    columns[name] = isTextField(name) ? texts(rows, name) : numbers(rows, name);
    await pause.yieldIfDue();
  }
  return { length: rows.length, columns } as unknown as SwapColumns;
}

function texts(swaps: readonly GivenSwap[], name: SwapFieldName): (string | null)[] {
  return swaps.map((swap) => {
    const value: unknown = swap?.[name];
    return typeof value === 'string' ? value : value === null || value === undefined ? null : WRONG_TEXT;
  });
}

function numbers(swaps: readonly GivenSwap[], name: SwapFieldName): Float64Array {
  return Float64Array.from(swaps, (swap) => {
    const value: unknown = swap?.[name];
    if (value === null || value === undefined) return Number.NaN;
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    if (name === 'block_time' && isTime(value)) return value.getTime() / 1000;
    return Number.POSITIVE_INFINITY;
  });
}

/** The fields of rows that no swap has, in the order in which they come. */
export async function unknownFields(rows: readonly unknown[]): Promise<Iterable<UnknownField>> {
  const found = new Map<string, UnknownField>();
  const pause = yielder();
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    if (typeof row !== 'object' || row === null) continue;
    for (const name of Object.keys(row)) if (!knownFields.has(name)) countField(found, name, row);
  }
  return found.values();
}

function countField(found: Map<string, UnknownField>, name: string, row: object): void {
  const field = name.slice(0, NAME_LENGTH);
  const before = found.get(field);
  if (before !== undefined) before.rows++;
  else if (found.size < MOST_UNKNOWN) {
    const free = swapFieldNames.filter((candidate) => (row as Record<string, unknown>)[candidate] == null);
    found.set(field, { field, rows: 1, nearest: nearest(field, free) ?? null });
  }
}
