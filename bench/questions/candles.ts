import assert from 'node:assert/strict';
import type { Candle } from '@swapfold/core';
import { SELF } from '@swapfold/core/engine';
import { formatTime } from '@swapfold/core/host';
import { type Asked, assertNear, type Question } from './question.ts';

const DAY = 86_400;

export function candleQuestions({ dex, plain, samples }: Asked): readonly Question[] {
  const { hottest, lastTime } = samples;
  const plan = (name: string, interval: number, span: number): Question => {
    const from = Math.floor((lastTime - span) / interval) * interval;
    const sql = plain.engine === 'sqlite' ? sqliteSql(interval) : groupSql(interval, ends[plain.engine]);
    return {
      operation: `candles of the hottest token, ${name}`,
      most: { duckdb: 3, sqlite: 2 },
      first: 100,
      ours: () => dex.prices.candles({ token: hottest.address, interval, from: formatTime(from) }),
      baseline: () => plain.query(sql, hottest.id, from * 1_048_576),
      what: 'group by interval over the raw rows, kept by token',
      check(ours: Candle[], baseline: unknown[][]) {
        assert.equal(ours.length, baseline.length);
        for (const [i, [bucket, open, high, low, close, volume, count]] of baseline.entries()) {
          const candle = ours[i]!;
          assert.deepEqual(
            [candle.timestamp, candle.open, candle.high, candle.low, candle.close, candle.count],
            [Number(bucket), open, high, low, close, Number(count)],
          );
          assertNear(candle.volume, volume, `volume of the candle at ${candle.timestamp}`);
        }
      },
    };
  };
  return [plan('1 h x 30 d', 3600, 30 * DAY), plan('1 m x 1 d', 60, DAY)];
}

/** The aggregates that give a price at the least and the greatest `seq`. */
const ends = {
  duckdb: { first: 'arg_min', last: 'arg_max' },
  clickhouse: { first: 'argMin', last: 'argMax' },
} as const;

function groupSql(interval: number, { first, last }: { first: string; last: string }): string {
  return `select time - time % ${interval}, ${first}(price, seq), max(price), min(price), ${last}(price, seq), sum(usd_amount), count(*)
    from legs where token = ? and standing <> ${SELF} and seq >= ? group by 1 having max(price) is not null order by 1`;
}

/** SQLite has no first and last: their places come from the aggregation, their prices by the index. */
function sqliteSql(interval: number): string {
  const priceAt = (place: string): string => `(select price from legs where token = t and seq = ${place})`;
  return `with buckets as (select token as t, time - time % ${interval} as bucket, max(price) as high, min(price) as low,
      min(case when price is not null then seq end) as first, max(case when price is not null then seq end) as last,
      sum(usd_amount) as volume, count(*) as n from legs where token = ? and standing <> ${SELF} and seq >= ? group by 1, 2)
    select bucket, ${priceAt('first')}, high, low, ${priceAt('last')}, volume, n from buckets where high is not null order by bucket`;
}
