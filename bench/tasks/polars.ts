import { rmSync } from 'node:fs';
import { filesOf } from '../files.ts';
import { openStore } from '../open.ts';
import { openPlain } from '../plain/sql.ts';
import { type Frame, loadPolars, type Polars, polarsAdvice } from '../polars/polars.ts';
import { candlePlans } from '../questions/candles.ts';
import { searchQuestion } from '../questions/profiles.ts';
import { type Samples, searchBounds, takeSamples } from '../samples.ts';
import { atRest, type Times, timePair } from '../timing.ts';

interface PolarsFigures {
  readonly operation: string;
  readonly ours: Times;
  readonly baseline: Times;
}

/** Search and candles beside polars over data frames of the plain tables, which it holds in memory whole. */
export async function besidePolars(task: {
  readonly swaps: number;
  readonly root: string;
  readonly runs: number;
  readonly seconds: number;
}): Promise<PolarsFigures[]> {
  const polars = loadPolars();
  if (polars === undefined) throw new Error(`nodejs-polars is not installed: ${polarsAdvice}`);
  const files = filesOf(task.root, task.swaps);
  const plain = await openPlain('duckdb', files.plain.duckdb);
  const frameOf = async (table: string, columns: string): Promise<Frame> => {
    const file = files.scratch(`${table}.parquet`);
    await plain.run(`copy (select ${columns} from ${table}) to '${file}' (format parquet)`);
    const frame = polars.readParquet(file);
    rmSync(file);
    return frame;
  };
  const profiles = await frameOf('wallet_profiles', '*');
  const legs = await frameOf('legs', 'token, is_self, seq, time, price, usd_amount');
  const samples = await takeSamples(plain);
  const dex = await openStore('duckdb', files.store.duckdb);
  const search = searchQuestion({ dex, plain, samples });
  const questions = [
    { ...search, baseline: async (i: number) => searchFrame(polars, profiles, i) },
    ...candlePlans({ dex, plain, samples }).map(({ question, interval, from }) => ({
      ...question,
      baseline: async () => candleRows(polars, legs, samples, interval, from),
    })),
  ];
  const figures: PolarsFigures[] = [];
  for (const { operation, ours, baseline, check } of questions) {
    // The first search has the stored profiles read in the background.
    await ours(7);
    await atRest();
    const pair = { ours, baseline, check: check as (ours: unknown, baseline: unknown, i: number) => void };
    figures.push({ operation, ...(await timePair(pair, task)) });
  }
  await dex.close();
  await plain.close();
  return figures;
}

/** The page with all columns, and the count, as the SQL gives them. */
function searchFrame({ col }: Polars, profiles: Frame, i: number): unknown[][][] {
  const [pnl, winrate, trades, volume] = searchBounds(i);
  const found = profiles.filter(
    col('metrics.7d.pnl')
      .gt(pnl)
      .and(col('metrics.30d.winrate').gtEq(winrate))
      .and(col('metrics.7d.trade_count').gtEq(trades))
      .and(col('metrics.30d.volume').gt(volume)),
  );
  // This version sorts all columns the same way.
  const sorted = found.sort({ by: [col('metrics.7d.pnl').mul(-1), col('wallet_address')], descending: false });
  return [sorted.head(20).rows(), [[found.height]]];
}

/** Candles as the SQL gives them: bucket, open, high, low, close, volume, count. The frame is in chain order within a token. */
function candleRows({ col }: Polars, legs: Frame, { hottest }: Samples, interval: number, from: number): unknown[][] {
  const price = col('price').filter(col('price').isNotNull());
  return legs
    .filter(col('token').eq(hottest.id).and(col('is_self').eq(0)).and(col('time').gtEq(from)))
    .withColumns(col('time').minus(col('time').modulo(interval)).alias('bucket'))
    .groupBy('bucket')
    .agg(
      price.first().alias('open'),
      col('price').max().alias('high'),
      col('price').min().alias('low'),
      price.last().alias('close'),
      col('usd_amount').sum().alias('volume'),
      col('seq').count().alias('n'),
    )
    .filter(col('high').isNotNull())
    .sort({ by: [col('bucket')], descending: false })
    .rows();
}
