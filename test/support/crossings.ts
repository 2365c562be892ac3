/**
 * Prints the files of core that one call crosses on SQLite, those that know what a swap is and not only columns, storage or time: `node --import tsx
 * test/support/crossings.ts insert`, or `refresh`, `search`, `candle`. A file is crossed where a function of it with a name runs.
 */
import { Session } from 'node:inspector/promises';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { withFolder } from './engines.ts';

const core = resolve(import.meta.dirname, '../../packages/core/src');

/** What every room may use: the ground that is the same for any data. */
const ground = /^(records|storage|memory|filter|addresses)\/|^(yielder|errors|faults|nearest|time|options|work)\.ts$/;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';

const swapAt = (block_time: number) => ({
  tx_hash: `t${block_time}`,
  swap_index: 0,
  block_time,
  wallet: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
  token_in: USDC,
  token_out: WIF,
  token_amount_in: 100,
  token_amount_out: 50,
});

const calls: Readonly<Record<string, (dex: Swapfold) => Promise<unknown>>> = {
  insert: (dex) => dex.ingest([swapAt(1_735_689_600)]),
  refresh: (dex) => dex.refresh(),
  search: (dex) => dex.wallets.search({}),
  candle: (dex) => dex.prices.candles({ token: WIF, interval: 60 }),
};

async function filesOf(run: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  await run();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  return result
    .filter(({ functions }) =>
      functions.some(({ functionName, ranges }) => functionName !== '' && ranges[0]!.count > 0),
    )
    .flatMap(({ url }) => (url.startsWith('file:') ? [relative(core, fileURLToPath(url))] : []))
    .filter((file) => !file.startsWith('..') && !ground.test(file))
    .sort();
}

await withFolder(async (folder) => {
  const dex = await Swapfold.open({ storage: sqlite(join(folder, 'dex.db')), config: { preset: 'solana' } });
  await dex.ingest([swapAt(1_735_689_000)]);
  await dex.refresh();
  if (process.argv[2] === 'refresh') await dex.ingest([swapAt(1_735_689_600)]);
  const files = await filesOf(() => calls[process.argv[2]!]!(dex));
  await dex.close();
  console.log(files.join('\n'));
});
