import { SwapfoldError } from '../errors.ts';
import { show } from '../nearest.ts';
import type { SwapColumns } from './columns.ts';
import { objectsToColumns } from './objects.ts';
import type { SwapInput } from './swap-input.ts';

type Item = SwapInput | readonly SwapInput[] | SwapColumns;

/** What `ingest` takes. */
export type SwapSource = readonly SwapInput[] | SwapColumns | Iterable<Item> | AsyncIterable<Item>;

/** The source as column batches: an array or a batch stays whole, single swaps are gathered up to `batchSize`. */
export async function* inputBatches(source: SwapSource, batchSize: number): AsyncIterable<SwapColumns> {
  if (Array.isArray(source) && !source.some((item) => isColumns(item) || Array.isArray(item))) {
    yield await objectsToColumns(source as readonly SwapInput[]);
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
      yield await objectsToColumns(gathered);
      gathered = [];
    }
    if (isBatch)
      yield Array.isArray(item) ? await objectsToColumns(item as readonly SwapInput[]) : (item as SwapColumns);
  }
  if (gathered.length > 0) yield await objectsToColumns(gathered);
}

function isColumns(value: unknown): value is SwapColumns {
  return (
    typeof value === 'object' &&
    value !== null &&
    'columns' in value &&
    'length' in value &&
    typeof value.columns === 'object'
  );
}
