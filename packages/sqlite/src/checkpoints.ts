import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Bytes of the write-ahead log from which on it is brought into the file: it is cut back to so many after that. */
export const LOG_BYTES = 8 * 1024 * 1024;

/**
 * Brings the write-ahead log of a store into its file on a thread of its own: after a large transaction, copying it would hold the
 * thread of the store for longer than anybody should wait.
 */
export interface Checkpoints {
  /** To be called after each commit. */
  committed(): void;
  /** Resolves once none is running. A write that did not wait for it could add to the log for ever, and never begin it anew. */
  settled(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** `ended` is called at the end, also if the thread cannot run: from then on the connection moves the log itself. */
export function createCheckpoints(path: string, timeout: number, ended: () => void): Checkpoints {
  let worker: Worker | undefined;
  let running: Promise<void> | undefined;
  let finish: () => void = () => undefined;
  let isClosed = false;

  function end(): void {
    finish();
    if (isClosed) return;
    isClosed = true;
    ended();
  }

  function start(): Worker {
    const thread = new Worker(new URL('./checkpoint-thread.js', import.meta.url), { workerData: { path, timeout } });
    // A listener for messages makes a thread keep the process, so unref comes last.
    thread
      .on('message', () => finish())
      .on('error', end)
      .on('exit', end)
      .unref();
    return thread;
  }

  return {
    committed() {
      if (isClosed || running !== undefined) return;
      if ((statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) <= LOG_BYTES) return;
      try {
        worker ??= start();
      } catch {
        return end();
      }
      const thread = worker;
      // A write that waits for the thread has nothing else that keeps the process.
      thread.ref();
      running = new Promise((resolve) => {
        finish = () => {
          running = undefined;
          thread.unref();
          resolve();
        };
      });
      thread.postMessage('checkpoint');
    },

    settled: () => running,

    async close() {
      await running;
      end();
      await worker?.terminate();
    },
  };
}
