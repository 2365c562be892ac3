import { Worker } from 'node:worker_threads';

/** What a thread of a store does. */
export type ThreadName = 'scanner' | 'checkpoint';

/** The threads of a store, as long as any can run. */
export interface Threads {
  /** Starts one; `undefined` if none can run: then its work is the caller's. */
  start(name: ThreadName, workerData: unknown): Worker | undefined;
  /** One that was started has ended before it did anything: no more are started. */
  giveUp(cause: unknown): void;
}

/** `tell` receives, once, why no thread can run. */
export function createThreads(
  path: string,
  tell: (error: Error) => void,
  open: (name: ThreadName, workerData: unknown) => Worker = openThread,
): Threads {
  let canRun = true;

  function giveUp(cause: unknown): void {
    if (!canRun) return;
    canRun = false;
    const why = cause instanceof Error ? cause.message : String(cause);
    tell(
      new Error(
        `No thread can run beside the store "${path}", so that the thread that calls does the work: reads of many rows and the write-ahead log hold it up. ${why} (docs/guides/engines.md, "Threads")`,
        { cause },
      ),
    );
  }

  return {
    giveUp,

    start(name, workerData) {
      if (!canRun) return undefined;
      try {
        return open(name, workerData);
      } catch (error) {
        giveUp(error);
        return undefined;
      }
    },
  };
}

/** Through the built file beside this one, or the sources where those run. Throws where a bundle of CommonJS knows no place of its own. */
export function openThread(name: ThreadName, workerData: unknown): Worker {
  const here = import.meta.url as string | undefined;
  if (here === undefined)
    throw new Error(`A bundle of CommonJS does not know where the file of the ${name} thread is.`);
  const isSource = name === 'scanner' && here.endsWith('.ts');
  const file = isSource ? './scanner-from-source.mjs' : `./${name}-thread.js`;
  return new Worker(new URL(file, here), { workerData });
}
