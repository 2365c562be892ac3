import { main } from '../../packages/cli/src/main.ts';
import { databaseBytes, type Engine, filesOf, removeDatabase } from '../files.ts';
import { timed } from '../timing.ts';

export interface ImportTask {
  readonly engine: Engine;
  readonly swaps: number;
  readonly root: string;
  readonly format: 'parquet' | 'csv' | 'ndjson';
  readonly refresh: boolean;
  /** Leave the store where the other parts look for it. */
  readonly keep: boolean;
}

/** Imports a file as `swapfold import swaps` does, the tokens known beforehand. */
export async function importStore(task: ImportTask): Promise<{ milliseconds: number; bytes: number }> {
  const files = filesOf(task.root, task.swaps);
  const path = task.keep ? files.store[task.engine] : files.scratch(`import.${task.engine}`);
  removeDatabase(path);
  const db = ['--db', `${task.engine}:${path}`];
  await run('import', 'tokens', files.tokens, '--no-refresh', ...db);
  const refresh = task.refresh ? [] : ['--no-refresh'];
  const milliseconds = await timed(() => run('import', 'swaps', files[task.format], ...refresh, ...db));
  const bytes = databaseBytes(path);
  if (!task.keep) removeDatabase(path);
  return { milliseconds, bytes };
}

async function run(...args: readonly string[]): Promise<void> {
  const code = await main(args);
  if (code !== 0) throw new Error(`swapfold ${args.join(' ')} ended with code ${code}`);
}
