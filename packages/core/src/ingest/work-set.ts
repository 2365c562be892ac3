import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { takeRows } from '../records/columns.ts';
import { nativePricesTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare } from '../storage/predicate.ts';
import type { Transaction } from './identify.ts';
import { mergeSeconds, placeRows, type Range, uniteRanges } from './place.ts';

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

interface Places {
  readonly time: Float64Array;
  readonly slot: Float64Array;
  readonly index: Float64Array;
  readonly txHash: readonly string[];
}

/** What chain order is made of, for the stored rows and then the new ones. */
export async function placesOf(
  reader: Reader,
  stored: Swaps,
  ranges: readonly Range[],
  fresh: readonly Transaction[],
  swaps: Swaps,
): Promise<Places> {
  const known = new Map<number, Transaction>();
  if (stored.length > 0) {
    const within = ranges.map(([from, to]) =>
      and(compare('block_time', 'gte', from), compare('block_time', 'lte', to)),
    );
    const rows = await reader.read({
      table: transactionsTable,
      columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
      where: { kind: 'or', of: within },
    });
    const c = rows.columns;
    for (let i = 0; i < rows.length; i++)
      known.set(c.tx[i]!, {
        tx: c.tx[i]!,
        txHash: c.tx_hash[i]!,
        time: c.block_time[i]!,
        slot: c.block_slot[i]!,
        index: c.tx_index[i]!,
      });
  }
  const transactions = [...Array.from(stored.columns.tx, (tx) => known.get(tx)!), ...fresh];
  if (transactions.length !== stored.length + swaps.length) throw new Error('A stored swap has no transaction.');
  return {
    time: Float64Array.from(transactions, (t) => t.time),
    slot: Float64Array.from(transactions, (t) => t.slot),
    index: Float64Array.from(transactions, (t) => t.index),
    txHash: transactions.map((t) => t.txHash),
  };
}

/** The rows in chain order, and which of them are new: those that came after the first `storedRows`. */
export function inChainOrder(rows: Swaps, places: Places, storedRows: number): { work: Swaps; added: number[] } {
  const { order, seq } = placeRows({ ...places, length: rows.length, swapIndex: rows.columns.swap_index });
  const work = takeRows(rows, order);
  work.columns.seq.set(seq);
  return { work, added: Array.from(order.keys()).filter((i) => order[i]! >= storedRows) };
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

/** A view of rows: writes go through to the whole. */
function sliceRows(swaps: Swaps, from: number, to: number): Swaps {
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [name, column.subarray(from, to)]),
  );
  return { length: to - from, columns } as unknown as Swaps;
}
