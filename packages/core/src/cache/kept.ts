import type { Changes } from '../ingest/changes.ts';
import type { Writer } from '../storage/adapter.ts';

/**
 * Something that a process keeps of a store from one call to the next. It is of the state of the last commit.
 *
 * A write calls `begin` and `settle`, and then either `commit` or `fail`, each with its own `Changes`.
 */
export interface Kept {
  /** What it takes, about. */
  readonly bytes: number;
  /** Whether it holds after a write of another process, or after one whose end is unknown. */
  readonly outlastsOthers?: boolean;
  /** A write has begun. Gives the writer that it is to use, which may note what it does. */
  begin?(changes: Changes, writer: Writer): Writer;
  /** The write is about to be committed: what takes long is done before others see the commit. */
  settle?(changes: Changes): Promise<void>;
  /** The write is committed: takes up what it changed. */
  commit(changes: Changes): void;
  /** Nothing of the write counts. */
  fail?(changes: Changes): void;
  /** Forgets everything: from here on it is read from the store again. */
  drop(): void;
}
