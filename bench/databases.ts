import { Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { clickhouseBytes, clickhouseStore, copyClickhouse, removeClickhouse } from './clickhouse.ts';
import { copyFile, type Engine, fileBytes, removeFile } from './files.ts';

/** What is done with whole databases, each named by its path. */
interface Databases {
  readonly remove: (path: string) => void | Promise<void>;
  readonly copy: (from: string, to: string) => void | Promise<void>;
  readonly bytes: (path: string) => number | Promise<number>;
}

const files: Databases = { remove: removeFile, copy: copyFile, bytes: fileBytes };

export const databases: Readonly<Record<Engine, Databases>> = {
  sqlite: files,
  duckdb: files,
  clickhouse: { remove: removeClickhouse, copy: copyClickhouse, bytes: clickhouseBytes },
};

const stores: Readonly<Record<Engine, (path: string) => StorageAdapter>> = {
  sqlite,
  duckdb,
  clickhouse: clickhouseStore,
};

export async function openStore(engine: Engine, path: string): Promise<Swapfold> {
  return Swapfold.open({ storage: stores[engine](path) });
}
