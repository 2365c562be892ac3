import type { ConfigInput, FoldMessage, FoldTask, RefreshWorker } from '@swapfold/core';
import { openReader } from './open-store.ts';
import type { StoreUrl } from './options/store-url.ts';
import { startThread } from './threads/start-thread.ts';
import { takeItems } from './threads/take-items.ts';

/** What a folding thread is given. */
export interface FoldWorkerData {
  readonly url: StoreUrl;
  readonly config: ConfigInput | undefined;
  readonly task: FoldTask;
}

/** A worker of a refresh that folds in a thread of its own, which has the store open for reading as long as it folds. */
export function foldWorker(url: StoreUrl, config: ConfigInput | undefined): RefreshWorker {
  return {
    async *fold(task, { signal }) {
      const data: FoldWorkerData = { url, config, task };
      const thread = startThread('folder', data);
      const stop = (): void => void thread.terminate();
      signal.addEventListener('abort', stop, { once: true });
      try {
        yield* takeItems<FoldMessage>(thread, 'folding profiles');
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** What the thread does. */
export async function* foldIn({ url, config, task }: FoldWorkerData): AsyncGenerator<FoldMessage> {
  const dex = await openReader(url, config);
  try {
    yield* dex.fold(task);
  } finally {
    await dex.close();
  }
}
