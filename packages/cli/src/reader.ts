import { parentPort, workerData } from 'node:worker_threads';
import type { ReadTask } from './files/read-in-worker.ts';
import { readSwapFile, type SwapFileBatch } from './files/read-swap-file.ts';
import { offerItems } from './threads/offer-items.ts';

// A thread that reads a file of swaps: see `readSwapFileInWorker`.
const { path, options } = workerData as ReadTask;
offerItems(parentPort!, readSwapFile(path, options), buffersOf);

/** The memory of the number columns and ids. */
function buffersOf({ batch, rowNumbers }: SwapFileBatch): ArrayBuffer[] {
  const buffers = new Set([rowNumbers.buffer as ArrayBuffer]);
  for (const column of Object.values(batch.columns)) {
    if (column === undefined || Array.isArray(column)) continue;
    buffers.add(('ids' in column ? column.ids.buffer : (column as Float64Array).buffer) as ArrayBuffer);
  }
  return [...buffers];
}
