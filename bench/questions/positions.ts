import assert from 'node:assert/strict';
import type { PositionProfile, SearchAnswer } from '@swapfold/core';
import { plainTables } from '../plain/copy.ts';
import { pick } from '../samples.ts';
import type { Asked, Question } from './question.ts';

const PAGE = 20;

/** Milliseconds that a page with the stored metrics may take. */
const STORED = 15;

/** Milliseconds that the other metrics may add for each of so many trades of the positions on the page. */
const FOLDED = { millis: 20, trades: 10_000 } as const;

export function positionQuestions(asked: Asked): readonly Question[] {
  return [...searches(asked), ...pages(asked)];
}

function searches({ dex, plain, samples }: Asked): readonly Question[] {
  const { collectors, hottest } = samples;
  const { tokenPositions } = plainTables(plain.engine);
  const sort = { field: 'metrics.30d.volume' } as const;
  const above = (i: number): number => i % 83;
  const by = (table: string, key: string, idOf: (i: number) => number): Question['baseline'] => {
    const where = `from ${table} where ${key} = ? and "metrics.30d.volume" > ?`;
    return async (i) => [
      await plain.query(`select * ${where} order by "metrics.30d.volume" desc limit ${PAGE}`, idOf(i), above(i)),
      await plain.query(`select count(*) ${where}`, idOf(i), above(i)),
    ];
  };
  const ofAll = `from positions where "metadata.state" = 'open' and "metrics.7d.pnl" > ?`;
  const what = 'select * ... order by ... limit 20, and a count';
  return [
    {
      operation: 'position search of a wallet with up to 1,000 tokens',
      most: { duckdb: 10, sqlite: 10 },
      ours: (i) =>
        dex.positions.search({
          filter: { wallet_address: pick(collectors, i).address, 'metrics.30d.volume': { $gt: above(i) } },
          sort,
        }),
      baseline: by('positions', 'wallet', (i) => pick(collectors, i).id),
      what: `${what}, of rows kept by wallet`,
      check: samePage('30d', 'volume'),
    },
    {
      operation: 'position search of the hottest token',
      most: { duckdb: 50, sqlite: 50 },
      ours: (i) =>
        dex.positions.search({
          filter: { token_address: hottest.address, 'metrics.30d.volume': { $gt: above(i) } },
          sort,
        }),
      baseline: by(tokenPositions, 'token', () => hottest.id),
      what: `${what}, of rows kept by token`,
      check: samePage('30d', 'volume'),
    },
    {
      operation: 'position search: state and pnl of all positions',
      most: { duckdb: 250, sqlite: 250 },
      ours: (i) => dex.positions.search({ filter: { 'metadata.state': 'open', 'metrics.7d.pnl': { $gt: above(i) } } }),
      baseline: async (i) => [
        await plain.query(`select * ${ofAll} order by "metrics.7d.pnl" desc limit ${PAGE}`, above(i)),
        await plain.query(`select count(*) ${ofAll}`, above(i)),
      ],
      what,
      check: samePage('7d', 'pnl'),
    },
  ];
}

/** Pages of the wallets that trade most, without and with what is folded from the trades behind them. */
function pages({ dex, plain, samples }: Asked): readonly Question[] {
  const { traders } = samples;
  const walletOf = (i: number) => pick(traders, i);
  const page = `from positions where wallet = ? order by "metrics.30d.volume" desc limit ${PAGE}`;
  const request = (i: number) =>
    ({
      filter: { wallet_address: walletOf(i).address },
      sort: { field: 'metrics.30d.volume' },
      limit: PAGE,
    }) as const;
  const read = async (i: number): Promise<unknown[][][]> => [
    await plain.query(`select * ${page}`, walletOf(i).id),
    await plain.query('select count(*) from positions where wallet = ?', walletOf(i).id),
  ];
  const trades = traders.reduce((sum, trader) => sum + trader.trades, 0) / traders.length;
  const folded = STORED + (FOLDED.millis * trades) / FOLDED.trades;
  return [
    {
      operation: 'page of 20 positions of a bot, stored metrics',
      most: { duckdb: STORED, sqlite: STORED },
      ours: (i) => dex.positions.search(request(i)),
      baseline: read,
      what: 'select * ... order by ... limit 20, and a count, of rows kept by wallet',
      check: samePage('30d', 'volume'),
    },
    {
      operation: `page of 20 positions of a bot, all metrics of ${Math.round(trades).toLocaleString('en-US')} trades`,
      most: { duckdb: folded, sqlite: folded },
      ours: (i) =>
        dex.positions.search({
          ...request(i),
          options: {
            include_metadata: true,
            include_holding: true,
            include_labels: true,
            include_metrics: ['30d', '14d', '7d', '3d', '1d'],
          },
        }),
      baseline: async (i) => [
        ...(await read(i)),
        await plain.query(
          `select token, count(*), sum(usd_amount), sum(pnl), max(pnl), min(pnl) from trades
            where wallet = ? and time > ? and token in (select token ${page}) group by token`,
          walletOf(i).id,
          samples.monthBefore,
          walletOf(i).id,
        ),
      ],
      what: 'the same, and five aggregates of the trades by token, of one window',
      check(ours: SearchAnswer<PositionProfile>, [rows, counted, aggregates]: unknown[][][]) {
        samePage('30d', 'volume')(ours, [rows!, counted!]);
        const counts = (all: readonly unknown[]): number[] => all.map(Number).sort((a, b) => a - b);
        assert.deepEqual(
          counts(ours.data.map(({ metrics }) => metrics!['30d']!.trade_count)),
          counts(aggregates!.map((row) => row[1])),
        );
      },
    },
  ];
}

/** Whether the answer counts as SQL does, and its positions have, in order, the metric's values of the rows of SQL. */
function samePage(window: '30d' | '7d', metric: 'volume' | 'pnl') {
  return ({ count, data }: SearchAnswer<PositionProfile>, [page, counted]: unknown[][][]): void => {
    assert.equal(count, Number(counted![0]![0]));
    assert.equal(data.length, page!.length);
    for (const [i, { metrics }] of data.entries()) assert.ok(page![i]!.includes(metrics![window]![metric]));
  };
}
