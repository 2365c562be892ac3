import { copyFileSync, existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

export type Engine = 'sqlite' | 'duckdb' | 'clickhouse';

export const engineNames: Readonly<Record<Engine, string>> = {
  sqlite: 'SQLite',
  duckdb: 'DuckDB',
  clickhouse: 'ClickHouse',
};

/** Where the files of a market of one size, and the stores made of it, lie. */
export interface Files {
  /** The bulk of the swaps. */
  readonly parquet: string;
  readonly csv: string;
  readonly ndjson: string;
  /** In the shape of Dune's `dex_solana.trades`, without balances. */
  readonly dune: string;
  /** The Parquet file in slices of time, the newest slice first. */
  readonly slices: string;
  /** The swaps after it, that arrive block by block. */
  readonly tail: string;
  readonly tokens: string;
  /** The store of an engine, and plain tables of the same engine beside it. */
  readonly store: Readonly<Record<Engine, string>>;
  readonly plain: Readonly<Record<Engine, string>>;
  /** A file of its own, for what is made and removed. */
  readonly scratch: (name: string) => string;
}

export function filesOf(root: string, swaps: number): Files {
  const folder = join(root, `market-${swaps}`);
  mkdirSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  return {
    parquet: file('swaps.parquet'),
    csv: file('swaps.csv'),
    ndjson: file('swaps.ndjson'),
    dune: file('dune.parquet'),
    slices: file('slices.parquet'),
    tail: file('tail.parquet'),
    tokens: file('tokens.ndjson'),
    store: { sqlite: file('store.db'), duckdb: file('store.duckdb'), clickhouse: file('store.clickhouse') },
    plain: { sqlite: file('plain.db'), duckdb: file('plain.duckdb'), clickhouse: file('plain.clickhouse') },
    scratch: file,
  };
}

/** What engines keep beside a database file while it is open. */
const companions = ['', '-wal', '-shm', '.wal'] as const;

export function removeFile(path: string): void {
  for (const suffix of companions) rmSync(path + suffix, { force: true });
}

export function copyFile(from: string, to: string): void {
  removeFile(to);
  for (const suffix of companions) if (existsSync(from + suffix)) copyFileSync(from + suffix, to + suffix);
}

/** Bytes of a database file, with what its engine keeps beside it. */
export function fileBytes(path: string): number {
  return companions.reduce((sum, suffix) => sum + (statSync(path + suffix, { throwIfNoEntry: false })?.size ?? 0), 0);
}
