import { type Batch, type ColumnType, NO_ID, type Table, takeValues } from '../records/columns.ts';
import { KeySet } from '../records/key-index.ts';
import { momentOfStored, storedMoment } from '../records/moment.ts';
import { transactionsTable, transfersTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, between, isIn, type Predicate } from '../storage/predicate.ts';
import { transactionColumns } from '../storage/reads.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { ValidSwaps } from './batch-validator.ts';
import type { ChainKeys } from './chain-keys.ts';
import { type Checkpoints, checkpointBytes } from './checkpoints.ts';
import { RecentVotes } from './suspects.ts';

/** What reading and caching a key takes, milliseconds. */
const READING = 0.00025;

/** What of the bytes of an ingest state keys, votes and checkpoints may take. */
const PARTS = { keys: 5 / 8, transfers: 1 / 8, votes: 3 / 16, checkpoints: 1 / 16 };

/** What ingest knows of the store between batches. After a failed write it is read again. */
export interface IngestState {
  /** Block time of the newest stored swap, `null` in an empty store. */
  lastTime: number | null;
  nextTx: number;
  readonly known: KnownTransactions;
  /** The number of the next transfer. */
  nextTransfer: number;
  /** Block time of the newest transfer that was ever stored, `null` without one: then none are looked for. */
  lastTransfer: number | null;
  /** The transactions of the stored transfers. */
  readonly knownTransfers: KnownTransactions;
  /** Whether reference prices are stored: without any, none are looked for. */
  hasReferencePrices: boolean;
  /** The votes for the prices of tokens, as far as this process has seen them. */
  readonly votes: RecentVotes;
  /** Of the last writes of this process. */
  checkpoints: Checkpoints;
  /** Bytes that these may take. */
  readonly checkpointBytes: number;
  /** Where the store begins (`ingest/carried.ts`), Unix seconds; 0 if it has forgotten nothing. */
  readonly horizon: number;
}

interface Stored extends Pick<IngestState, 'lastTime' | 'lastTransfer' | 'hasReferencePrices' | 'horizon'> {
  /** How many the store holds; their ids are those from 0. */
  readonly transactions: number;
  readonly nextTransfer: number;
}

/** `bytes`: what the state may take. */
export function newIngestState({ transactions, ...stored }: Stored, bytes: number): IngestState {
  return {
    ...stored,
    nextTx: transactions,
    known: new KnownTransactions(transactionsTable, transactions, bytes * PARTS.keys),
    knownTransfers: new KnownTransactions(transfersTable, stored.nextTransfer, bytes * PARTS.transfers),
    votes: new RecentVotes(bytes * PARTS.votes),
    checkpoints: [],
    checkpointBytes: bytes * PARTS.checkpoints,
  };
}

/** What an ingest state takes, about. */
export function ingestBytes({ known, knownTransfers, votes, checkpoints }: IngestState): number {
  return known.bytes + knownTransfers.bytes + votes.bytes + checkpointBytes(checkpoints);
}

/** A table whose rows have transactions. */
type Keyed = Table<{ readonly tx_key: 'long' } & Readonly<Record<string, ColumnType>>>;

/**
 * The keys of the transactions of the rows of a table, cached in this process, so that a batch of new transactions needs no lookup in the store.
 *
 * After a store is opened, batches query it. Its keys are read once the lookups have taken as long as reading them would: after some
 * blocks on an engine that scans, after hundreds on one that has an index.
 */
export class KnownTransactions {
  #keys: KeySet | undefined;
  #stored: number;
  #looked = 0;
  readonly #table: Keyed;
  readonly #most: number;

  /** `stored`: how many rows the table has. `most`: bytes of their keys; with more, each batch queries the store. */
  constructor(table: Keyed, stored: number, most = Number.POSITIVE_INFINITY) {
    this.#table = table;
    this.#stored = stored;
    this.#most = most;
    if (stored === 0 && KeySet.bytesOf(0) <= most) this.#keys = new KeySet();
  }

  get bytes(): number {
    return this.#keys === undefined ? 0 : KeySet.bytesOf(this.#keys.size);
  }

  /** Those of the keys that the store may hold, among them all that it holds. */
  async mayBeStored(reader: Reader, keys: readonly number[] | Float64Array): Promise<Float64Array> {
    if (
      this.#keys === undefined &&
      this.#looked >= this.#stored * READING &&
      KeySet.bytesOf(this.#stored) <= this.#most
    )
      await this.#load(reader);
    const known = this.#keys;
    return Float64Array.from(known === undefined ? keys : Array.from(keys).filter((key) => known.has(key)));
  }

  /** Notes how long a lookup of keys in the store took, milliseconds. */
  looked(milliseconds: number): void {
    this.#looked += milliseconds;
  }

  async add(keys: Float64Array): Promise<void> {
    this.#stored += keys.length;
    if (KeySet.bytesOf(this.#stored) > this.#most) this.#keys = undefined;
    const known = this.#keys;
    if (known === undefined) return;
    const pause = yielder();
    for (let i = 0; i < keys.length; i++) {
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
      known.add(keys[i]!);
    }
  }

  async #load(reader: Reader): Promise<void> {
    const keys = new KeySet(this.#stored);
    for await (const rows of reader.stream({ table: this.#table, columns: ['tx_key'] }))
      for (const key of rows.columns.tx_key) keys.add(key);
    this.#keys = keys;
  }
}

/** The transactions of a batch as columns: what the store has of each, else what its first row in the batch says. */
export interface Transactions {
  readonly length: number;
  readonly hash: readonly string[];
  readonly key: readonly number[];
  readonly time: Float64Array;
  readonly slot: Float64Array;
  readonly index: Float64Array;
  /** As in `ChainKeys`: the smallest of the stored row and of the batch, once `deduplicate` has seen all rows. */
  readonly moment: Float64Array;
  readonly filePlace: Float64Array;
  /** Id in the store, `NO_ID` while it is not stored. */
  readonly tx: Int32Array;
  /** Place of each valid swap's transaction among these. */
  readonly placeOf: Int32Array;
}

/**
 * The transactions of the valid swaps. Those that are stored mostly have a time of the batch, where engines without indexes find them in
 * a few blocks. The others are looked up at all times, because a hash may be stored with another time.
 */
export async function findTransactions(
  reader: Reader,
  validSwaps: ValidSwaps,
  known: KnownTransactions,
): Promise<Transactions> {
  const places = new Map<string, number>();
  const transactions = await gather(validSwaps.keys, places);
  const wanted = await known.mayBeStored(reader, transactions.key);
  if (wanted.length === 0) return transactions;
  const pause = yielder();
  const begun = performance.now();
  await takeStored(reader, transactions, places, and(isIn('tx_key', wanted), duringBatch(validSwaps.keys.time)));
  await pause.yieldIfDue();
  const missing = new Set(transactions.key.filter((_, place) => transactions.tx[place] === NO_ID));
  const others = wanted.filter((key) => missing.has(key));
  if (others.length > 0) await takeStored(reader, transactions, places, isIn('tx_key', others));
  known.looked(performance.now() - begun);
  return transactions;
}

/** The transactions of the valid swaps as their first rows have them. `places` gets the place of each hash, in their order. */
async function gather({ length: rows, ...keys }: ChainKeys, places: Map<string, number>): Promise<Transactions> {
  const time = new Float64Array(rows);
  const slot = new Float64Array(rows);
  const index = new Float64Array(rows);
  const moment = new Float64Array(rows);
  const filePlace = new Float64Array(rows);
  const placeOf = new Int32Array(rows);
  const pause = yielder();
  for (let row = 0; row < rows; row++) {
    if (row % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const text = keys.txHash[row]!;
    const known = places.size;
    const place = places.get(text) ?? known;
    if (place === known) {
      places.set(text, place);
      time[place] = keys.time[row]!;
      slot[place] = keys.slot[row]!;
      index[place] = keys.index[row]!;
      moment[place] = keys.moment[row]!;
      filePlace[place] = keys.filePlace[row]!;
    }
    placeOf[row] = place;
  }
  const hash = [...places.keys()];
  const key = hash.map(hash53);
  const tx = new Int32Array(hash.length).fill(NO_ID);
  return { length: hash.length, hash, key, time, slot, index, moment, filePlace, tx, placeOf };
}

function duringBatch(blockTime: Float64Array): Predicate {
  const first = blockTime.reduce((a, b) => Math.min(a, b));
  const last = blockTime.reduce((a, b) => Math.max(a, b));
  return between('block_time', first, last);
}

/** Takes over the stored rows of these transactions for which `where` holds. */
async function takeStored(
  reader: Reader,
  transactions: Transactions,
  places: ReadonlyMap<string, number>,
  where: Predicate,
): Promise<void> {
  const { columns: c, length } = await reader.read({
    table: transactionsTable,
    columns: transactionColumns,
    where,
  });
  for (let i = 0; i < length; i++) {
    // Another transaction may have the same key.
    const place = places.get(c.tx_hash[i]!);
    if (place === undefined) continue;
    transactions.tx[place] = c.tx[i]!;
    transactions.time[place] = c.block_time[i]!;
    transactions.slot[place] = c.block_slot[i]!;
    transactions.index[place] = c.tx_index[i]!;
    transactions.moment[place] = momentOfStored(c.moment[i]!);
    transactions.filePlace[place] = c.file_place[i]! || 0;
  }
}

/** Gives the transactions of new swaps their ids, in the order of the swaps, and stores them. */
export async function storeTransactions(
  writer: Writer,
  state: IngestState,
  transactions: Transactions,
  fresh: Uint32Array,
): Promise<void> {
  const { tx, placeOf } = transactions;
  const places = new Int32Array(transactions.length);
  const firstTx = state.nextTx;
  for (let i = 0; i < fresh.length; i++) {
    const place = placeOf[fresh[i]!]!;
    if (tx[place] !== NO_ID) continue;
    places[state.nextTx - firstTx] = place;
    tx[place] = state.nextTx++;
  }
  const added = places.subarray(0, state.nextTx - firstTx);
  const rows = await rowsOf(transactions, added);
  await writer.append(transactionsTable, rows);
  await state.known.add(rows.columns.tx_key);
}

/** Stores what orders transactions that the store has and a batch moved. */
export async function moveTransactions(
  writer: Writer,
  transactions: Transactions,
  places: Iterable<number>,
): Promise<void> {
  await writer.replace(transactionsTable, await rowsOf(transactions, Int32Array.from(places)));
}

async function rowsOf(transactions: Transactions, places: Int32Array): Promise<Batch<typeof transactionsTable>> {
  const pause = yielder();
  const pick = async (column: Float64Array): Promise<Float64Array> => {
    await pause.yieldIfDue();
    return takeValues(column, places) as Float64Array;
  };
  const [moment, filePlace] = [await pick(transactions.moment), await pick(transactions.filePlace)];
  for (let i = 0; i < places.length; i++) {
    moment[i] = storedMoment(moment[i]!);
    if (filePlace[i] === 0) filePlace[i] = Number.NaN;
  }
  return {
    length: places.length,
    columns: {
      tx: Int32Array.from(places, (place) => transactions.tx[place]!),
      tx_key: Float64Array.from(places, (place) => transactions.key[place]!),
      tx_hash: Array.from(places, (place) => transactions.hash[place]!),
      block_time: await pick(transactions.time),
      block_slot: await pick(transactions.slot),
      tx_index: await pick(transactions.index),
      moment,
      file_place: filePlace,
    },
  };
}

/**
 * A 53-bit hash of a text, as a double: to find a transaction by, a hit is confirmed on the text.
 * Two 32-bit multiplicative hashes side by side (the cyrb53 construction, public domain).
 */
export function hash53(text: string): number {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 2654435761);
    b = Math.imul(b ^ unit, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return 4294967296 * (b & 0x1fffff) + (a >>> 0);
}
