import type { Config } from '../config.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { lastSeqAt, pairOf, pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import {
  type Batch,
  type ColumnName,
  concatBatches,
  NO_ID,
  newBatch,
  type Table,
  takeRows,
} from '../records/columns.ts';
import {
  balancesTable,
  legsTable,
  lotsTable,
  nativePricesTable,
  swapsTable,
  tradesTable,
  transactionsTable,
} from '../records/tables.ts';
import type { Reader, Writer } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import type { Candidates } from './candidates.ts';
import { derive, type NativePrint } from './derive.ts';
import type { Dictionary } from './dictionary.ts';
import { markDirty } from './dirty.ts';
import { balanceRows, loadBalances, stepBalances } from './fold-balances.ts';
import { foldPositions, pairsOf, sortLots } from './fold-positions.ts';
import { hash53 } from './hash.ts';
import { identify, type Transaction } from './identify.ts';
import { inRanges, mergeSeconds, placeRows, type Range, uniteRanges } from './place.ts';
import type { Conflict } from './result.ts';

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
  const swaps = freshSwaps(candidates, fresh, transactionOf, idOf);
  const times = Float64Array.from(fresh, (i) => candidates.blockTime[i]!);

  const lastTime = state.lastTime ?? -1;
  const ranges = await affectedRanges(writer, context.roles, swaps, times, lastTime);
  const stored = await readAll(writer, swapsTable, ranges);
  const oldTrades = await readAll(writer, tradesTable, ranges);
  const places = await placesOf(
    writer,
    stored,
    ranges,
    fresh.map((i) => transactionOf[i]!),
    swaps,
  );
  const { work, added } = inChainOrder(
    concatBatches(swapsTable, columnsOf(swapsTable), [stored, swaps]),
    places,
    stored.length,
  );
  for (const table of [swapsTable, legsTable, nativePricesTable, tradesTable])
    if (ranges.length > 0) await writer.remove(table, inRanges(ranges));

  await loadTexts(writer, dictionary, work);
  const derived = await derive(splitRuns(work, ranges, lastTime), {
    roles: context.roles,
    dustUsd: context.config.dust_usd,
    textOf: (id) => dictionary.textOf(id),
    nativePrintBefore: (seq) => nativePrintBefore(writer, seq),
  });
  await writer.append(swapsTable, work);
  await writer.append(legsTable, derived.legs);
  await writer.append(nativePricesTable, derived.nativePrices);
  await foldTrades(writer, context, derived.trades, oldTrades, lastTime);
  await foldBalances(writer, takeRows(work, added), lastTime);
  await markDirty(writer, 'wallets', work.columns.wallet);
  await markDirty(writer, 'tokens', [...work.columns.token_in, ...work.columns.token_out]);
  state.lastTime = times.reduce((a, b) => Math.max(a, b), lastTime);
  return { added: fresh.length, duplicate };
}

function columnsOf<T extends Table>(table: T): ColumnName<T>[] {
  return Object.keys(table.columns) as ColumnName<T>[];
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

/** Stored seconds that have to be derived anew: those of late swaps, and those whose native price a late swap moves. */
async function affectedRanges(
  reader: Reader,
  roles: Roles,
  swaps: Swaps,
  times: Float64Array,
  lastTime: number,
): Promise<Range[]> {
  const ranges: Range[] = mergeSeconds(times.filter((time) => time <= lastTime));
  if (ranges.length === 0) return [];
  const { token_in: tokenIn, token_out: tokenOut } = swaps.columns;
  const moving = times.filter((time, i) => time <= lastTime && isNativePair(roles, tokenIn[i]!, tokenOut[i]!));
  for (const [from, to] of mergeSeconds(moving)) {
    const next = await reader.read({
      table: nativePricesTable,
      columns: ['seq'],
      where: compare('seq', 'gt', lastSeqAt(to)),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: 1,
    });
    ranges.push([from, next.length === 0 ? lastTime : timeOf(next.columns.seq[0]!)]);
  }
  return uniteRanges(ranges);
}

function isNativePair(roles: Roles, a: number, b: number): boolean {
  return (roles.isNative(a) && roles.isStable(b)) || (roles.isNative(b) && roles.isStable(a));
}

interface Places {
  readonly time: Float64Array;
  readonly slot: Float64Array;
  readonly index: Float64Array;
  readonly txHash: readonly string[];
}

/** What chain order is made of, for the stored rows and then the new ones. */
async function placesOf(
  reader: Reader,
  stored: Swaps,
  ranges: readonly Range[],
  fresh: readonly Transaction[],
  swaps: Swaps,
): Promise<Places> {
  const known = new Map<number, Transaction>();
  if (stored.length > 0) {
    const within = ranges.map(([from, to]) =>
      and(compare('block_time', 'gte', from), compare('block_time', 'lte', to)),
    );
    const rows = await reader.read({
      table: transactionsTable,
      columns: ['tx', 'tx_hash', 'block_time', 'block_slot', 'tx_index'],
      where: { kind: 'or', of: within },
    });
    const c = rows.columns;
    for (let i = 0; i < rows.length; i++)
      known.set(c.tx[i]!, {
        tx: c.tx[i]!,
        txHash: c.tx_hash[i]!,
        time: c.block_time[i]!,
        slot: c.block_slot[i]!,
        index: c.tx_index[i]!,
      });
  }
  const transactions = [...Array.from(stored.columns.tx, (tx) => known.get(tx)!), ...fresh];
  if (transactions.length !== stored.length + swaps.length) throw new Error('A stored swap has no transaction.');
  return {
    time: Float64Array.from(transactions, (t) => t.time),
    slot: Float64Array.from(transactions, (t) => t.slot),
    index: Float64Array.from(transactions, (t) => t.index),
    txHash: transactions.map((t) => t.txHash),
  };
}

/** The rows in chain order, and which of them are new: those that came after the first `storedRows`. */
function inChainOrder(rows: Swaps, places: Places, storedRows: number): { work: Swaps; added: number[] } {
  const { order, seq } = placeRows({ ...places, length: rows.length, swapIndex: rows.columns.swap_index });
  const work = takeRows(rows, order);
  work.columns.seq.set(seq);
  return { work, added: Array.from(order.keys()).filter((i) => order[i]! >= storedRows) };
}

/** Runs of swaps between which the store may hold others: one for each range, and the swaps newer than all stored ones. */
function splitRuns(work: Swaps, ranges: readonly Range[], lastTime: number): Swaps[] {
  const runs: Swaps[] = [];
  let from = 0;
  for (const to of [...ranges.map((range) => range[1]), Number.POSITIVE_INFINITY]) {
    let end = from;
    while (end < work.length && timeOf(work.columns.seq[end]!) <= to) end++;
    if (end > from) runs.push(sliceRows(work, from, end));
    from = end;
  }
  if (lastTime < 0 && runs.length > 1) throw new Error('An empty store has one run.');
  return runs;
}

/** A view of rows: writes go through to the whole. */
function sliceRows(swaps: Swaps, from: number, to: number): Swaps {
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [name, column.subarray(from, to)]),
  );
  return { length: to - from, columns } as unknown as Swaps;
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

const coreColumns = columnsOf(tradesTable).filter(
  (name) => !['seq', 'position_state', 'cost', 'proceeds', 'pnl', 'holding', 'open_cost'].includes(name),
);
const factColumns = ['position_state', 'cost', 'proceeds', 'pnl', 'holding', 'open_cost'] as const;

/**
 * Writes the trades with their facts. Pairs with new trades only continue from their open lots; pairs with a trade that a late swap
 * changed, added or removed are folded from their first trade; the others keep their facts.
 */
async function foldTrades(
  writer: Writer,
  context: ApplyContext,
  trades: Trades,
  old: Trades,
  lastTime: number,
): Promise<void> {
  const pairs = pairsOf(trades);
  const changed = changedPairs(trades, pairs, old, lastTime);
  const lateRows: number[] = [];
  const newRows: number[] = [];
  const keptRows: number[] = [];
  for (let i = 0; i < trades.length; i++) {
    if (changed.has(pairs[i]!)) lateRows.push(i);
    else if (timeOf(trades.columns.seq[i]!) > lastTime) newRows.push(i);
    else keptRows.push(i);
  }
  const dust = context.config.dust_usd;

  const kept = takeRows(trades, keptRows);
  copyFacts(kept, old);
  await writer.append(tradesTable, kept);

  const continued = takeRows(trades, newRows);
  const continuedPairs = Float64Array.from(new Set(pairsOf(continued)));
  const before =
    continuedPairs.length === 0
      ? newBatch(lotsTable, 0)
      : await writer.read({ table: lotsTable, columns: columnsOf(lotsTable), where: isIn('pair', continuedPairs) });
  const lots = foldPositions(continued, sortLots(before), dust);
  if (before.length > 0) await writer.remove(lotsTable, isIn('pair', Float64Array.from(new Set(before.columns.pair))));
  await writer.append(tradesTable, continued);
  await writer.append(lotsTable, lots);

  if (changed.size === 0) return;
  const others = await tradesOfPairs(writer, changed);
  const all = concatBatches(tradesTable, columnsOf(tradesTable), [others, takeRows(trades, lateRows)]);
  const refolded = takeRows(
    all,
    Uint32Array.from({ length: all.length }, (_, i) => i).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!),
  );
  const refoldedLots = foldPositions(refolded, newBatch(lotsTable, 0), dust);
  await writer.remove(tradesTable, isIn('seq', others.columns.seq));
  await writer.remove(lotsTable, isIn('pair', Float64Array.from(changed)));
  await writer.append(tradesTable, refolded);
  await writer.append(lotsTable, refoldedLots);
}

/** Identity of a trade: its transaction and its pair. */
function tradeKey(trades: Trades, pair: number, row: number): string {
  return `${trades.columns.tx[row]}:${pair}`;
}

/** Pairs whose trades at or before `lastTime` are not what they were. */
function changedPairs(trades: Trades, pairs: Float64Array, old: Trades, lastTime: number): Set<number> {
  const oldPairs = pairsOf(old);
  const oldRows = new Map(Array.from(oldPairs, (pair, row) => [tradeKey(old, pair, row), row]));
  const changed = new Set<number>();
  for (let i = 0; i < trades.length; i++) {
    if (timeOf(trades.columns.seq[i]!) > lastTime) continue;
    const key = tradeKey(trades, pairs[i]!, i);
    const row = oldRows.get(key);
    if (
      row === undefined ||
      coreColumns.some((name) => !Object.is(trades.columns[name][i]! + 0, old.columns[name][row]! + 0))
    )
      changed.add(pairs[i]!);
    oldRows.delete(key);
  }
  for (const row of oldRows.values()) changed.add(oldPairs[row]!);
  return changed;
}

function copyFacts(trades: Trades, old: Trades): void {
  const oldRows = new Map(Array.from(pairsOf(old), (pair, row) => [tradeKey(old, pair, row), row]));
  const pairs = pairsOf(trades);
  for (let i = 0; i < trades.length; i++) {
    const row = oldRows.get(tradeKey(trades, pairs[i]!, i))!;
    for (const name of factColumns) trades.columns[name][i] = old.columns[name][row]!;
  }
}

async function tradesOfPairs(reader: Reader, pairs: ReadonlySet<number>): Promise<Trades> {
  const wallets = Int32Array.from(new Set(Array.from(pairs, pairWallet)));
  const tokens = Int32Array.from(new Set(Array.from(pairs, pairToken)));
  const rows = await reader.read({
    table: tradesTable,
    columns: columnsOf(tradesTable),
    where: and(isIn('wallet', wallets), isIn('token', tokens)),
  });
  const found = pairsOf(rows);
  return takeRows(
    rows,
    Array.from(found.keys()).filter((row) => pairs.has(found[row]!)),
  );
}

/** Balances of the pairs that new swaps (in chain order) touch: continued, or recomputed from the first swap where one of them is late. */
async function foldBalances(writer: Writer, fresh: Swaps, lastTime: number): Promise<void> {
  const late = new Set<number>();
  const touched = new Set<number>();
  const c = fresh.columns;
  for (let i = 0; i < fresh.length; i++) {
    if (c.token_in[i] === c.token_out[i]) continue;
    const isLate = timeOf(c.seq[i]!) <= lastTime;
    for (const token of [c.token_in[i]!, c.token_out[i]!]) (isLate ? late : touched).add(pairOf(c.wallet[i]!, token));
  }
  for (const pair of late) touched.delete(pair);
  const before = await writer.read({
    table: balancesTable,
    columns: columnsOf(balancesTable),
    where: isIn('pair', Float64Array.from(touched)),
  });
  const states = loadBalances(before);
  stepBalances(states, fresh, touched);
  if (late.size > 0) {
    const swaps = await writer.read({
      table: swapsTable,
      columns: columnsOf(swapsTable),
      where: isIn('wallet', Int32Array.from(new Set(Array.from(late, pairWallet)))),
      order: [{ column: 'seq', direction: 'asc' }],
    });
    stepBalances(states, swaps, late);
  }
  await writer.remove(balancesTable, isIn('pair', Float64Array.from([...before.columns.pair, ...late])));
  await writer.append(balancesTable, balanceRows(states));
}
