import { didYouMean } from '@swapfold/core';
import { InvalidArgumentError } from 'commander';

export type Engine = 'sqlite' | 'duckdb';

/** Where a store is: its engine and its file. */
export interface StoreUrl {
  readonly engine: Engine;
  readonly path: string;
}

const extensions: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: ['.db', '.sqlite', '.sqlite3'],
  duckdb: ['.duckdb', '.ddb'],
};

export const engines = Object.keys(extensions) as Engine[];

/** What a store can be written as. */
export const storeForms = `sqlite:PATH, duckdb:PATH, or a path that ends in ${engines.flatMap((engine) => extensions[engine]).join(', ')}`;

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
  const engine = engines.find((name) => extensions[name].some((extension) => text.toLowerCase().endsWith(extension)));
  if (engine === undefined) throw new InvalidArgumentError(`It does not tell the engine. Write ${storeForms}.`);
  return { engine, path: filePath(text) };
}

function filePath(path: string): string {
  if (path === '') throw new InvalidArgumentError(`The path is missing. Write ${storeForms}.`);
  if (path === ':memory:')
    throw new InvalidArgumentError('A store in memory would be gone when the command ends: name a file.');
  return path;
}
