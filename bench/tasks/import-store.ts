import { main } from '../../packages/cli/src/main.ts';
import { withAddress } from '../clickhouse.ts';
import { databases } from '../databases.ts';
import { type Engine, filesOf } from '../files.ts';
import { holdOf } from '../hold.ts';
import { timed } from '../timing.ts';

export interface ImportTask {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly format: 'parquet' | 'csv' | 'ndjson' | 'dune' | 'slices';
  readonly refresh: boolean;
  /** Rows of a transaction, if not as many as without the option. */
  readonly batch?: number;
  /** Leave the store where the other parts look for it. */
  readonly keep: boolean;
}

export interface Imported {
  readonly milliseconds: number;
  /** Size of the closed store. */
  readonly bytes: number;
  /** Longest time that the event loop stood still, milliseconds. */
  readonly hold: number;
}

/** Imports a file as `swapfold import swaps` does, the tokens known beforehand. */
export async function importStore(task: ImportTask): Promise<Imported> {
  const files = filesOf(task.root, task.swaps);
  const path = task.keep ? files.store[task.engine] : files.scratch(`import.${task.engine}`);
  const { remove, bytes } = databases[task.engine];
  await remove(path);
  let milliseconds = 0;
  const hold = await withUrl(task.engine, path, async (url) => {
    await run('import', 'tokens', files.tokens, '--no-refresh', '--db', url);
    const refresh = task.refresh ? [] : ['--no-refresh'];
    const batch = task.batch === undefined ? [] : ['--batch', String(task.batch)];
    // With the store closed at the end: its memory is freed in one call.
    return holdOf(async () => {
      milliseconds = await timed(() => run('import', 'swaps', files[task.format], ...refresh, ...batch, '--db', url));
    });
  });
  const size = await bytes(path);
  if (!task.keep) await remove(path);
  return { milliseconds, bytes: size, hold };
}

/** Lends `work` the URL of a store: ClickHouse is behind an address, as a server is. */
async function withUrl<R>(engine: Engine, path: string, work: (url: string) => Promise<R>): Promise<R> {
  if (engine === 'clickhouse') return withAddress(path, (address) => work(`${engine}:${address}`));
  return work(`${engine}:${path}`);
}

async function run(...args: readonly string[]): Promise<void> {
  const code = await main(args);
  if (code !== 0) throw new Error(`swapfold ${args.join(' ')} ended with code ${code}`);
}
