import { NO_ID } from '../records/columns.ts';
import { transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, isIn, type Predicate } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { KeySet } from './key-set.ts';
import type { KnownTransactions } from './known-transactions.ts';
import { TextIndex } from './text-index.ts';
import type { ValidSwaps } from './valid-swaps.ts';

/** The transactions of a batch as columns: what the store has of each, else what its first row in the batch says. */
export interface Transactions {
  readonly length: number;
  readonly hash: readonly string[];
  readonly key: readonly number[];
  readonly time: Float64Array;
  readonly slot: Float64Array;
  readonly index: Float64Array;
  /** Id in the store, `NO_ID` while it is not stored. */
  readonly tx: Int32Array;
  /** Place of each candidate's transaction among these. */
  readonly placeOf: Int32Array;
}

/**
 * The transactions of the valid swaps. Those that are known mostly lie at the times that the batch says, where engines without indexes
 * find them in a few blocks; the others are looked for at all times, since a hash may be stored with another one.
 */
export async function findTransactions(
  reader: Reader,
  validSwaps: ValidSwaps,
  known: KnownTransactions,
): Promise<Transactions> {
  const hashes = new TextIndex(validSwaps.swaps.length);
  const transactions = await gather(validSwaps, hashes);
  const wanted = await known.mayBeStored(reader, hashes.keys);
  if (wanted.length === 0) return transactions;
  const begun = performance.now();
  await takeStored(reader, { transactions, hashes }, and(isIn('tx_key', wanted), duringBatch(validSwaps.blockTime)));
  const missing = new KeySet();
  for (const [place, key] of hashes.keys.entries()) if (transactions.tx[place] === NO_ID) missing.add(key);
  const others = wanted.filter((key) => missing.has(key));
  if (others.length > 0) await takeStored(reader, { transactions, hashes }, isIn('tx_key', others));
  known.looked(performance.now() - begun);
  return transactions;
}

function duringBatch(blockTime: Float64Array): Predicate {
  const first = blockTime.reduce((a, b) => Math.min(a, b));
  const last = blockTime.reduce((a, b) => Math.max(a, b));
  return between('block_time', first, last);
}

/** Takes over what the store has of those of the transactions that `where` holds for. */
async function takeStored(
  reader: Reader,
  { transactions, hashes }: { readonly transactions: Transactions; readonly hashes: TextIndex },
  where: Predicate,
): Promise<void> {
  const { columns: c, length } = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
    where,
  });
  for (let i = 0; i < length; i++) {
    const place = hashes.find(c.tx_hash[i]!);
    if (place < 0) continue;
    transactions.tx[place] = c.tx[i]!;
    transactions.time[place] = c.block_time[i]!;
    transactions.slot[place] = c.block_slot[i]!;
    transactions.index[place] = c.tx_index[i]!;
  }
}

/** Rows between two looks at the clock. */
const CHECKED = 4096;

/** The transactions of the valid swaps as their first rows have them. */
async function gather(
  { swaps, txHash, blockTime, blockSlot, txIndex }: ValidSwaps,
  hashes: TextIndex,
): Promise<Transactions> {
  const rows = swaps.length;
  const time = new Float64Array(rows);
  const slot = new Float64Array(rows);
  const index = new Float64Array(rows);
  const placeOf = new Int32Array(rows);
  const pause = yielder();
  for (let row = 0; row < rows; row++) {
    if (row % CHECKED === 0) await pause.yieldIfDue();
    // The swaps of a transaction mostly stand together.
    if (row > 0 && txHash[row] === txHash[row - 1]) {
      placeOf[row] = placeOf[row - 1]!;
      continue;
    }
    const known = hashes.texts.length;
    const place = hashes.placeOf(txHash[row]!);
    placeOf[row] = place;
    if (place < known) continue;
    time[place] = blockTime[row]!;
    slot[place] = blockSlot[row]!;
    index[place] = txIndex[row]!;
  }
  const { texts: hash, keys: key } = hashes;
  const tx = new Int32Array(hash.length).fill(NO_ID);
  return { length: hash.length, hash, key, time, slot, index, tx, placeOf };
}
