/**
 * Imports the market by one version of the library, as its command line does, and feeds it blocks of new swaps. Loads nothing but that
 * version. Started by `bench/versions.ts --writes`.
 */
import type { SwapColumns } from '@swapfold/core';
import { holdOf } from '../hold.ts';
import { slice } from '../slice.ts';
import { timed } from '../timing.ts';
import { load, openVersion, type VersionStore } from './load.ts';

/** What one version is to write, into a store that is not there. */
export interface Writing extends VersionStore {
  readonly tokens: string;
  readonly parquet: string;
  /** The swaps after those. */
  readonly tail: string;
}

/** What each thing took: a value, or one for each block. */
export type Written = Readonly<Record<string, readonly number[]>>;

const BLOCK = 1000;
/** Blocks of a thousand, and then thousands that come in blocks of a hundred. */
const BLOCKS = { whole: 30, split: 6 } as const;
/** Blocks of a size that find nothing warm. */
const COLD = 5;

process.once('message', async (writing: Writing) => {
  process.send!(await write(writing), () => process.disconnect());
});

async function write({ tokens, parquet, tail, ...of }: Writing): Promise<Written> {
  const swapfold = async (...args: readonly string[]): Promise<void> => {
    process.argv.splice(2, process.argv.length, ...args, '--db', `${of.engine}:${of.store}`);
    await load(of.version, 'cli/dist/bin.js', `?${args.join()}`);
    if (process.exitCode) throw new Error(`swapfold ${args.join(' ')} ended with code ${process.exitCode}.`);
  };
  await swapfold('import', 'tokens', tokens, '--no-refresh');
  const begun = process.cpuUsage();
  let took = 0;
  const hold = await holdOf(async () => {
    took = await timed(() => swapfold('import', 'swaps', parquet));
  });
  const { user, system } = process.cpuUsage(begun);
  return {
    'import, s': [took / 1000],
    'processor, s': [(user + system) / 1e6],
    'longest hold, ms': [hold.elapsed],
    'memory, MB': [process.resourceUsage().maxRSS / 1000],
    ...(await feed(of, tail)),
  };
}

async function feed(of: VersionStore, tail: string): Promise<Written> {
  const dex = await openVersion(of);
  // A service that is asked about both has their profiles in memory.
  for (const kind of [dex.tokens, dex.wallets]) await kind.search({ limit: 1 });
  const arrive = (batch: SwapColumns): Promise<number> =>
    timed(async () => {
      await dex.ingest(batch);
      await dex.refresh({ scope: 'traded' });
      await dex.wallets.search({ limit: 1 });
    });
  const thousands: number[] = [];
  const hundreds: number[] = [];
  const { readSwapFile } = await load(of.version, 'cli/dist/index.js');
  for await (const { batch } of readSwapFile(tail, { batchRows: BLOCK })) {
    if (thousands.length < BLOCKS.whole) thousands.push(await arrive(batch));
    else
      for (let from = 0; from < BLOCK; from += BLOCK / 10)
        hundreds.push(await arrive(slice(batch, from, from + BLOCK / 10)));
    if (hundreds.length === BLOCKS.split * 10) break;
  }
  await dex.close();
  return { 'block of 1,000, ms': thousands.slice(COLD), 'block of 100, ms': hundreds.slice(COLD) };
}
