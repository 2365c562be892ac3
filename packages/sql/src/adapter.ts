import { SwapfoldError } from '@swapfold/core';
import {
  createLifecycle,
  type Opened,
  type ReadCost,
  type Reader,
  type Schema,
  type StorageAdapter,
  type Table,
  type Writer,
} from '@swapfold/core/engine';
import { asideOf } from './aside.ts';
import { type Change, createWriters, listColumns } from './create-writer.ts';
import type { SortingOf, SqlConnection, SqlDriver } from './driver.ts';
import { type Layout, loadOf } from './load.ts';
import { createPool, type Pool } from './pool.ts';
import { CHECKSUM } from './row-checksums.ts';
import { createSession, type Session } from './session.ts';
import { fragment } from './statement.ts';
import { definitionsOf } from './views/views.ts';

interface Snapshot {
  readonly pool: Pool<SqlConnection>;
  readonly connection: SqlConnection;
  readonly session: Session;
  /** Whether the connection ends with the snapshot. */
  readonly isOwn: boolean;
}

/** A `StorageAdapter` over an engine that speaks SQL: one writing connection, a pool of reading ones. */
export function createSqlAdapter(driver: SqlDriver): StorageAdapter {
  const { dialect, engine } = driver;
  const readers = createPool(driver.readers, () => driver.connect('reader'));
  const makeScanner = (): Promise<SqlConnection> =>
    driver.connect(driver.scanners === undefined ? 'reader' : 'scanner');
  const scanners = driver.scanners === undefined ? readers : createPool(driver.scanners, makeScanner);
  let writer: SqlConnection | undefined;
  let layout: Layout = new Map();
  /** Tables that a transaction beside the writer's has to itself. */
  const aside = new Set<string>();

  const lifecycle = createLifecycle<Snapshot>(engine, {
    async take(mayWait, use) {
      openWriter();
      // One that is held waits for its caller, and must not keep the others waiting.
      const pool = use === 'held' ? createPool(1, makeScanner) : use === 'scan' ? scanners : readers;
      const connection = await translated(() => pool.take(mayWait));
      try {
        return { pool, connection, session: await begin(connection, dialect.begin.read), isOwn: use === 'held' };
      } catch (error) {
        if (use === 'held') await connection.close().catch(() => undefined);
        else pool.release(connection);
        throw error;
      }
    },
    async release({ pool, connection, session, isOwn }) {
      try {
        await session.end();
        await connection.run(fragment('rollback'));
        if (isOwn) await connection.close();
        else pool.release(connection);
      } catch {
        // What the reads failed of, if they did, has been thrown; a connection in doubt is not used again.
        pool.forget();
        await connection.close().catch(() => undefined);
      }
    },
  });

  function openWriter(): SqlConnection {
    if (!writer) throw new Error(`The ${engine} store was used before open.`);
    return writer;
  }

  async function translated<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof SwapfoldError ? error : driver.failure(error);
    }
  }

  async function begin(connection: SqlConnection, sql: string): Promise<Session> {
    await translated(() => connection.run(fragment(sql)));
    return createSession(connection, driver);
  }

  /** Runs in a transaction of the writing connection, which ends with it: committed, or undone when it throws. */
  async function transact<R>(work: (session: Session, change: Change) => Promise<R>): Promise<R> {
    const connection = openWriter();
    const session = await begin(connection, dialect.begin.write);
    const change = newChange();
    let answer: R;
    try {
      answer = await work(session, change);
      if (session.failure) throw session.failure;
      await keepSorted(session, change, { isAside: false, mayTouch: (name) => !aside.has(name) });
      await commit(connection, session);
    } catch (error) {
      await undo(connection, session);
      throw error;
    }
    layout = change.layout;
    return answer;
  }

  function newChange(): Change {
    return { layout: new Map(layout), grown: new Map() };
  }

  async function keepSorted(session: Session, { grown }: Change, of: SortingOf): Promise<void> {
    await driver.keepSorted?.(session, [...grown.values()], of);
  }

  async function commit(connection: SqlConnection, session: Session): Promise<void> {
    await session.end();
    if (session.failure) throw session.failure;
    if (session.hasWritten) await translated(async () => driver.version?.raise());
    await translated(() => connection.run(fragment('commit')));
  }

  async function undo(connection: SqlConnection, session: Session): Promise<void> {
    await session.end().catch(() => undefined);
    // An engine that failed may have undone the transaction by itself; the first error is the one to throw.
    await connection.run(fragment('rollback')).catch(() => undefined);
  }

  /** Of a store that is only read, the tables are taken as they are. */
  async function findTables(tables: readonly Table[]): Promise<Opened> {
    const session = await begin(openWriter(), dialect.begin.read);
    try {
      const existing = await listColumns(session, driver);
      if (tables.some(({ name }) => existing.has(name))) return 'existing';
      throw new SwapfoldError('foreign-store', `The ${engine} file holds none of Swapfold's tables.`);
    } finally {
      await session.end();
      await openWriter().run(fragment('rollback'));
    }
  }

  const { create, readerOf, writerOf } = createWriters(driver);

  return {
    engine,
    isReadOnly: driver.isReadOnly === true,

    async open({ tables }: Schema): Promise<Opened> {
      return lifecycle.write(async () => {
        writer ??= await translated(() => driver.connect('writer'));
        if (driver.isReadOnly) return findTables(tables);
        const opened = await transact(async (session, change): Promise<Opened> => {
          const existing = await listColumns(session, driver);
          const isNew = !tables.some(({ name }) => existing.has(name));
          if (isNew && existing.size > 0) {
            const found = [...existing.keys()].slice(0, 3).join('", "');
            throw new SwapfoldError(
              'foreign-store',
              `The ${engine} file holds other tables ("${found}") and none of Swapfold's.`,
            );
          }
          for (const [name, stored] of existing) change.layout.set(name, stored);
          for (const table of tables) if (!existing.has(table.name)) await create(session, table, change);
          return isNew ? 'created' : 'existing';
        });
        await translated(async () => driver.accept?.());
        return opened;
      });
    },

    async tables(): Promise<ReadonlyMap<string, readonly string[]>> {
      return lifecycle.read(async ({ session }) => {
        const found = await listColumns(session, driver);
        return new Map([...found].map(([name, columns]) => [name, columns.filter((column) => column !== CHECKSUM)]));
      });
    },

    async snapshot<R>(read: (reader: Reader) => Promise<R>, use?: ReadCost): Promise<R> {
      return lifecycle.read(({ session }) => read(readerOf(session)), use);
    },

    ...(driver.externalVersion === undefined ? {} : { externalVersion: () => driver.externalVersion!() }),

    async write<R>(change: (writer: Writer) => Promise<R>): Promise<R> {
      if (driver.isReadOnly) throw new SwapfoldError('read-only', `The ${engine} store was opened for reading only.`);
      return lifecycle.write(() => transact((session, inside) => change(writerOf(session, inside))));
    },
    ...asideOf(driver, lifecycle, {
      held: aside,
      begin: (connection) => begin(connection, dialect.begin.write),
      commit,
      undo,
      newChange,
      keepSorted,
      writerOf,
    }),
    views: (source) => definitionsOf(source, dialect.views),
    ...loadOf(driver, lifecycle, (work) =>
      transact((session, change) => work(session, writerOf(session, change), change.layout)),
    ),

    ...(driver.backup === undefined
      ? {}
      : {
          backup: (path: string, signal?: AbortSignal) =>
            lifecycle.read(() => translated(() => driver.backup!(path, signal)), 'point'),
        }),

    async close(): Promise<void> {
      return lifecycle.close(() =>
        translated(async () => {
          const reading = [...readers.drain(), ...scanners.drain()].map((connection) => connection.close());
          const closed: PromiseSettledResult<void>[] = await Promise.allSettled(reading);
          // The writer is the last: what lies in a log goes into the file when nobody reads it any more.
          closed.push(...(await Promise.allSettled(writer ? [writer.close()] : [])));
          await driver.close();
          for (const { reason } of closed.filter((result) => result.status === 'rejected')) throw reason;
        }),
      );
    },
  };
}
