import { SwapfoldError } from '../errors.ts';
import type { Swaps } from '../ledger/value.ts';
import {
  compareText,
  firstSeqAt,
  lastSeqAt,
  MAX_SWAPS_A_SECOND,
  rankOf,
  seqOf,
  timeOf,
} from '../records/chain-order.ts';
import { allRows, isAscending, takeRows, takeValues } from '../records/columns.ts';
import { placesOf } from '../records/key-index.ts';
import { momentOfStored } from '../records/moment.ts';
import { transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { between, or, type Predicate } from '../storage/predicate.ts';
import { transactionColumns } from '../storage/reads.ts';

/** Seconds from the first to the second, ends included. */
export type Range = readonly [from: number, to: number];

/** Ranges that one condition names at most. */
export const MAX_RANGES = 48;

/** At most `most` ranges that hold all the seconds: the widest gaps between them stay out. */
export function mergeSeconds(seconds: Iterable<number>, most = MAX_RANGES): Range[] {
  const distinct = Array.from(new Set(seconds), (second): Range => [second, second]);
  return [...widenRanges(uniteRanges(distinct), most)];
}

/** Ranges that overlap or touch, as one. */
export function uniteRanges(ranges: readonly Range[]): Range[] {
  const united: [number, number][] = [];
  for (const [from, to] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = united[united.length - 1];
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else united.push([from, to]);
  }
  return united;
}

/** At most `most` ranges that hold the given ones, which are united: those with the narrowest gaps become one. */
export function widenRanges(ranges: readonly Range[], most = MAX_RANGES): readonly Range[] {
  if (ranges.length <= most) return ranges;
  const gaps = Array.from({ length: ranges.length - 1 }, (_, i) => i + 1);
  const gapBefore = (i: number): number => ranges[i]![0] - ranges[i - 1]![1];
  gaps.sort((a, b) => gapBefore(b) - gapBefore(a));
  const starts = [0, ...gaps.slice(0, most - 1).sort((a, b) => a - b)];
  return starts.map((start, i) => [ranges[start]![0], ranges[(starts[i + 1] ?? ranges.length) - 1]![1]]);
}

/** Rows whose `seq` lies in one of the ranges. */
export function inRanges(ranges: readonly Range[]): Predicate {
  return or(...ranges.map(([from, to]) => between('seq', firstSeqAt(from), lastSeqAt(to))));
}

/** What chain order is made of, a row each. */
export interface ChainKeys {
  readonly length: number;
  readonly time: Float64Array;
  readonly slot: Float64Array;
  readonly index: Float64Array;
  /** Log index and fraction of the transaction: see `records/moment.ts`. */
  readonly moment: Float64Array;
  /** Place of the transaction in the files whose order was kept, 0 if it has none. */
  readonly filePlace: Float64Array;
  readonly txHash: readonly string[];
  readonly swapIndex: Float64Array;
}

const keyColumns = ['time', 'slot', 'index', 'moment', 'filePlace', 'swapIndex'] as const;

export function newChainKeys(length: number): ChainKeys & { readonly txHash: string[] } {
  return {
    length,
    time: new Float64Array(length),
    slot: new Float64Array(length),
    index: new Float64Array(length),
    moment: new Float64Array(length),
    filePlace: new Float64Array(length),
    txHash: new Array<string>(length),
    swapIndex: new Float64Array(length),
  };
}

/** The keys at `rows`. */
export function takeKeys(keys: ChainKeys, rows: ArrayLike<number>): ChainKeys {
  const pick = (column: Float64Array): Float64Array => takeValues(column, rows) as Float64Array;
  return {
    length: rows.length,
    time: pick(keys.time),
    slot: pick(keys.slot),
    index: pick(keys.index),
    moment: pick(keys.moment),
    filePlace: pick(keys.filePlace),
    txHash: Array.from(rows, (row) => keys.txHash[row]!),
    swapIndex: pick(keys.swapIndex),
  };
}

/** The keys end to end. */
export function joinKeys(parts: readonly ChainKeys[]): ChainKeys {
  const keys = newChainKeys(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    for (const name of keyColumns) keys[name].set(part[name], at);
    for (let row = 0; row < part.length; row++) keys.txHash[at + row] = part.txHash[row]!;
    at += part.length;
  }
  return keys;
}

/** Where stored swaps of these ranges belong. */
export async function keysOf(reader: Reader, stored: Swaps, ranges: readonly Range[]): Promise<ChainKeys> {
  const keys = newChainKeys(stored.length);
  if (stored.length === 0) return keys;
  const { columns: c } = await reader.read({
    table: transactionsTable,
    columns: transactionColumns,
    where: or(...ranges.map(([from, to]) => between('block_time', from, to))),
  });
  const known = placesOf(c.tx);
  for (let row = 0; row < stored.length; row++) {
    const at = known.find(stored.columns.tx[row]!);
    if (at < 0) throw new Error('A stored swap has no transaction.');
    keys.time[row] = c.block_time[at]!;
    keys.slot[row] = c.block_slot[at]!;
    keys.index[row] = c.tx_index[at]!;
    keys.moment[row] = momentOfStored(c.moment[at]!);
    keys.filePlace[row] = c.file_place[at]! || 0;
    keys.txHash[row] = c.tx_hash[at]!;
  }
  keys.swapIndex.set(stored.columns.swap_index);
  return keys;
}

/** More swaps share a second than chain order has places for. */
export class FullSecond extends SwapfoldError {
  constructor(time: number) {
    super('invalid-input', fullSecond(time));
  }
}

export function fullSecond(time: number): string {
  return `is ${time}, a second of which the store has the ${MAX_SWAPS_A_SECOND} swaps that it ranks at most`;
}

/** Chain order of row `a` of some keys and row `b` of others. */
export function compareKeys(x: ChainKeys, a: number, y: ChainKeys, b: number): number {
  return (
    x.time[a]! - y.time[b]! ||
    (x.slot[a]! || 0) - (y.slot[b]! || 0) ||
    (x.index[a]! || 0) - (y.index[b]! || 0) ||
    x.moment[a]! - y.moment[b]! ||
    x.filePlace[a]! - y.filePlace[b]! ||
    compareText(x.txHash[a]!, y.txHash[b]!) ||
    x.swapIndex[a]! - y.swapIndex[b]!
  );
}

/**
 * The rows in chain order, and the `seq` of each: whole seconds must be given, but for the one that goes on after the swap at `after`,
 * behind which all rows belong.
 */
export function rankRows(keys: ChainKeys, after = -1): { order: Uint32Array; seq: Float64Array; isSorted: boolean } {
  const { order, isSorted } = inOrder(keys);
  const seq = new Float64Array(keys.length);
  let rank = rankOf(after);
  for (let i = 0; i < order.length; i++) {
    const time = keys.time[order[i]!]!;
    rank = (i > 0 ? keys.time[order[i - 1]!] : timeOf(after)) === time ? rank + 1 : 0;
    if (rank >= MAX_SWAPS_A_SECOND) {
      throw new FullSecond(time);
    }
    seq[i] = seqOf(time, rank);
  }
  return { order, seq, isSorted };
}

/** The swaps in chain order, each with its `seq`, and which of the given rows each was: see `rankRows`. */
export function inChainOrder(given: Swaps, keys: ChainKeys, after = -1): { swaps: Swaps; order: Uint32Array } {
  const { order, seq, isSorted } = rankRows(keys, after);
  const swaps = isSorted ? given : takeRows(given, order);
  swaps.columns.seq.set(seq);
  return { swaps, order };
}

/** The rows in chain order, and whether they came so. Feeds mostly come by time: then only the swaps of a second are put in order. */
function inOrder(keys: ChainKeys): { order: Uint32Array; isSorted: boolean } {
  const { time, length } = keys;
  const compare = (a: number, b: number): number => compareKeys(keys, a, keys, b);
  const order = allRows(length);
  if (!isAscending(time)) return { order: order.sort(compare), isSorted: false };
  let isSorted = true;
  for (let from = 0; from < length; ) {
    let isSecondSorted = true;
    let to = from + 1;
    for (; to < length && time[to] === time[from]; to++) isSecondSorted &&= compare(to - 1, to) < 0;
    if (!isSecondSorted) order.subarray(from, to).sort(compare);
    isSorted &&= isSecondSorted;
    from = to;
  }
  return { order, isSorted };
}
