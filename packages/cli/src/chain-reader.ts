import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { SwapColumns, TransferColumns } from '@swapfold/core';
import type { SourceRows } from '@swapfold/core/host';
import { type ChainItem, type ChainTask, chainSource } from './sources/chain-in-worker.ts';
import { offerItems } from './threads/offer-items.ts';

// A thread that reads the swaps of a chain: see `chainInWorker`.
const { of, after, notices } = workerData as ChainTask & { readonly notices: MessagePort };
const source = await chainSource(of, (message) => notices.postMessage(message));
offerItems(parentPort!, items(), buffersOf);

async function* items(): AsyncGenerator<ChainItem> {
  // The thread is ended from outside.
  const { signal } = new AbortController();
  for await (const item of source.read(after, { signal })) yield { item, undecoded: source.undecoded };
}

/** The memory of the number columns and ids. */
function buffersOf({ item }: ChainItem): ArrayBuffer[] {
  const { rows, transfers } = item as SourceRows;
  return [...columnsOf(rows), ...columnsOf(transfers)].map(
    (column) => ('ids' in column ? column.ids : column).buffer as ArrayBuffer,
  );
}

/** Those of numbers, and of texts as ids. */
function columnsOf(rows: SourceRows['rows' | 'transfers']): (Float64Array | { readonly ids: Int32Array })[] {
  const columns = Object.values((rows as SwapColumns | TransferColumns | undefined)?.columns ?? {});
  return columns.filter((column) => !Array.isArray(column)) as never;
}
