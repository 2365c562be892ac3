import type { ColumnType, Table } from '@swapfold/core/engine';
import { quote } from '@swapfold/sql';
import { plainTypes, textLiteral } from './literal.ts';
import { LOG, type Names, REMOVED_BEFORE } from './names.ts';

/** ClickHouse's type of a column: an id and a column of the key are never null. */
export function storedType(table: Table, column: string, type: ColumnType): string {
  return isNullable(table, column, type) ? `Nullable(${plainTypes[type]})` : plainTypes[type];
}

export function isNullable(table: Table, column: string, type: ColumnType): boolean {
  return type !== 'id' && !table.key.includes(column);
}

/**
 * What makes columns smaller without making their scans slower (docs/guides/sizing.md): ids need few of their bits, and whole numbers that rows
 * are ordered by differ little from row to row. Doubles and texts stay with the server's own codec.
 */
const codecs: Readonly<Record<ColumnType, string>> = {
  id: ' codec(T64, LZ4)',
  long: ' codec(Delta, LZ4)',
  double: '',
  text: '',
};

/**
 * The statements that create a table of the store. `_row` numbers its rows over all writes, so that a row is added or removed by its
 * number: rows themselves never change, and no read waits for a merge.
 *
 * On a cluster each server has the rows of its shard, and one table over all of them is read and written.
 */
export function createTable(names: Names, physical: string, table: Table): readonly string[] {
  const columns = Object.entries(table.columns).map(
    ([name, type]) => `${quote(name)} ${storedType(table, name, type)}${codecs[type]}`,
  );
  const indexes = indexesOf(table).map(({ kind, name, definition }) => `${kind} ${name} ${definition}`);
  const parts = [...columns, '"_row" UInt64 codec(Delta, LZ4)', ...indexes];
  const create = `create table ${names.partsOf(physical)}${names.onCluster} (${parts.join(', ')})`;
  const rows = `${create} engine = ${engineOf(names, '{shard}')} order by (${list(table.key)}) settings ${SETTINGS}`;
  if (names.cluster === undefined) return [rows];
  const { name, sharding } = names.cluster;
  const by = quote(Object.hasOwn(table.columns, sharding) ? sharding : table.key[0]!);
  const over = `Distributed(${quote(name)}, ${quote(names.database)}, ${quote(`${physical}_part`)}, cityHash64(${by}))`;
  return [rows, `create table ${names.of(physical)}${names.onCluster} as ${names.partsOf(physical)} engine = ${over}`];
}

/** The statements that give a table the indexes of its record where it has them not, also for the rows that are there. */
export function addIndexes(names: Names, physical: string, table: Table): readonly string[] {
  const alter = `alter table ${names.partsOf(physical)}${names.onCluster}`;
  return indexesOf(table).flatMap(({ kind, name, definition }) => [
    `${alter} add ${kind} if not exists ${name} ${definition}`,
    `${alter} materialize ${kind} ${name}`,
  ]);
}

/** The statements that drop a table of the store. */
export function dropTable(names: Names, physical: string): readonly string[] {
  const tables = new Set([names.of(physical), names.partsOf(physical)]);
  return [...tables].map((table) => `drop table if exists ${table}${names.onCluster} sync`);
}

/** A replicated engine's place in the keeper: tables of the same name and `shard` hold the same rows. */
function engineOf({ cluster }: Names, shard: string): string {
  return cluster === undefined
    ? 'MergeTree'
    : `ReplicatedMergeTree('/clickhouse/tables/${shard}/{uuid}', '{shard}-{replica}')`;
}

/**
 * The statement that takes rows off the disk, and waits for that on all servers. It is a mutation that writes parts anew: after a lightweight
 * `delete` of all rows of a part, ClickHouse 26.7 still finds them in the projections of the part, whatever
 * `lightweight_mutation_projection_mode` says.
 */
export function deleteRows(names: Names, physical: string, where: string): string {
  return `alter table ${names.partsOf(physical)}${names.onCluster} delete where ${where} settings mutations_sync = 2`;
}

/**
 * Some projections are ordered by columns with nulls. A page of a list takes few
 * rows of many columns out of each part: what is read and unpacked for one is a granule of a thousand rows, not the server's 64 KB.
 */
const SETTINGS = [
  "lightweight_mutation_projection_mode = 'rebuild'",
  'allow_nullable_key = 1',
  'index_granularity = 1024',
  'min_compress_block_size = 8192',
  'max_compress_block_size = 65536',
].join(', ');

/**
 * An index of several columns is an order that rows are read in: a copy of the table in that order. One of a single column finds few
 * rows: by the range of it in each piece of the table, or by a filter of the values there.
 */
function indexesOf(table: Table): readonly { kind: 'projection' | 'index'; name: string; definition: string }[] {
  const indexes = table.indexes.filter((index) => index.join() !== table.key.slice(0, index.length).join());
  return indexes.map((index) => {
    const name = quote(`by_${index.join('_')}`);
    const [column] = index;
    if (index.length > 1) return { kind: 'projection', name, definition: `(select * order by ${list(index)})` };
    const type = table.columns[column!] === 'long' ? 'minmax' : 'bloom_filter';
    return { kind: 'index', name, definition: `${quote(column!)} type ${type}` };
  });
}

function list(columns: readonly string[]): string {
  return columns.map(quote).join(', ');
}

/** The statements that create what every store has beside its tables: on a cluster, whole on each server. */
export function createBookkeeping(names: Names): readonly string[] {
  const { onCluster } = names;
  const engine = engineOf(names, 'all');
  const once = names.cluster === undefined ? ` settings ${TOKENS}` : '';
  return [
    `create database if not exists ${quote(names.database)}${onCluster}`,
    `create table if not exists ${names.log}${onCluster} ("write" UInt64, "kind" String, "name" String, "detail" String, "at" DateTime default now()) engine = ${engine} order by "write"${once}`,
    `create table if not exists ${names.removed}${onCluster} ("physical" String, "write" UInt64, "count" UInt64, "rows" AggregateFunction(groupBitmap, UInt64)) engine = ${engine} order by ("physical", "write")`,
  ];
}

/** How many tokens of inserts the log remembers: a replicated one has a window of its own. */
const TOKENS = 'non_replicated_deduplication_window = 10000';

/** The query whose one value is 1 where the log remembers no tokens, as those of earlier versions. */
export function logIsOfBefore({ database }: Names): string {
  const remembers = `position("create_table_query", 'non_replicated_deduplication_window') > 0`;
  return `select toInt32(count()) from system.tables where "database" = ${textLiteral(database)} and "name" = '${LOG}' and not ${remembers}`;
}

/** The statements that take over such a log: what did not end is void. */
export function takeOverLog(names: Names): readonly string[] {
  const ended = `select "write" from ${names.log} where "kind" in ('commit', 'undone')`;
  const unended = `select distinct "write", 'void', '' from ${names.log} where "kind" = 'begin' and "write" not in (${ended})`;
  return [
    `insert into ${names.log} ("write", "kind", "name") ${unended}`,
    `alter table ${names.log} modify setting ${TOKENS}`,
  ];
}

/** The statements that take over what an earlier version noted of removed rows. If they are run again, no row is noted but those. */
export function takeOverRemoved(names: Names): readonly string[] {
  const before = names.of(REMOVED_BEFORE);
  const rows = `select "physical", "write", count(), groupBitmapState("row") from ${before} group by "physical", "write"`;
  return [
    `insert into ${names.removed} ("physical", "write", "count", "rows") ${rows}`,
    `drop table ${before}${names.onCluster} sync`,
  ];
}
