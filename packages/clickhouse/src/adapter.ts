import {
  type Batch,
  checkBatch,
  columnsOf,
  createLifecycle,
  createReader,
  createSession,
  fragment,
  joinFragments,
  type Opened,
  type Predicate,
  type Reader,
  type Schema,
  type Session,
  type StorageAdapter,
  SwapfoldError,
  type Table,
  type Writer,
  whereClause,
} from '@swapfold/core';
import type { Connection } from './connection.ts';
import { addIndexes, createBookkeeping, createTable, takeOverRemoved } from './definition.ts';
import { createDialect } from './dialect.ts';
import { BETWEEN, createForeignWrites, LOOK } from './foreign-writes.ts';
import { textLiteral } from './literal.ts';
import { createLog } from './log.ts';
import { LOG, type Names, REMOVED_BEFORE } from './names.ts';
import { createVacuum } from './vacuum.ts';
import type { StoredTable, View } from './view.ts';
import { createWriteConnection, type WriteConnection } from './write-connection.ts';

export interface AdapterOptions {
  readonly connection: Connection;
  readonly names: Names;
  /** How long a snapshot of another process may last. */
  readonly snapshotSeconds: number;
  readonly isReadOnly: boolean;
  readonly failure: (error: unknown) => SwapfoldError;
  readonly close: () => Promise<void>;
}

interface Snapshot {
  readonly view: View;
  readonly session: Session;
}

interface Seen {
  readonly view: View;
  readonly at: number;
  /** Whether it lists the removed rows of tables that have few: the next look asks for them otherwise. */
  readonly isWhole: boolean;
}

/** The view of a running write, which its own changes go into. */
interface OwnView extends View {
  readonly tables: Map<string, StoredTable>;
  readonly removed: Map<string, string | null>;
  /** Tables that it has created. */
  made: number;
  /** Whether it has removed rows, which the view does not list. */
  hasRemoved: boolean;
}

/** A `StorageAdapter` over ClickHouse, whose writes are made of inserts alone (`log.ts`). */
export function createAdapter(options: AdapterOptions): StorageAdapter {
  const { connection, names, snapshotSeconds, isReadOnly, failure, close } = options;
  const log = createLog(connection, names);
  const vacuum = createVacuum(connection, names, snapshotSeconds);
  const snapshots = new Set<Snapshot>();
  const foreign = createForeignWrites();
  let lastSeen: Seen | undefined;
  const sessions = { cursorsYieldTo: 'nothing', failure } as const;
  let isOpen = false;

  const lifecycle = createLifecycle<Snapshot>('clickhouse', {
    async take() {
      if (!isOpen) throw new Error('The clickhouse store was used before open.');
      // A look at the log costs as much as a small query: what this process has written or seen within a look is state enough.
      const view = isSeenWithin(LOOK) ? lastSeen!.view : await translated(seeView);
      const snapshot = { view, session: createSession({ ...connection, ...readOnly }, sessions) };
      snapshots.add(snapshot);
      return snapshot;
    },
    async giveBack(snapshot) {
      snapshots.delete(snapshot);
      await snapshot.session.end();
    },
  });

  function isSeenWithin(milliseconds: number): boolean {
    return lastSeen !== undefined && Date.now() - lastSeen.at < milliseconds;
  }

  async function seeView(): Promise<View> {
    const known = lastSeen?.isWhole ? lastSeen.view : undefined;
    const view = known !== undefined && (await log.last()) === known.write ? known : await log.view();
    foreign.seen(view.write);
    // A look that began before a write of this process may end after it.
    if (view.write >= (lastSeen?.view.write ?? 0)) lastSeen = { view, at: Date.now(), isWhole: true };
    return view;
  }

  async function translated<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof SwapfoldError ? error : failure(error);
    }
  }

  async function transact<R>(change: (writer: Writer, view: OwnView) => Promise<R>): Promise<R> {
    const before = await translated(seeView);
    const write = await translated(() => log.prepare());
    const view: OwnView = {
      write,
      tables: new Map(before.tables),
      removed: new Map(before.removed),
      made: 0,
      hasRemoved: false,
    };
    const records = new Map<string, Table>();
    const own = createWriteConnection(connection, { write, names, log, recordOf: (name) => records.get(name)! });
    const session = createSession(own, sessions);
    let committed: R;
    try {
      const writer = { ...writerOf(session, view, records), version: async () => before.write };
      const answer = await change(writer, view);
      await session.end();
      if (session.failure) throw session.failure;
      await translated(() => finish(own, view));
      committed = answer;
    } catch (error) {
      await session.end().catch(() => undefined);
      await own.settle();
      // Where this fails too, the next write does it; the first error is the one to tell.
      if (own.hasBegun) await log.undo([write]).catch(() => undefined);
      throw error;
    }
    // The write is committed, whatever becomes of this: the next look does what one that failed has left.
    if (own.hasBegun) await vacuum.afterWrite(leastWrite(snapshots)).catch(() => undefined);
    return committed;
  }

  async function finish(own: WriteConnection, view: OwnView): Promise<void> {
    await own.flush();
    if (!own.hasBegun) return;
    await log.commit(view.write);
    foreign.own(view.write);
    lastSeen = { view, at: Date.now(), isWhole: !view.hasRemoved };
  }

  function writerOf(session: Session, view: OwnView, records: Map<string, Table>): Writer {
    const dialect = createDialect(names, view);
    const run = (sql: string): Promise<void> => session.run(fragment(sql));

    return {
      ...createReader(session, dialect),

      async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
        const rows = batch as unknown as Batch;
        checkBatch(table, rows);
        if (rows.length === 0) return;
        const stored = view.tables.get(table.name);
        checkColumns(table, stored);
        const name = stored?.physical ?? table.name;
        records.set(name, table);
        await session.append({ name, columns: Object.entries(table.columns) }, rows);
      },

      async remove(table: Table, where: Predicate): Promise<void> {
        const { physical } = view.tables.get(table.name) ?? { physical: table.name };
        const there = dialect.rowsOf!(table);
        const rows = `select ${textLiteral(physical)}, ${view.write}, count(), groupBitmapState("_row") from ${there.from}`;
        const sql = `insert into ${names.removed} ("physical", "write", "count", "rows") ${rows}`;
        const clauses = [fragment(sql), whereClause(where, table, dialect, there), fragment(' having count() > 0')];
        const statement = joinFragments(clauses, '');
        view.removed.set(physical, null);
        view.hasRemoved = true;
        await session.run(statement);
      },

      async recreate(table: Table): Promise<void> {
        const physical = `${table.name}_${view.write}_${view.made++}`;
        const stored = { physical, columns: columnsOf(table) };
        view.tables.set(table.name, stored);
        await run(log.noting(view.write, table.name, stored));
        for (const create of createTable(names, physical, table)) await run(create);
      },

      /** Indexes change no answer, so these statements are not undone with the write. */
      async reindex(table: Table): Promise<void> {
        const stored = view.tables.get(table.name);
        if (stored) for (const add of addIndexes(names, stored.physical, table)) await run(add);
      },
    };
  }

  async function listTables(): Promise<readonly string[]> {
    const listed = `select "name" from system.tables where "database" = ${textLiteral(names.database)}`;
    const [found] = await connection.all(fragment(listed), ['text']);
    return found as string[];
  }

  async function findStore(): Promise<void> {
    const found = await listTables();
    if (!found.includes(LOG)) {
      throw new SwapfoldError(
        'foreign-store',
        `The ClickHouse database "${names.database}" holds none of Swapfold's tables.`,
      );
    }
    if (found.includes(REMOVED_BEFORE)) {
      throw new SwapfoldError(
        'read-only',
        `The ClickHouse database "${names.database}" is of an earlier version; open it for writing once.`,
      );
    }
  }

  async function createStore(): Promise<void> {
    const found = await listTables();
    if (found.length > 0 && !found.includes(LOG)) {
      throw new SwapfoldError(
        'foreign-store',
        `The ClickHouse database "${names.database}" holds other tables ("${found.slice(0, 3).join('", "')}") and none of Swapfold's.`,
      );
    }
    const takeOver = found.includes(REMOVED_BEFORE) ? takeOverRemoved(names) : [];
    for (const statement of [...createBookkeeping(names), ...takeOver]) await connection.run(fragment(statement));
  }

  return {
    engine: 'clickhouse',
    isReadOnly,

    async open({ tables }: Schema): Promise<Opened> {
      return lifecycle.write(async () => {
        if (!isOpen) await translated(isReadOnly ? findStore : createStore);
        isOpen = true;
        foreign.watch(async () => {
          if (!isSeenWithin(LOOK - BETWEEN)) await seeView();
        });
        if (isReadOnly) return 'existing';
        return transact(async (writer, view) => {
          const missing = tables.filter(({ name }) => !view.tables.has(name));
          const isNew = missing.length === tables.length;
          for (const table of missing) await writer.recreate(table);
          return isNew ? 'created' : 'existing';
        });
      });
    },

    async tables(): Promise<ReadonlyMap<string, readonly string[]>> {
      return lifecycle.read(
        async ({ view }) => new Map([...view.tables].map(([name, { columns }]) => [name, columns])),
      );
    },

    async snapshot<R>(read: (reader: Reader) => Promise<R>): Promise<R> {
      return lifecycle.read(({ view, session }) =>
        read({ ...createReader(session, createDialect(names, view)), version: async () => view.write }),
      );
    },

    foreignVersion: () => foreign.last,

    async write<R>(change: (writer: Writer) => Promise<R>): Promise<R> {
      if (isReadOnly) throw new SwapfoldError('read-only', 'The ClickHouse store was opened for reading only.');
      return lifecycle.write(() => transact(change));
    },

    async close(): Promise<void> {
      return lifecycle.close(async () => {
        await foreign.end();
        await translated(close);
      });
    },
  };
}

function leastWrite(snapshots: Iterable<Snapshot>): number | undefined {
  let least: number | undefined;
  for (const { view } of snapshots) least = Math.min(least ?? view.write, view.write);
  return least;
}

const readOnly = {
  append: async () => {
    throw new Error('A snapshot is read-only.');
  },
  close: async () => undefined,
};

function checkColumns(table: Table, stored: StoredTable | undefined): void {
  const names = columnsOf(table);
  if (stored && (stored.columns.length !== names.length || names.some((name) => !stored.columns.includes(name)))) {
    throw new Error(
      `Table "${table.name}" of the store has other columns than its record; recreate it before appending.`,
    );
  }
}
