import { type StorageAdapter, SwapfoldError } from '@swapfold/core';
import {
  type Batch,
  checkBatch,
  createLifecycle,
  type Opened,
  type Predicate,
  type ReadCost,
  type Reader,
  replaceRows,
  type Schema,
  type Table,
  type Writer,
} from '@swapfold/core/engine';
import { createReader } from './create-reader.ts';
import { compileAddColumns, compileCreate, compileDrop, compileReindex } from './definition.ts';
import type { AppendTarget, GrownTable, SqlConnection, SqlDriver } from './driver.ts';
import { findDamage } from './find-damage.ts';
import { type Layout, loadOf } from './load.ts';
import { createPool, type Pool } from './pool.ts';
import { CHECKSUM, rowChecksums, withChecksumColumn } from './row-checksums.ts';
import { compileRemove } from './select.ts';
import { createSession, type Session } from './session.ts';
import { copiesOf, sortedTablesOf } from './sorted-tables.ts';
import { fragment } from './statement.ts';
import { defineViews, definitionsOf } from './views/views.ts';

/** What a transaction changes besides rows. */
interface Change {
  readonly layout: Layout;
  readonly grown: Map<string, GrownTable>;
}

interface Snapshot {
  readonly pool: Pool<SqlConnection>;
  readonly connection: SqlConnection;
  readonly session: Session;
}

/** A `StorageAdapter` over an engine that speaks SQL: one writing connection, a pool of reading ones. */
export function createSqlAdapter(driver: SqlDriver): StorageAdapter {
  const { dialect, engine } = driver;
  const readers = createPool(driver.readers, () => driver.connect('reader'));
  const scanners =
    driver.scanners === undefined ? readers : createPool(driver.scanners, () => driver.connect('scanner'));
  let writer: SqlConnection | undefined;
  let layout: Layout = new Map();

  const lifecycle = createLifecycle<Snapshot>(engine, {
    async take(mayWait, use) {
      openWriter();
      const pool = use === 'scan' ? scanners : readers;
      const connection = await translated(() => pool.take(mayWait));
      try {
        return { pool, connection, session: await begin(connection, dialect.begin.read) };
      } catch (error) {
        pool.release(connection);
        throw error;
      }
    },
    async release({ pool, connection, session }) {
      try {
        await session.end();
        await connection.run(fragment('rollback'));
        pool.release(connection);
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
    const change: Change = { layout: new Map(layout), grown: new Map() };
    let answer: R;
    try {
      answer = await work(session, change);
      if (session.failure) throw session.failure;
      await driver.keepSorted?.(session, [...change.grown.values()]);
      await session.end();
      if (session.failure) throw session.failure;
      if (session.hasWritten) await translated(async () => driver.version?.raise());
      await translated(() => connection.run(fragment('commit')));
    } catch (error) {
      await session.end().catch(() => undefined);
      // An engine that failed may have undone the transaction by itself; the first error is the one to throw.
      await connection.run(fragment('rollback')).catch(() => undefined);
      throw error;
    }
    layout = change.layout;
    return answer;
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

  async function create(session: Session, table: Table, change: Change): Promise<void> {
    const made = dialect.hasRowChecksums && !table.rederived ? withChecksumColumn(table) : table;
    for (const statement of compileCreate(made, dialect)) await session.run(statement);
    change.layout.set(table.name, Object.keys(made.columns));
  }

  /** Rows go with their checksums where the table has a column for them. */
  async function appendTo(
    session: Session,
    table: Table,
    rows: Batch,
    stored: readonly string[] | undefined,
    inPlaceOf?: AppendTarget['inPlaceOf'],
  ): Promise<void> {
    if (!stored?.includes(CHECKSUM)) return session.append({ ...targetOf(table, stored), inPlaceOf }, rows);
    const columns = { ...rows.columns, [CHECKSUM]: rowChecksums(table, rows) };
    return session.append({ ...targetOf(withChecksumColumn(table), stored), inPlaceOf }, { ...rows, columns } as Batch);
  }

  /** Appends to the sorted copies of a table what was appended to it. */
  async function appendToCopies(session: Session, table: Table, rows: Batch, { grown }: Change): Promise<void> {
    for (const { name, columns } of copiesOf(table)) {
      await session.append({ name, columns: columns.map((column) => [column, table.columns[column]!]) }, rows);
    }
    for (const sorted of sortedTablesOf(table)) {
      grown.set(sorted.name, { ...sorted, rows: (grown.get(sorted.name)?.rows ?? 0) + rows.length });
    }
  }

  function readerOf(session: Session): Reader {
    const { version } = driver;
    const reader: Reader = {
      ...createReader(session, dialect),
      findDamage: async (tables) => findDamage(session, dialect, tables, await listColumns(session, driver)),
    };
    if (version === undefined) return reader;
    return { ...reader, version: async () => (await session.all(version.read, ['long']))[0]![0] as number };
  }

  function writerOf(session: Session, change: Change): Writer {
    const writer: Writer = {
      ...readerOf(session),
      async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
        const rows = batch as unknown as Batch;
        checkBatch(table, rows);
        if (rows.length === 0) return;
        await appendTo(session, table, rows, change.layout.get(table.name));
        if (dialect.hasSortedCopies) await appendToCopies(session, table, rows, change);
      },
      async replace<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
        if (!dialect.replacesRows) return replaceRows(writer, table, batch);
        const rows = batch as unknown as Batch;
        checkBatch(table, rows);
        if (rows.length === 0) return;
        const [key] = table.key as [string];
        await appendTo(session, table, rows, change.layout.get(table.name), { key, fixed: table.fixed ?? [] });
      },
      async remove(table: Table, where: Predicate): Promise<void> {
        for (const statement of compileRemove(table, where, dialect)) await session.run(statement);
      },
      async recreate(table: Table): Promise<void> {
        for (const statement of compileDrop(table, dialect)) await session.run(statement);
        await create(session, table, change);
      },
      async reindex(table: Table): Promise<void> {
        for (const statement of compileReindex(table, dialect)) await session.run(statement);
      },
      async addColumns(table: Table): Promise<void> {
        const stored = change.layout.get(table.name) ?? [];
        const lacking = Object.keys(table.columns).filter((name) => !stored.includes(name));
        for (const statement of compileAddColumns(table, lacking, dialect)) await session.run(statement);
        change.layout.set(table.name, [...stored, ...lacking]);
      },
      defineViews: (views) => defineViews(session, views, { tables: change.layout, dialect: dialect.views }),
    };
    return writer;
  }

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

async function listColumns(session: Session, { dialect }: SqlDriver): Promise<Map<string, string[]>> {
  const [tables, columns] = await session.all(dialect.listColumns, ['text', 'text']);
  const found = new Map<string, string[]>();
  for (const [i, table] of (tables as string[]).entries()) {
    const names = found.get(table) ?? [];
    names.push(columns![i] as string);
    found.set(table, names);
  }
  return found;
}

/** A store's order of columns can differ from the record's; appending by place needs the store's. */
function targetOf(table: Table, stored: readonly string[] | undefined): AppendTarget {
  const names = stored ?? Object.keys(table.columns);
  const unknown = names.find((name) => !Object.hasOwn(table.columns, name));
  if (unknown !== undefined || names.length !== Object.keys(table.columns).length) {
    throw new Error(
      `Table "${table.name}" of the store has other columns than its record; recreate it before appending.`,
    );
  }
  return { name: table.name, columns: names.map((name) => [name, table.columns[name]!] as const) };
}
