import type { Worker } from 'node:worker_threads';
import { type ErrorCode, type ErrorDetail, SwapfoldError } from '@swapfold/core';

/** What a thread answers to each message: its next item; none if there is no more; or why there is none. */
export type ThreadAnswer<T> =
  | { readonly kind: 'item'; readonly item: T }
  | { readonly kind: 'end' }
  | {
      readonly kind: 'refusal';
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: readonly ErrorDetail[];
    }
  | { readonly kind: 'failure'; readonly error: unknown };

/** A thread has ended without an answer. */
export class ThreadDeath extends SwapfoldError {
  /** It has answered nothing at all, such as where no thread can run. */
  readonly neverRan: boolean;

  constructor(work: string, cause: unknown, neverRan: boolean) {
    const why = cause instanceof Error ? `: ${cause.message}` : '.';
    super('store-failed', `A thread that was ${work} ended before it was done${why}`, { cause });
    this.neverRan = neverRan;
  }
}

/**
 * The items of a thread that runs `offerItems`, each asked for when the one before was taken. The thread ends with them.
 *
 * - `work` names in messages what the thread does.
 * - Errors: those that the thread met; `store-failed` where it ended without an answer.
 */
export async function* takeItems<T>(thread: Worker, work: string): AsyncGenerator<T> {
  const ask = asking<T>(thread, work);
  try {
    for (;;) {
      const answer = await ask();
      if (answer.kind === 'end') return;
      if (answer.kind === 'refusal') throw new SwapfoldError(answer.code, answer.message, { details: answer.details });
      if (answer.kind === 'failure') throw answer.error;
      yield answer.item;
    }
  } finally {
    await thread.terminate();
  }
}

/**
 * Asks the thread for its next answer. Nothing that outlives an answer may know its promise: a race with one promise of the thread's death
 * would keep every item until the last.
 */
function asking<T>(thread: Worker, work: string): () => Promise<ThreadAnswer<T>> {
  let death: ThreadDeath | undefined;
  let hasAnswered = false;
  let fail: (error: SwapfoldError) => void = () => undefined;
  const die = (cause?: unknown): void => {
    death ??= new ThreadDeath(work, cause, !hasAnswered);
    fail(death);
  };
  thread.once('error', die);
  thread.once('exit', () => die());
  return () =>
    new Promise((resolve, reject) => {
      fail = reject;
      if (death !== undefined) reject(death);
      thread.once('message', (answer: ThreadAnswer<T>) => {
        hasAnswered = true;
        resolve(answer);
      });
      thread.postMessage('next');
    });
}
