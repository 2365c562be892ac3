import {
  type Batch,
  checkBatch,
  type Predicate,
  type Reader,
  replaceRows,
  type Table,
  type Writer,
} from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import type { Change } from './change.ts';
import type { AppendTarget } from './connection.ts';
import { createReader } from './create-reader.ts';
import { compileAddColumns, compileCreate, compileDrop, compileReindex } from './definition.ts';
import type { SqlDriver } from './driver.ts';
import { type EmptyTables, skipEmpty } from './empty-tables.ts';
import { findDamage } from './find-damage.ts';
import { CHECKSUM, rowChecksums, withChecksumColumn } from './row-checksums.ts';
import { compileRemove } from './select.ts';
import type { Session } from './session.ts';
import { copiesOf, grownBy, noteEmptied, sortedTablesOf } from './sorted-tables.ts';
import { defineViews } from './views/views.ts';

/** What reads and writes through sessions of an engine. */
export interface Writers {
  create(session: Session, table: Table, change: Change): Promise<void>;
  readerOf(session: Session): Reader;
  /** `isAlone`: no other transaction writes beside it. */
  writerOf(session: Session, change: Change, isAlone?: boolean): Writer;
}

export function createWriters(driver: Pick<SqlDriver, 'dialect' | 'sharing'>, empty: EmptyTables): Writers {
  const { dialect } = driver;

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
    empty.noteRows(table);
    if (!stored?.includes(CHECKSUM)) return session.append({ ...targetOf(table, stored), inPlaceOf }, rows);
    const columns = { ...rows.columns, [CHECKSUM]: await yielder().run(rowChecksums(table, rows)) };
    return session.append({ ...targetOf(withChecksumColumn(table), stored), inPlaceOf }, { ...rows, columns } as Batch);
  }

  /** Appends to the sorted copies of a table what was appended to it. */
  async function appendToCopies(session: Session, table: Table, rows: Batch, { grown }: Change): Promise<void> {
    for (const { name, columns } of copiesOf(table)) {
      await session.append({ name, columns: columns.map((column) => [column, table.columns[column]!]) }, rows);
    }
    for (const sorted of sortedTablesOf(table)) grown.set(sorted.name, grownBy(sorted, rows, grown.get(sorted.name)));
  }

  function readerOf(session: Session): Reader {
    const { sharing } = driver;
    return {
      ...createReader(session, dialect),
      findDamage: async (tables) => findDamage(session, dialect, tables, await listColumns(session, driver)),
      ...(sharing && { version: async () => (await session.all(sharing.version, ['long']))[0]![0] as number }),
    };
  }

  function writerOf(session: Session, change: Change, isAlone = false): Writer {
    /** Tables that this transaction has made anew: if it is taken back, they have the rows of before. */
    const remade = new Set<string>();
    const isEmpty = async (table: Table): Promise<boolean> =>
      isAlone && !remade.has(table.name) && empty.isEmpty(session, table);
    const writer: Writer = {
      ...(isAlone ? skipEmpty(readerOf(session), isEmpty) : readerOf(session)),
      async append<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
        const rows = batch as unknown as Batch;
        checkBatch(table, rows);
        if (rows.length === 0) return;
        await appendTo(session, table, rows, change.layout.get(table.name));
        if (dialect.sorting) await appendToCopies(session, table, rows, change);
      },
      async replace<T extends Table>(table: T, batch: Batch<T>): Promise<void> {
        if (!dialect.indexes) return replaceRows(writer, table, batch);
        const rows = batch as unknown as Batch;
        checkBatch(table, rows);
        if (rows.length === 0) return;
        const [key] = table.key as [string];
        await appendTo(session, table, rows, change.layout.get(table.name), { key, fixed: table.fixed ?? [] });
      },
      async remove(table: Table, where: Predicate): Promise<void> {
        if (where.kind === 'and' && where.of.length === 0) noteEmptied(table, change.grown);
        if (await isEmpty(table)) return;
        for (const statement of compileRemove(table, where, dialect)) await session.run(statement);
      },
      async recreate(table: Table): Promise<void> {
        remade.add(table.name);
        empty.forget(table);
        for (const statement of compileDrop(table, dialect)) await session.run(statement);
        await create(session, table, change);
        noteEmptied(table, change.grown);
      },
      async reindex(table: Table): Promise<void> {
        const [stored] = dialect.indexes ? await session.all(dialect.indexes.list(table), ['text']) : [[]];
        for (const statement of compileReindex(table, stored as string[], dialect)) await session.run(statement);
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

  return { create, readerOf, writerOf };
}

export async function listColumns(
  session: Session,
  { dialect }: Pick<SqlDriver, 'dialect'>,
): Promise<Map<string, string[]>> {
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
