import { stat } from 'node:fs/promises';
import { startThread } from '../threads/start-thread.ts';
import { takeItems } from '../threads/take-items.ts';
import type { StreamSource } from './open-stream.ts';
import { readSwapFile, type SwapFileBatch, type SwapFileOptions } from './read-swap-file.ts';

/** Bytes of a file from which on a thread of its own is worth its start. */
const LEAST_BYTES = 8_000_000;

/** What a reading thread is given. */
export interface ReadTask {
  readonly path: string;
  readonly options: SwapFileOptions;
}

/**
 * `readSwapFile` in a thread of its own, so that the file is read on one core while another stores what was read: the columns are handed
 * over, not copied. A stream and a file under `leastBytes` (default 8 MB) are read on this thread. The batches alone show the progress.
 */
export async function* readSwapFileInWorker(
  from: string | StreamSource,
  options: Omit<SwapFileOptions, 'onProgress'>,
  leastBytes = LEAST_BYTES,
): AsyncGenerator<SwapFileBatch> {
  const size = typeof from === 'string' ? await sizeOf(from) : 0;
  if (typeof from !== 'string' || size < leastBytes) {
    yield* readSwapFile(from, options);
    return;
  }
  const task: ReadTask = { path: from, options };
  yield* takeItems<SwapFileBatch>(startThread('reader', task), `reading "${from}"`);
}

function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.size,
    () => 0,
  );
}
