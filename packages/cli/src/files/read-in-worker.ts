import { stat } from 'node:fs/promises';
import { startThread } from '../threads/start-thread.ts';
import { takeItems } from '../threads/take-items.ts';
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
 * over, not copied. A file under `leastBytes` (default 8 MB) is read on this thread. Progress is told by the batches alone.
 */
export async function* readSwapFileInWorker(
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
  const task: ReadTask = { path, options };
  yield* takeItems<SwapFileBatch>(startThread('reader', task), `reading "${path}"`);
}
