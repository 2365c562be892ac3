import type { Config } from '../config.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, concatBatches, NO_ID, newBatch, type Table, takeRows } from '../records/columns.ts';
import { type SwapFieldColumns, swapFieldColumns } from '../records/swap-fields.ts';
import { legsTable, nativePricesTable, swapsTable, tradesTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import { yielder } from '../yielder.ts';
import { type ChainKeys, inRanges, type Range } from './chain-keys.ts';
import type { Appended, Changes } from './changes.ts';
import { deduplicate } from './deduplicate.ts';
import { derive, type NativePrint } from './derive.ts';
import type { Dictionary } from './dictionary.ts';
import { firstTimes, markDirty } from './dirty.ts';
import { distinctIds } from './distinct.ts';
import { swapsWithRoom } from './full-seconds.ts';
import { legsByToken } from './legs-by-token.ts';
import { affectedRanges, freshKeys, inChainOrder, lastBefore, splitRuns, withStoredKeys } from './reprocess.ts';
import type { Conflict, Reject } from './result.ts';
import type { IngestState } from './state.ts';
import { storeBalances } from './store-balances.ts';
import { storeTrades } from './store-trades.ts';
import { storeTransactions } from './store-transactions.ts';
import { findTransactions, type Transactions } from './transactions.ts';
import type { ValidSwaps } from './valid-swaps.ts';

export interface ApplyContext {
  readonly config: Config;
  readonly roles: Roles;
  readonly dictionary: Dictionary;
  readonly state: IngestState;
  /** Told what the batch changes. */
  readonly changes?: Changes | undefined;
  /** Leaves out the swaps of full seconds and calls this for each; without it a full second is an error. */
  readonly rejectFull?: ((reject: Reject) => void) | undefined;
}

export interface Applied {
  readonly added: number;
  readonly duplicate: number;
}

/**
 * Stores the new swaps of a batch and brings everything that follows from them up to date, inside one transaction.
 *
 * Swaps newer than all stored ones continue where the ledger ended. A late swap opens its second again, and where it moves the
 * native price all seconds up to the next native print: what was derived from those seconds is derived anew, and the positions and
 * balances of the pairs whose trades changed are folded from their beginning. The result is that of any other order of arrival.
 */
export async function applyBatch(
  writer: Writer,
  context: ApplyContext,
  validSwaps: ValidSwaps,
  onConflict: (conflict: Conflict) => void,
): Promise<Applied> {
  const { dictionary, state } = context;
  const pause = yielder();
  const found = await dictionary.findToWrite(writer, validSwaps.texts);
  const transactions = await findTransactions(writer, validSwaps, state.known);
  const deduplicated = await deduplicate(writer, validSwaps, transactions, found, onConflict);
  const { duplicate } = deduplicated;
  const { rejectFull } = context;
  const fresh =
    rejectFull === undefined
      ? deduplicated.fresh
      : await swapsWithRoom(writer, validSwaps, deduplicated.fresh, rejectFull);
  if (fresh.length === 0) return { added: 0, duplicate };
  await pause.yieldIfDue();
  const idOf = await internUsed(writer, dictionary, validSwaps, fresh, found);
  await storeTransactions(writer, state, transactions, fresh);
  await pause.yieldIfDue();
  const added = freshSwaps(validSwaps, fresh, transactions, idOf);
  await pause.yieldIfDue();
  await applyChange(writer, context, {
    added,
    keys: freshKeys(validSwaps, fresh),
    removed: newBatch(swapsTable, 0),
  });
  return { added: fresh.length, duplicate };
}

/** Swaps that the store gets, and swaps of whole transactions that it loses. */
export interface Change {
  readonly added: Swaps;
  /** Where each added swap belongs. */
  readonly keys: ChainKeys;
  readonly removed: Swaps;
}

/**
 * Adds and removes swaps, and derives anew what was derived from their seconds: see `applyBatch`. The rows of the transactions
 * themselves are the caller's to add and to remove.
 */
export async function applyChange(
  writer: Writer,
  { config, roles, dictionary, state, changes }: ApplyContext,
  { added, keys, removed }: Change,
): Promise<void> {
  const lastTime = state.lastTime ?? -1;
  const pause = yielder();
  const touched = joined(added, removed);
  const times = new Float64Array(touched.length);
  times.set(keys.time);
  times.set(removed.columns.seq.map(timeOf), added.length);
  const after = removed.length > 0 ? undefined : await lastBefore(writer, keys, lastTime);
  const ranges = after === undefined ? await affectedRanges(writer, roles, touched, times, lastTime) : [];
  // Two trades may stand at the place of a swap.
  const until = after === undefined ? lastSeqAt(lastTime) : after + 1;
  const gone = new Set(removed.columns.tx);
  const stored = withoutTransactions(await readAll(writer, swapsTable, ranges), gone);
  const oldTrades = await readAll(writer, tradesTable, ranges);
  const allKeys = await withStoredKeys(writer, stored, ranges, keys);
  await pause.yieldIfDue();
  const { work, slots, added: addedRows } = inChainOrder(joined(stored, added), allKeys, stored.length, after);
  for (const table of [swapsTable, legsTable, nativePricesTable, tradesTable])
    if (ranges.length > 0) await writer.remove(table, inRanges(ranges));

  await pause.yieldIfDue();
  const tokens = distinctIds(work.columns.token_in, work.columns.token_out);
  await dictionary.load(writer, tokens);
  const derived = await derive(splitRuns(work, ranges, lastTime), {
    roles,
    dustUsd: config.dust_usd,
    textOf: (id) => dictionary.textOf(id),
    nativePrintBefore: (seq) => nativePrintBefore(writer, seq),
  });
  await writer.append(swapsTable, work);
  await writer.append(legsTable, legsByToken(derived.legs));
  await writer.append(nativePricesTable, derived.nativePrices);
  await pause.yieldIfDue();
  await storeTrades(writer, config.dust_usd, derived.trades, oldTrades, until);
  await pause.yieldIfDue();
  await storeBalances(writer, addedRows.length === work.length ? work : takeRows(work, addedRows), removed, until);
  await pause.yieldIfDue();
  const changed = [work.columns, removed.columns];
  await markDirty(writer, 'wallets', firstTimes(changed.map((c) => [c.seq, c.wallet])));
  await markDirty(
    writer,
    'tokens',
    firstTimes(changed.flatMap((c) => [[c.seq, c.token_in] as const, [c.seq, c.token_out] as const])),
  );
  if (changes !== undefined)
    noteChanges(changes, { swaps: work, slots, legs: derived.legs, trades: derived.trades }, ranges.length > 0);
  if (removed.length === 0) {
    state.lastTime = times.reduce((a, b) => Math.max(a, b), lastTime);
  } else {
    const seq = await writer.max(swapsTable, 'seq');
    state.lastTime = seq === null ? null : timeOf(seq);
  }
}

function joined(a: Swaps, b: Swaps): Swaps {
  if (a.length === 0) return b;
  return b.length === 0 ? a : concatBatches(swapsTable, columnsOf(swapsTable), [a, b]);
}

/** The swaps of other transactions than these. */
function withoutTransactions(swaps: Swaps, gone: ReadonlySet<number>): Swaps {
  if (gone.size === 0) return swaps;
  return takeRows(
    swaps,
    Array.from(swaps.columns.tx.keys()).filter((row) => !gone.has(swaps.columns.tx[row]!)),
  );
}

/** Late swaps change rows in the middle: then all that the batch touches counts as changed. */
function noteChanges(changes: Changes, derived: Appended, isLate: boolean): void {
  if (!isLate) {
    changes.appended.push(derived);
    return;
  }
  const { swaps, legs } = derived;
  const { wallets, tokens } = changes.touched;
  for (const wallet of swaps.columns.wallet) wallets.add(wallet);
  for (const token of legs.columns.token) tokens.add(token);
}

async function readAll<T extends Table>(reader: Reader, table: T, ranges: readonly Range[]): Promise<Batch<T>> {
  if (ranges.length === 0) return newBatch(table, 0);
  return (await reader.read({
    table,
    columns: columnsOf(table),
    where: inRanges(ranges),
    order: [{ column: 'seq', direction: 'asc' }],
  })) as Batch<T>;
}

/** Columns of the swaps table that hold ids of texts. */
const textColumns = (Object.keys(swapFieldColumns) as (keyof SwapFieldColumns)[]).filter(
  (name): name is TextColumnName => swapFieldColumns[name] === 'id',
);
type TextColumnName = {
  [N in keyof SwapFieldColumns]: SwapFieldColumns[N] extends 'id' ? N : never;
}[keyof SwapFieldColumns];

/** Store ids of the local texts: of those that the store has, as found, and of those that new swaps use. */
async function internUsed(
  writer: Writer,
  dictionary: Dictionary,
  validSwaps: ValidSwaps,
  fresh: Uint32Array,
  found: Int32Array,
): Promise<Int32Array> {
  const isNew = new Uint8Array(found.length);
  for (const name of textColumns) {
    const column = validSwaps.swaps.columns[name];
    for (let i = 0; i < fresh.length; i++) {
      const local = column[fresh[i]!]!;
      if (local !== NO_ID && found[local] === NO_ID) isNew[local] = 1;
    }
  }
  const locals: number[] = [];
  for (let local = 0; local < isNew.length; local++) if (isNew[local] === 1) locals.push(local);
  const ids = await dictionary.intern(
    writer,
    locals.map((local) => validSwaps.texts[local]!),
  );
  const idOf = found.slice();
  for (const [i, local] of locals.entries()) idOf[local] = ids[i]!;
  return idOf;
}

/** The new swaps with ids of the store. What is written to later is theirs alone; the valid swaps stay as they are. */
function freshSwaps(validSwaps: ValidSwaps, fresh: Uint32Array, transactions: Transactions, idOf: Int32Array): Swaps {
  const { length } = fresh;
  const { columns } = length === validSwaps.swaps.length ? validSwaps.swaps : takeRows(validSwaps.swaps, fresh);
  const tx = new Int32Array(length);
  for (let i = 0; i < length; i++) tx[i] = transactions.tx[transactions.placeOf[fresh[i]!]!]!;
  const texts = Object.fromEntries(textColumns.map((name) => [name, storeIds(columns[name], idOf)]));
  const set = { seq: new Float64Array(length), usd_amount_in: new Float64Array(length), tx };
  return { length, columns: { ...columns, ...texts, ...set, usd_amount_out: new Float64Array(length) } };
}

function storeIds(locals: Int32Array, idOf: Int32Array): Int32Array {
  const ids = new Int32Array(locals.length);
  for (let i = 0; i < ids.length; i++) ids[i] = locals[i] === NO_ID ? NO_ID : idOf[locals[i]!]!;
  return ids;
}

async function nativePrintBefore(reader: Reader, seq: number): Promise<NativePrint | undefined> {
  const rows = await reader.read({
    table: nativePricesTable,
    columns: ['seq', 'price'],
    where: compare('seq', 'lt', seq),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: 1,
  });
  return rows.length === 0 ? undefined : { seq: rows.columns.seq[0]!, price: rows.columns.price[0]! };
}
