import * as v from 'valibot';
import { timeOf } from '../records/chain-order.ts';
import { type Batch, firstAfter } from '../records/columns.ts';
import { isSuspect as isSuspectStanding } from '../records/standing.ts';
import type { legsTable } from '../records/tables.ts';
import { type Answer, integer, named, number, time } from '../response.ts';
import { bucketStart } from '../time.ts';
import type { Prints } from './latest-prints.ts';

export const candleSchema = named(
  'Candle',
  v.strictObject({
    timestamp: time(
      'Unix seconds, UTC, at the start of the bucket: a multiple of the interval; of whole weeks a Monday.',
    ),
    open: number('USD per token.'),
    high: number('USD per token.'),
    low: number('USD per token.'),
    close: number('USD per token.'),
    volume: number('USD.'),
    count: integer('Swaps that touch the token.'),
    suspect_count: integer('Prints far off those before them, which `prints: "clean"` leaves out of the prices.'),
  }),
);

/** One bucket: `timestamp` Unix seconds at its start; prices USD per token; `volume` USD; `count` swaps that touch the token, `suspect_count` suspect prints. */
export interface Candle extends Answer<typeof candleSchema> {}

/** What candles are folded from: legs of one token in chain order, self swaps left out. */
export type CandleLegs = Batch<typeof legsTable, 'seq' | 'price' | 'usd_amount' | 'standing'>;

const columns = Object.keys(candleSchema.entries) as (keyof Candle)[];
type Columns = Record<keyof Candle, Float64Array>;
type Sums = Omit<Candle, 'timestamp' | 'open' | 'high' | 'low' | 'close'>;
type OpenSums = { -readonly [N in keyof Sums]: Sums[N] };
/** Candles of one answer, at most. */
export const MAX_CANDLES = 5000;
const NO_SWAPS: Sums = { volume: 0, count: 0, suspect_count: 0 };
const summed = Object.keys(NO_SWAPS) as (keyof Sums)[];

/**
 * Folds legs in chain order into candles, as columns; more legs may follow at any time.
 * A bucket without a print is no candle, whatever its volume, until gaps are filled; the newest bucket stays open.
 * `clean` prints are those that are not suspect; volumes and counts leave nothing out.
 */
export class CandleFold {
  #columns: Columns = allocate(64);
  /** Candles, the newest bucket included once it has a print. */
  #length = 0;
  #bucket = Number.NaN;
  /** Those of the newest bucket. */
  #sums: OpenSums = { ...NO_SWAPS };
  #hasPrint = false;
  /** By their start, the sums of buckets that have swaps, but no print. */
  readonly #printless = new Map<number, Sums>();
  /** The last answer, for as long as no leg follows and memory is not wanted elsewhere: charts ask for the same again and again. */
  #last: { readonly from: number; readonly to: number; readonly candles: WeakRef<readonly Candle[]> } | undefined;

  constructor(
    readonly interval: number,
    readonly prints: Prints,
  ) {}

  get length(): number {
    return this.#length;
  }

  /** What it holds: candles, and buckets that are none. */
  get size(): number {
    return this.#length + this.#printless.size;
  }

  add(legs: CandleLegs): void {
    const { seq, price: prices, usd_amount: values, standing } = legs.columns;
    for (let i = 0; i < legs.length; i++) this.addLeg(seq[i]!, prices[i]!, values[i]!, standing[i]!);
  }

  addLeg(seq: number, price: number, usd: number, standing: number): void {
    this.#last = undefined;
    const bucket = bucketStart(timeOf(seq), this.interval);
    if (bucket !== this.#bucket) {
      this.#bucket = bucket;
      this.#sums = { ...NO_SWAPS };
      this.#hasPrint = false;
    }
    const sums = this.#sums;
    sums.count++;
    if (!Number.isNaN(usd)) sums.volume += usd;
    const isSuspect = isSuspectStanding(standing);
    if (isSuspect) sums.suspect_count++;
    const isPrint = !Number.isNaN(price) && !(isSuspect && this.prints === 'clean');
    if (isPrint && !this.#hasPrint) this.#start(bucket, price);
    if (!this.#hasPrint) {
      this.#printless.set(bucket, sums);
      // Those before the first candle count only if this fold is joined to another; an answer that reaches the candle fills so many at most.
      if (this.#length === 0 && this.#printless.size > MAX_CANDLES)
        this.#printless.delete(this.#printless.keys().next().value!);
      return;
    }
    const c = this.#columns;
    const row = this.#length - 1;
    for (const name of summed) c[name][row] = sums[name];
    if (!isPrint) return;
    if (price > c.high[row]!) c.high[row] = price;
    if (price < c.low[row]!) c.low[row] = price;
    c.close[row] = price;
  }

  /** Goes on as a fold of later buckets, to which there are legs. */
  join(later: CandleFold): void {
    while (this.#columns.timestamp.length < this.#length + later.#length) this.#columns = grown(this.#columns);
    for (const name of columns) this.#columns[name].set(later.#columns[name].subarray(0, later.#length), this.#length);
    this.#length += later.#length;
    for (const [bucket, sums] of later.#printless) this.#printless.set(bucket, sums);
    this.#bucket = later.#bucket;
    this.#sums = { ...later.#sums };
    this.#hasPrint = later.#hasPrint;
    this.#last = undefined;
  }

  /** The first candle whose bucket starts at a whole second or later. */
  indexAt(time: number): number {
    return firstAfter(this.#columns.timestamp, this.#length, time - 1);
  }

  /** Candles `from` to `to`, oldest first, frozen: the same candles may be given again. */
  slice(from = 0, to = this.#length): readonly Candle[] {
    const first = Math.max(0, from);
    const given = this.#last?.from === first && this.#last.to === to ? this.#last.candles.deref() : undefined;
    if (given !== undefined) return given;
    const candles = Object.freeze(Array.from({ length: Math.max(0, to - first) }, (_, i) => this.#candle(first + i)));
    this.#last = { from: first, to, candles: new WeakRef(candles) };
    return candles;
  }

  /** Candles of this fold with those between them that have no print: these stand at the close before. Of all, the latest `most`. */
  fillGaps(found: readonly Candle[], most: number): Candle[] {
    const last = found[found.length - 1];
    if (last === undefined) return [];
    const { interval } = this;
    const start = last.timestamp - (most - 1) * interval;
    const filled: Candle[] = [];
    for (const [i, candle] of found.entries()) {
      if (candle.timestamp >= start) filled.push(candle);
      const { close } = candle;
      const next = found[i + 1]?.timestamp ?? candle.timestamp;
      for (let timestamp = Math.max(candle.timestamp + interval, start); timestamp < next; timestamp += interval)
        filled.push({
          timestamp,
          open: close,
          high: close,
          low: close,
          close,
          ...(this.#printless.get(timestamp) ?? NO_SWAPS),
        });
    }
    return filled;
  }

  #candle(row: number): Candle {
    const c = this.#columns;
    return Object.freeze({
      timestamp: c.timestamp[row]!,
      open: c.open[row]!,
      high: c.high[row]!,
      low: c.low[row]!,
      close: c.close[row]!,
      volume: c.volume[row]!,
      count: c.count[row]!,
      suspect_count: c.suspect_count[row]!,
    });
  }

  #start(bucket: number, price: number): void {
    if (this.#length === this.#columns.timestamp.length) this.#columns = grown(this.#columns);
    const c = this.#columns;
    const row = this.#length++;
    this.#printless.delete(bucket);
    c.timestamp[row] = bucket;
    c.open[row] = c.high[row] = c.low[row] = c.close[row] = price;
    this.#hasPrint = true;
  }
}

function allocate(capacity: number): Columns {
  return Object.fromEntries(columns.map((name) => [name, new Float64Array(capacity)])) as Columns;
}

function grown(from: Columns): Columns {
  const larger = allocate(from.timestamp.length * 2);
  for (const name of columns) larger[name].set(from[name]);
  return larger;
}
