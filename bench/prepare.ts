import { existsSync } from 'node:fs';
import type { MarketShape } from '@swapfold/testing';
import { type Engine, filesOf } from './files.ts';
import { runTask } from './run-task.ts';

interface Wanted {
  readonly swaps: number;
  /** Folder of this market alone. */
  readonly root: string;
  readonly market: MarketShape;
}

/** Makes the market's files where they are not there. */
export async function prepareMarket({ swaps, root, market }: Wanted): Promise<void> {
  // Written last: where it is there, so are the others.
  if (existsSync(filesOf(root, swaps).tokens)) return;
  tell(`making the ${market} market of ${swaps.toLocaleString('en-US')} swaps`);
  await runTask('writeMarket', { swaps, root, market });
}

/** Makes the store, and the plain tables beside it, where they are not there. */
export async function prepareStore({ engine, ...wanted }: Wanted & { readonly engine: Engine }): Promise<void> {
  await prepareMarket(wanted);
  const { swaps, root } = wanted;
  const files = filesOf(root, swaps);
  if (!existsSync(files.store[engine])) {
    tell(`importing ${swaps.toLocaleString('en-US')} swaps into ${engine}`);
    await runTask('importStore', { engine, swaps, root, format: 'parquet', refresh: true, keep: true });
  }
  if (!existsSync(files.plain[engine])) await preparePlain({ engine, swaps, root });
}

/** Makes the plain tables anew, of the store as it is. */
export async function preparePlain({
  engine,
  swaps,
  root,
}: Omit<Wanted, 'market'> & { readonly engine: Engine }): Promise<void> {
  tell(`making plain tables in ${engine}`);
  await runTask('copyPlain', { engine, swaps, root });
}

/** Progress goes to standard error: the table is what standard output is for. */
export function tell(text: string): void {
  process.stderr.write(`${text} ...\n`);
}
