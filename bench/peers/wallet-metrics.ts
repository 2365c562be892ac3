import type { PlainSql } from '../plain/sql.ts';
import type { Polars } from '../polars/polars.ts';

/** Windows in seconds. */
export const windows = { '1d': 86_400, '3d': 259_200, '7d': 604_800, '14d': 1_209_600, '30d': 2_592_000 } as const;

/** What is computed, in the order of the answers. */
export const metrics = [
  'trade_count',
  'buy_count',
  'sell_count',
  'volume',
  'buy_volume',
  'sell_volume',
  'pnl',
  'win_count',
  'loss_count',
  'winrate',
] as const;

/** The metrics by the id of a wallet and a window, as `12 30d`. */
export type Answers = Map<string, readonly unknown[]>;

/** `swap_type` of a swap between quote tokens, which is no trade of a wallet's. */
const QUOTE_QUOTE = 3;

/** As somebody has it who works with data frames: the file is read, and each window is a filter and a group. */
export function polarsMetrics({ col, readParquet }: Polars, file: string, asOf: number): Answers {
  const trades = readParquet(file).filter(col('swap_type').neq(QUOTE_QUOTE).and(col('time').ltEq(asOf)));
  const [buys, sells] = [col('direction').eq(0), col('direction').eq(1)];
  const [wins, losses] = [col('pnl').gt(0), col('pnl').lt(0)];
  const answers: Answers = new Map();
  for (const [window, seconds] of Object.entries(windows)) {
    const rows = trades
      .filter(col('time').gt(asOf - seconds))
      .groupBy('wallet')
      .agg(
        col('time').count().alias('trade_count'),
        buys.sum().alias('buy_count'),
        sells.sum().alias('sell_count'),
        col('usd_amount').sum().alias('volume'),
        col('usd_amount').filter(buys).sum().alias('buy_volume'),
        col('usd_amount').filter(sells).sum().alias('sell_volume'),
        col('pnl').sum().alias('pnl'),
        wins.sum().alias('win_count'),
        losses.sum().alias('loss_count'),
      )
      .rows();
    for (const [wallet, ...values] of rows) {
      const [won, lost] = [Number(values[7] ?? 0), Number(values[8] ?? 0)];
      const zeros = values.map((value) => value ?? 0);
      answers.set(`${wallet} ${window}`, [...zeros, won + lost === 0 ? null : (won / (won + lost)) * 100]);
    }
  }
  return answers;
}

/** One aggregation a window over the plain trades, which lie by wallet. */
export async function sqlMetrics(plain: PlainSql, asOf: number): Promise<Answers> {
  const answers: Answers = new Map();
  for (const [window, seconds] of Object.entries(windows)) {
    const rows = await plain.query(`
      select wallet, count(*), count(*) filter (direction = 0), count(*) filter (direction = 1), coalesce(sum(usd_amount), 0),
        coalesce(sum(usd_amount) filter (direction = 0), 0), coalesce(sum(usd_amount) filter (direction = 1), 0),
        coalesce(sum(pnl), 0), count(*) filter (pnl > 0) as wins, count(*) filter (pnl < 0) as losses,
        100.0 * count(*) filter (pnl > 0) / nullif(count(*) filter (pnl <> 0), 0)
      from trades where swap_type <> ${QUOTE_QUOTE} and time <= ${asOf} and time > ${asOf - seconds} group by wallet`);
    for (const [wallet, ...values] of rows) answers.set(`${wallet} ${window}`, values);
  }
  return answers;
}
