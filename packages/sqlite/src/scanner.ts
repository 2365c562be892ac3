import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { type ColumnData, type ColumnType, requireSameFile } from '@swapfold/core/engine';
import type { SqlConnection, Statement } from '@swapfold/sql';
import { createConnection } from './connection.ts';
import { openReader, type ReaderOptions } from './open-reader.ts';
import type { Threads } from './threads.ts';

/** What the thread of a scanner is asked, one call at a time. */
export type ScanCall =
  | { readonly kind: 'begin' | 'rollback' }
  | { readonly kind: 'all'; readonly statement: Statement; readonly types: readonly ColumnType[] }
  | {
      readonly kind: 'open';
      readonly cursor: number;
      readonly statement: Statement;
      readonly types: readonly ColumnType[];
    }
  | { readonly kind: 'next' | 'end'; readonly cursor: number };

export type ScanAnswer =
  | { readonly columns: ColumnData[] | null }
  | { readonly error: { readonly code: string | undefined; readonly message: string } };

/**
 * A reading connection whose statements may look at many rows. SQLite runs a statement on the thread that calls: over a large file it
 * would hold all others up, so there it runs on a thread of its own, if any can run. The choice is made anew with each transaction.
 *
 * - `workerFrom`: bytes of the file from which on a worker is used.
 */
export function createScanner(options: ReaderOptions, workerFrom: number, threads: Threads): SqlConnection {
  let here: SqlConnection | undefined;
  let inWorker: InWorker | undefined;
  let current: ReadConnection | undefined;

  async function begun(): Promise<ReadConnection> {
    requireSameFile(options.path, options.identity);
    const isLarge = statSync(options.path).size >= workerFrom;
    const beside = isLarge ? await beganInWorker() : undefined;
    if (beside !== undefined) return beside;
    here ??= createConnection(openReader(options), true);
    await here.begin('read');
    return here;
  }

  /** `undefined` where no thread can run. */
  async function beganInWorker(): Promise<ReadConnection | undefined> {
    // A thread that has died, such as for want of memory, is replaced.
    if (inWorker?.hasEnded !== false) {
      const thread = threads.start('scanner', options);
      inWorker = thread && createInWorker(thread);
    }
    const beginning = inWorker;
    try {
      await beginning?.begin('read');
      return beginning;
    } catch (error) {
      if (beginning?.neverRan !== true) throw error;
      threads.giveUp(error);
      return undefined;
    }
  }

  return {
    async begin() {
      current = await begun();
    },
    rollback: () => current!.rollback(),
    all: (statement, types) => current!.all(statement, types),
    open: (statement, types) => current!.open(statement, types),
    commit: refuse,
    run: refuse,
    append: refuse,
    async close() {
      await Promise.all([here?.close(), inWorker?.close()]);
    },
  };
}

async function refuse(): Promise<never> {
  throw new Error('A connection for reading does not write.');
}

type ReadConnection = Pick<SqlConnection, 'begin' | 'rollback' | 'all' | 'open' | 'close'>;

/** A reading connection on a thread of its own. */
interface InWorker extends ReadConnection {
  readonly hasEnded: boolean;
  /** It has ended without an answer. */
  readonly neverRan: boolean;
}

function createInWorker(thread: Worker): InWorker {
  let settle: { resolve(columns: ColumnData[] | null): void; reject(error: unknown): void } | undefined;
  let ended: Error | undefined;
  let hasAnswered = false;
  let cursors = 0;

  function end(error: Error): void {
    ended ??= error;
    settle?.reject(ended);
  }
  thread
    .on('message', (answer: ScanAnswer) => {
      hasAnswered = true;
      if ('columns' in answer) settle?.resolve(answer.columns);
      else settle?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    })
    .on('error', end)
    .on('exit', () => end(new Error('The thread that reads the store has ended.')))
    .unref();

  async function ask(call: ScanCall): Promise<ColumnData[] | null> {
    if (ended !== undefined) throw ended;
    // A call that runs keeps the process; an idle thread does not.
    thread.ref();
    try {
      return await new Promise((resolve, reject) => {
        settle = { resolve, reject };
        thread.postMessage(call);
      });
    } finally {
      settle = undefined;
      thread.unref();
    }
  }

  return {
    get hasEnded() {
      return ended !== undefined;
    },
    get neverRan() {
      return ended !== undefined && !hasAnswered;
    },
    async begin() {
      await ask({ kind: 'begin' });
    },
    async rollback() {
      await ask({ kind: 'rollback' });
    },
    async all(statement, types) {
      return (await ask({ kind: 'all', statement, types }))!;
    },
    async open(statement, types) {
      const cursor = cursors++;
      await ask({ kind: 'open', cursor, statement, types });
      return {
        next: () => ask({ kind: 'next', cursor }),
        async close() {
          await ask({ kind: 'end', cursor });
        },
      };
    },
    async close() {
      await thread.terminate();
    },
  };
}
