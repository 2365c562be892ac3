import type { Bag } from './bag.ts';
import { fallOf } from './bag.ts';
import { type EntityPrints, type EntityTrades, firstAfter } from './entity.ts';
import type { WindowSpec } from './windows.ts';

/** What a bag was folded from: where a fall or a streak in it is found. */
export interface TermSource {
  readonly bag: Bag;
  readonly trades: EntityTrades;
  readonly prints: EntityPrints;
  readonly window: WindowSpec;
}

/** From when to when something lasts, Unix seconds. */
export type Span = readonly [from: number, to: number];

/** The first of the longest runs of realised sells whose results are as asked, from the first of them to the last. */
export function longestRun(isOfRun: (pnl: number) => boolean): (source: TermSource) => Span | null {
  return (source) => {
    let longest: Span | null = null;
    let most = 0;
    let length = 0;
    let from = 0;
    for (const row of results(source)) {
      const { time, pnl, holding } = source.trades;
      if (Number.isNaN(holding[row]!)) continue;
      if (!isOfRun(pnl[row]!)) length = 0;
      else if (++length === 1) from = time[row]!;
      if (length <= most) continue;
      most = length;
      longest = [from, time[row]!];
    }
    return longest;
  };
}

/** From the peak of the running result, the start of the window if that is 0, to the trough of the largest fall. */
export function cumulativeFall(source: TermSource): Span | null {
  const { trades } = source;
  const rows = results(source);
  let level = 0;
  const levels = rows.map((row) => {
    level += trades.pnl[row]!;
    return level;
  });
  const timeOf = (place: number): number => (place === 0 ? startOf(source) : trades.time[rows[place - 1]!]!);
  return spanOf(
    fallOf([0, ...levels], (peak, value) => peak - value),
    timeOf,
  );
}

/** From the end of the period at the peak, or the start of the window, to the end of the period at the trough. */
export function returnsFall(source: TermSource): Span | null {
  const { bag, window } = source;
  let level = 1;
  const levels = Array.from(bag.periodRoi, (roi) => {
    level *= Math.max(0, 1 + roi / 100);
    return level;
  });
  return spanOf(fallOf([1, ...levels], relative), (place) => startOf(source) + place * window.period);
}

/** From the print at the peak to the one at the trough. */
export function priceFall(source: TermSource): Span | null {
  const { prints } = source;
  const first = Math.max(0, firstAfter(prints.time, prints.length, startOf(source)) - 1);
  const fall = fallOf(prints.price.subarray(first, prints.length), relative);
  return spanOf(fall, (place) => prints.time[first + place]!);
}

function relative(peak: number, value: number): number {
  return 1 - value / peak;
}

function startOf({ bag, window }: TermSource): number {
  return bag.asOf - window.seconds;
}

function spanOf(fall: ReturnType<typeof fallOf>, timeOf: (place: number) => number): Span | null {
  return fall === null ? null : [timeOf(fall.peak), timeOf(fall.trough)];
}

/** Rows of the realised and small sells in the window, oldest first. */
function results(source: TermSource): number[] {
  const { trades } = source;
  const rows: number[] = [];
  for (let row = firstAfter(trades.time, trades.length, startOf(source)); row < trades.length; row++)
    if (!Number.isNaN(trades.pnl[row]!)) rows.push(row);
  return rows;
}
