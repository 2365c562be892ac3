import { DuckDBInstance, type DuckDBPreparedStatement } from '@duckdb/node-api';
import Database from 'better-sqlite3';
import type { Engine } from '../files.ts';
import { openClickhouse } from './clickhouse.ts';

export type SqlValue = string | number;

/** Plain SQL on an engine: what Swapfold is compared with. Statements stay prepared. */
export interface PlainSql {
  readonly engine: Engine;
  query(sql: string, ...values: readonly SqlValue[]): Promise<unknown[][]>;
  /** Statements without a result, one after the other. */
  run(...statements: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openPlain(engine: Engine, path: string): Promise<PlainSql> {
  return openers[engine](path);
}

const openers: Readonly<Record<Engine, (path: string) => Promise<PlainSql>>> = {
  sqlite: openSqlite,
  duckdb: openDuckdb,
  clickhouse: openClickhouse,
};

async function openSqlite(path: string): Promise<PlainSql> {
  const db = new Database(path);
  db.pragma('journal_mode = wal');
  db.pragma('synchronous = normal');
  db.pragma('cache_size = -65536');
  const prepared = new Map<string, Database.Statement>();
  return {
    engine: 'sqlite',
    async query(sql, ...values) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = db.prepare(sql).raw();
        prepared.set(sql, statement);
      }
      return statement.all(...values) as unknown[][];
    },
    async run(...statements) {
      for (const statement of statements) db.exec(statement);
    },
    close: async () => void db.close(),
  };
}

async function openDuckdb(path: string): Promise<PlainSql> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const prepared = new Map<string, DuckDBPreparedStatement>();
  return {
    engine: 'duckdb',
    async query(sql, ...values) {
      let statement = prepared.get(sql);
      if (statement === undefined) {
        statement = await connection.prepare(sql);
        prepared.set(sql, statement);
      }
      for (const [i, value] of values.entries()) {
        if (typeof value === 'string') statement.bindVarchar(i + 1, value);
        else if (Number.isInteger(value)) statement.bindBigInt(i + 1, BigInt(value));
        else statement.bindDouble(i + 1, value);
      }
      return (await (await statement.run()).getRowsJS()) as unknown[][];
    },
    async run(...statements) {
      for (const statement of statements) await connection.run(statement);
    },
    async close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
