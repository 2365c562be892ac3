import { LRUCache } from 'lru-cache';
import type { Appended, Changes } from '../ingest/changes.ts';
import type { CandleFold } from '../market-data/candle-fold.ts';
import type { KeptPart } from './kept.ts';

/** Candles of one token and interval from a bucket on to the newest swap. */
export interface CandleSeries {
  readonly token: number;
  /** Start of the first bucket that the series covers, Unix seconds; 0 covers everything. */
  readonly from: number;
  readonly fold: CandleFold;
}

/** What a series costs beside its candles, in candles. */
const OVERHEAD = 64;

/** Candle series of the tokens that are asked for, continued by every swap that comes. */
export class KeptCandles implements KeptPart {
  readonly #most: number;
  readonly #series: LRUCache<string, CandleSeries>;
  readonly #byToken = new Map<number, Set<string>>();

  /** `most`: candles that are kept at most; 0 keeps none. */
  constructor(most: number) {
    this.#most = most;
    this.#series = new LRUCache({
      maxSize: Math.max(1, most),
      sizeCalculation: ({ fold }) => fold.length + OVERHEAD,
      dispose: (series, key) => this.#forget(series.token, key),
    });
  }

  get(token: number, interval: number): CandleSeries | undefined {
    return this.#series.get(keyOf(token, interval));
  }

  set(series: CandleSeries): void {
    const key = keyOf(series.token, series.fold.interval);
    this.#series.delete(key);
    if (series.fold.length + OVERHEAD > this.#most) return;
    this.#series.set(key, series);
    const keys = this.#byToken.get(series.token);
    if (keys === undefined) this.#byToken.set(series.token, new Set([key]));
    else keys.add(key);
  }

  commit({ appended, touched }: Changes): void {
    if (this.#byToken.size === 0) return;
    for (const token of touched.tokens)
      for (const key of [...(this.#byToken.get(token) ?? [])]) this.#series.delete(key);
    for (const { legs } of appended) this.#continue(legs);
  }

  clear(): void {
    this.#series.clear();
    this.#byToken.clear();
  }

  #continue({ columns, length }: Appended['legs']): void {
    const grown = new Set<CandleSeries>();
    for (let i = 0; i < length; i++) {
      const keys = this.#byToken.get(columns.token[i]!);
      if (keys === undefined || columns.is_self[i] === 1) continue;
      for (const key of keys) {
        const series = this.#series.peek(key)!;
        series.fold.addLeg(columns.seq[i]!, columns.price[i]!, columns.usd_amount[i]!);
        grown.add(series);
      }
    }
    // Their sizes count anew.
    for (const series of grown) this.set(series);
  }

  #forget(token: number, key: string): void {
    const keys = this.#byToken.get(token);
    keys?.delete(key);
    if (keys?.size === 0) this.#byToken.delete(token);
  }
}

function keyOf(token: number, interval: number): string {
  return `${token} ${interval}`;
}
