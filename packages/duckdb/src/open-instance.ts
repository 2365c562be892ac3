import { existsSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { SwapfoldError } from '@swapfold/core';
import { machineMemory } from '@swapfold/core/engine';
import { isDiskFull } from './failure.ts';
import type { DuckdbInstance, DuckdbOptions } from './options.ts';
import { spillFolder } from './spill.ts';

/**
 * Rows of a row group, an eighth of DuckDB's own number: the least that DuckDB skips or reads. Twenty rows that lie apart cost a third, for
 * a tenth more disk.
 */
export const ROW_GROUP = 16_384;

/**
 * How a file is laid out that is made now. The bytes of a block are a quarter of DuckDB's own number: a checkpoint clears one for each
 * column that has changed, and a store has a thousand. That of 400 swaps took 0.6 to 1.2 s of processor time, and takes 0.2 to 0.4. A
 * sixteenth would take 0.1, and made the file of 200,000 swaps a fifth larger.
 */
export const NEW_FILE = `row_group_size ${ROW_GROUP}, block_size 65536`;

/**
 * What may lie in the log before its rows are moved into the file: some twenty blocks of a thousand swaps. DuckDB's own bound of 16 MB is
 * two of them, since their profiles are wide, and moving them writes whole row groups of 550 columns anew.
 */
const LOG = '128MiB';

/**
 * Row groups that are gathered before they are compressed, all at once. Five, DuckDB's own number, of rows of 550 columns are 360 MB, and
 * three seconds that nothing else of this thread runs; one by one they take a third less processor time too.
 */
const GATHERED = '1';

const MIB = 2 ** 20;

/**
 * What DuckDB may use beside the rest of the process: by itself it takes four fifths of the machine. An import of ten million swaps on 24 GB
 * takes 2.9 GB with a twentieth, 3.1 with an eighteenth and 3.7 with a twelfth, in the same time. A large file needs more, a seventh of its bytes:
 * the profiles of fifty million swaps, 15 GB, lie in memory until the refresh that made them is committed.
 */
function shareOfMemory(fileBytes: number): number {
  const machine = machineMemory();
  return Math.floor(Math.max(1024 * MIB, machine / 20, Math.min(machine / 4, fileBytes / 7)) / MIB);
}

/** An instance that this package has opened. */
export interface OwnInstance extends DuckdbInstance {
  closeSync(): void;
  /** Gives DuckDB the memory that the file needs as it is by now. */
  growMemory(): Promise<void>;
}

/**
 * Opens the database of a path. The size of row groups can be said of an attached database only, so the file is attached to an instance
 * in memory, which is one to all adapters of this process: DuckDB's lock is one between processes.
 *
 * `check` looks into the file before it is attached. Once it is attached nothing of this process may open and close it: that drops the lock.
 */
export async function openInstance(
  { path, threads, memory_limit, read_only }: DuckdbOptions,
  check: () => Promise<void>,
): Promise<OwnInstance> {
  const config = {
    ...(threads === undefined ? {} : { threads: String(threads) }),
    ...(memory_limit === undefined ? {} : { memory_limit }),
  };
  if (isInMemory(path))
    return Object.assign(await DuckDBInstance.create(':memory:', config), { growMemory: async () => {} });
  const file = resolve(path);
  let mebibytes = shareOfMemory(0);
  const instance = await DuckDBInstance.fromCache(`:memory:${file}`, {
    memory_limit: `${mebibytes}MiB`,
    checkpoint_threshold: LOG,
    write_buffer_row_group_count: GATHERED,
    ...config,
    temp_directory: spillFolder(file),
  });
  await leaveFileAtEnd(instance);
  const attach = (layout: string): string =>
    `attach if not exists '${file.replaceAll("'", "''")}' as store (${read_only === true ? 'read_only' : layout})`;
  return {
    async connect(): Promise<DuckDBConnection> {
      const connection = await instance.connect();
      let made: string | undefined;
      try {
        if (!(await isAttached(connection))) await check();
        if (!existsSync(file)) made = file;
        await connection.run(attach(made === undefined ? `row_group_size ${ROW_GROUP}` : NEW_FILE));
        await connection.run('use store');
        if (read_only !== true) await refuseReadOnly(connection, path);
      } catch (error) {
        // The failed transaction holds the path, for which the next one would wait.
        connection.closeSync();
        // The beginning of a file is none that could be opened later.
        if (made !== undefined && isDiskFull(error)) rmSync(made, { force: true });
        throw error;
      }
      return connection;
    },
    closeSync: () => instance.closeSync(),
    async growMemory() {
      const wanted = shareOfMemory(statSync(file, { throwIfNoEntry: false })?.size ?? 0);
      if (memory_limit !== undefined || wanted <= mebibytes) return;
      mebibytes = wanted;
      const connection = await instance.connect();
      await connection.run(`set memory_limit = '${wanted}MiB'`);
      connection.closeSync();
    },
  };
}

export function isInMemory(path: string): boolean {
  return path === ':memory:' || path === '';
}

/** The writer makes its checkpoint when it closes. One at the end of the process would write to a file that may be another's by then. */
async function leaveFileAtEnd(instance: DuckDBInstance): Promise<void> {
  const connection = await instance.connect();
  await connection.run('pragma disable_checkpoint_on_shutdown');
  connection.closeSync();
}

async function isAttached(connection: DuckDBConnection): Promise<boolean> {
  const found = await connection.runAndReadAll("select 1 from duckdb_databases() where database_name = 'store'");
  return found.currentRowCount > 0;
}

/** What is attached stays as it is: a handle that only reads keeps the ones that would write from doing so. */
async function refuseReadOnly(connection: DuckDBConnection, path: string): Promise<void> {
  const found = await connection.runAndReadAll("select readonly from duckdb_databases() where database_name = 'store'");
  if (found.getRows()[0]?.[0] !== true) return;
  throw new SwapfoldError(
    'store-locked',
    `"${path}" is open for reading only in this process; close that handle before you open one that writes.`,
  );
}
