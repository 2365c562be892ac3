import { didYouMean } from '@swapfold/core/host';
import { InvalidArgumentError } from 'commander';

/** Engines whose stores are files. */
export type FileEngine = 'sqlite' | 'duckdb';

export type Engine = FileEngine | 'clickhouse';

/** Where a store is: its engine, and its file or the address of its server. */
export interface StoreUrl {
  readonly engine: Engine;
  readonly path: string;
}

const extensions: Readonly<Record<FileEngine, readonly string[]>> = {
  sqlite: ['.db', '.sqlite', '.sqlite3'],
  duckdb: ['.duckdb', '.ddb'],
};

export const fileEngines = Object.keys(extensions) as FileEngine[];

const engines: readonly Engine[] = [...fileEngines, 'clickhouse'];

/** What a store can be written as. */
export const storeForms = `sqlite:PATH, duckdb:PATH, clickhouse:http://HOST:8123/DATABASE, or a path that ends in ${fileEngines.flatMap((engine) => extensions[engine]).join(', ')}`;

/** The store that `sqlite:PATH`, `duckdb:PATH` or a path with a telling extension names. Errors: commander's, with what would do. */
export function parseStoreUrl(text: string): StoreUrl {
  // A single letter before the colon is a drive.
  const [, scheme, rest] = /^([A-Za-z][A-Za-z0-9+.-]+):(.*)$/s.exec(text) ?? [];
  if (scheme !== undefined) {
    const engine = engines.find((name) => name === scheme.toLowerCase());
    if (engine === undefined)
      throw new InvalidArgumentError(
        `There is no engine "${scheme}".${didYouMean(scheme, engines)} Write ${storeForms}.`,
      );
    return { engine, path: filePath(rest!) };
  }
  const engine = engineOfPath(text);
  if (engine === undefined) throw new InvalidArgumentError(`It does not tell the engine. Write ${storeForms}.`);
  return { engine, path: filePath(text) };
}

/** Whether a path ends as paths of stores do. */
export function isStorePath(path: string): boolean {
  return engineOfPath(path) !== undefined;
}

function engineOfPath(path: string): FileEngine | undefined {
  return fileEngines.find((name) => extensions[name].some((extension) => path.toLowerCase().endsWith(extension)));
}

/** The path or address as it may be printed: without a password. */
export function showPath({ engine, path }: StoreUrl): string {
  if (engine !== 'clickhouse' || !URL.canParse(path)) return path;
  const address = new URL(path);
  if (address.password === '') return path;
  address.password = '***';
  return address.href;
}

function filePath(path: string): string {
  if (path === '') throw new InvalidArgumentError(`The path is missing. Write ${storeForms}.`);
  if (path === ':memory:')
    throw new InvalidArgumentError('A store in memory would be gone when the command ends: name a file.');
  return path;
}
