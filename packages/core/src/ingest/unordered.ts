import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import { allRows, columnsOf, concatBatches } from '../records/columns.ts';
import { swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { readBySeq } from '../storage/reads.ts';
import { type ChainKeys, inRanges, joinKeys, keysOf } from './chain-keys.ts';

/** Swaps, and the row of `keys` that each has; in chain order. */
export interface OrderedSwaps {
  readonly swaps: Swaps;
  readonly keys: ChainKeys;
  readonly order: ArrayLike<number>;
}

/**
 * How many swaps hashes alone put in order among the swaps that other transactions of their second have of one of their tokens. Quote
 * tokens count only in swaps of quote tokens: everything is traded for them.
 */
export function countUnordered(roles: Roles, { swaps, keys, order }: OrderedSwaps): number {
  const { length } = swaps;
  let count = 0;
  for (let from = 0, to = 1; from < length; from = to++) {
    while (to < length && isTied(keys, order[to - 1]!, order[to]!)) to++;
    if (keys.txHash[order[from]!] !== keys.txHash[order[to - 1]!]) count += countTied(from, to);
  }
  return count;

  function countTied(from: number, to: number): number {
    /** The transaction that has a token, `null` if several have. */
    const transactionOf = new Map<number, number | null>();
    const { tx } = swaps.columns;
    for (let i = from; i < to; i++)
      for (const token of tokensOf(roles, swaps, i)) {
        const known = transactionOf.get(token);
        if (known === undefined) transactionOf.set(token, tx[i]!);
        else if (known !== tx[i]) transactionOf.set(token, null);
      }
    let tied = 0;
    for (let i = from; i < to; i++)
      if (tokensOf(roles, swaps, i).some((token) => transactionOf.get(token) === null)) tied++;
    return tied;
  }
}

function isTied({ time, slot, index, moment, filePlace }: ChainKeys, a: number, b: number): boolean {
  return (
    time[a] === time[b] &&
    (slot[a]! || 0) === (slot[b]! || 0) &&
    (index[a]! || 0) === (index[b]! || 0) &&
    moment[a] === moment[b] &&
    filePlace[a] === filePlace[b]
  );
}

function tokensOf(roles: Roles, { columns: c }: Swaps, row: number): readonly number[] {
  const both = [c.token_in[row]!, c.token_out[row]!];
  const traded = both.filter((token) => roles.rankOf(token) < 0);
  return traded.length > 0 ? traded : both;
}

/** How many more there are once these swaps follow the stored ones up to `end`, whose second they may go on with. */
export async function countAppended(
  reader: Reader,
  roles: Roles,
  appended: OrderedSwaps,
  end: number,
): Promise<number> {
  if (end < 0) return countUnordered(roles, appended);
  const second = timeOf(end);
  const where = inRanges([[second, second]]);
  const swaps = await readBySeq(reader, swapsTable, where);
  const stored = { swaps, keys: await keysOf(reader, swaps, [[second, second]]), order: allRows(swaps.length) };
  const all = {
    swaps: concatBatches(swapsTable, columnsOf(swapsTable), [swaps, appended.swaps]),
    keys: joinKeys([stored.keys, appended.keys]),
    order: [...stored.order, ...Array.from(appended.order, (row) => row + swaps.length)],
  };
  return countUnordered(roles, all) - countUnordered(roles, stored);
}
