/**
 * Measures Swapfold beside plain SQL on the same engine: `npm run bench` (100,000 swaps, about a minute), `npm run bench:full` (1,000,000).
 * Options: --full, --swaps N, --engine sqlite|duckdb, --json FILE.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type SwapColumns, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/core/market';
import { asTable, type Measured, measure, type Pair } from './measure.ts';
import { type Bench, duckdbBench, sqliteBench } from './raw.ts';

const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    swaps: { type: 'string' },
    engine: { type: 'string' },
    json: { type: 'string' },
  },
});
const swaps = Number(options.swaps ?? (options.full ? 1_000_000 : 100_000));
const market = generateMarket({ seed: 1, swaps, batchRows: 100_000 });
const batches = [...market.swaps()];
console.log(
  `${swaps} generated swaps (seed 1), Node ${process.version}, load ${loadavg()
    .map((load) => load.toFixed(2))
    .join(' ')}`,
);

const measured: Measured[] = [];
for (const engine of ['sqlite', 'duckdb'].filter((name) => options.engine === undefined || options.engine === name)) {
  const folder = mkdtempSync(join(tmpdir(), 'swapfold-bench-'));
  try {
    const bench = engine === 'sqlite' ? sqliteBench(folder) : await duckdbBench(folder);
    measured.push(
      ...(await benchEngine(bench, batches, join(folder, engine === 'sqlite' ? 'bench.db' : 'bench.duckdb'))),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(asTable(measured));
if (options.json !== undefined) writeFileSync(options.json, `${JSON.stringify({ swaps, measured }, null, 2)}\n`);

async function benchEngine(bench: Bench, batches: readonly SwapColumns[], path: string): Promise<Measured[]> {
  const { engine } = bench;
  const dex = await Swapfold.open({ storage: bench.storage, config: market.config });
  const plain = (await bench.plainLoad(batches)) * 1000;
  const imported = await timed(async () => {
    for (const batch of batches) await dex.ingest(batch);
  });
  await dex.tokens.upsert(market.tokens());
  const refreshed = await timed(() => dex.refresh());
  const results: Measured[] = [
    {
      operation: 'ingest all swaps',
      engine,
      ours: imported,
      baseline: plain,
      what: 'the same rows into one plain table',
    },
    {
      operation: 'refresh all profiles',
      engine,
      ours: refreshed,
      baseline: plain,
      what: 'the same rows into one plain table',
    },
  ];
  for (const pair of await servingPairs(bench, dex)) results.push(await measure(pair));
  console.log(
    `${engine}: ${(statSync(path).size / swaps).toFixed(0)} bytes a swap, ${(process.memoryUsage().rss / 1e6).toFixed(0)} MB resident`,
  );
  await bench.close();
  await dex.close();
  return results;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Questions beside the plain SQL that answers them on the same tables. */
async function servingPairs(bench: Bench, dex: Swapfold): Promise<Pair[]> {
  const { engine, rows } = bench;
  const token = (await dex.tokens.search({ limit: 1, options: {} })).data[0]!.token_address;
  const wallet = (await dex.wallets.search({ sort: { field: 'metrics.30d.trade_count' }, limit: 1, options: {} }))
    .data[0]!.wallet_address;
  const idOf = async (address: string): Promise<number> =>
    Number((await rows(`select id from texts where text = '${address}'`))[0]![0]);
  const [tokenId, walletId] = [await idOf(token), await idOf(wallet)];
  const filter = {
    'metrics.7d.pnl': { $gt: 0 },
    'metrics.30d.winrate': { $gte: 40 },
    'metrics.7d.trade_count': { $gte: 5 },
    'metrics.30d.volume': { $gt: 100 },
  };
  const where = `"metrics.7d.pnl" > 0 and "metrics.30d.winrate" >= 40 and "metrics.7d.trade_count" >= 5 and "metrics.30d.volume" > 100`;
  return [
    {
      operation: 'get-price, 1 token',
      engine,
      ours: () => dex.prices.latest({ tokens: [token] }),
      baseline: () =>
        rows(`select price from legs where token = ${tokenId} and price is not null order by seq desc limit 1`),
      what: 'select ... order by seq desc limit 1',
      check: (ours, baseline) =>
        assert.equal((ours as { usd_price: number }[])[0]!.usd_price, (baseline as number[][])[0]![0]),
    },
    {
      operation: 'candles, 1 h, all',
      engine,
      ours: () => dex.prices.candles({ token, interval: 3600, count: 5000 }),
      baseline: () =>
        rows(
          `select seq / 1048576 / 3600, min(price), max(price), sum(usd_amount), count(*) from legs where token = ${tokenId} and is_self = 0 group by 1 having max(price) is not null order by 1`.replaceAll(
            '/ ',
            bench.engine === 'DuckDB' ? '// ' : '/ ',
          ),
        ),
      what: 'group by hour, without open and close',
      check: (ours, baseline) => assert.equal((ours as unknown[]).length, (baseline as unknown[]).length),
    },
    {
      operation: 'get-swaps of the busiest wallet, page and count',
      engine,
      ours: () => dex.swaps.list({ wallet }),
      baseline: async () => [
        await rows(`select * from swaps where wallet = ${walletId} order by seq desc limit 20`),
        await rows(`select count(*) from swaps where wallet = ${walletId}`),
      ],
      what: 'the page with ids, and a count',
      check: (ours, baseline) =>
        assert.equal((ours as { count: number }).count, Number((baseline as unknown[][][])[1]![0]![0])),
    },
    {
      operation: 'search wallets, 4 conditions, 20 whole profiles',
      engine,
      ours: () => dex.wallets.search({ filter }),
      baseline: async () => [
        await rows(`select * from wallet_profiles where ${where} order by "metrics.7d.pnl" desc limit 20`),
        await rows(`select count(*) from wallet_profiles where ${where}`),
      ],
      what: 'the page as rows, and a count',
      check: (ours, baseline) =>
        assert.equal((ours as { count: number }).count, Number((baseline as unknown[][][])[1]![0]![0])),
    },
    {
      operation: 'get-profile of a wallet',
      engine,
      ours: () => dex.wallets.get({ wallet }),
      baseline: () => rows(`select * from wallet_profiles where id = ${walletId}`),
      what: 'select * where id = ...',
    },
  ];
}
