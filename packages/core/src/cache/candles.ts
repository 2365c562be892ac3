import type { CandleFold } from '../market-data/candle-fold.ts';
import { SELF } from '../records/tables.ts';
import { Region } from './region.ts';

/** Candles of one token and interval from a bucket on to the newest swap. */
export interface CandleSeries {
  /** Start of the first bucket that the series covers, Unix seconds; 0 covers everything. */
  readonly from: number;
  readonly fold: CandleFold;
}

/** The series of one token, by `seriesKey`. Each commit with swaps of the token goes on with them. */
export type TokenCandles = ReadonlyMap<string, CandleSeries>;

/** The key of a series of a token. */
export function seriesKey({ interval, prints }: Pick<CandleFold, 'interval' | 'prints'>): string {
  return `${interval} ${prints}`;
}

/** What a series costs beside its candles, in candles. */
const OVERHEAD = 64;

/** `most`: candles of all series together. */
export function newCandleRegion(most: number): Region<number, TokenCandles> {
  const sizeOf = (series: TokenCandles): number =>
    [...series.values()].reduce((sum, { fold }) => sum + fold.length + OVERHEAD, 0);
  return new Region({ most, sizeOf }, (region, { appended, touched }) => {
    for (const token of touched.tokens) region.delete(token);
    for (const { legs } of appended) {
      const { token, standing, seq, price, usd_amount: usd } = legs.columns;
      const grown = new Map<number, TokenCandles>();
      for (let i = 0; i < legs.length; i++) {
        const series = region.peek(token[i]!);
        if (series === undefined || standing[i] === SELF) continue;
        for (const { fold } of series.values()) fold.addLeg(seq[i]!, price[i]!, usd[i]!, standing[i]!);
        grown.set(token[i]!, series);
      }
      for (const [id, series] of grown) region.put(id, series);
    }
  });
}
