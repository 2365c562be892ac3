import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import type { GivenSwap, SwapColumns } from './columns.ts';

type Item = GivenSwap | readonly GivenSwap[] | SwapColumns;

/** What `ingest` takes. */
export type SwapSource = readonly GivenSwap[] | SwapColumns | Iterable<Item> | AsyncIterable<Item>;

/** Swaps that are written together. */
export type InputBatch = readonly GivenSwap[] | SwapColumns;

/** The source in batches: an array or a column batch stays whole, single swaps are gathered up to `batchSize`. */
export async function* inputBatches(source: SwapSource, batchSize: number): AsyncIterable<InputBatch> {
  if (Array.isArray(source) && !source.some((item) => isColumns(item) || Array.isArray(item))) {
    yield source as readonly GivenSwap[];
    return;
  }
  if (isColumns(source)) {
    yield source;
    return;
  }
  if (typeof source !== 'object' || source === null || !(Symbol.iterator in source || Symbol.asyncIterator in source)) {
    throw new SwapfoldError(
      'invalid-input',
      `Expected an array, an iterable or a column batch of swaps, received ${show(source)}.`,
    );
  }
  let gathered: GivenSwap[] = [];
  for await (const item of readable(source as AsyncIterable<Item>)) {
    const isBatch = Array.isArray(item) || isColumns(item);
    if (!isBatch) gathered.push(item as GivenSwap);
    if (gathered.length > 0 && (isBatch || gathered.length >= batchSize)) {
      yield gathered;
      gathered = [];
    }
    if (isBatch) yield item;
  }
  if (gathered.length > 0) yield gathered;
}

/** The items of a source; what it throws names it. Errors: `source-failed`, with what was thrown as cause. */
async function* readable(source: AsyncIterable<Item>): AsyncIterable<Item> {
  try {
    yield* source;
  } catch (cause) {
    // That of another ingest tells what that one stored.
    if (cause instanceof SwapfoldError && cause.result === undefined) throw cause;
    const reason = cause instanceof Error ? cause.message : show(cause);
    throw new SwapfoldError('source-failed', `The source of swaps failed: ${reason}`, { cause });
  }
}

export function isColumns(value: unknown): value is SwapColumns {
  return (
    typeof value === 'object' &&
    value !== null &&
    'columns' in value &&
    'length' in value &&
    typeof value.columns === 'object'
  );
}
