import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { StorageAdapter, SwapColumns } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';

/** A store, and plain SQL beside it on the same file. */
export interface Bench {
  readonly engine: string;
  readonly storage: StorageAdapter;
  readonly rows: (sql: string) => Promise<readonly unknown[][]>;
  /** Loads swaps into one plain table of the engine, as its own documentation advises, and gives the seconds. */
  readonly plainLoad: (batches: readonly SwapColumns[]) => Promise<number>;
  readonly close: () => Promise<void>;
}

const names = [
  'tx_hash',
  'swap_index',
  'block_time',
  'wallet',
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
  'usd_amount_in',
  'usd_amount_out',
] as const;
const isText = (name: string): boolean => ['tx_hash', 'wallet', 'token_in', 'token_out'].includes(name);

function cell(batch: SwapColumns, name: (typeof names)[number], row: number): string | number | null {
  const column = batch.columns[name];
  if (column === undefined) return null;
  if ('ids' in column) return column.dictionary[column.ids[row]!] ?? null;
  const value = column[row] ?? null;
  return Number.isNaN(value) ? null : value;
}

export function sqliteBench(folder: string): Bench {
  const path = `${folder}/bench.db`;
  let reader: Database.Database | undefined;
  return {
    engine: 'SQLite',
    storage: sqlite(path),
    rows: async (sql) => {
      reader ??= new Database(path, { readonly: true });
      return reader.prepare(sql).raw().all() as unknown[][];
    },
    plainLoad: async (batches) => {
      const db = new Database(`${folder}/plain.db`);
      db.pragma('journal_mode = wal');
      db.pragma('synchronous = normal');
      db.exec(
        `create table swaps (${names.map((name) => `${name} ${isText(name) ? 'text' : 'real'}`).join(', ')}, unique (tx_hash, swap_index))`,
      );
      const insert = db.prepare(`insert or ignore into swaps values (${names.map(() => '?').join(', ')})`);
      const start = performance.now();
      for (const batch of batches) {
        db.transaction(() => {
          for (let row = 0; row < batch.length; row++) insert.run(...names.map((name) => cell(batch, name, row)));
        })();
      }
      const seconds = (performance.now() - start) / 1000;
      db.close();
      return seconds;
    },
    close: async () => void reader?.close(),
  };
}

export async function duckdbBench(folder: string): Promise<Bench> {
  const instance = await DuckDBInstance.create(`${folder}/bench.duckdb`);
  let connection: DuckDBConnection | undefined;
  return {
    engine: 'DuckDB',
    storage: duckdb(instance),
    rows: async (sql) => {
      connection ??= await instance.connect();
      return (await connection.runAndReadAll(sql)).getRows() as unknown[][];
    },
    plainLoad: async (batches) => {
      const plain = await (await DuckDBInstance.create(`${folder}/plain.duckdb`)).connect();
      await plain.run(
        `create table swaps (${names.map((name) => `${name} ${isText(name) ? 'varchar' : 'double'}`).join(', ')})`,
      );
      const start = performance.now();
      for (const batch of batches) {
        const appender = await plain.createAppender('swaps');
        for (let row = 0; row < batch.length; row++) {
          for (const name of names) {
            const value = cell(batch, name, row);
            if (value === null) appender.appendNull();
            else if (typeof value === 'string') appender.appendVarchar(value);
            else appender.appendDouble(value);
          }
          appender.endRow();
        }
        appender.closeSync();
      }
      const seconds = (performance.now() - start) / 1000;
      plain.closeSync();
      return seconds;
    },
    close: async () => connection?.closeSync(),
  };
}
