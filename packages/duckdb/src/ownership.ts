import { randomUUID } from 'node:crypto';
import { readFileSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { fileIdentity, storeTaken } from '@swapfold/core/engine';
import { isTooManyFiles, tooManyFiles } from '@swapfold/core/host';

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
  /** To be called after this process has written outside of such a transaction. */
  note(): void;
  /** A transaction has begun that may change what the file is like. */
  began(): void;
  ended(): void;
  release(): void;
}

/** Takes a file that DuckDB has opened for writing. `path` is as the user gave it, `file` where it leads. */
export function takeOwnership(path: string, file: string): Ownership {
  const lock = `${file}-lock`;
  const log = `${file}.wal`;
  const token = randomUUID();
  writeFileSync(lock, token);
  const identity = fileIdentity(file);
  /** What they are like; `undefined` if they could not be looked at. */
  let left: readonly string[] | undefined = [stateOf(file), stateOf(log)];
  /** Transactions that run. */
  let writing = 0;

  /** Why the file is not this writer's. A transaction that runs may have changed what it is like. */
  function fault(isWriting = writing > 0): string | undefined {
    if (readToken() !== token) return `"${lock}" was removed, or another process has opened the store for writing`;
    if (fileIdentity(file) !== identity) return 'the file was removed or replaced';
    if (isWriting || left === undefined) return undefined;
    const before = left;
    if ([stateOf(file), stateOf(log)].every((state, i) => state === before[i])) return undefined;
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
  function knownFault(isWriting?: boolean): string | undefined {
    try {
      return fault(isWriting);
    } catch {
      return undefined;
    }
  }

  function check(): void {
    const found = fault();
    if (found !== undefined) throw storeTaken(path, found);
    if (left === undefined) note();
  }

  /** Throws nothing: a write that is committed is not denied by what cannot be looked at after it, nor are those that follow. */
  function note(): void {
    try {
      // Where the file seems to be another's, only what is looked at again can tell: the state before this process wrote would be held against it.
      left = knownFault(true) === undefined ? [stateOf(file), stateOf(log)] : undefined;
    } catch {
      left = undefined;
    }
  }

  return {
    check,
    note,

    isHeld: () => knownFault() === undefined,

    began() {
      writing++;
    },

    ended() {
      writing--;
      note();
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
