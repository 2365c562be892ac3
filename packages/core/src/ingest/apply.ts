import type { Config } from '../config.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Swaps } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, concatBatches, NO_ID, newBatch, type Table, takeRows } from '../records/columns.ts';
import { legsTable, nativePricesTable, swapsTable, tradesTable, transactionsTable } from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { compare } from '../storage/predicate.ts';
import type { Candidates } from './candidates.ts';
import type { Changes } from './changes.ts';
import { type Derived, derive, type NativePrint } from './derive.ts';
import type { Dictionary } from './dictionary.ts';
import { markDirty } from './dirty.ts';
import { hash53 } from './hash.ts';
import { identify, type Transaction } from './identify.ts';
import { inRanges, type Range } from './place.ts';
import type { Conflict } from './result.ts';
import { storeBalances } from './store-balances.ts';
import { storeTrades } from './store-trades.ts';
import { affectedRanges, inChainOrder, placesOf, splitRuns } from './work-set.ts';

/** What ingest knows of the store between batches. A failed write takes it back. */
export interface IngestState {
  /** Block time of the newest stored swap, `null` in an empty store. */
  lastTime: number | null;
  nextTx: number;
}

export interface ApplyContext {
  readonly config: Config;
  readonly roles: Roles;
  readonly dictionary: Dictionary;
  readonly state: IngestState;
  /** Told what the batch changes. */
  readonly changes?: Changes | undefined;
}

export interface Applied {
  readonly added: number;
  readonly duplicate: number;
}

/**
 * Stores the new swaps among the candidates and brings everything that follows from them up to date, inside one transaction.
 *
 * Swaps newer than all stored ones continue where the ledger ended. A late swap opens its second again, and where it moves the
 * native price all seconds up to the next native print: what was derived from those seconds is derived anew, and the positions and
 * balances of the pairs whose trades changed are folded from their beginning. The result is that of any other order of arrival.
 */
export async function applyBatch(
  writer: Writer,
  context: ApplyContext,
  candidates: Candidates,
  onConflict: (conflict: Conflict) => void,
): Promise<Applied> {
  const { dictionary, state } = context;
  const found = await dictionary.find(writer, candidates.texts);
  const { fresh, transactionOf, duplicate } = await identify(writer, candidates, found, onConflict);
  if (fresh.length === 0) return { added: 0, duplicate };
  const idOf = await internUsed(writer, dictionary, candidates, fresh);
  await addTransactions(
    writer,
    state,
    fresh.map((i) => transactionOf[i]!),
  );
  await applyChange(writer, context, {
    added: freshSwaps(candidates, fresh, transactionOf, idOf),
    transactions: fresh.map((i) => transactionOf[i]!),
    removed: newBatch(swapsTable, 0),
  });
  return { added: fresh.length, duplicate };
}

/** Swaps that the store gets, and swaps of whole transactions that it loses. */
export interface Change {
  readonly added: Swaps;
  /** The transaction of each added swap. */
  readonly transactions: readonly Transaction[];
  readonly removed: Swaps;
}

/**
 * Adds and removes swaps, and derives anew what was derived from their seconds: see `applyBatch`. The rows of the transactions
 * themselves are the caller's to add and to remove.
 */
export async function applyChange(
  writer: Writer,
  { config, roles, dictionary, state, changes }: ApplyContext,
  { added, transactions, removed }: Change,
): Promise<void> {
  const lastTime = state.lastTime ?? -1;
  const touched = concatBatches(swapsTable, columnsOf(swapsTable), [added, removed]);
  const times = Float64Array.from([
    ...transactions.map(({ time }) => time),
    ...Array.from(removed.columns.seq, timeOf),
  ]);
  const ranges = await affectedRanges(writer, roles, touched, times, lastTime);
  const gone = new Set(removed.columns.tx);
  const stored = withoutTransactions(await readAll(writer, swapsTable, ranges), gone);
  const oldTrades = await readAll(writer, tradesTable, ranges);
  const places = await placesOf(writer, stored, ranges, transactions, added);
  const { work, added: addedRows } = inChainOrder(
    concatBatches(swapsTable, columnsOf(swapsTable), [stored, added]),
    places,
    stored.length,
  );
  for (const table of [swapsTable, legsTable, nativePricesTable, tradesTable])
    if (ranges.length > 0) await writer.remove(table, inRanges(ranges));

  await loadTexts(writer, dictionary, work);
  const derived = await derive(splitRuns(work, ranges, lastTime), {
    roles,
    dustUsd: config.dust_usd,
    textOf: (id) => dictionary.textOf(id),
    nativePrintBefore: (seq) => nativePrintBefore(writer, seq),
  });
  await writer.append(swapsTable, work);
  await writer.append(legsTable, derived.legs);
  await writer.append(nativePricesTable, derived.nativePrices);
  await storeTrades(writer, config.dust_usd, derived.trades, oldTrades, lastTime);
  await storeBalances(writer, takeRows(work, addedRows), removed, lastTime);
  await markDirty(writer, 'wallets', [...work.columns.wallet, ...removed.columns.wallet]);
  const { token_in: tokenIn, token_out: tokenOut } = removed.columns;
  await markDirty(writer, 'tokens', [...work.columns.token_in, ...work.columns.token_out, ...tokenIn, ...tokenOut]);
  if (changes !== undefined) noteChanges(changes, work, derived, ranges.length > 0);
  if (removed.length === 0) {
    state.lastTime = times.reduce((a, b) => Math.max(a, b), lastTime);
  } else {
    const seq = await writer.max(swapsTable, 'seq');
    state.lastTime = seq === null ? null : timeOf(seq);
  }
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
function noteChanges(changes: Changes, swaps: Swaps, { legs, trades }: Derived, isLate: boolean): void {
  if (!isLate) {
    changes.appended.push({ swaps, legs, trades });
    return;
  }
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

/** Store ids of the local texts that new swaps use. */
async function internUsed(
  writer: Writer,
  dictionary: Dictionary,
  candidates: Candidates,
  fresh: readonly number[],
): Promise<Int32Array> {
  const used = new Uint8Array(candidates.texts.length);
  const c = candidates.swaps.columns;
  for (const i of fresh) {
    for (const id of [
      c.wallet[i]!,
      c.token_in[i]!,
      c.token_out[i]!,
      c.protocol[i]!,
      c.token_symbol_in[i]!,
      c.token_symbol_out[i]!,
    ])
      if (id !== NO_ID) used[id] = 1;
  }
  const locals = candidates.texts.flatMap((_, local) => (used[local] === 1 ? [local] : []));
  const ids = await dictionary.intern(
    writer,
    locals.map((local) => candidates.texts[local]!),
  );
  const idOf = new Int32Array(candidates.texts.length).fill(NO_ID);
  for (const [i, local] of locals.entries()) idOf[local] = ids[i]!;
  return idOf;
}

async function addTransactions(
  writer: Writer,
  state: IngestState,
  transactions: readonly Transaction[],
): Promise<void> {
  const added = [...new Set(transactions)].filter((transaction) => transaction.tx === NO_ID);
  for (const transaction of added) transaction.tx = state.nextTx++;
  await writer.append(transactionsTable, {
    length: added.length,
    columns: {
      tx: Int32Array.from(added, (t) => t.tx),
      tx_key: Float64Array.from(added, (t) => hash53(t.txHash)),
      tx_hash: added.map((t) => t.txHash),
      block_time: Float64Array.from(added, (t) => t.time),
      block_slot: Float64Array.from(added, (t) => t.slot),
      tx_index: Float64Array.from(added, (t) => t.index),
    },
  });
}

function freshSwaps(
  candidates: Candidates,
  fresh: readonly number[],
  transactionOf: readonly Transaction[],
  idOf: Int32Array,
): Swaps {
  const swaps = takeRows(candidates.swaps, fresh);
  const c = swaps.columns;
  for (let i = 0; i < swaps.length; i++) c.tx[i] = transactionOf[fresh[i]!]!.tx;
  for (const name of ['wallet', 'token_in', 'token_out', 'protocol', 'token_symbol_in', 'token_symbol_out'] as const) {
    const column = c[name];
    for (let i = 0; i < column.length; i++) if (column[i] !== NO_ID) column[i] = idOf[column[i]!]!;
  }
  return swaps;
}

async function loadTexts(reader: Reader, dictionary: Dictionary, swaps: Swaps): Promise<void> {
  const ids = new Set<number>();
  for (const id of swaps.columns.token_in) ids.add(id);
  for (const id of swaps.columns.token_out) ids.add(id);
  await dictionary.load(reader, ids);
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
