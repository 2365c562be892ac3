import { parentPort, workerData } from 'node:worker_threads';
import type { FoldMessage } from '@swapfold/core';
import { type FoldWorkerData, foldIn } from './fold-worker.ts';
import { offerItems } from './threads/offer-items.ts';

// A thread that folds a part of the profiles: see `foldWorker`.
offerItems(parentPort!, foldIn(workerData as FoldWorkerData), buffersOf);

/** The memory of the number columns. */
function buffersOf(folded: FoldMessage): ArrayBuffer[] {
  if (folded.kind === 'found') return [];
  const buffers = new Set<ArrayBuffer>();
  for (const column of [folded.missing, ...Object.values(folded.rows.columns)])
    if (!Array.isArray(column)) buffers.add(column.buffer as ArrayBuffer);
  return [...buffers];
}
