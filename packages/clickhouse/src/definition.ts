import { type ColumnType, quote, type Table } from '@swapfold/core';
import { plainTypes } from './literal.ts';
import type { Names } from './names.ts';

/** ClickHouse's type of a column: an id and a column of the key are never null. */
export function storedType(table: Table, column: string, type: ColumnType): string {
  return isNullable(table, column, type) ? `Nullable(${plainTypes[type]})` : plainTypes[type];
}

export function isNullable(table: Table, column: string, type: ColumnType): boolean {
  return type !== 'id' && !table.key.includes(column);
}

/**
 * The statement that creates a table of the store. `_row` numbers its rows over all writes, so that a row is added or removed by its
 * number: rows themselves never change, and no read waits for a merge.
 */
export function createTable(names: Names, physical: string, table: Table): string {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => `${quote(name)} ${storedType(table, name, type)}`,
  );
  const indexes = table.indexes.filter((index) => index.join() !== table.key.slice(0, index.length).join());
  const parts = [...columns, '"_row" UInt64 codec(Delta, LZ4)', ...indexes.map((index) => indexOf(table, index))];
  return `create table ${names.of(physical)} (${parts.join(', ')}) engine = MergeTree order by (${list(table.key)}) settings ${SETTINGS}`;
}

/** A projection is rebuilt where the vacuum takes rows out of a part; some are ordered by columns with nulls. */
const SETTINGS = "lightweight_mutation_projection_mode = 'rebuild', allow_nullable_key = 1";

/**
 * An index of several columns is an order that rows are read in: a copy of the table in that order. One of a single column finds few
 * rows: by the range of it in each piece of the table, or by a filter of the values there.
 */
function indexOf(table: Table, index: readonly string[]): string {
  const name = quote(`by_${index.join('_')}`);
  if (index.length > 1) return `projection ${name} (select * order by ${list(index)})`;
  const [column] = index;
  return `index ${name} ${quote(column!)} type ${table.columns[column!] === 'long' ? 'minmax' : 'bloom_filter'}`;
}

function list(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

/** The statements that create what every store has beside its tables. */
export function createBookkeeping(names: Names): readonly string[] {
  return [
    `create database if not exists ${quote(names.database)}`,
    `create table if not exists ${names.log} ("write" UInt64, "kind" String, "name" String, "detail" String, "at" DateTime default now()) engine = MergeTree order by "write"`,
    `create table if not exists ${names.removed} ("physical" String, "row" UInt64, "write" UInt64) engine = MergeTree order by ("physical", "row")`,
  ];
}
