import { requireSameFile } from '@swapfold/core/engine';
import Database from 'better-sqlite3';
import type { SqliteHandle } from './handle.ts';

/** How a connection for reading is opened. */
export interface ReaderOptions {
  readonly path: string;
  /** Which file that was when the store was opened. */
  readonly identity: string | undefined;
  /** Milliseconds to wait for a lock. */
  readonly timeout: number;
  readonly cacheKib: number;
}

/** Errors: `store-taken` if the file is another by now. */
export function openReader({ path, identity, timeout, cacheKib }: ReaderOptions): SqliteHandle {
  requireSameFile(path, identity);
  const handle = new Database(path, { readonly: true, timeout });
  handle.pragma(`cache_size = -${Math.floor(cacheKib)}`);
  return handle;
}
