import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { fileIdentity, storeTaken } from '@swapfold/core/engine';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';
import type { SqlConnection } from '@swapfold/sql';
import { duckdbDialect } from './dialect.ts';

/**
 * Whether a file is still its writer's, which DuckDB's lock alone does not tell: the system drops it when the process opens and closes the
 * file once more, such as to copy it.
 *
 * A writer leaves a word of its own in `<path>-lock`, and remembers what the file and its log were like after its last write.
 */
export interface Ownership {
  /** Whether the file is this writer's as far as can be told. */
  isHeld(): boolean;
  /** Errors: `store-taken` if the file is another's. */
  check(): void;
  /** To be called after this process has written by a connection that is not watched. */
  note(): void;
  /** The connection, whose writes fail with `store-taken` once the file is another's. */
  watch(connection: SqlConnection): SqlConnection;
  release(): void;
}

/** Takes a file that DuckDB has opened for writing. `path` is as the user gave it, `file` where it leads. */
export function takeOwnership(path: string, file: string): Ownership {
  const lock = `${file}-lock`;
  const log = `${file}.wal`;
  const token = randomUUID();
  writeFileSync(lock, token);
  const identity = fileIdentity(file);
  let left = [stateOf(file), stateOf(log)];
  /** Transactions of watched connections that may have changed what the file is like. */
  let writing = 0;

  /** Why the file is not this writer's. A write that runs may have changed what it is like. */
  function fault(isWriting: boolean): string | undefined {
    if (readToken() !== token) return `"${lock}" was removed, or another process has opened the store for writing`;
    if (fileIdentity(file) !== identity) return 'the file was removed or replaced';
    if (isWriting || writing > 0 || [stateOf(file), stateOf(log)].every((state, i) => state === left[i]))
      return undefined;
    return 'another process has written to it';
  }

  function readToken(): string | undefined {
    try {
      return readFileSync(lock, 'utf8');
    } catch (error) {
      if (isTooManyFiles(error)) throw tooManyFiles(path, error);
      return undefined;
    }
  }

  /** As `fault`, of what can be looked at: a lock file that cannot be opened for now is no fault. */
  function knownFault(isWriting: boolean): string | undefined {
    try {
      return fault(isWriting);
    } catch {
      return undefined;
    }
  }

  function check(isWriting: boolean): void {
    const found = fault(isWriting);
    if (found !== undefined) throw storeTaken(path, found);
  }

  return {
    check: () => check(false),

    note() {
      if (knownFault(true) === undefined) left = [stateOf(file), stateOf(log)];
    },

    isHeld: () => knownFault(false) === undefined,

    watch(connection) {
      let isWriting = false;
      return {
        ...connection,
        async run(statement) {
          const isBegin = statement.sql === duckdbDialect.begin.write;
          if (isBegin) check(false);
          if (statement.sql === 'commit') check(true);
          const isEnd = statement.sql === 'commit' || statement.sql === 'rollback';
          try {
            await connection.run(statement);
            if (isBegin) writing++;
            isWriting ||= isBegin;
          } finally {
            if (isEnd && isWriting) writing--;
            isWriting &&= !isEnd;
            if (isEnd && knownFault(true) === undefined) left = [stateOf(file), stateOf(log)];
          }
        },
      };
    },

    release() {
      if (knownFault(true) === undefined) unlinkSync(lock);
    },
  };
}

/** Identity, size and time of the last change of a file. */
function stateOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino} ${found.size} ${found.mtimeNs}`;
}
