import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import type { SwapColumns } from './columns.ts';
import type { SwapInput } from './swap-input.ts';

type Item = SwapInput | readonly SwapInput[] | SwapColumns;

/** What `ingest` takes. */
export type SwapSource = readonly SwapInput[] | SwapColumns | Iterable<Item> | AsyncIterable<Item>;

/** Swaps that are written together. */
export type InputBatch = readonly SwapInput[] | SwapColumns;

/** The source in batches: an array or a column batch stays whole, single swaps are gathered up to `batchSize`. */
export async function* inputBatches(source: SwapSource, batchSize: number): AsyncIterable<InputBatch> {
  if (Array.isArray(source) && !source.some((item) => isColumns(item) || Array.isArray(item))) {
    yield source as readonly SwapInput[];
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
  let gathered: SwapInput[] = [];
  for await (const item of source as AsyncIterable<Item>) {
    const isBatch = Array.isArray(item) || isColumns(item);
    if (!isBatch) gathered.push(item as SwapInput);
    if (gathered.length > 0 && (isBatch || gathered.length >= batchSize)) {
      yield gathered;
      gathered = [];
    }
    if (isBatch) yield item;
  }
  if (gathered.length > 0) yield gathered;
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
