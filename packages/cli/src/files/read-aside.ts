import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetail, SwapfoldError } from '@swapfold/core';
import { readSwapFile, type SwapFileBatch, type SwapFileOptions } from './read-swap-file.ts';

/** Bytes of a file from which on a thread of its own is worth its start. */
const LEAST_BYTES = 8_000_000;

/** What a reading thread is given: it answers each message with one `ReadAnswer`. */
export interface ReadOrder {
  readonly path: string;
  readonly options: SwapFileOptions;
}

/** The next batch; none where the file has ended; or why it cannot be read. */
export type ReadAnswer =
  | { readonly kind: 'batch'; readonly batch: SwapFileBatch }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refusal';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
    }
  | { readonly kind: 'failure'; readonly error: unknown };

/**
 * `readSwapFile` in a thread of its own, so that the file is read on one core while another stores what was read: the columns are handed
 * over, not copied. A file under `leastBytes` (default 8 MB) is read on this thread. Progress is told by the batches alone.
 */
export async function* readSwapFileAside(
  path: string,
  options: Omit<SwapFileOptions, 'onProgress'>,
  leastBytes = LEAST_BYTES,
): AsyncGenerator<SwapFileBatch> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size < leastBytes) {
    yield* readSwapFile(path, options);
    return;
  }
  const order: ReadOrder = { path, options };
  const worker = new Worker(readerFile(), { workerData: order });
  try {
    for (;;) {
      worker.postMessage('next');
      const [answer] = (await once(worker, 'message')) as [ReadAnswer];
      if (answer.kind === 'end') return;
      if (answer.kind === 'refusal') throw new SwapfoldError(answer.code, answer.message, { details: answer.details });
      if (answer.kind === 'failure') throw answer.error;
      yield answer.batch;
    }
  } finally {
    await worker.terminate();
  }
}

/** The thread's door: beside the built files, or in the sources where those run. */
function readerFile(): URL {
  return import.meta.url.endsWith('.ts')
    ? new URL('../reader-from-source.mjs', import.meta.url)
    : new URL('./reader.js', import.meta.url);
}
