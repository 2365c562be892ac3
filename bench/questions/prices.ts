import assert from 'node:assert/strict';
import type { LatestPrice, PriceStats } from '@swapfold/core';
import { type Named, pick, tokensFrom } from '../samples.ts';
import { type Asked, assertNear, type Question } from './question.ts';

const DAY = 86_400;

/** How many tokens a question for prices or statistics names, where the market has so many. */
const MANY = 1000;
const windows = { '5m': 300, '1h': 3600, '6h': 21_600, '12h': 43_200, '1d': DAY, '7d': 7 * DAY, '30d': 30 * DAY };

const ids = (tokens: readonly Named[]): string => JSON.stringify(tokens.map(({ id }) => id));

export function priceQuestions({ dex, plain, samples }: Asked): readonly Question[] {
  const { latest, stats } = statements[plain.engine](samples.lastTime);
  const many = Math.min(MANY, samples.everyToken.length);
  const manyOf = (i: number): readonly Named[] => tokensFrom(samples, i, MANY);
  const addressesOf = (i: number): string[] => manyOf(i).map(({ address }) => address);
  const idOf = new Map(samples.everyToken.map(({ address, id }) => [address, id]));
  const byToken = (rows: readonly unknown[][]): Map<number, unknown[]> =>
    new Map(rows.filter((row) => row[1] !== null).map((row) => [Number(row[0]), row]));
  return [
    {
      operation: 'get-price, 1 token',
      most: { duckdb: 1, sqlite: 0.1 },
      first: 100,
      ours: (i) => dex.prices.latest({ tokens: [pick(samples.tokens, i).address] }),
      baseline: (i) =>
        plain.query(
          'select price from legs where token = ? and price is not null order by seq desc limit 1',
          pick(samples.tokens, i).id,
        ),
      what: 'the last print of rows kept by token',
      check(ours: LatestPrice[], baseline: unknown[][]) {
        assert.equal(ours[0]?.usd_price, baseline[0]?.[0]);
      },
    },
    {
      operation: `get-price, ${many} tokens`,
      most: { duckdb: 4, sqlite: 2 },
      ours: (i) => dex.prices.latest({ tokens: addressesOf(i) }),
      baseline: (i) => plain.query(latest, ids(manyOf(i))),
      what: 'the last print of each, of rows kept by token',
      check(ours: LatestPrice[], baseline: unknown[][]) {
        const found = byToken(baseline);
        assert.equal(ours.length, found.size);
        for (const { token, usd_price } of ours) assert.equal(usd_price, found.get(idOf.get(token)!)![1]);
      },
    },
    {
      operation: `get-price-stats, ${many} tokens`,
      most: { duckdb: 8, sqlite: 8 },
      ours: (i) => dex.prices.stats({ tokens: addressesOf(i) }),
      baseline: (i) => plain.query(stats, ids(manyOf(i))),
      what: '14 volumes and 8 prices of each, of rows kept by token',
      check(ours: PriceStats[], baseline: unknown[][]) {
        const found = byToken(baseline);
        assert.equal(ours.length, found.size);
        for (const stat of ours) {
          const [, price, ...rest] = found.get(idOf.get(stat.token)!)!;
          assert.equal(stat.usd_price, price);
          for (const [w, window] of (Object.keys(windows) as (keyof typeof windows)[]).entries()) {
            const [before, volume] = [rest[w * 3], rest[w * 3 + 1]];
            assertNear(stat[`usd_volume_${window}`], volume, `${stat.token} volume ${window}`);
            const change = before === null ? null : (Number(price) / Number(before) - 1) * 100;
            assertNear(stat[`usd_price_change_${window}`], change, `${stat.token} change ${window}`);
          }
        }
      },
    },
  ];
}

/** Columns of the statistics: token, latest price, then of each window the price before it, its volume, the volume before it. */
function duckdbSql(now: number): { latest: string; stats: string } {
  const chosen = `token in (select unnest(from_json(?, '["INTEGER"]')))`;
  const columns = Object.values(windows).map(
    (seconds) => `arg_max(price, seq) filter (time <= ${now - seconds}),
      sum(usd_amount) filter (time > ${now - seconds}),
      sum(usd_amount) filter (time > ${now - 2 * seconds} and time <= ${now - seconds})`,
  );
  return {
    latest: `select token, arg_max(price, seq) from legs where ${chosen} group by token`,
    stats: `select token, arg_max(price, seq), ${columns.join(', ')} from legs where ${chosen} group by token`,
  };
}

/** As DuckDB's; the ids of the tokens are read as a set, which the order of the table is searched by. */
function clickhouseSql(now: number): { latest: string; stats: string } {
  const chosen = 'token in (select arrayJoin(cast(? as Array(Int32))))';
  const columns = Object.values(windows).map(
    (seconds) => `argMaxIf(price, seq, time <= ${now - seconds}),
      sumIf(usd_amount, time > ${now - seconds}),
      sumIf(usd_amount, time > ${now - 2 * seconds} and time <= ${now - seconds})`,
  );
  return {
    latest: `select token, argMax(price, seq) from legs where ${chosen} group by token`,
    stats: `select token, argMax(price, seq), ${columns.join(', ')} from legs where ${chosen} group by token`,
  };
}

/** `cross join` keeps the tables in the order written: the planner would scan all rows first. */
function sqliteSql(now: number): { latest: string; stats: string } {
  const lastPrint = (until = ''): string =>
    `(select price from legs where token = c.value and price is not null ${until} order by seq desc limit 1)`;
  const seqAfter = (time: number): number => (time + 1) * 1_048_576;
  const sums = Object.values(windows).map(
    (seconds, w) => `sum(case when time > ${now - seconds} then usd_amount end) as v${w},
      sum(case when time > ${now - 2 * seconds} and time <= ${now - seconds} then usd_amount end) as b${w}`,
  );
  const columns = Object.values(windows).map(
    (seconds, w) => `${lastPrint(`and seq < ${seqAfter(now - seconds)}`)}, v${w}, b${w}`,
  );
  return {
    latest: `select c.value, ${lastPrint()} from json_each(?) c`,
    stats: `with chosen as (select value from json_each(?)), volumes as (
        select token, ${sums.join(', ')} from chosen cross join legs on token = value and seq >= ${seqAfter(now - 60 * DAY)} group by token)
      select c.value, ${lastPrint()}, ${columns.join(', ')} from chosen c left join volumes on token = c.value`,
  };
}

const statements = { sqlite: sqliteSql, duckdb: duckdbSql, clickhouse: clickhouseSql } as const;
