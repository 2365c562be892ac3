import type { Swaps } from '../ledger/value.ts';
import { firstSeqAt, lastSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { swapsTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { between, isIn, or } from '../storage/predicate.ts';
import type { Candidates } from './candidates.ts';
import { hash53 } from './hash.ts';
import { mergeSeconds } from './place.ts';
import type { Conflict } from './result.ts';

/** A transaction as its first swap showed it; `tx` is `NO_ID` while it is not stored. */
export interface Transaction {
  tx: number;
  readonly txHash: string;
  readonly time: number;
  readonly slot: number;
  readonly index: number;
}

/** Which candidates are new, and the transaction of each candidate. */
export interface Identified {
  readonly fresh: readonly number[];
  readonly transactionOf: readonly Transaction[];
  readonly duplicate: number;
}

/** Columns that make up the payload of a swap. */
const payload = (Object.keys(swapsTable.columns) as (keyof typeof swapsTable.columns)[]).filter(
  (name) => !['seq', 'tx', 'usd_amount_in', 'usd_amount_out'].includes(name),
);

/**
 * Tells new swaps from known ones: identity is (tx_hash, swap_index), all rows of a transaction share time, slot and index.
 * The first row wins, stored or earlier in the batch. `idOf` gives the store's id of a local text, `NO_ID` where it has none yet.
 */
export async function identify(
  reader: Reader,
  candidates: Candidates,
  idOf: Int32Array,
  onConflict: (conflict: Conflict) => void,
): Promise<Identified> {
  const transactions = await findTransactions(reader, candidates);
  const stored = await storedSwaps(reader, [...transactions.values()]);
  const seen = new Map<Transaction, Map<number, number>>();
  const fresh: number[] = [];
  const transactionOf: Transaction[] = [];
  let duplicate = 0;
  const conflict = (i: number, reason: string): void =>
    onConflict({
      row: candidates.rows[i]!,
      tx_hash: candidates.txHash[i]!,
      swap_index: candidates.swaps.columns.swap_index[i]!,
      reason,
    });
  for (let i = 0; i < candidates.swaps.length; i++) {
    let known = transactions.get(candidates.txHash[i]!);
    if (known === undefined) {
      known = {
        tx: NO_ID,
        txHash: candidates.txHash[i]!,
        time: candidates.blockTime[i]!,
        slot: candidates.blockSlot[i]!,
        index: candidates.txIndex[i]!,
      };
      transactions.set(known.txHash, known);
    }
    transactionOf.push(known);
    const difference = transactionDifference(known, candidates, i);
    if (difference !== undefined) {
      conflict(i, difference);
      continue;
    }
    const swapIndex = candidates.swaps.columns.swap_index[i]!;
    const storedRow = stored.rowOf(known.tx, swapIndex);
    let inBatch = seen.get(known);
    if (inBatch === undefined) {
      inBatch = new Map();
      seen.set(known, inBatch);
    }
    const earlier = inBatch.get(swapIndex);
    if (storedRow === undefined && earlier === undefined) {
      inBatch.set(swapIndex, i);
      fresh.push(i);
      continue;
    }
    const [other, row, otherIds] =
      storedRow !== undefined
        ? ([stored.swaps, storedRow, undefined] as const)
        : ([candidates.swaps, earlier!, idOf] as const);
    const field = payloadDifference(candidates.swaps, i, idOf, other, row, otherIds);
    if (field === undefined) duplicate++;
    else conflict(i, `"${field}" differs from the row known under this identity`);
  }
  return { fresh, transactionOf, duplicate };
}

const same = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

function transactionDifference(known: Transaction, candidates: Candidates, i: number): string | undefined {
  if (known.time !== candidates.blockTime[i])
    return `"block_time" is ${candidates.blockTime[i]} where the transaction has ${known.time}`;
  if (!same(known.slot, candidates.blockSlot[i]!))
    return `"block_slot" is ${candidates.blockSlot[i]} where the transaction has ${known.slot}`;
  if (!same(known.index, candidates.txIndex[i]!))
    return `"tx_index" is ${candidates.txIndex[i]} where the transaction has ${known.index}`;
  return undefined;
}

function payloadDifference(
  a: Swaps,
  i: number,
  idsA: Int32Array,
  b: Swaps,
  j: number,
  idsB: Int32Array | undefined,
): string | undefined {
  for (const name of payload) {
    const x = a.columns[name][i]!;
    const y = b.columns[name][j]!;
    if (swapsTable.columns[name] !== 'id') {
      if (!same(x, y)) return name;
    } else {
      // Texts of the batch that the store lacks have no id: within the batch the local ids tell them apart.
      if (idsB === undefined ? storeId(x, idsA) !== y : x !== y) return name;
    }
  }
  return undefined;
}

function storeId(local: number, ids: Int32Array): number {
  if (local === NO_ID) return NO_ID;
  const id = ids[local]!;
  return id === NO_ID ? -2 : id;
}

async function findTransactions(reader: Reader, candidates: Candidates): Promise<Map<string, Transaction>> {
  const hashes = new Set(candidates.txHash);
  const keys = Float64Array.from(hashes, hash53);
  const rows = await reader.read({
    table: transactionsTable,
    columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
    where: isIn('tx_key', keys),
  });
  const found = new Map<string, Transaction>();
  const c = rows.columns;
  for (let i = 0; i < rows.length; i++) {
    const txHash = c.tx_hash[i]!;
    if (hashes.has(txHash))
      found.set(txHash, {
        tx: c.tx[i]!,
        txHash,
        time: c.block_time[i]!,
        slot: c.block_slot[i]!,
        index: c.tx_index[i]!,
      });
  }
  return found;
}

/** The stored swaps of these transactions, found by their seconds. */
async function storedSwaps(
  reader: Reader,
  transactions: readonly Transaction[],
): Promise<{ swaps: Swaps; rowOf: (tx: number, swapIndex: number) => number | undefined }> {
  const ranges = mergeSeconds(transactions.map((transaction) => transaction.time));
  const swaps = await reader.read({
    table: swapsTable,
    columns: Object.keys(swapsTable.columns) as (keyof typeof swapsTable.columns)[],
    where: or(...ranges.map(([from, to]) => between('seq', firstSeqAt(from), lastSeqAt(to)))),
  });
  const byTransaction = new Map<number, number[]>();
  for (let i = 0; i < swaps.length; i++) {
    const tx = swaps.columns.tx[i]!;
    const rows = byTransaction.get(tx);
    if (rows === undefined) byTransaction.set(tx, [i]);
    else rows.push(i);
  }
  return {
    swaps,
    rowOf: (tx, swapIndex) => byTransaction.get(tx)?.find((row) => swaps.columns.swap_index[row] === swapIndex),
  };
}
