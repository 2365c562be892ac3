import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import type { SqliteHandle } from './handle.ts';
import type { Threads } from './threads.ts';

/** Bytes of the write-ahead log from which on it is brought into the file: it is cut back to so many after that. */
export const LOG_BYTES = 8 * 1024 * 1024;

/**
 * Brings the write-ahead log of a store into its file on a thread of its own: after a large transaction, copying it would hold the
 * thread of the store for longer than anybody should wait. Where no thread can run, it waits.
 */
export interface Checkpoints {
  /** To be called after each commit. Throws nothing: what fails is told once until it succeeds, and tried again after the next commit. */
  committed(): void;
  /** Resolves once none is running. A write that did not wait for it could add to the log for ever, and never begin it anew. */
  settled(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface CheckpointsOf {
  /** The file of the store. */
  readonly path: string;
  /** Milliseconds that the thread waits for a lock. */
  readonly timeout: number;
  readonly threads: Threads;
  /** The connection that writes. */
  readonly handle: Pick<SqliteHandle, 'open' | 'pragma'>;
  readonly tell: (error: unknown) => void;
}

export function createCheckpoints({ path, timeout, threads, handle, tell }: CheckpointsOf): Checkpoints {
  let worker: Worker | undefined;
  let running: Promise<void> | undefined;
  let finish: () => void = () => undefined;
  let isClosed = false;
  let isFailing = false;

  function fail(error: unknown): void {
    if (!isFailing) tell(error);
    isFailing = true;
  }

  function start(): Worker | undefined {
    const thread = threads.start('checkpoint', { path, timeout });
    let hasAnswered = false;
    function end(cause: unknown): void {
      if (worker !== thread) return;
      worker = undefined;
      finish();
      if (!isClosed && !hasAnswered) threads.giveUp(cause);
    }
    // A listener for messages makes a thread keep the process, so unref comes last.
    thread
      ?.on('message', (error: unknown) => {
        hasAnswered = true;
        finish();
        if (error === undefined) isFailing = false;
        else fail(error);
      })
      .on('error', end)
      .on('exit', () => end(new Error('The thread ended.')))
      .unref();
    return thread;
  }

  function moveBeside(thread: Worker): void {
    running = new Promise((resolve) => {
      finish = () => {
        finish = () => undefined;
        running = undefined;
        thread.unref();
        resolve();
      };
    });
    try {
      // A write that waits for the thread has nothing else that keeps the process.
      thread.ref();
      thread.postMessage('checkpoint');
    } catch (error) {
      finish();
      throw error;
    }
  }

  /** Bytes of the log; without bound if it cannot be looked at. */
  function logBytes(): number {
    try {
      return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  return {
    committed() {
      // A connection that was given is its owner's to close, at any time.
      if (isClosed || running !== undefined || !handle.open || logBytes() <= LOG_BYTES) return;
      try {
        worker ??= start();
        if (worker !== undefined) moveBeside(worker);
        else {
          handle.pragma('wal_checkpoint(passive)');
          isFailing = false;
        }
      } catch (error) {
        fail(error);
      }
    },

    settled: () => running,

    async close() {
      isClosed = true;
      await running;
      await worker?.terminate();
    },
  };
}
