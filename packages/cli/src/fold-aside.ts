import type { ConfigInput, Folded, FoldOrder, RefreshWorker } from '@swapfold/core';
import { openReader } from './open-store.ts';
import type { StoreUrl } from './options/store-url.ts';
import { startThread } from './threads/start-thread.ts';
import { takeItems } from './threads/take-items.ts';

/** What a folding thread is given. */
export interface FoldTask {
  readonly url: StoreUrl;
  readonly config: ConfigInput | undefined;
  readonly order: FoldOrder;
}

/** A worker of a refresh that folds in a thread of its own, which has the store open for reading as long as it folds. */
export function foldingThread(url: StoreUrl, config: ConfigInput | undefined): RefreshWorker {
  return {
    async *fold(order, { signal }) {
      const task: FoldTask = { url, config, order };
      const thread = startThread('folder', task);
      const stop = (): void => void thread.terminate();
      signal.addEventListener('abort', stop, { once: true });
      try {
        yield* takeItems<Folded>(thread, 'folding profiles');
      } finally {
        signal.removeEventListener('abort', stop);
      }
    },
  };
}

/** What the thread does. */
export async function* foldIn({ url, config, order }: FoldTask): AsyncGenerator<Folded> {
  const dex = await openReader(url, config);
  try {
    yield* dex.fold(order);
  } finally {
    await dex.close();
  }
}
