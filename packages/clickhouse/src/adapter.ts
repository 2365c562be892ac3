import { SwapfoldError } from '@swapfold/core';
import {
  createLifecycle,
  type Opened,
  type Reader,
  type Schema,
  type StorageAdapter,
  type Table,
  type Writer,
} from '@swapfold/core/engine';
import { createReader, createSession, fragment, type Session } from '@swapfold/sql';
import type { Connection } from './connection.ts';
import { createBookkeeping, logIsOfBefore, takeOverLog, takeOverRemoved } from './definition.ts';
import { createDialect } from './dialect.ts';
import { BETWEEN, createForeignWrites, LOOK } from './foreign-writes.ts';
import { textLiteral } from './literal.ts';
import { createLog } from './log.ts';
import { LOG, type Names, REMOVED_BEFORE } from './names.ts';
import type { Head } from './read-log.ts';
import { lastingConnection } from './snapshot.ts';
import { createVacuum } from './vacuum.ts';
import type { View } from './view.ts';
import { createWriteConnection, type WriteConnection } from './write-connection.ts';
import { type OwnView, writerOf } from './writer.ts';

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
  /** When it began to be read. */
  readonly at: number;
  /** Whether it lists the removed rows of tables that have few: the next look asks for them otherwise. */
  readonly isWhole: boolean;
}

/** A `StorageAdapter` over ClickHouse, whose writes are made of inserts alone (`log.ts`). */
export function createAdapter(options: AdapterOptions): StorageAdapter {
  const { connection, names, snapshotSeconds, isReadOnly, failure, close } = options;
  const log = createLog(connection, names, snapshotSeconds);
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
      if (!isSeenWithin(LOOK)) await translated(seeView);
      const { view, at } = lastSeen!;
      const lasting = lastingConnection(connection, { view, at, head: log.head });
      const snapshot = { view, session: createSession({ ...lasting, append }, sessions) };
      snapshots.add(snapshot);
      return snapshot;
    },
    async release(snapshot) {
      snapshots.delete(snapshot);
      await snapshot.session.end();
    },
  });

  function isSeenWithin(milliseconds: number): boolean {
    return lastSeen !== undefined && Date.now() - lastSeen.at < milliseconds;
  }

  async function seeView(): Promise<void> {
    const at = Date.now();
    await viewAt(await log.head(), at);
  }

  /** The state of a head that was asked for at an instant. */
  async function viewAt(head: Head, at: number): Promise<View> {
    const known = lastSeen?.isWhole && lastSeen.view.write === head.last ? lastSeen.view : undefined;
    const view = known ?? (await log.view(head));
    foreign.seen(view.write);
    see(view, at, true);
    return view;
  }

  /** A look may end after a later one, or after a write that this process began when the look had begun. */
  function see(view: View, at: number, isWhole: boolean): void {
    if (view.write >= (lastSeen?.view.write ?? 0)) lastSeen = { view, at, isWhole };
  }

  async function translated<R>(work: () => Promise<R>): Promise<R> {
    try {
      return await work();
    } catch (error) {
      throw error instanceof SwapfoldError ? error : failure(error);
    }
  }

  async function transact<R>(change: (writer: Writer, view: OwnView) => Promise<R>): Promise<R> {
    const { write, head } = await translated(() => log.claim());
    const records = new Map<string, Table>();
    const own = createWriteConnection(connection, { write, names, recordOf: (name) => records.get(name)! });
    const session = createSession(own, sessions);
    let ended: { readonly answer: R; readonly view: OwnView } | undefined;
    try {
      const before = await translated(() => viewAt(head, Date.now()));
      const view: OwnView = {
        write,
        voids: head.voids,
        seconds: before.seconds,
        tables: new Map(before.tables),
        removed: new Map(before.removed),
        made: 0,
        hasRemoved: false,
      };
      const writer = {
        ...writerOf({ session, names, view, records, noting: log.noting }),
        version: async () => before.write,
      };
      ended = { answer: await change(writer, view), view };
      await session.end();
      if (session.failure) throw session.failure;
      await translated(async () => {
        await own.flush();
        await (own.hasChanged ? log.commit(write) : log.release(write));
      });
    } catch (error) {
      await session.end().catch(() => undefined);
      await own.settle();
      const isCommitted = await giveUp(write, own);
      if (!isCommitted || ended === undefined) throw error;
    }
    if (own.hasChanged) {
      foreign.own(write);
      see(ended.view, Date.now(), !ended.view.hasRemoved);
    }
    // The write is committed, whatever becomes of this: the next look does what one that failed has left.
    await vacuum.afterWrite(leastWrite(snapshots)).catch(() => undefined);
    return ended.answer;
  }

  /** Ends a write that failed. Where this fails too, the next write does it: the first error is the one to throw. */
  async function giveUp(write: number, own: WriteConnection): Promise<boolean> {
    try {
      if (own.hasChanged) return await log.abandon(write, own.isSure);
      await log.release(write);
    } catch {}
    return false;
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
    const takeOver = [
      ...(found.includes(REMOVED_BEFORE) ? takeOverRemoved(names) : []),
      ...(found.includes(LOG) && (await hasLogOfBefore()) ? takeOverLog(names) : []),
    ];
    for (const statement of [...createBookkeeping(names), ...takeOver]) await connection.run(fragment(statement));
  }

  async function hasLogOfBefore(): Promise<boolean> {
    if (names.cluster !== undefined) return false;
    const [found] = await connection.all(fragment(logIsOfBefore(names)), ['id']);
    return (found as Int32Array)[0] === 1;
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

    externalVersion: () => foreign.last,

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

async function append(): Promise<never> {
  throw new Error('A snapshot is read-only.');
}
