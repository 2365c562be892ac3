// A researcher's pictures: asks Swapfold for the equity of the wallets that made most, asks the DuckDB views for the first hour of a
// token, and draws both as SVG with Vega-Lite.
// Run it with: npm ci --prefix examples/notebook && npx tsx examples/notebook/draw.ts [STORE.duckdb] [FOLDER]
// Without a store it makes one of a made-up market. FOLDER, by default this one's `out`, gets the pictures, and the same as CSV and Parquet.
import { createWriteStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DuckDBInstance } from '@duckdb/node-api';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { readSwapSql } from '@swapfold/files';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';

/** Trades of the token that most wallets traded last week, in the hour after its first one. */
const firstHour = `
  with launch as (
    select token, min(seq) as first from v_trades
    where token = (select token_address from v_token_profiles order by metrics_7d_makers_count desc limit 1)
    group by token
  )
  select cast(min(block_time) as varchar) as minute, direction, sum(usd_amount) as usd, count(distinct wallet)::int as makers
  from v_trades join launch on v_trades.token = launch.token
  where (seq >> 20) < (first >> 20) + 3600
  group by (seq >> 20) - (seq >> 20) % 60, direction
  order by minute`;

/** The swaps of the file: change it for a file of your own. */
const select = `select * from input where wallet <> ''`;

const [, , given = '', out = join(import.meta.dirname, 'out')] = process.argv;
const scratch = mkdtempSync(join(tmpdir(), 'swapfold-notebook-'));
mkdirSync(out, { recursive: true });

try {
  const instance = await DuckDBInstance.create(given || join(scratch, 'dex.duckdb'));
  const sql = await instance.connect();
  // Swapfold works on the instance of the session, so that both read the same state.
  const dex = await Swapfold.open({ storage: duckdb(instance), config: { preset: 'solana' } });
  if (given === '') {
    const file = join(scratch, 'swaps.csv');
    writeSwapsCsv(generateMarket({ seed: 5, swaps: 20_000 }).swaps(), file);
    for await (const { batch } of readSwapSql([file], { sql: select })) await dex.ingest(batch);
    await dex.refresh();
  }
  const equity = await equityOfTheBest(dex);
  const launch = (await sql.runAndReadAll(firstHour)).getRowObjectsJS();
  await draw('leaderboard.svg', leaderboard(equity));
  await draw('launch.svg', firstHourOf(launch));
  writeFileSync(join(out, 'equity.csv'), csvOf(equity));
  for (const format of ['csv', 'parquet'] as const)
    await pipeline(dex.export('trades', { format }), createWriteStream(join(out, `trades.${format}`)));
  await dex.close();
  sql.closeSync();
  instance.closeSync();
  console.log(`${equity.length} points of equity and ${launch.length} minutes of a launch: ${out}`);
} finally {
  rmSync(scratch, { recursive: true });
}

interface Equity {
  readonly wallet: string;
  readonly time: string;
  readonly equity: number;
}

/** The equity of the five wallets that made most in 30 days, at 120 instants of these days. */
async function equityOfTheBest(dex: Swapfold): Promise<Equity[]> {
  const { data } = await dex.wallets.search({ sort: { field: 'metrics.30d.pnl' }, limit: 5 });
  const newest = (await dex.swaps.list({ limit: 1 })).data[0]!.block_time;
  const interval = (30 * 86_400) / 120;
  const from = new Date((newest - 119 * interval) * 1000);
  const histories = await Promise.all(
    data.map(({ wallet_address: wallet }) => dex.wallets.history({ wallet, from, interval, metrics: ['equity'] })),
  );
  return histories.flatMap(({ wallet, points }) =>
    points.map(({ timestamp, equity }) => ({
      wallet: `${wallet.slice(0, 6)}...`,
      time: new Date(timestamp * 1000).toISOString(),
      equity: equity!,
    })),
  );
}

/** Charts as Vega-Lite takes them. */
function leaderboard(values: readonly Equity[]) {
  return {
    title: 'Equity of the five wallets that made most in 30 days, USD',
    width: 720,
    height: 320,
    data: { values },
    mark: { type: 'line', interpolate: 'step-after' },
    encoding: {
      x: { field: 'time', type: 'temporal', title: null },
      y: { field: 'equity', type: 'quantitative', title: 'USD' },
      color: { field: 'wallet', type: 'nominal', sort: null },
    },
  };
}

function firstHourOf(values: readonly unknown[]) {
  return {
    title: 'The first hour of a token: bought and sold, USD a minute',
    width: 720,
    height: 240,
    data: { values },
    mark: 'bar',
    encoding: {
      x: { field: 'minute', type: 'temporal', timeUnit: 'utcyearmonthdatehoursminutes', title: null },
      y: { field: 'usd', type: 'quantitative', title: 'USD' },
      color: { field: 'direction', type: 'nominal', scale: { domain: ['buy', 'sell'], range: ['#2a7', '#c44'] } },
    },
  };
}

async function draw(name: string, chart: object): Promise<void> {
  // Installed in this folder, so that nothing else of the repository depends on them.
  const [{ compile }, vega] = await Promise.all([load('vega-lite'), load('vega')]);
  const view = new vega.View(vega.parse(compile(chart).spec), { renderer: 'none' });
  writeFileSync(join(out, name), await view.toSVG());
}

interface Drawing {
  compile(chart: object): { readonly spec: object };
  parse(spec: object): object;
  readonly View: new (parsed: object, options: object) => { toSVG(): Promise<string> };
}

function load(name: string): Promise<Drawing> {
  return import(name);
}

function csvOf(rows: readonly Equity[]): string {
  return ['wallet,time,equity', ...rows.map(({ wallet, time, equity }) => `${wallet},${time},${equity}`), ''].join(
    '\n',
  );
}
