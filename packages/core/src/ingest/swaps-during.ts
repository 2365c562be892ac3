import type { Swaps } from '../ledger/value.ts';
import { columnsOf, concatBatches } from '../records/columns.ts';
import { swapsTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, type Predicate } from '../storage/predicate.ts';
import { inRanges, MAX_RANGES, mergeSeconds } from './chain-keys.ts';

/** Transactions that one range of time may hold beside the wanted ones: to read them costs less than to leave them out. */
const SPARE = 10_000;
const SPARE_PART = 2;

/**
 * The stored swaps of these seconds, one for each wanted transaction, and perhaps others: all between the first and the last second
 * where that is hardly more, as for a batch that came before; else a few seconds at a time, so that memory holds little besides.
 */
export async function swapsDuring(reader: Reader, seconds: readonly number[]): Promise<Swaps> {
  const all = mergeSeconds(seconds, 1);
  const [first, last] = all[0]!;
  const stored = await reader.count(transactionsTable, between('block_time', first, last));
  if (stored <= seconds.length * SPARE_PART + SPARE) return readSwaps(reader, inRanges(all));
  const distinct = [...new Set(seconds)].sort((a, b) => a - b);
  const read: Swaps[] = [];
  for (let from = 0; from < distinct.length; from += MAX_RANGES) {
    const some = distinct.slice(from, from + MAX_RANGES);
    read.push(await readSwaps(reader, and(inRanges(mergeSeconds(some, 1)), inRanges(mergeSeconds(some)))));
  }
  return concatBatches(swapsTable, columnsOf(swapsTable), read);
}

async function readSwaps(reader: Reader, where: Predicate): Promise<Swaps> {
  return reader.read({ table: swapsTable, columns: columnsOf(swapsTable), where });
}
