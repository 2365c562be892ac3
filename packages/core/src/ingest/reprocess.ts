import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { takeRows } from '../records/columns.ts';
import { nativePricesTable, swapsTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, compare, or } from '../storage/predicate.ts';
import {
  type ChainKeys,
  compareKeys,
  mergeSeconds,
  newChainKeys,
  type Range,
  rankRows,
  uniteRanges,
} from './chain-keys.ts';
import { KeyIndex } from './key-index.ts';
import { sliceRows } from './slice-rows.ts';
import type { ValidSwaps } from './valid-swaps.ts';

/** Stored seconds that have to be derived anew: those of late swaps, and those whose native price a late swap moves. */
export async function affectedRanges(
  reader: Reader,
  roles: Roles,
  swaps: Swaps,
  times: Float64Array,
  lastTime: number,
): Promise<Range[]> {
  const ranges: Range[] = mergeSeconds(times.filter((time) => time <= lastTime));
  if (ranges.length === 0) return [];
  const { token_in: tokenIn, token_out: tokenOut } = swaps.columns;
  const moving = times.filter((time, i) => time <= lastTime && isNativePair(roles, tokenIn[i]!, tokenOut[i]!));
  for (const [from, to] of mergeSeconds(moving)) {
    const next = await reader.read({
      table: nativePricesTable,
      columns: ['seq'],
      where: compare('seq', 'gt', lastSeqAt(to)),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: 1,
    });
    ranges.push([from, next.length === 0 ? lastTime : timeOf(next.columns.seq[0]!)]);
  }
  return uniteRanges(ranges);
}

function isNativePair(roles: Roles, a: number, b: number): boolean {
  return (roles.isNative(a) && roles.isStable(b)) || (roles.isNative(b) && roles.isStable(a));
}

/**
 * The seq of the newest stored swap, where all added swaps belong behind it although they share its second: a block may come in several
 * batches. Then none of them is late. Not where they go on with its transaction, whose trades change.
 */
export async function lastBefore(reader: Reader, added: ChainKeys, lastTime: number): Promise<number | undefined> {
  if (added.length === 0 || added.time.reduce((a, b) => Math.min(a, b)) !== lastTime) return undefined;
  const last = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'swap_index'],
    where: compare('seq', 'gte', firstSeqAt(lastTime)),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: 1,
  });
  if (last.length === 0) return undefined;
  const { columns: c } = await reader.read({
    table: transactionsTable,
    columns: ['tx_hash', 'block_time', 'block_slot', 'tx_index'],
    where: and(compare('block_time', 'eq', lastTime), compare('tx', 'eq', last.columns.tx[0]!)),
  });
  const key: ChainKeys = {
    length: 1,
    time: c.block_time,
    slot: c.block_slot,
    index: c.tx_index,
    txHash: c.tx_hash as string[],
    swapIndex: last.columns.swap_index,
  };
  for (let row = 0; row < added.length; row++)
    if (added.txHash[row] === key.txHash[0] || compareKeys(added, row, key, 0) < 0) return undefined;
  return last.columns.seq[0]!;
}

/** Where the `fresh` swaps belong. */
export function freshKeys(validSwaps: ValidSwaps, fresh: Uint32Array): ChainKeys {
  const keys = newChainKeys(fresh.length);
  for (let i = 0; i < fresh.length; i++) {
    const row = fresh[i]!;
    keys.time[i] = validSwaps.blockTime[row]!;
    keys.slot[i] = validSwaps.blockSlot[row]!;
    keys.index[i] = validSwaps.txIndex[row]!;
    keys.txHash[i] = validSwaps.txHash[row]!;
    keys.swapIndex[i] = validSwaps.swaps.columns.swap_index[row]!;
  }
  return keys;
}

/** Where the stored rows belong, and then the added ones. */
export async function withStoredKeys(
  reader: Reader,
  stored: Swaps,
  ranges: readonly Range[],
  added: ChainKeys,
): Promise<ChainKeys> {
  if (stored.length === 0) return added;
  const { columns: c, length } = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
    where: or(...ranges.map(([from, to]) => between('block_time', from, to))),
  });
  const known = new KeyIndex(length);
  for (let i = 0; i < length; i++) known.placeOf(c.tx[i]!);
  const keys = newChainKeys(stored.length + added.length);
  for (let row = 0; row < stored.length; row++) {
    const at = known.find(stored.columns.tx[row]!);
    if (at < 0) throw new Error('A stored swap has no transaction.');
    keys.time[row] = c.block_time[at]!;
    keys.slot[row] = c.block_slot[at]!;
    keys.index[row] = c.tx_index[at]!;
    keys.txHash[row] = c.tx_hash[at]!;
  }
  keys.swapIndex.set(stored.columns.swap_index);
  for (const name of ['time', 'slot', 'index', 'swapIndex'] as const) keys[name].set(added[name], stored.length);
  for (let i = 0; i < added.length; i++) keys.txHash[stored.length + i] = added.txHash[i]!;
  return keys;
}

/**
 * The rows in chain order, with their `seq`, and the block slot of each; and which of them are new: those that came after the first
 * `storedRows`.
 */
export function inChainOrder(
  rows: Swaps,
  keys: ChainKeys,
  storedRows: number,
  after: number | undefined,
): { work: Swaps; slots: Float64Array; added: Uint32Array } {
  const { order, seq, isSorted } = rankRows(keys, after);
  const work = isSorted ? rows : takeRows(rows, order);
  work.columns.seq.set(seq);
  const slots = new Float64Array(rows.length);
  for (let row = 0; row < order.length; row++) slots[row] = keys.slot[order[row]!]!;
  const added = new Uint32Array(rows.length - storedRows);
  let next = 0;
  for (let row = 0; row < order.length; row++) if (order[row]! >= storedRows) added[next++] = row;
  return { work, slots, added };
}

/** Runs of swaps between which the store may hold others: one for each range, and the swaps newer than all stored ones. */
export function splitRuns(work: Swaps, ranges: readonly Range[], lastTime: number): Swaps[] {
  const runs: Swaps[] = [];
  let from = 0;
  for (const to of [...ranges.map((range) => range[1]), Number.POSITIVE_INFINITY]) {
    let end = from;
    while (end < work.length && timeOf(work.columns.seq[end]!) <= to) end++;
    if (end > from) runs.push(sliceRows(work, from, end));
    from = end;
  }
  if (lastTime < 0 && runs.length > 1) throw new Error('An empty store has one run.');
  return runs;
}
