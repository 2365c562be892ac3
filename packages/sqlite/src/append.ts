import type { Batch, ColumnData } from '@swapfold/core/engine';
import { yielder } from '@swapfold/core/host';
import { type AppendTarget, quote } from '@swapfold/sql';
import type { SqliteStatement } from './handle.ts';
import { RowShapes } from './row-shapes.ts';

/** Values that one statement inserts: a call for some rows costs hardly more than a call for one. */
const VALUES = 256;

type Value = number | bigint | string | null;

/** Columns from which on rows go by their shape. */
const WIDE = 40;

/** What inserts rows of a connection. `prepare` keeps some statements, `prepareAnew` none. */
export function createAppender(
  prepare: (sql: string) => SqliteStatement,
  prepareAnew: (sql: string) => SqliteStatement,
): (target: AppendTarget, batch: Batch) => Promise<void> {
  const shapes = new Map<string, RowShapes>();
  return async (target, batch) => {
    if (target.columns.length < WIDE) return appendRows(prepare, target, batch);
    const sql = insertInto(target, 1);
    let known = shapes.get(sql);
    if (known === undefined) {
      known = new RowShapes((values) => prepareAnew(insertInto(target, 1, values)));
      shapes.set(sql, known);
    }
    return appendWideRows(known, prepare(sql), target, batch);
  };
}

/** Inserts each row by the statement of its shape, if there is one. */
async function appendWideRows(
  shapes: RowShapes,
  insert: SqliteStatement,
  target: AppendTarget,
  batch: Batch,
): Promise<void> {
  const columns = target.columns.map(([name]) => batch.columns[name]!);
  const pause = yielder();
  const values: Value[] = new Array(columns.length);
  for (let row = 0; row < batch.length; row++) {
    if (!shapes.insert(columns, row)) {
      setValues(values, columns, row, 1);
      shortenZeros(values);
      insert.run(values);
    }
    if (pause.isDue()) await pause.take();
  }
}

/** Inserts the rows, or puts them in the place of others, some with each statement. Other work of the thread has its turn in between. */
async function appendRows(
  prepare: (sql: string) => SqliteStatement,
  target: AppendTarget,
  batch: Batch,
): Promise<void> {
  const columns = target.columns.map(([name]) => batch.columns[name]!);
  const rows = Math.max(1, Math.floor(VALUES / columns.length));
  const pause = yielder();
  let at = 0;
  if (batch.length >= rows) {
    const insert = prepare(insertInto(target, rows));
    const values: Value[] = new Array(rows * columns.length);
    for (; at + rows <= batch.length; at += rows) {
      setValues(values, columns, at, rows);
      insert.run(values);
      if (pause.isDue()) await pause.take();
    }
  }
  if (at === batch.length) return;
  const insert = prepare(insertInto(target, 1));
  const values: Value[] = new Array(columns.length);
  for (; at < batch.length; at++) {
    setValues(values, columns, at, 1);
    insert.run(values);
  }
}

/** The values of the rows from `from` on, row by row; null for `NaN`. */
function setValues(values: Value[], columns: readonly ColumnData[], from: number, rows: number): void {
  const width = columns.length;
  for (let c = 0; c < width; c++) {
    const column = columns[c]!;
    for (let row = 0; row < rows; row++) {
      const value = column[from + row]!;
      values[row * width + c] = Number.isNaN(value) ? null : value;
    }
  }
}

/**
 * Puts integers in the place of zeros: SQLite keeps those in no byte, and a double of a column without a type in eight. -0 stays, because
 * an integer has no sign of it.
 */
function shortenZeros(values: Value[]): void {
  for (let i = 0; i < values.length; i++) if (Object.is(values[i], 0)) values[i] = 0n;
}

/**
 * `or fail`, because SQLite keeps a journal of the pages that a statement of several rows changes where it might have to undo them.
 * What is in the table when a row fails goes with the transaction.
 */
function insertInto(
  { name, columns, inPlaceOf }: AppendTarget,
  rows: number,
  values: readonly string[] = columns.map(() => '?'),
): string {
  const names = columns.map(([column]) => quote(column)).join(', ');
  const row = `(${values.join(', ')})`;
  const insert = `insert or fail into ${quote(name)} (${names}) values ${new Array<string>(rows).fill(row).join(', ')}`;
  return inPlaceOf === undefined ? insert : `${insert} ${inPlace(columns, inPlaceOf)}`;
}

/** Of an update, SQLite leaves alone the indexes whose columns are not set. */
function inPlace(columns: AppendTarget['columns'], { key, fixed }: NonNullable<AppendTarget['inPlaceOf']>): string {
  const set = columns
    .filter(([name]) => name !== key && !fixed.includes(name))
    .map(([name]) => `${quote(name)} = excluded.${quote(name)}`);
  return `on conflict (${quote(key)}) do update set ${set.join(', ')}`;
}
