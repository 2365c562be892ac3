import { SwapfoldError } from '@swapfold/core';
import type { Batch, ColumnData, ColumnType } from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import type { AppendTarget, SqlConnection, SqlCursor } from './connection.ts';
import type { Statement } from './statement.ts';

/** A connection in a transaction: calls one at a time, cursors that survive other statements, Swapfold's errors. */
export interface Session {
  /** The first error of a write: its transaction may hold half of it and must not be committed. */
  readonly failure: SwapfoldError | undefined;
  /** Whether something was run or appended. */
  readonly hasWritten: boolean;
  run(statement: Statement): Promise<void>;
  all(statement: Statement, types: readonly ColumnType[]): Promise<ColumnData[]>;
  pieces(statement: Statement, types: readonly ColumnType[]): AsyncGenerator<ColumnData[]>;
  append(target: AppendTarget, batch: Batch): Promise<void>;
  /** Ends what is open. After it the session refuses every call. */
  end(): Promise<void>;
}

interface OpenCursor {
  readonly cursor: SqlCursor;
  readonly waiting: ColumnData[][];
  isDone: boolean;
}

/** What a session asks its engine's driver. */
export interface SessionDriver {
  /** What fails or ends an open cursor of the same connection: such statements wait until its rows are in memory. */
  readonly cursorsYieldTo: 'nothing' | 'writes' | 'all';
  /** The engine's error as Swapfold's, with it as cause. */
  failure(error: unknown): SwapfoldError;
}

/** The work, with the engine's errors as Swapfold's. */
export async function translated<R>(driver: SessionDriver, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof SwapfoldError ? error : driver.failure(error);
  }
}

/** Runs statements on a connection, one after the other. */
export function createSession(
  connection: Pick<SqlConnection, 'run' | 'all' | 'open' | 'append'>,
  driver: SessionDriver,
): Session {
  const cursors = new Set<OpenCursor>();
  let last: Promise<unknown> = Promise.resolve();
  let isEnded = false;
  let failure: SwapfoldError | undefined;
  let hasWritten = false;

  /** Runs after what was called before; errors of the engine become Swapfold's. */
  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    if (isEnded)
      return Promise.reject(new Error('The reader or writer was used after its snapshot or write had ended.'));
    const turn = last.then(() => translated(driver, work));
    last = turn.catch(() => undefined);
    return turn;
  }

  function writeInTurn(work: () => Promise<void>): Promise<void> {
    hasWritten = true;
    return inTurn(async () => {
      await bufferOpenCursors('write');
      try {
        await work();
      } catch (error) {
        failure ??= driver.failure(error);
        throw failure;
      }
    });
  }

  async function advance(open: OpenCursor): Promise<ColumnData[] | null> {
    const piece = open.isDone ? null : await open.cursor.next();
    if (piece === null) await finish(open);
    return piece;
  }

  async function finish(open: OpenCursor): Promise<void> {
    if (open.isDone) return;
    open.isDone = true;
    cursors.delete(open);
    await open.cursor.close();
  }

  /** Takes the rest of all open cursors into memory, where the statement to come would end them. */
  async function bufferOpenCursors(kind: 'read' | 'write'): Promise<void> {
    if (driver.cursorsYieldTo === 'nothing') return;
    if (kind === 'read' && driver.cursorsYieldTo === 'writes') return;
    for (const open of [...cursors]) {
      for (let piece = await advance(open); piece !== null; piece = await advance(open)) open.waiting.push(piece);
    }
  }

  return {
    get failure() {
      return failure;
    },

    get hasWritten() {
      return hasWritten;
    },

    run(statement) {
      return writeInTurn(() => connection.run(statement));
    },

    all(statement, types) {
      return inTurn(async () => {
        await bufferOpenCursors('read');
        return connection.all(statement, types);
      });
    },

    async *pieces(statement, types) {
      const open = await inTurn(async (): Promise<OpenCursor> => {
        await bufferOpenCursors('read');
        const started = { cursor: await connection.open(statement, types), waiting: [], isDone: false };
        cursors.add(started);
        return started;
      });
      const pause = yielder();
      try {
        for (;;) {
          // Pieces that were taken into memory come without a turn of the event loop.
          await pause.yieldIfDue();
          const piece = await inTurn(async () => open.waiting.shift() ?? (await advance(open)));
          if (piece === null) return;
          yield piece;
        }
      } finally {
        if (!isEnded) await inTurn(() => finish(open));
      }
    },

    append(target, batch) {
      return writeInTurn(() => connection.append(target, batch));
    },

    async end() {
      const ended = inTurn(async () => {
        for (const open of [...cursors]) await finish(open);
      });
      isEnded = true;
      await ended;
    },
  };
}
