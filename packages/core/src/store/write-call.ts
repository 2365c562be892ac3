import type { WatchedWrite } from '../cache/profile-caches.ts';
import type { Changes } from '../ingest/changes.ts';
import type { StorageAdapter } from '../storage/adapter.ts';

/** How a write of a session is run. */
export interface WriteCall {
  readonly signal?: AbortSignal | undefined;
  /** Says by the end of the write what becomes of cached answers. */
  readonly changes: Changes;
  /** Runs the transaction; inside a load, that load. Default: the storage. */
  readonly storage?: Pick<StorageAdapter, 'write'> | undefined;
  /** Of a transaction that began beside the writes: what it has written already. It has an older state than the writes before it. */
  readonly aside?: WatchedWrite | undefined;
}
