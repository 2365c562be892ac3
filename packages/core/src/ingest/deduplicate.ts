import type { Swaps } from '../ledger/value.ts';
import { columnsOf, NO_ID, newBatch } from '../records/columns.ts';
import { swapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { yielder } from '../yielder.ts';
import { KeyIndex } from './key-index.ts';
import type { Conflict } from './result.ts';
import { SwapRows } from './swap-rows.ts';
import { swapsDuring } from './swaps-during.ts';
import type { Transactions } from './transactions.ts';
import type { ValidSwaps } from './valid-swaps.ts';

/** Which valid swaps are new, as rows in their order. */
export interface Deduplicated {
  readonly fresh: Uint32Array;
  readonly duplicate: number;
}

/** Swaps between two looks at the clock. */
const CHECKED = 4096;

/** Columns that make up the payload of a swap. */
const payload = columnsOf(swapsTable).filter(
  (name) => !['seq', 'tx', 'usd_amount_in', 'usd_amount_out'].includes(name),
);

/**
 * Tells new swaps from known ones: identity is (tx_hash, swap_index), all rows of a transaction share time, slot and index.
 * The first row wins, stored or earlier in the batch. `idOf` gives the store's id of a local text, `NO_ID` where it has none yet.
 */
export async function deduplicate(
  reader: Reader,
  validSwaps: ValidSwaps,
  transactions: Transactions,
  idOf: Int32Array,
  onConflict: (conflict: Conflict) => void,
): Promise<Deduplicated> {
  const { swaps } = validSwaps;
  const { swap_index: indexes } = swaps.columns;
  const stored = await storedSwaps(reader, transactions);
  const beside = { stored: payloadOf(swaps, stored.swaps), batch: payloadOf(swaps, swaps) };
  const seen = new SwapRows(transactions.length, indexes);
  const fresh = new Uint32Array(swaps.length);
  let added = 0;
  let duplicate = 0;
  const conflict = (i: number, reason: string): void =>
    onConflict({ row: validSwaps.rows[i]!, tx_hash: validSwaps.txHash[i]!, swap_index: indexes[i]!, reason });
  const pause = yielder();
  for (let i = 0; i < swaps.length; i++) {
    if (i % CHECKED === 0) await pause.yieldIfDue();
    const place = transactions.placeOf[i]!;
    const difference = transactionDifference(transactions, place, validSwaps, i);
    if (difference !== undefined) {
      conflict(i, difference);
      continue;
    }
    const storedRow = stored.rows.find(place, indexes[i]!);
    const earlier = storedRow < 0 ? seen.find(place, indexes[i]!) : -1;
    if (storedRow < 0 && earlier < 0) {
      seen.add(place, i);
      fresh[added++] = i;
      continue;
    }
    const field =
      storedRow >= 0
        ? payloadDifference(beside.stored, i, storedRow, idOf)
        : payloadDifference(beside.batch, i, earlier, undefined);
    if (field === undefined) duplicate++;
    else conflict(i, `"${field}" differs from the row known under this identity`);
  }
  return { fresh: fresh.subarray(0, added), duplicate };
}

const same = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

function transactionDifference(
  { time, slot, index }: Transactions,
  place: number,
  validSwaps: ValidSwaps,
  i: number,
): string | undefined {
  if (time[place] !== validSwaps.blockTime[i])
    return `"block_time" is ${validSwaps.blockTime[i]} where the transaction has ${time[place]}`;
  if (!same(slot[place]!, validSwaps.blockSlot[i]!))
    return `"block_slot" is ${validSwaps.blockSlot[i]} where the transaction has ${slot[place]}`;
  if (!same(index[place]!, validSwaps.txIndex[i]!))
    return `"tx_index" is ${validSwaps.txIndex[i]} where the transaction has ${index[place]}`;
  return undefined;
}

/** A column of the payload in two batches. */
interface PayloadColumn {
  readonly name: string;
  readonly isText: boolean;
  readonly a: Int32Array | Float64Array;
  readonly b: Int32Array | Float64Array;
}

/** The payload of two batches, column beside column: looked up once, not for each row. */
function payloadOf(a: Swaps, b: Swaps): readonly PayloadColumn[] {
  return payload.map((name) => ({
    name,
    isText: swapsTable.columns[name] === 'id',
    a: a.columns[name],
    b: b.columns[name],
  }));
}

/**
 * The first column in which row `i` of one batch differs from row `j` of the other. `idOf` gives the ids in the store where the other
 * has those; within a batch the local ids tell texts apart, which the store may lack.
 */
function payloadDifference(
  columns: readonly PayloadColumn[],
  i: number,
  j: number,
  idOf: Int32Array | undefined,
): string | undefined {
  for (const { name, isText, a, b } of columns) {
    const x = a[i]!;
    const y = b[j]!;
    if (!isText) {
      if (!same(x, y)) return name;
    } else if ((idOf === undefined ? x : storeId(x, idOf)) !== y) return name;
  }
  return undefined;
}

function storeId(local: number, ids: Int32Array): number {
  if (local === NO_ID) return NO_ID;
  const id = ids[local]!;
  return id === NO_ID ? -2 : id;
}

/** The stored swaps of the transactions that are stored. */
async function storedSwaps(reader: Reader, transactions: Transactions): Promise<{ swaps: Swaps; rows: SwapRows }> {
  const places: number[] = [];
  for (let place = 0; place < transactions.length; place++) if (transactions.tx[place] !== NO_ID) places.push(place);
  if (places.length === 0) return { swaps: newBatch(swapsTable, 0), rows: new SwapRows(transactions.length, []) };
  const swaps = await swapsDuring(
    reader,
    places.map((place) => transactions.time[place]!),
  );
  const known = new KeyIndex(places.length);
  for (const place of places) known.placeOf(transactions.tx[place]!);
  const rows = new SwapRows(transactions.length, swaps.columns.swap_index);
  for (let row = 0; row < swaps.length; row++) {
    const at = known.find(swaps.columns.tx[row]!);
    if (at >= 0) rows.add(places[at]!, row);
  }
  return { swaps, rows };
}
