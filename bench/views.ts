import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket } from '@swapfold/testing';
import Database from 'better-sqlite3';

// The views for SQL beside the same questions to the raw tables, in turns: npm run bench:views [-- SWAPS]
const swaps = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;
const folder = mkdtempSync(join(tmpdir(), 'swapfold-views-'));

type Ask = (sql: string) => Promise<unknown>;

/** Milliseconds of processor time of both, medians of turns. */
async function compare(ask: Ask, pair: readonly [view: string, raw: string]): Promise<readonly [number, number]> {
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round++)
    for (const side of [0, 1] as const) {
      const before = process.cpuUsage();
      await ask(pair[side]);
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) times[side].push((user + system) / 1000);
    }
  const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
  return [median(times[0]), median(times[1])];
}

/** Questions by name: to a view, and to the tables by somebody who knows them, of a token and a wallet. */
function questions(token: string, wallet: string): Readonly<Record<string, readonly [view: string, raw: string]>> {
  const idOf = (text: string): string => `(select id from texts where text = '${text}')`;
  const hour = '(seq >> 20) - (seq >> 20) % 3600';
  return {
    'sum over all trades': ['select sum(usd_amount) from v_trades', 'select sum(usd_amount) from trades'],
    'trades of a wallet': [
      `select * from v_trades where wallet = '${wallet}'`,
      `select * from trades where wallet = ${idOf(wallet)}`,
    ],
    'volume by protocol': [
      'select protocol, sum(usd_amount) from v_trades group by protocol',
      'select text, usd from (select protocol, sum(usd_amount) as usd from trades group by protocol) sums left join texts on id = protocol',
    ],
    'newest 100 swaps': [
      'select * from v_swaps order by seq desc limit 100',
      'select * from swaps order by seq desc limit 100',
    ],
    'candles of a token': [
      `select * from v_candles_1h where token = '${token}'`,
      `select ${hour}, max(price), min(price), sum(usd_amount), count(*) from legs where token = ${idOf(token)} and standing <> 1 group by 1`,
    ],
    'ten best wallets': [
      'select wallet_address, metrics_7d_pnl from v_wallet_profiles order by metrics_7d_pnl desc limit 10',
      'select wallet_address, "metrics.7d.pnl" from wallet_profiles order by "metrics.7d.pnl" desc limit 10',
    ],
  };
}

async function report(engine: string, ask: Ask, asked: ReturnType<typeof questions>): Promise<void> {
  console.log(`${engine}, ms of processor time: view, raw tables, ratio`);
  for (const [name, pair] of Object.entries(asked)) {
    const [view, raw] = await compare(ask, pair);
    console.log(
      `  ${name.padEnd(22)}${view.toFixed(1).padStart(9)}${raw.toFixed(1).padStart(9)}${(view / raw).toFixed(1).padStart(7)}`,
    );
  }
}

try {
  const market = generateMarket({ seed: 1, swaps });
  const stores = { duckdb: duckdb(join(folder, 'dex.duckdb')), sqlite: sqlite(join(folder, 'dex.db')) };
  let asked = questions('', '');
  for (const storage of Object.values(stores)) {
    const dex = await Swapfold.open({ storage, config: market.config });
    await dex.ingest(market.swaps());
    await dex.refresh();
    const sort = { field: 'metrics.7d.trade_count' } as const;
    const [token] = (await dex.tokens.search({ limit: 1, sort })).data;
    const [wallet] = (await dex.wallets.search({ limit: 1, sort })).data;
    asked = questions(token!.token_address, wallet!.wallet_address);
    await dex.close();
  }
  const instance = await DuckDBInstance.create(join(folder, 'dex.duckdb'));
  const connection = await instance.connect();
  await report('duckdb', (sql) => connection.runAndReadAll(sql), asked);
  connection.closeSync();
  instance.closeSync();
  const file = new Database(join(folder, 'dex.db'), { readonly: true });
  await report('sqlite', async (sql) => file.prepare(sql).all(), asked);
  file.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
