import { invalidInput, SwapfoldError } from '../errors.ts';
import type { UnknownField } from '../ingest-result.ts';
import { nearest, show } from '../nearest.ts';
import { isOfText, type RowFields } from '../records/fields.ts';
import { fieldsOfSwaps, type SwapFieldName } from '../records/swap-fields.ts';
import { isTime } from '../time.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { GivenSwap, GivenTransfer, SwapColumns, TransferColumns } from './columns.ts';
import type { RowColumns } from './row-checks.ts';

/** Stands for a text field that held something else: no address, hash or symbol contains it, so the row is rejected. */
const WRONG_TEXT = '\u0000';

/** Unknown fields beyond these are not counted: a list of swaps does not have so many. */
const MOST_UNKNOWN = 1000;

/** Characters of the name of an unknown field that are reported. */
const NAME_LENGTH = 60;

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

/** A source that can give the rows of all its items in the order of their times, too. */
export interface SortableSource extends AsyncIterable<SwapItem> {
  /** In place of the items, if they are stored batch by batch: a batch that is older than a stored one is written with all that follows it. */
  readonly inTimeOrder: () => AsyncIterable<SwapItem>;
}

/** What `ingest` takes. */
export type SwapSource = readonly GivenSwap[] | SwapColumns | Iterable<SwapItem> | AsyncIterable<SwapItem>;

export type InputBatch = readonly GivenSwap[] | SwapColumns;

export type InputItem = InputBatch | SwapFile;

/** What `transfers.ingest` takes: an array or a column batch of transfers, or an iterable of transfers, lists or column batches of them. */
export type TransferSource =
  | readonly GivenTransfer[]
  | TransferColumns
  | Iterable<GivenTransfer | readonly GivenTransfer[] | TransferColumns>
  | AsyncIterable<GivenTransfer | readonly GivenTransfer[] | TransferColumns>;

export type TransferBatch = readonly GivenTransfer[] | TransferColumns;

/** The source in batches: an array or a column batch stays whole, single swaps are gathered up to `batchSize`. */
export function inputItems(source: SwapSource, batchSize: number): AsyncIterable<InputItem> {
  return gathered(source, batchSize, 'swaps');
}

/** As `inputItems`, of transfers. */
export function transferItems(source: TransferSource, batchSize: number): AsyncIterable<TransferBatch> {
  return gathered(source, batchSize, 'transfers');
}

async function* gathered<Batch extends object>(source: unknown, batchSize: number, of: string): AsyncIterable<Batch> {
  if (Array.isArray(source) && !source.some((item) => isColumns(item) || Array.isArray(item))) {
    yield source as unknown as Batch;
    return;
  }
  if (isColumns(source)) {
    yield source as unknown as Batch;
    return;
  }
  if (typeof source !== 'object' || source === null || !(Symbol.iterator in source || Symbol.asyncIterator in source)) {
    throw invalidInput(`Expected an array, an iterable or a column batch of ${of}, received ${show(source)}.`);
  }
  let rows: unknown[] = [];
  for await (const item of readable(() => source as AsyncIterable<unknown>, `The source of ${of}`)) {
    const isBatch = Array.isArray(item) || isColumns(item) || isSwapFile(item);
    if (!isBatch) rows.push(item);
    if (rows.length > 0 && (isBatch || rows.length >= batchSize)) {
      yield rows as unknown as Batch;
      rows = [];
    }
    if (isBatch) yield item as unknown as Batch;
  }
  if (rows.length > 0) yield rows as unknown as Batch;
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

export function isColumns(value: unknown): value is RowColumns {
  const { columns, length } = Object(value) as Partial<RowColumns>;
  return length !== undefined && typeof columns === 'object';
}

/** What is said of a row of the input, with where the row is from, if its batch says so. `firstRow`: the number of the batch's first one. */
export function located<R extends { readonly row: number }>(found: R, batch: object, firstRow: number): R {
  const { file, numbers } = batch as Partial<SwapFile>;
  if (file === undefined || numbers === undefined) return found;
  const at = found.row - firstRow;
  return { ...found, from: { file, row: typeof numbers === 'number' ? numbers + at : numbers[at]! } };
}

/** The source in the order of its times, if it can be sorted. */
export function inTimeOrder(source: SwapSource): SwapSource {
  const { inTimeOrder: sorted } = Object(source) as Partial<SortableSource>;
  return typeof sorted === 'function' ? sorted() : source;
}

export function isSwapFile(item: unknown): item is SwapFile {
  return typeof item === 'object' && item !== null && 'parquet' in item && 'batches' in item;
}

/** Swap objects as a column batch, as `rowsToColumns`. */
export async function objectsToColumns(swaps: readonly GivenSwap[]): Promise<SwapColumns> {
  return (await rowsToColumns(fieldsOfSwaps, swaps)) as RowColumns as SwapColumns;
}

/**
 * Objects as a column batch. A value of the wrong type becomes one that the checks reject. Other work of the process has its turn
 * meanwhile.
 */
export async function rowsToColumns<Name extends string>(
  fields: RowFields<Name>,
  given: readonly object[],
): Promise<RowColumns> {
  const rows = given.slice() as readonly Readonly<Record<Name, unknown>>[];
  const pause = yielder();
  const columns: Record<string, (string | null)[] | Float64Array> = {};
  for (const name of fields.names) {
    columns[name] = isOfText(fields.field(name)) ? texts(rows, name) : numbers(rows, name, fields);
    await pause.yieldIfDue();
  }
  return { length: rows.length, columns };
}

function texts<Name extends string>(rows: readonly Readonly<Record<Name, unknown>>[], name: Name): (string | null)[] {
  return rows.map((row) => {
    const value: unknown = row?.[name];
    return typeof value === 'string' ? value : value === null || value === undefined ? null : WRONG_TEXT;
  });
}

function numbers<Name extends string>(
  rows: readonly Readonly<Record<Name, unknown>>[],
  name: Name,
  { field }: RowFields<Name>,
): Float64Array {
  const { type } = field(name);
  return Float64Array.from(rows, (row) => {
    const value: unknown = row?.[name];
    if (value === null || value === undefined) return Number.NaN;
    if (type === 'flag') return typeof value === 'boolean' ? Number(value) : Number.POSITIVE_INFINITY;
    if (typeof value === 'number' && !Number.isNaN(value)) return value;
    if (type === 'time' && isTime(value)) return value.getTime() / 1000;
    return Number.POSITIVE_INFINITY;
  });
}

/** The fields of rows that are none of their kind, in the order in which they come. */
export async function unknownFields({ names }: RowFields, rows: readonly unknown[]): Promise<Iterable<UnknownField>> {
  const known: ReadonlySet<string> = new Set(names);
  const found = new Map<string, UnknownField>();
  const pause = yielder();
  for (const [i, row] of rows.entries()) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    if (typeof row !== 'object' || row === null) continue;
    for (const name of Object.keys(row)) if (!known.has(name)) countField(found, name, { row, names });
  }
  return found.values();
}

function countField(
  found: Map<string, UnknownField>,
  name: string,
  { row, names }: { readonly row: object; readonly names: readonly string[] },
): void {
  const field = name.slice(0, NAME_LENGTH);
  const before = found.get(field);
  if (before !== undefined) before.rows++;
  else if (found.size < MOST_UNKNOWN) {
    const free = names.filter((candidate) => (row as Record<string, unknown>)[candidate] == null);
    found.set(field, { field, rows: 1, nearest: nearest(field, free) ?? null });
  }
}
