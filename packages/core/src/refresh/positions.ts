import { windowSpecs } from '../bag/windows.ts';
import { carriedPairs, requireWindow, tradedPairs } from '../ingest/carried.ts';
import { pairsOfTrades } from '../ingest/ledger-fold.ts';
import { ledgerAt } from '../ingest/ledgers.ts';
import type { Moves } from '../ingest/moves.ts';
import { lastSeqAt, pairOf, pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, columnsOf, concatBatches, newBatch, sliceRows, takeRows } from '../records/columns.ts';
import { KeyIndex, KeySet } from '../records/key-index.ts';
import { lotsTable, swapsTable, tradesTable } from '../records/tables.ts';
import { ascending } from '../storage/adapter.ts';
import { and, compare, compareMostly, isIn, or, type Predicate } from '../storage/predicate.ts';
import { wallClock } from '../time.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import { readPositionMoves } from './position-moves.ts';
import { groupByPairs, groupPairs, type PairBalances, type PairLots, positionRows } from './position-rows.ts';
import { readBalances } from './touched-balances.ts';
import { type TradeRows, tradeColumns } from './trade-log.ts';
import type { FoldedPositions } from './write.ts';

/** Wallets whose positions are folded at once: bounds the memory of a refresh. */
const CHUNK = 20_000;

/** Tokens that a read of the trades of pairs names at most: of more, all are read. */
const MOST_TOKENS = 1000;

/** Which positions are folded: of these wallets, and only those `wanted` if it is there. */
export interface PairScan {
  /** Ascending. */
  readonly wallets: Int32Array;
  /** They are all that have swaps. */
  readonly isAll?: boolean | undefined;
  readonly wanted?: KeySet | undefined;
  /** Tokens of the wanted pairs, if they are few. */
  readonly tokens?: Int32Array | undefined;
  readonly syncedAt: number;
}

/**
 * Rows of the table of positions at the context's as-of time, in no order, folded from the first swap on: to the bit those that a refresh of
 * that instant stores, but for `synced_at`. Pairs that have no trade by then have no row.
 *
 * - `pairs`: as `pairOf` makes them, each once.
 */
export async function foldPositions(context: FoldContext, pairs: Float64Array): Promise<Batch> {
  const { table } = context.shapes.positions;
  requireWindow(context, windowSpecs.wallets[0]!.seconds, 'A position');
  const blocks: Batch[] = [];
  for (const some of byWallets(pairs)) {
    const scan = scanOf(some, wallClock());
    const swaps = await readPairSwaps(context, scan, yielder());
    for await (const block of foldScan(context, scan, swaps)) blocks.push(block);
  }
  return concatBatches(table, Object.keys(table.columns), blocks);
}

/** Folds the positions of wallets, all that there are, from the first swap on. */
export async function* foldAllPositions(
  context: FoldContext,
  wallets: Int32Array,
  syncedAt: number,
): AsyncGenerator<FoldedPositions> {
  for (let from = 0; from < wallets.length; from += CHUNK) {
    const scan = { wallets: wallets.slice(from, from + CHUNK), syncedAt };
    const swaps = await readPairSwaps(context, scan, yielder());
    for await (const rows of foldScan(context, scan, swaps))
      yield { kind: 'positions', missing: new Float64Array(), rows };
  }
}

/**
 * Folds the positions of pairs, of which some may have no trade any more, from the first swap on. The swaps of a pair whose newest one is
 * known are not looked for: no table has them by pair, and a swap in the second of the last commit would cost a pass over all.
 */
export async function* refoldPositions(
  context: FoldContext,
  pairs: Float64Array,
  { newestSwap, syncedAt }: { readonly newestSwap: (pair: number) => number | undefined; readonly syncedAt: number },
): AsyncGenerator<FoldedPositions> {
  let missing = pairs;
  for (const some of byWallets(pairs)) {
    const unknown = some.filter((pair) => newestSwap(pair) === undefined);
    const read = unknown.length === 0 ? undefined : await readPairSwaps(context, scanOf(unknown, syncedAt), yielder());
    const swaps: PairSwaps = { newestSwap: (pair) => newestSwap(pair) ?? read!.newestSwap(pair) };
    for await (const rows of foldScan(context, scanOf(some, syncedAt), swaps)) {
      // All go with the first.
      yield { kind: 'positions', missing, rows };
      missing = new Float64Array();
    }
  }
  if (missing.length > 0) yield { kind: 'positions', missing, rows: newBatch(context.shapes.positions.table, 0) };
}

/** The pairs of some wallets at a time, ascending. */
function* byWallets(pairs: Float64Array): Iterable<Float64Array> {
  const sorted = pairs.slice().sort();
  for (let from = 0; from < sorted.length; ) {
    let wallets = 0;
    let to = from;
    for (let last = -1; to < sorted.length; to++) {
      const wallet = pairWallet(sorted[to]!);
      if (wallet !== last && ++wallets > CHUNK) break;
      last = wallet;
    }
    yield sorted.subarray(from, to);
    from = to;
  }
}

/** The scan of pairs, which ascend. */
function scanOf(pairs: Float64Array, syncedAt: number): PairScan {
  const wanted = new KeySet(pairs.length);
  for (const pair of pairs) wanted.add(pair);
  const tokens = Int32Array.from(new Set(pairs.map(pairToken)));
  return {
    wallets: Int32Array.from(new Set(pairs.map(pairWallet))),
    wanted,
    tokens: tokens.length > MOST_TOKENS ? undefined : tokens,
    syncedAt,
  };
}

/** Positions of the pairs of a scan, some thousands at a time. */
async function* foldScan(context: FoldContext, scan: PairScan, swaps: PairSwaps): AsyncGenerator<Batch> {
  const { reader, dictionary } = context;
  const pause = yielder();
  await dictionary.load(reader, scan.wallets);
  const all = tradedPairs(await carriedPairs(reader, context.horizon, isIn('wallet', scan.wallets)));
  const carried = takeRows(all, rowsWanted(all.columns.id, scan));
  const untraded = new Set(carried.columns.id);
  const fold = async (grouped: ReturnType<typeof groupPairs>): Promise<Batch> => {
    await dictionary.load(reader, Int32Array.from(new Set(grouped.pairs.map(pairToken))));
    const { balances, lots, standing } = await heldOf(context, grouped.pairs);
    return positionRows(context, {
      ...grouped,
      newestSwap: swaps.newestSwap,
      balances,
      lots,
      moves: await readPositionMoves(context, (column) => isIn(column, grouped.pairs), { standing }),
      syncedAt: scan.syncedAt,
      stored: carried,
    });
  };
  for await (const whole of wholeWallets(context, scan)) {
    const grouped = groupPairs(...wantedOf(whole, scan));
    await pause.yieldIfDue();
    if (grouped.pairs.length === 0) continue;
    for (const pair of grouped.pairs) untraded.delete(pair);
    yield await fold(grouped);
  }
  if (untraded.size === 0) return;
  const trades = newBatch(tradesTable, 0);
  yield await fold(groupByPairs(trades, new Float64Array(), Float64Array.from(untraded)));
}

interface PairSwaps {
  readonly newestSwap: (pair: number) => number | undefined;
}

/** What swaps say of the pairs: of all that touch them, whether they made a trade or not. */
export async function readPairSwaps(context: FoldContext, scan: PairScan, pause: Yielder): Promise<PairSwaps> {
  const { reader, asOf } = context;
  const { wallets, isAll, tokens, wanted } = scan;
  const isWanted = wanted && ((pair: number) => wanted.has(pair));
  const pairs = new KeyIndex();
  const newest: number[] = [];
  const note = (pair: number, seq: number): void => {
    const place = pairs.placeOf(pair);
    newest[place] = Math.max(newest[place] ?? 0, seq);
  };
  const until = lastSeqAt(asOf);
  const of = isAll ? [compareMostly('seq', 'lte', until)] : [isIn('wallet', wallets), compare('seq', 'lte', until)];
  const touching = tokens === undefined ? [] : [or(isIn('token_in', tokens), isIn('token_out', tokens))];
  const stream = reader.stream({
    table: swapsTable,
    columns: ['wallet', 'seq', 'token_in', 'token_out'],
    where: and(...of, ...touching),
  });
  for await (const swaps of stream) {
    const { columns: c, length } = swaps;
    for (let i = 0; i < length; i++) {
      if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
      if (c.token_in[i] === c.token_out[i]) continue;
      for (const token of [c.token_in[i]!, c.token_out[i]!]) {
        const pair = pairOf(c.wallet[i]!, token);
        if (isWanted?.(pair) ?? true) note(pair, c.seq[i]!);
      }
    }
  }
  const newestSwap = (pair: number): number | undefined => {
    const place = pairs.find(pair);
    return place < 0 ? undefined : timeOf(newest[place]!);
  };
  return { newestSwap };
}

/** Whether the as-of time hides swaps that are stored. */
export function isHiding({ asOf, lastTime }: FoldContext): boolean {
  return asOf < (lastTime ?? 0);
}

/** The trades of the wallets up to the as-of time, oldest first within a wallet: some thousands at a time, those of a wallet together. */
async function* wholeWallets(context: FoldContext, { wallets, tokens }: PairScan): AsyncGenerator<TradeRows> {
  const columns = isHiding(context) ? columnsOf(tradesTable) : tradeColumns;
  const concat = (batches: readonly TradeRows[]): TradeRows =>
    concatBatches(tradesTable, columns as typeof tradeColumns, batches);
  const traded = tokens === undefined ? [] : [isIn('token', tokens)];
  const stream = context.reader.stream({
    table: tradesTable,
    columns: columns as typeof tradeColumns,
    where: and(isIn('wallet', wallets), compare('seq', 'lte', lastSeqAt(context.asOf)), ...traded),
    order: ascending('wallet', 'seq'),
  });
  let pending: TradeRows[] = [];
  for await (const rows of stream) {
    const { wallet } = rows.columns;
    const last = wallet[rows.length - 1];
    const first = pending[0]?.columns.wallet[0];
    const begin = last === first ? 0 : wallet.indexOf(last!);
    if (last === first) {
      pending.push(rows);
      continue;
    }
    const whole = concat([...pending, sliceRows(rows, 0, begin)]);
    if (whole.length > 0) yield whole;
    pending = [sliceRows(rows, begin, rows.length)];
  }
  if (pending.length > 0) yield concat(pending);
}

function wantedOf(trades: TradeRows, { wanted }: PairScan): [trades: TradeRows, pairs: Float64Array] {
  const pairs = pairsOfTrades(trades);
  if (wanted === undefined) return [trades, pairs];
  const rows = rowsWanted(pairs, { wanted });
  return [takeRows(trades, rows), Float64Array.from(rows, (row) => pairs[row]!)];
}

function rowsWanted(pairs: Float64Array, { wanted }: Pick<PairScan, 'wanted'>): Int32Array {
  return Int32Array.from(pairs.keys()).filter((row) => wanted?.has(pairs[row]!) ?? true);
}

/** What the pairs hold: as it is stored where nothing later is, else folded anew. */
export async function heldOf(
  context: FoldContext,
  pairs: Float64Array,
): Promise<{ readonly balances: PairBalances; readonly lots: PairLots; readonly standing: Moves | undefined }> {
  const own = isIn('pair', pairs);
  if (!isHiding(context))
    return {
      balances: await readBalances(context.reader, own),
      lots: await readLots(context, own),
      standing: undefined,
    };
  const { balances, lots, since } = await ledgerAt(context.reader, { pairs }, context);
  return { balances, lots, standing: since };
}

/** The stored lots of pairs, in the order in which they add up. */
export function readLots({ reader }: FoldContext, where: Predicate): Promise<PairLots> {
  const columns = ['pair', 'amount', 'unit_cost', 'unit_cost_native', 'bought'] as const;
  return reader.read({ table: lotsTable, columns, where, order: ascending('pair', 'ordinal') });
}
