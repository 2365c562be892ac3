import { columnsOf, concatBatches, type Table, takeRows } from '../../records/columns.ts';
import { transactionsTable, transfersTable } from '../../records/tables.ts';
import type { Reader } from '../../storage/adapter.ts';
import { and, between, isIn } from '../../storage/predicate.ts';
import { hash53, type IngestState, type KnownTransactions } from '../transactions.ts';
import type { Transfers } from './check.ts';

/** Where a transaction stands: `NaN` where its slot or index is not known. */
export interface Place {
  readonly time: number;
  readonly slot: number;
  readonly index: number;
}

/** A transaction of transfers. */
export class TransferTransaction {
  readonly key: number;
  /** Rows by their indexes. */
  readonly byIndex = new Map<number, number>();
  /** Whether the store has swaps or transfers of it. */
  isStored = false;
  /** Where its swaps stand, if it has any. */
  swaps: Place | undefined;
  /** The earliest that its transfers say. */
  #earliest: Place | undefined;

  constructor(key: number) {
    this.key = key;
  }

  get place(): Place {
    return this.swaps ?? this.#earliest!;
  }

  /** Takes over what row `i` says of its place: the earliest in each part, so that any order of rows leaves the same. */
  note({ columns: c }: Transfers, i: number): void {
    const said = { time: c.block_time[i]!, slot: c.block_slot[i]!, index: c.tx_index[i]! };
    const known = this.#earliest ?? said;
    this.#earliest = {
      time: Math.min(known.time, said.time),
      slot: least(known.slot, said.slot),
      index: least(known.index, said.index),
    };
  }
}

const least = (a: number, b: number): number => (Number.isNaN(a) ? b : Number.isNaN(b) ? a : Math.min(a, b));

/** The transactions of transfers by their hashes, and all their stored transfers. */
export interface TransferTransactions {
  readonly of: ReadonlyMap<string, TransferTransaction>;
  readonly stored: Transfers;
}

/** Puts the rows of a transaction where it stands, and marks in `isOther` those that stood elsewhere. */
export function setPlaces({ columns: c }: Transfers, transaction: TransferTransaction, isOther: Uint8Array): void {
  for (const row of transaction.byIndex.values()) {
    const { time, slot, index } = transaction.place;
    if (c.block_time[row] === time && Object.is(c.block_slot[row], slot) && Object.is(c.tx_index[row], index)) continue;
    c.block_time[row] = time;
    c.block_slot[row] = slot;
    c.tx_index[row] = index;
    isOther[row] = 1;
  }
}

const swapPlaces = ['tx_key', 'tx_hash', 'block_time', 'block_slot', 'tx_index'] as const;

/** What the store has of the transactions of some rows. Those that are stored mostly have a time of the rows. */
export async function findPlaces(
  reader: Reader,
  { known, knownTransfers }: Pick<IngestState, 'known' | 'knownTransfers'>,
  { columns: { tx_hash: hashes, tx_key: keys, block_time: times } }: Transfers,
): Promise<TransferTransactions> {
  const of = new Map<string, TransferTransaction>();
  for (const [i, hash] of hashes.entries()) {
    const transaction = of.get(hash!) ?? new TransferTransaction(hash53(hash!));
    of.set(hash!, transaction);
    keys[i] = transaction.key;
  }
  const wanted = Array.from(of.values(), ({ key }) => key);
  const swaps = await rowsOf(reader, { table: transactionsTable, columns: swapPlaces, known }, wanted, times);
  const s = swaps.columns;
  for (let i = 0; i < swaps.length; i++) {
    // Another transaction may have the same key.
    const transaction = of.get(s.tx_hash[i]!);
    if (transaction === undefined) continue;
    transaction.isStored = true;
    transaction.swaps = { time: s.block_time[i]!, slot: s.block_slot[i]!, index: s.tx_index[i]! };
  }
  const asked = { table: transfersTable, columns: columnsOf(transfersTable), known: knownTransfers } as const;
  const found: Transfers = await rowsOf(reader, asked, wanted, times);
  const rows = Array.from(found.columns.tx_hash.keys()).filter((row) => of.has(found.columns.tx_hash[row]!));
  const stored = takeRows(found, rows);
  for (let row = 0; row < stored.length; row++) {
    const transaction = of.get(stored.columns.tx_hash[row]!)!;
    transaction.isStored = true;
    transaction.byIndex.set(stored.columns.transfer_index[row]!, row);
    transaction.note(stored, row);
  }
  return { of, stored };
}

/** The rows of a table with these keys: first those during the times, then those that these do not have. */
async function rowsOf<T extends Table, C extends keyof T['columns'] & string>(
  reader: Reader,
  { table, columns, known }: { readonly table: T; readonly columns: readonly C[]; readonly known: KnownTransactions },
  keys: readonly number[],
  times: Float64Array,
) {
  const wanted = await known.mayBeStored(reader, keys);
  if (wanted.length === 0) return concatBatches(table, columns, []);
  const begun = performance.now();
  const [first, last] = [times.reduce((a, b) => Math.min(a, b)), times.reduce((a, b) => Math.max(a, b))];
  const near = and(isIn('tx_key', wanted), between('block_time', first, last));
  const found = await reader.read({ table, columns, where: near });
  const has = new Set(found.columns['tx_key' as C] as Float64Array);
  const others = wanted.filter((key) => !has.has(key));
  const rest = others.length === 0 ? [] : [await reader.read({ table, columns, where: isIn('tx_key', others) })];
  known.looked(performance.now() - begun);
  return concatBatches(table, columns, [found, ...rest]);
}
