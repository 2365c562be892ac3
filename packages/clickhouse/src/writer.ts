import {
  type Batch,
  checkBatch,
  columnsOf,
  type Predicate,
  replaceRows,
  type Table,
  type Writer,
  withColumns,
} from '@swapfold/core/engine';
import { createReader, fragment, joinFragments, type Session, whereClause } from '@swapfold/sql';
import { addIndexes, createTable } from './definition.ts';
import { createDialect } from './dialect.ts';
import { textLiteral } from './literal.ts';
import type { Log } from './log.ts';
import type { Names } from './names.ts';
import type { StoredTable, View } from './view.ts';

/** The view of a running write, which its own changes go into. */
export interface OwnView extends View {
  readonly tables: Map<string, StoredTable>;
  readonly removed: Map<string, string | null>;
  /** Tables that it has created. */
  made: number;
  /** Whether it has removed rows, which the view does not list. */
  hasRemoved: boolean;
}

export interface WriterOf {
  readonly session: Session;
  readonly names: Names;
  readonly view: OwnView;
  /** Gets the record of each physical table that is written to. */
  readonly records: Map<string, Table>;
  readonly noting: Log['noting'];
}

/** The `Writer` of one write. */
export function writerOf({ session, names, view, records, noting }: WriterOf): Writer {
  const dialect = createDialect(names, view);
  const run = (sql: string): Promise<void> => session.run(fragment(sql));

  const writer: Writer = {
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

    replace: (table, batch) => replaceRows(writer, table, batch),

    async remove(table: Table, where: Predicate): Promise<void> {
      const { physical } = view.tables.get(table.name) ?? { physical: table.name };
      const there = dialect.rowsOf(table);
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
      await run(noting(view.write, table.name, stored));
      for (const create of createTable(names, physical, table)) await run(create);
    },

    /** Into a new table: undo and vacuum drop whole tables, so that two states of the store cannot share an altered one. */
    async addColumns(table: Table): Promise<void> {
      const { columns } = view.tables.get(table.name)!;
      const rows = writer.stream({ table, columns })[Symbol.asyncIterator]();
      // The first batch is asked for while the name stands for the old table.
      let next = await rows.next();
      await writer.recreate(table);
      for (; !next.done; next = await rows.next()) await writer.append(table, withColumns(table, next.value as Batch));
    },

    /** Indexes change no answer, so these statements are not undone with the write. */
    async reindex(table: Table): Promise<void> {
      const stored = view.tables.get(table.name);
      if (stored) for (const add of addIndexes(names, stored.physical, table)) await run(add);
    },
  };
  return writer;
}

function checkColumns(table: Table, stored: StoredTable | undefined): void {
  const names = columnsOf(table);
  if (stored && (stored.columns.length !== names.length || names.some((name) => !stored.columns.includes(name)))) {
    throw new Error(
      `Table "${table.name}" of the store has other columns than its record; recreate it before appending.`,
    );
  }
}
