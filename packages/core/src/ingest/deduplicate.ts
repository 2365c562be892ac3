import type { Conflict, SameSwap } from '../ingest-result.ts';
import { hasAggregate, LEAST_SUMMED } from '../ledger/aggregates.ts';
import type { Swaps } from '../ledger/value.ts';
import { columnsBut, columnsOf, concatBatches, NO_ID, newBatch } from '../records/columns.ts';
import { addTo, KeyIndex, placesOf } from '../records/key-index.ts';
import { earliestMoment, smallestGiven } from '../records/moment.ts';
import { swapsTable, transactionsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, type Predicate } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { ValidSwaps } from './batch-validator.ts';
import { type ChainKeys, inRanges, MAX_RANGES, mergeSeconds } from './chain-keys.ts';
import { type EqualSwapsOfBatch, isEqualAmount, type StoredBefore } from './equal-swaps.ts';
import type { Transactions } from './transactions.ts';

/**
 * Which valid swaps are new, as rows in their order, and of how many of their transactions one swap is the sum of the others.
 * `moved`: places of stored transactions that a row moves within their second.
 */
export interface Deduplicated {
  readonly fresh: Uint32Array;
  readonly duplicate: number;
  readonly aggregates: number;
  readonly moved: ReadonlySet<number>;
}

/** More than the distinct swap indexes of a batch and of what is stored of its transactions. */
const MOST_INDEXES = 2 ** 26;

/** Transactions that one range of time may hold beside the wanted ones: to read them costs less than to leave them out. */
const SPARE = 10_000;
const SPARE_PART = 2;

export const payload = columnsBut(swapsTable, 'seq', 'tx', 'usd_amount_in', 'usd_amount_out', 'valued_by');

/**
 * Finds the new swaps of a batch. A swap is identified by (tx_hash, swap_index), and all rows of a transaction share time, slot and
 * index. The first row wins, stored or earlier in the batch. Of log indexes, fractions and places in files each row counts that is of the
 * transaction, also if it is not stored: the transactions get the smallest.
 *
 * - `idOf`: the store's id of each local text, `NO_ID` if it has none yet.
 */
export async function deduplicate(
  reader: Reader,
  validSwaps: ValidSwaps,
  transactions: Transactions,
  o: {
    readonly idOf: Int32Array;
    readonly onConflict: (conflict: Conflict) => void;
    readonly same?: LookForSame | undefined;
  },
): Promise<Deduplicated> {
  const { idOf, onConflict } = o;
  const { swaps } = validSwaps;
  const { swap_index: indexes } = swaps.columns;
  const stored = await storedSwaps(reader, transactions);
  const besideStored = payloadOf(swaps, stored.swaps);
  const besideBatch = payloadOf(swaps, swaps);
  // First the stored swaps have places, then the new ones, in the order of `fresh`.
  const known = new KeyIndex(stored.rows.length + swaps.length);
  const indexPlaces = new KeyIndex();
  const placeOf = (transaction: number, index: number): number =>
    known.placeOf(transaction * MOST_INDEXES + indexPlaces.placeOf(index));
  const storedRows: number[] = [];
  for (const [at, row] of stored.rows.entries())
    storedRows[placeOf(stored.transactions[at]!, stored.swaps.columns.swap_index[row]!)] = row;
  const fresh = new Uint32Array(swaps.length);
  const gone: number[] = [];
  const moved = new Set<number>();
  let added = 0;
  let duplicate = 0;
  const conflict = (i: number, reason: string): void =>
    onConflict({ row: validSwaps.rows[i]!, tx_hash: validSwaps.keys.txHash[i]!, swap_index: indexes[i]!, reason });
  const same = o.same && new SameSwaps(validSwaps, stored, transactions, o.same, idOf);
  const pause = yielder();
  for (let i = 0; i < swaps.length; i++) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const transaction = transactions.placeOf[i]!;
    const difference = transactionDifference(transactions, transaction, validSwaps.keys, i);
    if (difference !== undefined) {
      conflict(i, difference);
      continue;
    }
    if (moveTransaction(transactions, transaction, validSwaps.keys, i)) moved.add(transaction);
    const place = placeOf(transaction, indexes[i]!);
    const earlier = place - storedRows.length;
    if (earlier === added) {
      // Of a row that is left out, a second one finds this place, and is a duplicate or differs, too.
      fresh[added++] = i;
      if (same?.isLeftOut(transaction, i)) gone.push(i);
      continue;
    }
    const field =
      earlier < 0
        ? payloadDifference(besideStored, i, storedRows[place]!, idOf)
        : payloadDifference(besideBatch, i, fresh[earlier]!, undefined);
    if (field !== undefined) {
      conflict(i, payloadConflict(field));
      continue;
    }
    duplicate++;
    if (earlier < 0) same?.cameItself(transaction, i, storedRows[place]!);
  }
  const isGone = new Set(gone);
  const left = fresh.subarray(0, added);
  const taken = gone.length === 0 ? left : left.filter((i) => !isGone.has(i));
  const aggregates = aggregatesOf(taken, { swaps, stored, transactions, idOf });
  return { fresh: taken, duplicate: duplicate + gone.length, aggregates, moved };
}

/** Takes over what row `i` says of the order of its transaction. Whether that moves a stored one. */
function moveTransaction(
  { moment, filePlace, tx }: Pick<Transactions, 'moment' | 'filePlace' | 'tx'>,
  place: number,
  keys: ChainKeys,
  i: number,
): boolean {
  if (moment[place] === keys.moment[i] && filePlace[place] === keys.filePlace[i]) return false;
  const [m, f] = [
    earliestMoment(moment[place]!, keys.moment[i]!),
    smallestGiven(filePlace[place]!, keys.filePlace[i]!),
  ];
  if (m === moment[place] && f === filePlace[place]) return false;
  moment[place] = m;
  filePlace[place] = f;
  return tx[place] !== NO_ID;
}

/** In how many transactions of new swaps one swap is the sum of the others, of those that are stored and those that are new. */
function aggregatesOf(
  fresh: Uint32Array,
  o: {
    readonly swaps: Swaps;
    readonly stored: StoredSwaps;
    readonly transactions: Transactions;
    readonly idOf: Int32Array;
  },
): number {
  const { transactions, stored } = o;
  const counts = new Int32Array(transactions.length);
  for (const i of fresh) counts[transactions.placeOf[i]!]!++;
  const hasNew = counts.slice();
  for (const transaction of stored.transactions) counts[transaction]!++;
  const isSummed = (transaction: number): boolean => hasNew[transaction]! > 0 && counts[transaction]! >= LEAST_SUMMED;
  const rowsOf = new Map<number, number[]>();
  for (const i of fresh) if (isSummed(transactions.placeOf[i]!)) addTo(rowsOf, transactions.placeOf[i]!, i);
  const storedOf = new Map<number, number[]>();
  for (const [at, row] of stored.rows.entries())
    if (isSummed(stored.transactions[at]!)) addTo(storedOf, stored.transactions[at]!, row);
  let found = 0;
  const [a, b] = [o.swaps.columns, stored.swaps.columns];
  for (const [transaction, rows] of rowsOf) {
    const before = storedOf.get(transaction) ?? [];
    // Local ids of texts that the store lacks are no ids of the store.
    const tokenOf = (local: number): number => (o.idOf[local] === NO_ID ? -2 - local : o.idOf[local]!);
    const swaps = {
      token_in: [...rows.map((i) => tokenOf(a.token_in[i]!)), ...before.map((row) => b.token_in[row]!)],
      token_out: [...rows.map((i) => tokenOf(a.token_out[i]!)), ...before.map((row) => b.token_out[row]!)],
      token_amount_in: [...rows.map((i) => a.token_amount_in[i]!), ...before.map((row) => b.token_amount_in[row]!)],
      token_amount_out: [...rows.map((i) => a.token_amount_out[i]!), ...before.map((row) => b.token_amount_out[row]!)],
    };
    if (hasAggregate(swaps, 0, swaps.token_in.length)) found++;
  }
  return found;
}

/** Finds new swaps that the store had before the import, under another index. */
class SameSwaps {
  readonly #valid: ValidSwaps;
  readonly #stored: StoredSwaps;
  readonly #transactions: Transactions;
  readonly #o: LookForSame;
  readonly #idOf: Int32Array;
  readonly #before = new Map<number, readonly number[]>();

  constructor(valid: ValidSwaps, stored: StoredSwaps, transactions: Transactions, o: LookForSame, idOf: Int32Array) {
    this.#valid = valid;
    this.#stored = stored;
    this.#transactions = transactions;
    this.#o = o;
    this.#idOf = idOf;
    const rowsOf = new Map<number, number[]>();
    for (const [at, row] of stored.rows.entries()) addTo(rowsOf, stored.transactions[at]!, row);
    const indexes = stored.swaps.columns.swap_index;
    for (const [transaction, rows] of rowsOf) {
      const tx = transactions.tx[transaction]!;
      if (!o.equalSwaps.isOld(tx)) continue;
      const before = rows.filter((row) => !o.equalSwaps.isAdded(tx, indexes[row]!));
      this.#before.set(
        transaction,
        before.sort((a, b) => indexes[a]! - indexes[b]!),
      );
    }
  }

  /** Input row `i` is the stored swap at `row`. */
  cameItself(transaction: number, i: number, row: number): void {
    const rank = this.#before.get(transaction)?.indexOf(row) ?? -1;
    if (rank < 0) return;
    this.#o.equalSwaps.cameItself(this.#transactions.tx[transaction]!, rank, () => this.#equals(transaction, i));
  }

  /** Whether the new swap `i` is left out. */
  isLeftOut(transaction: number, i: number): boolean {
    const before = this.#before.get(transaction);
    if (before === undefined) return false;
    const tx = this.#transactions.tx[transaction]!;
    const { swaps, rows, keys } = this.#valid;
    const index = swaps.columns.swap_index[i]!;
    const isSame = this.#o.equalSwaps.isSame(tx, index, this.#equals(transaction, i));
    const same = { row: rows[i]!, tx_hash: keys.txHash[i]!, swap_index: index };
    if (isSame && this.#o.leavesOut(same)) return true;
    this.#o.equalSwaps.add(tx, index);
    return false;
  }

  #equals(transaction: number, i: number): readonly StoredBefore[] {
    const a = this.#valid.swaps.columns;
    const b = this.#stored.swaps.columns;
    return this.#before.get(transaction)!.map((row, rank) => ({
      rank,
      isEqual:
        storeId(a.token_in[i]!, this.#idOf) === b.token_in[row] &&
        storeId(a.token_out[i]!, this.#idOf) === b.token_out[row] &&
        isEqualAmount(a.token_amount_in[i]!, b.token_amount_in[row]!) &&
        isEqualAmount(a.token_amount_out[i]!, b.token_amount_out[row]!),
    }));
  }
}

/** How swaps are found that the store had under another index. */
export interface LookForSame {
  readonly equalSwaps: EqualSwapsOfBatch;
  /** Called for each of them; one that it leaves out is a duplicate. */
  readonly leavesOut: (same: SameSwap) => boolean;
}

/** Whether two numbers are the same, or both missing. */
export const same = (a: number, b: number): boolean => a === b || (Number.isNaN(a) && Number.isNaN(b));

/** Columns of what all swaps of a transaction share. */
export type TransactionKeys = Readonly<Record<'time' | 'slot' | 'index', Float64Array>>;

/** Why row `i` of `keys` is none of the transaction at `place`, if it is not. */
export function transactionDifference(
  { time, slot, index }: TransactionKeys,
  place: number,
  keys: TransactionKeys,
  i: number,
): string | undefined {
  if (time[place] !== keys.time[i]) return `"block_time" is ${keys.time[i]} where the transaction has ${time[place]}`;
  if (!same(slot[place]!, keys.slot[i]!))
    return `"block_slot" is ${keys.slot[i]} where the transaction has ${slot[place]}`;
  if (!same(index[place]!, keys.index[i]!))
    return `"tx_index" is ${keys.index[i]} where the transaction has ${index[place]}`;
  return undefined;
}

/** Why a swap is not stored beside one of its identity. */
export function payloadConflict(field: string): string {
  return `"${field}" differs from the row known under this identity`;
}

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
 * The first column in which row `i` of one batch differs from row `j` of the other.
 *
 * - `idOf`: given if the other batch is stored, whose text ids are those of the store. Within a batch local ids are compared, because the
 *   store may lack the texts.
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

/** The stored swaps of the transactions that are stored: `rows` of `swaps`, and the place of the transaction of each. */
interface StoredSwaps {
  readonly swaps: Swaps;
  readonly rows: readonly number[];
  readonly transactions: readonly number[];
}

async function storedSwaps(reader: Reader, transactions: Transactions): Promise<StoredSwaps> {
  const places: number[] = [];
  for (let place = 0; place < transactions.length; place++) if (transactions.tx[place] !== NO_ID) places.push(place);
  if (places.length === 0) return { swaps: newBatch(swapsTable, 0), rows: [], transactions: [] };
  const swaps = await swapsDuring(
    reader,
    places.map((place) => transactions.time[place]!),
  );
  const known = placesOf(Int32Array.from(places, (place) => transactions.tx[place]!));
  const stored = { swaps, rows: [] as number[], transactions: [] as number[] };
  for (let row = 0; row < swaps.length; row++) {
    const at = known.find(swaps.columns.tx[row]!);
    if (at < 0) continue;
    stored.rows.push(row);
    stored.transactions.push(places[at]!);
  }
  return stored;
}

/**
 * The stored swaps of these seconds, one second for each wanted transaction, and perhaps others. If the store has hardly more between the
 * first and the last second, as for a batch that came before, one query reads them all. Otherwise each query reads a few seconds, so that
 * memory holds few other swaps.
 */
async function swapsDuring(reader: Reader, seconds: readonly number[]): Promise<Swaps> {
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
