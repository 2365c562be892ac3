import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StorageAdapter, Swapfold } from '@swapfold/core';
import type { Engine } from '../files.ts';

/** The store of one version of the library. */
export interface VersionStore {
  /** A checkout whose packages are built. */
  readonly version: string;
  readonly engine: Exclude<Engine, 'clickhouse'>;
  readonly store: string;
}

/** A built module of a version. One that does its work as it is loaded does it once for each `query`. */
export async function load(version: string, module: string, query = '') {
  return import(`${pathToFileURL(join(version, 'packages', module)).href}${query}`);
}

/** Opens a store by the packages of its version. */
export async function openVersion({ version, engine, store }: VersionStore): Promise<Swapfold> {
  const { Swapfold } = await load(version, 'core/dist/index.js');
  const adapters = await load(version, `${engine}/dist/index.js`);
  const storage: StorageAdapter = engine === 'sqlite' ? adapters.sqlite({ path: store }) : adapters.duckdb(store);
  return Swapfold.open({ storage });
}
