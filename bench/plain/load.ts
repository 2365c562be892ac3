import { DuckDBInstance } from '@duckdb/node-api';
import type { SwapColumns, TextColumn } from '@swapfold/core';
import Database from 'better-sqlite3';
import { readSwapFile } from 'swapfold';
import { connectClickhouse, removeClickhouse } from '../clickhouse.ts';
import { textColumns as ids, numberColumns as numbers } from '../columns.ts';
import { type Engine, removeFile } from '../files.ts';
import { hashOf } from './hash.ts';

/**
 * DuckDB's own `insert ... select` of a Parquet file into one table: texts as ids of a dictionary, the transaction's hash as given, a
 * 64-bit hash of the swap's identity beside it. Milliseconds, the dictionary included.
 */
async function loadDuckdb(file: string, path: string): Promise<number> {
  removeFile(path);
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const start = performance.now();
  await connection.run(`
    create table texts (id integer, text varchar);
    insert into texts select row_number() over () - 1, text from (
      ${ids.map((name) => `select distinct ${name} as text from '${file}'`).join(' union ')}
    ) where text is not null;
    create table swaps (hash ubigint, tx_hash varchar, swap_index integer, block_time integer, block_slot bigint, tx_index integer,
      ${numbers
        .slice(4)
        .map((name) => `${name} double`)
        .join(', ')}, ${ids.map((name) => `${name} integer`).join(', ')});
    insert into swaps select hash(tx_hash, swap_index), tx_hash, ${numbers.join(', ')}, ${ids.map((name) => `d_${name}.id`).join(', ')}
      from '${file}' ${ids.map((name) => `left join texts d_${name} on d_${name}.text = ${name}`).join(' ')};
    checkpoint;`);
  const milliseconds = performance.now() - start;
  connection.closeSync();
  instance.closeSync();
  removeFile(path);
  return milliseconds;
}

/**
 * One prepared insert a row into one table of SQLite: texts as ids of a dictionary, the transaction's hash as given, a unique 53-bit
 * hash of the swap's identity. Milliseconds of the load alone: reading the file does not count.
 */
async function loadSqlite(file: string, path: string): Promise<number> {
  removeFile(path);
  const db = new Database(path);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  db.exec(`create table texts (id integer primary key, text text);
    create table swaps (hash integer unique, tx_hash text, ${[...numbers, ...ids].join(', ')})`);
  const insertText = db.prepare('insert into texts values (?, ?)');
  const insert = db.prepare(
    `insert or ignore into swaps values (?, ?, ${[...numbers, ...ids].map(() => '?').join(', ')})`,
  );
  const known = new Map<string, number>();
  const idsOf = (column: TextColumn, length: number): Int32Array => {
    const idOf = (text: string | null): number => {
      if (text === null) return -1;
      let id = known.get(text);
      if (id === undefined) {
        id = known.size;
        known.set(text, id);
        insertText.run(id, text);
      }
      return id;
    };
    if (!('dictionary' in column)) return Int32Array.from({ length }, (_, row) => idOf(column[row] ?? null));
    const map = column.dictionary.map(idOf);
    return Int32Array.from(column.ids, (id) => map[id] ?? -1);
  };
  const load = db.transaction(({ length, columns }: SwapColumns) => {
    const data = [
      ...numbers.map((name) => columns[name]!),
      ...ids.map((name) => idsOf(columns[name] as TextColumn, length)),
    ];
    const row: (number | string | null)[] = [];
    for (let i = 0; i < length; i++) {
      row[0] = hashOf(columns.tx_hash[i]!, columns.swap_index[i]!);
      row[1] = columns.tx_hash[i]!;
      for (let c = 0; c < data.length; c++) row[c + 2] = Number.isNaN(data[c]![i]) ? null : data[c]![i]!;
      insert.run(row);
    }
  });
  let milliseconds = 0;
  for await (const { batch } of readSwapFile(file, { batchRows: 50_000 })) {
    const start = performance.now();
    load(batch);
    milliseconds += performance.now() - start;
  }
  const start = performance.now();
  db.close();
  milliseconds += performance.now() - start;
  removeFile(path);
  return milliseconds;
}

/**
 * ClickHouse's own `insert ... select` of a Parquet file into one table in the order of time: texts that repeat as `LowCardinality`, the
 * transaction's hash as given, a 64-bit hash of the swap's identity beside it. Milliseconds.
 */
async function loadClickhouse(file: string, path: string): Promise<number> {
  await removeClickhouse(path);
  const { client, database } = connectClickhouse(path);
  const run = (query: string): Promise<unknown> => client.command({ query });
  const texts = ids.map((name) => `${name} ${name === 'wallet' ? 'String' : 'LowCardinality(Nullable(String))'}`);
  const amounts = numbers.slice(4).map((name) => `${name} Nullable(Float64)`);
  const start = performance.now();
  await run(`create database ${database}`);
  await run(`create table ${database}.swaps (hash UInt64, tx_hash String, swap_index Int32, block_time Int32, block_slot Nullable(Int64),
    tx_index Nullable(Int32), ${[...amounts, ...texts].join(', ')}) engine = MergeTree order by block_time`);
  await run(`insert into ${database}.swaps select cityHash64(tx_hash, swap_index), tx_hash, ${[...numbers, ...ids].join(', ')}
    from file('${file}', Parquet)`);
  const milliseconds = performance.now() - start;
  await client.close();
  await removeClickhouse(path);
  return milliseconds;
}

/** Each engine's own way to load the market's file into a database at `path`, which is removed again. */
export const loadPlain: Readonly<Record<Engine, (file: string, path: string) => Promise<number>>> = {
  sqlite: loadSqlite,
  duckdb: loadDuckdb,
  clickhouse: loadClickhouse,
};
