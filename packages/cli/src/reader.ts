import { parentPort, workerData } from 'node:worker_threads';
import { SwapfoldError } from '@swapfold/core';
import type { ReadAnswer, ReadOrder } from './files/read-aside.ts';
import { readSwapFile, type SwapFileBatch } from './files/read-swap-file.ts';

// A thread that reads a file of swaps: see `readSwapFileAside`.
const { path, options } = workerData as ReadOrder;
const batches = readSwapFile(path, options);

parentPort!.on('message', async () => {
  const answer = await next();
  parentPort!.postMessage(answer, answer.kind === 'batch' ? buffersOf(answer.batch) : []);
});

async function next(): Promise<ReadAnswer> {
  try {
    const { done, value } = await batches.next();
    return done ? { kind: 'end' } : { kind: 'batch', batch: value };
  } catch (error) {
    if (!(error instanceof SwapfoldError)) return { kind: 'failure', error };
    return { kind: 'refusal', code: error.code, message: error.message, details: error.details };
  }
}

/** The memory of the number columns and ids, which the receiver gets. */
function buffersOf({ batch, rowNumbers }: SwapFileBatch): ArrayBuffer[] {
  const buffers = new Set([rowNumbers.buffer as ArrayBuffer]);
  for (const column of Object.values(batch.columns)) {
    if (column === undefined || Array.isArray(column)) continue;
    buffers.add(('ids' in column ? column.ids.buffer : (column as Float64Array).buffer) as ArrayBuffer);
  }
  return [...buffers];
}
