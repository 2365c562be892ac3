import { fileIdentity, storeTaken } from '@swapfold/core/engine';
import type { SqlConnection } from '@swapfold/sql';
import { sqliteDialect } from './dialect.ts';
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
  /** Raises the number, in the transaction that is to be committed. */
  raise(): void;
  /** Whether the store is this writer's as far as can be told. */
  isHeld(): boolean;
  /** The connection, whose writes fail with `store-taken` once the store is another's. */
  watch(connection: SqlConnection): SqlConnection;
}

/** `path` is as the user gave it, `file` where it leads. */
export function createOwnership(handle: SqliteHandle, path: string, file: string): Ownership {
  const files = [file, `${file}-wal`, `${file}-shm`, `${file}-lock`];
  let identities: readonly (string | undefined)[] = [];
  let version: number | undefined;
  let raised: number | undefined;

  function read(): number {
    // A handle that was given may have whole numbers as BigInt.
    const [row] = handle.pragma('user_version') as [{ user_version: number | bigint }];
    return Number(row.user_version);
  }

  function raise(): void {
    raised = (read() + 1) % 2 ** 31;
    handle.pragma(`user_version = ${raised}`);
  }

  /** Why the store is not this writer's. */
  function fault(): string | undefined {
    if (version === undefined) return undefined;
    const other = files.find((name, i) => identities[i] !== undefined && fileIdentity(name) !== identities[i]);
    if (other !== undefined) return `"${other}" was removed or replaced`;
    return read() === (raised ?? version) ? undefined : 'another process has written to it';
  }

  function check(): void {
    const found = fault();
    if (found !== undefined) throw storeTaken(path, found);
  }

  return {
    raise,
    isHeld: () => fault() === undefined,

    claim() {
      version = read();
      identities = files.map(fileIdentity);
    },

    watch: (connection) => ({
      ...connection,
      async run(statement) {
        if (statement.sql === 'commit') check();
        // SQLite may have ended a transaction that failed by itself.
        else if (statement.sql === 'rollback' || statement.sql === sqliteDialect.begin.write) raised = undefined;
        await connection.run(statement);
        switch (statement.sql) {
          case 'commit':
            version = version === undefined ? undefined : (raised ?? version);
            raised = undefined;
            break;
          case sqliteDialect.begin.write: {
            const found = fault();
            if (found === undefined) break;
            await connection.run({ sql: 'rollback', values: [] });
            throw storeTaken(path, found);
          }
        }
      },
    }),
  };
}
