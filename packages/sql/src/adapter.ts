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
import type { Change, Layout } from './change.ts';
import type { SqlConnection } from './connection.ts';
import { createWriters, listColumns } from './create-writer.ts';
import type { SqlDriver } from './driver.ts';
import { EmptyTables } from './empty-tables.ts';
import { loadOf } from './load.ts';
import { createPool, type Pool } from './pool.ts';
import { CHECKSUM } from './row-checksums.ts';
import { createSession, type Session, translated } from './session.ts';
import { transact } from './transaction.ts';
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
  const { dialect, engine, isReadOnly, scanning, sharing, backup } = driver;
  const readers = createPool(driver.readers, () => driver.connect('reader'));
  const makeScanner = (): Promise<SqlConnection> => scanning?.connect() ?? driver.connect('reader');
  const scanners = scanning === undefined ? readers : createPool(scanning.most, makeScanner);
  let writer: SqlConnection | undefined;
  let layout: Layout = new Map();
  /** Tables that a transaction beside the writer's has to itself. */
  const aside = new Set<string>();
  const empty = new EmptyTables();
  /** What is being sorted after a write. */
  let sorted = Promise.resolve();

  const lifecycle = createLifecycle<Snapshot>(engine, {
    async take(mayWait, use) {
      openWriter();
      // One that is held waits for its caller, and must not keep the others waiting.
      const pool = use === 'held' ? createPool(1, makeScanner) : use === 'scan' ? scanners : readers;
      const connection = await translated(driver, () => pool.take(mayWait));
      try {
        await translated(driver, () => connection.begin('read'));
        return { pool, connection, session: createSession(connection, driver), isOwn: use === 'held' };
      } catch (error) {
        if (use === 'held') await connection.close().catch(() => undefined);
        else pool.release(connection);
        throw error;
      }
    },
    async release({ pool, connection, session, isOwn }) {
      try {
        await session.end();
        await connection.rollback();
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

  /** Runs in a transaction of the writing connection, which ends with it: committed, or undone when it throws. */
  async function inWriter<R>(work: (session: Session, change: Change) => Promise<R>): Promise<R> {
    const written = await transact(driver, openWriter(), layout, async ({ session, change, commit }) => {
      const answer = await work(session, change);
      await commit();
      layout = change.layout;
      return answer;
    });
    // What is stored is not denied by what follows it.
    if (dialect.sorting?.isDue()) sorted = keepSorted().catch(driver.notices.tell);
    await sorted;
    return written;
  }

  async function keepSorted(): Promise<void> {
    await transact(driver, openWriter(), layout, async ({ session, commit }) => {
      await dialect.sorting?.sort(session, (name) => !aside.has(name));
      await commit();
    });
  }

  /** Of a store that is only read, the tables are taken as they are. */
  async function findTables(tables: readonly Table[]): Promise<Opened> {
    const existing = await lifecycle.read(({ session }) => listColumns(session, driver), 'point');
    if (tables.some(({ name }) => existing.has(name))) return 'existing';
    throw new SwapfoldError('foreign-store', `The ${engine} file holds none of Swapfold's tables.`);
  }

  const { create, readerOf, writerOf } = createWriters(driver, empty);

  return {
    engine,
    isReadOnly,

    async open({ tables, onError }: Schema): Promise<Opened> {
      driver.notices.listen(onError);
      return lifecycle.write(async () => {
        writer ??= await translated(driver, () => driver.connect('writer'));
        if (isReadOnly) return findTables(tables);
        const opened = await inWriter(async (session, change): Promise<Opened> => {
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
        await translated(driver, () => driver.accept());
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

    ...(sharing && { externalVersion: () => sharing.externalVersion() }),

    async write<R>(change: (writer: Writer) => Promise<R>): Promise<R> {
      if (isReadOnly) throw new SwapfoldError('read-only', `The ${engine} store was opened for reading only.`);
      return lifecycle.write(() => inWriter((session, inside) => change(writerOf(session, inside, true))));
    },
    ...asideOf(driver, lifecycle, { held: aside, sorted: () => sorted, layout: () => layout, writerOf }),
    views: (source) => definitionsOf(source, dialect.views),
    ...loadOf(driver, lifecycle, (work) =>
      inWriter((session, change) => {
        empty.clear();
        return work(session, writerOf(session, change), change);
      }),
    ),

    ...(backup && {
      backup: (path: string, signal?: AbortSignal) =>
        lifecycle.read(() => translated(driver, () => backup(path, signal)), 'point'),
    }),

    async close(): Promise<void> {
      return lifecycle.close(() =>
        translated(driver, async () => {
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
