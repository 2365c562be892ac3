import { listKey } from '../cache/regions.ts';
import { type Fault, noteThrown } from '../faults.ts';
import { compareText, firstSeqAt, lastSeqAt, MAX_SWAP_INDEX } from '../records/chain-order.ts';
import { swapsTable, tradesTable } from '../records/tables.ts';
import { type CursorValue, checkCursor, readCursor, requestKey, writeCursor } from '../search/cursor.ts';
import type { Reader } from '../storage/adapter.ts';
import { between } from '../storage/predicate.ts';
import { readTransactions, type TransactionRow } from '../storage/reads.ts';
import { MAX_TIME } from '../time.ts';
import type { QueryContext } from './context.ts';

/** Place in chain order: what `seq` stands for, written out, so that a cursor outlives a late swap that re-ranks its second. */
export interface ListPlace {
  readonly transaction: TransactionRow;
  readonly index: number;
  /** 0 for a swap; which of the two trades of a swap. */
  readonly half: number;
}

export type Tuple = readonly (number | string | null)[];

const wholeTo = (greatest: number): CursorValue => ({ type: 'number', isNullable: false, greatest });

/** What `tupleOf` gives. */
const placeValues: readonly CursorValue[] = [
  wholeTo(MAX_TIME),
  ...Array.from({ length: 4 }, () => wholeTo(Number.MAX_SAFE_INTEGER)),
  { type: 'text', isNullable: false },
  wholeTo(MAX_SWAP_INDEX),
  wholeTo(1),
];

/** What is wrong with the cursor of a request that is at fault otherwise: whether it is its own, nobody can tell. */
export function cursorFaults(request: { readonly cursor?: string | undefined }): readonly Fault[] {
  const faults: Fault[] = [];
  if (request.cursor !== undefined) noteThrown(faults, () => checkCursor(request.cursor));
  return faults;
}

export function writeListCursor(name: string, body: object, place: ListPlace): string {
  return writeCursor(requestKey(name, body), tupleOf(place));
}

/** A cursor of a list that is as of an instant, Unix seconds: its pages are all of that one. */
export function writeCursorAsOf(name: string, body: object, asOf: number, place: ListPlace): string {
  return writeCursor(requestKey(name, body), [asOf, ...tupleOf(place)]);
}

/** The instant and the place of such a cursor. Errors: `invalid-cursor`. */
export function readCursorAsOf(
  name: string,
  body: object,
  cursor: string,
): { readonly asOf: number; readonly place: Tuple } {
  const [asOf, ...place] = readCursor(cursor, requestKey(name, body), [wholeTo(MAX_TIME), ...placeValues]);
  return { asOf: asOf as number, place };
}

/** The least seq, among the rows now stored, that comes at or after the cursor's place: the next page lies below it. */
export function seqOfCursor(reader: Reader, name: 'swaps' | 'trades', body: object, cursor: string): Promise<number> {
  return seqOfPlace(reader, name, readCursor(cursor, requestKey(name, body), placeValues));
}

/** As `seqOfCursor`, of a place that was read. */
export async function seqOfPlace(reader: Reader, name: 'swaps' | 'trades', place: Tuple): Promise<number> {
  const time = place[0] as number;
  const rows =
    name === 'swaps'
      ? await reader.read({
          table: swapsTable,
          columns: ['seq', 'tx', 'swap_index'],
          where: between('seq', firstSeqAt(time), lastSeqAt(time)),
        })
      : await reader.read({
          table: tradesTable,
          columns: ['seq', 'tx', 'trade_index'],
          where: between('seq', firstSeqAt(time), lastSeqAt(time)),
        });
  const transactions = await readTransactions(reader, rows.columns.tx);
  const indexes = 'swap_index' in rows.columns ? rows.columns.swap_index : rows.columns.trade_index;
  let least = lastSeqAt(time) + 1;
  for (let i = 0; i < rows.length; i++) {
    const seq = rows.columns.seq[i]!;
    const tuple = tupleOf({ transaction: transactions.get(rows.columns.tx[i]!)!, index: indexes[i]!, half: seq % 2 });
    if (seq < least && compareTuples(tuple, place) >= 0) least = seq;
  }
  return least;
}

function tupleOf({ transaction, index, half }: ListPlace): Tuple {
  return [
    transaction.block_time,
    transaction.block_slot || 0,
    transaction.tx_index || 0,
    transaction.moment,
    transaction.file_place,
    transaction.tx_hash,
    index,
    half,
  ];
}

function compareTuples(a: Tuple, b: Tuple): number {
  for (const [i, x] of a.entries()) {
    const y = b[i]!;
    const order = typeof x === 'string' ? compareText(x, y as string) : (x as number) - (y as number);
    if (order !== 0) return order;
  }
  return 0;
}

export type ListedRows = 'swaps' | 'trades' | 'transfers';

export interface CountedPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Rows that were read: up to one more than the page may hold. */
  readonly read: number;
  readonly ask: () => Promise<number>;
}

/** Ids of what a list is of: rows of all of them. */
export interface ListIds {
  readonly wallet?: number;
  readonly token?: number;
  readonly pool?: number;
}

/**
 * Before a page of a list is read. The rows of a wallet lie together and are soon counted. A page of a wallet and more passes over the
 * wallet's other rows, and the rows of a token or pool that everybody trades, or all, are long in counting if no count is known.
 */
export function requireScanOfList(context: QueryContext, list: ListedRows, ids: ListIds): void {
  if (ids.wallet !== undefined && ids.token === undefined && ids.pool === undefined) return;
  const key = countedBy(list, ids);
  if (key === undefined || context.cache.get('lists', key) === undefined) context.requireScan();
}

/** How many rows a list holds: the cached count, else those of a first page that is all, or what `ask` finds. */
export async function countList(
  context: QueryContext,
  list: ListedRows,
  ids: ListIds,
  { limit, cursor, read, ask }: CountedPage,
): Promise<number> {
  const count = async (): Promise<number> => (cursor === undefined && read <= limit ? read : ask());
  const key = countedBy(list, ids);
  if (key === undefined) return count();
  const cached = context.cache.get('lists', key);
  if (cached !== undefined) return cached.count;
  const found = await count();
  context.cache.put('lists', key, { count: found });
  return found;
}

/** Where the count of a list is cached: a list of one token or one pool. */
function countedBy(list: ListedRows, { wallet, token, pool }: ListIds): number | undefined {
  if (wallet !== undefined) return undefined;
  if (pool === undefined) return token === undefined ? undefined : listKey(`${list} of a token`, token);
  // Only swaps are listed by pool.
  return token === undefined ? listKey('swaps of a pool', pool) : undefined;
}
