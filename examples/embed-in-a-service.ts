// Swapfold inside a service of your own, on SQLite: swaps come in as they happen, profiles follow every now and then, and questions
// are method calls. Run it with: npx tsx examples/embed-in-a-service.ts
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { columnsToObjects, Swapfold, type SwapInput } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';

const folder = await mkdtemp(join(tmpdir(), 'swapfold-example-'));
const dex = await Swapfold.open({ storage: sqlite(join(folder, 'dex.db')), config: { preset: 'solana' } });

try {
  let bursts = 0;
  for await (const burst of feed()) {
    const { added, rejects } = await dex.ingest(burst);
    for (const { row, field, reason } of rejects) console.warn(`swap ${row} of the burst: ${field} ${reason}`);
    bursts++;
    // Prices, candles, swaps, trades and portfolios answer at once; profiles are folded here.
    if (bursts % 10 === 0) {
      const { wallets } = await dex.refresh();
      console.log(`burst ${bursts}: ${added} swaps added, ${wallets} wallet profiles folded`);
    }
  }
  await dex.refresh();

  const { count, data } = await dex.wallets.search({
    filter: { 'metrics.7d.trade_count': { $gte: 5 }, 'metrics.7d.winrate': { $gt: 50 } },
    sort: { field: 'metrics.7d.pnl', direction: 'desc' },
    options: { include_metrics: ['7d'] },
    limit: 3,
  });
  console.log(`${count} wallets made five trades and more in a week and won most of the time. The best:`);
  for (const { wallet_address, metrics } of data) {
    const { value } = await dex.portfolios.get({ wallet: wallet_address });
    console.log(`  ${wallet_address} earned ${usd(metrics?.['7d']?.pnl ?? 0)} and holds ${usd(value)}`);
  }
} finally {
  await dex.close();
  await rm(folder, { recursive: true });
}

/** Stands for the chain: bursts of swaps, in the order in which they happen. */
async function* feed(): AsyncGenerator<readonly SwapInput[]> {
  const market = generateMarket({ seed: 11, swaps: 4000, batchRows: 100 });
  for (const batch of market.swaps()) yield [...columnsToObjects(batch)];
}

function usd(value: number): string {
  return value.toLocaleString('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
}
