/**
 * How long work on a store holds the event loop, which every question of the process waits for.
 * `npm run bench:holds -- --swaps N --engine sqlite|duckdb --threads never`; the last keeps SQLite's reads on one thread.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatTime, type Swapfold } from '@swapfold/core';
import { generateMarket, type Market } from '@swapfold/testing';
import type { Engine } from './files.ts';
import { holdOf } from './hold.ts';
import { openStore, type SqliteSettings } from './open.ts';

const { values: options } = parseArgs({
  options: {
    swaps: { type: 'string', default: '200000' },
    engine: { type: 'string', multiple: true, default: ['sqlite', 'duckdb'] },
    threads: { type: 'string' },
  },
});
const swaps = Number(options.swaps);
const settings: SqliteSettings = options.threads === 'never' ? { threads_from_mb: Number.POSITIVE_INFINITY } : {};
const DAY = 86_400;
const START = 1_700_006_400;
/** Swaps in transactions of a thousand, after the others. */
const LATER = 5000;

console.log(`${swaps} swaps, Node ${process.version}, load ${loadavg()[0]!.toFixed(2)}`);
for (const engine of options.engine as Engine[]) await measure(engine);

/** A market of bots and heavy wallets that ends at a time; its batches have `batchRows` swaps. */
function marketUntil(endTime: number, size: { swaps: number; days: number; batchRows: number }): Market {
  return generateMarket({ seed: 1, bots: 20, surge: 0.1, mix: { bot: 60, collect: 0.4 }, endTime, ...size });
}

async function measure(engine: Engine): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-holds-'));
  try {
    const path = join(folder, 'store');
    const market = marketUntil(START + 30 * DAY, { swaps, days: 30, batchRows: 250_000 });
    const dex = await openStore(engine, path, settings);
    // The market itself is made before: it holds the loop too.
    const bulk = [...market.swaps()];
    await tell(engine, 'ingest, batches of 250,000', () => dex.ingest(bulk.values()));
    await dex.tokens.upsert(market.tokens());
    await tell(engine, 'first refresh', () => dex.refresh());
    const asOf = START + 30 * DAY;
    await dex.refresh({ asOf });
    await tell(engine, 'full refresh', () => dex.refresh({ asOf: asOf - 1 }));
    await dex.refresh();
    const later = [...marketUntil(START + 32 * DAY, { swaps: LATER, days: 1.5, batchRows: 1000 }).swaps()];
    await tell(engine, 'ingest, batches of 1,000', () => dex.ingest(later.values()));
    await tell(engine, 'refresh of what was traded', () => dex.refresh({ scope: 'traded' }));
    await dex.refresh();
    const asked = await questionsAbout(dex);
    await dex.close();
    for (const [name, ask] of asked) {
      const opened = await openStore(engine, path, settings);
      await tell(engine, `first call: ${name}`, () => ask(opened));
      await opened.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function tell(engine: Engine, name: string, work: () => Promise<unknown>): Promise<void> {
  const { elapsed, worked } = await holdOf(work);
  const shown = [worked, elapsed].map((ms) => ms.toFixed(1).padStart(7));
  console.log(`${engine.padEnd(7)} ${name.padEnd(34)} worked ${shown[0]} ms   elapsed ${shown[1]} ms`);
}

type Ask = (dex: Swapfold) => Promise<unknown>;

/** The heavy questions of the server, about the hottest of the store. */
async function questionsAbout(dex: Swapfold): Promise<readonly (readonly [name: string, ask: Ask])[]> {
  const sort = { field: 'metrics.7d.trade_count' } as const;
  const tokens = (await dex.tokens.search({ limit: 100, sort, options: {} })).data.map((row) => row.token_address);
  const wallets = (await dex.wallets.search({ limit: 1, sort, options: {} })).data.map((row) => row.wallet_address);
  const [token, wallet] = [tokens[0]!, wallets[0]!];
  const newest = (await dex.swaps.list({ limit: 1 })).data[0]!.block_time;
  const from = formatTime(Math.floor(newest / 3600 - 30 * 24) * 3600);
  return [
    ['profile search', (to) => to.wallets.search({ filter: { 'metrics.7d.pnl': { $gt: 0 } }, sort, limit: 20 })],
    ['get-profile of a wallet', (to) => to.wallets.get({ wallet })],
    ['get-profile of the hottest token', (to) => to.tokens.get({ token })],
    ['get-price, 1 token', (to) => to.prices.latest({ tokens: [token] })],
    ['get-price-stats, 100 tokens', (to) => to.prices.stats({ tokens })],
    ['candles 1 h x 30 d', (to) => to.prices.candles({ token, interval: 3600, from })],
    ['price history, 100 tokens', (to) => to.prices.history({ tokens, from, interval: 3600 })],
    ['history of a wallet, 1 h x 30 d', (to) => to.wallets.history({ wallet, from, interval: 3600 })],
    ['history of the hottest token, 1 h x 30 d', (to) => to.tokens.history({ token, from, interval: 3600 })],
    ['get-swaps', (to) => to.swaps.list({ limit: 100 })],
    ['get-trades of a wallet', (to) => to.trades.list({ wallet, limit: 100 })],
    ['portfolio', (to) => to.portfolios.get({ wallet })],
  ];
}
