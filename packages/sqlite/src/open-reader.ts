import Database from 'better-sqlite3';
import type { SqliteHandle } from './handle.ts';

/** How a connection for reading is opened. */
export interface ReaderOptions {
  readonly path: string;
  /** Milliseconds to wait for a lock. */
  readonly timeout: number;
  readonly cacheKib: number;
}

export function openReader({ path, timeout, cacheKib }: ReaderOptions): SqliteHandle {
  const handle = new Database(path, { readonly: true, timeout });
  handle.pragma(`cache_size = -${Math.floor(cacheKib)}`);
  return handle;
}
