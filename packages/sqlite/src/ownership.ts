import { fileIdentity, storeTaken } from '@swapfold/core/engine';
import type { SqliteHandle } from './handle.ts';

/**
 * Whether the store is still its writer's, which locks alone do not tell: the system drops those of a process when that process opens and
 * closes the file once more, such as to copy it, and a lock file can be deleted.
 *
 * The store has a number that each commit raises: a writer that finds another one than it left, or than it found at opening, is not alone.
 * Opening raises nothing, so that a handle which is refused or only asks leaves the file as it was; of two writers the first to write stays.
 */
export interface Ownership {
  /** Takes the store as it is now for this writer's. */
  claim(): void;
  /** Whether the store is this writer's as far as can be told. */
  isHeld(): boolean;
  /** Errors: `store-taken` once the store is another's. */
  check(): void;
  /** Before the commit of a transaction, in it: checks, and raises the number if it wrote something. */
  committing(hasWritten: boolean): void;
  committed(): void;
}

/** `path` is as the user gave it, `file` where it leads. */
export function createOwnership(handle: SqliteHandle, path: string, file: string): Ownership {
  const files = [file, `${file}-wal`, `${file}-shm`, `${file}-lock`];
  let identities: readonly (string | undefined)[] = [];
  let version: number | undefined;
  /** What `version` becomes by the commit. */
  let raised: number | undefined;

  function read(): number {
    // A handle that was given may have whole numbers as BigInt.
    const [row] = handle.pragma('user_version') as [{ user_version: number | bigint }];
    return Number(row.user_version);
  }

  /** Why the store is not this writer's. */
  function fault(): string | undefined {
    if (version === undefined) return undefined;
    const other = files.find((name, i) => identities[i] !== undefined && fileIdentity(name) !== identities[i]);
    if (other !== undefined) return `"${other}" was removed or replaced`;
    return read() === version ? undefined : 'another process has written to it';
  }

  function check(): void {
    const found = fault();
    if (found !== undefined) throw storeTaken(path, found);
  }

  return {
    check,
    isHeld: () => fault() === undefined,

    claim() {
      version = read();
      identities = files.map(fileIdentity);
    },

    committing(hasWritten) {
      check();
      raised = version;
      if (!hasWritten) return;
      raised = (read() + 1) % 2 ** 31;
      handle.pragma(`user_version = ${raised}`);
    },

    committed() {
      // Before it is claimed, no number is this writer's.
      if (version !== undefined) version = raised;
    },
  };
}
