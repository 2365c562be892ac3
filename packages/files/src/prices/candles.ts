import { SwapfoldError } from '@swapfold/core';
import { show } from '@swapfold/core/host';
import { type Instant, instantOf, noTime, secondFrom } from './micros.ts';
import type { ReadRow, RowReject } from './price-file.ts';
import { noPrice, numberOf } from './values.ts';

/** A candle as an exchange writes it: texts or numbers. */
export interface RawCandle {
  readonly open_time: unknown;
  readonly close: unknown;
  /** The last moment within it. */
  readonly close_time?: unknown;
  /** 1 if it is finished, 0 if not. */
  readonly confirm?: unknown;
}

interface Candle extends RawCandle {
  readonly row: number;
  readonly open: Instant;
  /** Its end, if the row says so, microseconds. */
  readonly end?: number;
}

const DAY = 86_400e6;
/** From here on candles may be months, which differ in length. */
const MONTH = 28 * DAY;

/**
 * The closing prices of candles, in the order of the file, each at the end of its candle: nobody knows it before.
 *
 * - Rows that are no candles are rejected already, and stay so.
 * - The end is one unit after `close_time`, or else comes from the distance of the rows.
 * - A candle that is not confirmed, or ends after `now` (Unix seconds), is passed over: its close may still change.
 * - Errors: `invalid-input` if nothing tells how long the candles are.
 */
export function candlePrices(file: string, raws: readonly (RawCandle | RowReject)[], now: number): ReadRow[] {
  const candles = raws.map((raw, i) => ('reason' in raw ? raw : readCandle(raw, i + 1)));
  const opened = candles.filter((candle): candle is Candle => 'open' in candle);
  const endOf = opened.every(({ end }) => end !== undefined) ? undefined : endsByDistance(file, opened);
  return candles.map((candle) => {
    if (!('open' in candle)) return candle;
    const { row, close, confirm } = candle;
    if (confirm !== undefined && numberOf(confirm) === 0) return { passed: 'the candle is not finished' };
    if (confirm !== undefined && numberOf(confirm) !== 1)
      return { row, field: 'confirm', reason: `expected 0 or 1, received ${show(confirm)}` };
    const end = candle.end ?? endOf?.(candle.open.micros);
    if (end === undefined)
      return {
        row,
        field: 'open_time',
        reason: 'does not tell when the candle ends: the distances of the rows differ',
      };
    const time = secondFrom(end);
    if (time > now) return { passed: 'the candle is not finished' };
    const fault = noPrice(close);
    return fault === undefined ? { row, time, usd_price: numberOf(close) } : { row, field: 'close', reason: fault };
  });
}

function readCandle(raw: RawCandle, row: number): Candle | RowReject {
  const open = instantOf(numberOf(raw.open_time));
  if (open === undefined) return { row, field: 'open_time', reason: noTime(raw.open_time) };
  if (raw.close_time === undefined) return { ...raw, row, open };
  const last = instantOf(numberOf(raw.close_time));
  if (last === undefined) return { row, field: 'close_time', reason: noTime(raw.close_time) };
  if (last.micros <= open.micros)
    return { row, field: 'close_time', reason: `expected a time after open_time, received ${show(raw.close_time)}` };
  return { ...raw, row, open, end: last.micros + last.unit };
}

/**
 * When a candle ends, by when it opens.
 *
 * - Rows at equal distances, some of which may be missing: the smallest distance later, if no other is more common.
 * - Rows at other distances, and months: when the next one opens; of the last one nobody knows.
 */
function endsByDistance(file: string, candles: readonly Candle[]): (open: number) => number | undefined {
  const opens = [...new Set(candles.map(({ open }) => open.micros))].sort((a, b) => a - b);
  const [first = 0, ...later] = opens;
  if (later.length === 0)
    throw new SwapfoldError(
      'invalid-input',
      `${file} has one candle and no close_time, so nothing tells when the candle ends. Add the candle before or after it, or give its close as token, time, usd_price.`,
    );
  const distances = later.map((open, i) => open - (opens[i] ?? first));
  const least = distances.reduce((a, b) => Math.min(a, b));
  const counts = new Map<number, number>();
  for (const distance of distances) counts.set(distance, (counts.get(distance) ?? 0) + 1);
  const isCommon = counts.get(least) === Math.max(...counts.values());
  if (least < MONTH && isCommon && distances.every((distance) => distance % least === 0)) return (open) => open + least;
  const next = new Map(later.map((open, i) => [opens[i], open]));
  return (open) => next.get(open);
}
