import type { Lots } from '../ledger/lot-rows.ts';
import type { Roles } from '../ledger/roles.ts';
import type { Place } from '../ledger/step-order.ts';
import type { Trades } from '../ledger/trade.ts';
import { lastSeqAt, pairsOf, pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { allRows, type Batch, columnsOf, concatBatches, filterRows, newBatch, takeRows } from '../records/columns.ts';
import { distinctIds, placesOf } from '../records/key-index.ts';
import {
  balancesTable,
  lotsTable,
  movesTable,
  SINCE_LAST_TRADE,
  swapsTable,
  tradesTable,
  transfersTable,
} from '../records/tables.ts';
import { ascending, type Reader, type Writer } from '../storage/adapter.ts';
import { and, between, compare, isIn, or, type Predicate } from '../storage/predicate.ts';
import { readBySeq, readTransactions } from '../storage/reads.ts';
import { yielder } from '../yielder.ts';
import { balancesOf, CarriedEntities, carriedLots, carriedMoves, carriedPairs } from './carried.ts';
import type { ApplyContext } from './changes.ts';
import { type Checkpoint, type States, statesAt } from './checkpoints.ts';
import { type Folded, type FoldOptions, LedgerFold, lotsOfPairs, pairsOfTrades, placesInBook } from './ledger-fold.ts';
import { type LegSwaps, legFields } from './leg-swaps.ts';
import { type Moves, sinceOf } from './moves.ts';
import { type Balances, PairBook } from './pair-book.ts';
import { ofWallets, readTransfers, type TransfersOfPairs } from './pair-transfers.ts';

/** Lots of a pair up to which all are written again when one changes: one statement does it for all such pairs. */
const FEW_LOTS = 16;

/** More than a pair can have lots. */
const ORDINALS = 2 ** 32;

/** Finds where transactions stand. */
export type FindPlaces = (ids: ReadonlySet<number>) => Promise<ReadonlyMap<number, Place>>;

export function placesIn(reader: Reader): FindPlaces {
  return async (ids) => (ids.size === 0 ? new Map() : readTransactions(reader, ids));
}

/** Swaps that come after all that is stored of their pairs, and their trades, without facts. */
export interface Continuation {
  readonly swaps: LegSwaps;
  readonly trades: Trades;
  readonly findPlaces: FindPlaces;
  /** The pairs that are continued; all by default. */
  readonly isWanted?: ((pair: number) => boolean) | undefined;
  /** As `FoldOptions.allTrades`. */
  readonly allTrades?: FoldOptions['allTrades'];
}

type LedgerContext = Pick<ApplyContext, 'config' | 'roles'>;

/** Writes the trades with their facts, and the ledgers of the pairs of the swaps as they are then. Gives where those stood before. */
export async function continueLedgers(
  writer: Writer,
  { config, roles }: LedgerContext,
  { swaps, trades, findPlaces, isWanted, allTrades }: Continuation,
): Promise<States> {
  const pause = yielder();
  const book = new PairBook();
  const places = await pause.run(placesInBook(book, swaps, isWanted));
  const pairs = book.keys();
  const stored = await readPairs(writer, balancesTable, pairs);
  book.load(stored);
  const fold = new LedgerFold(book, { swaps, places, trades }, { roles, dustUsd: config.dust_usd, allTrades });
  await pause.run(fold.prepare());
  const { lotPairs, sincePairs } = fold;
  const lots = await readPairs(writer, lotsTable, lotPairs);
  const since = await readSince(writer, sincePairs);
  const state = { lots: lotsOfPairs(lotPairs, lots), since: sinceOf(since), places: await findPlaces(fold.unplaced) };
  await pause.yieldIfDue();
  const folded = await pause.run(fold.fold(state));
  await pause.yieldIfDue();
  if (trades.length > 0) await writer.append(tradesTable, trades);
  await replaceLots(writer, lots, folded.lots);
  if (since.length > 0) await writer.remove(movesTable, and(isIn('pair', sincePairs), isSince));
  await appendMoves(writer, folded);
  const rows = await book.rows();
  await (stored.length === 0 ? writer.append(balancesTable, rows) : writer.replace(balancesTable, rows));
  return {
    lots: [{ pairs: fold.pairs, rows: lots }],
    balances: [{ pairs, rows: stored }],
    moves: [{ pairs: distinctPairs(sincePairs, folded.since.columns.pair), rows: since }],
  };
}

const isSince: Predicate = compare('seq', 'eq', SINCE_LAST_TRADE);

async function readPairs<T extends typeof lotsTable | typeof balancesTable>(
  reader: Reader,
  table: T,
  pairs: Float64Array,
): Promise<Batch<T>> {
  if (pairs.length === 0) return newBatch(table, 0);
  return (await reader.read({ table, columns: columnsOf(table), where: isIn('pair', pairs) })) as Batch<T>;
}

/** What had moved since the last trades of pairs. */
async function readSince(reader: Reader, pairs: Float64Array): Promise<Moves> {
  if (pairs.length === 0) return newBatch(movesTable, 0);
  const where = and(isIn('pair', pairs), isSince);
  return reader.read({ table: movesTable, columns: columnsOf(movesTable), where });
}

async function appendMoves(writer: Writer, { moves, since }: Folded): Promise<void> {
  if (moves.length + since.length === 0) return;
  await writer.append(movesTable, concatBatches(movesTable, columnsOf(movesTable), [moves, since]));
}

const lotColumns = columnsOf(lotsTable);

/** Writes the lots of pairs in place of all that they had: of pairs with many, only the rows that are others then. */
async function replaceLots(writer: Writer, before: Lots, after: Lots): Promise<void> {
  if (before.length === 0) {
    if (after.length > 0) await writer.append(lotsTable, after);
    return;
  }
  const b = before.columns;
  const index = placesOf(new Float64Array(0));
  const counts: number[] = [];
  for (let row = 0; row < before.length; row++) {
    const place = index.placeOf(b.pair[row]!);
    counts[place] = (counts[place] ?? 0) + 1;
  }
  const all = index.keys();
  const few = all.filter((_, place) => counts[place]! <= FEW_LOTS);
  if (few.length > 0) await writer.remove(lotsTable, isIn('pair', few));
  if (few.length === all.length) {
    if (after.length > 0) await writer.append(lotsTable, after);
    return;
  }
  const isMany = (pair: number): boolean => (counts[index.find(pair)] ?? 0) > FEW_LOTS;
  const many = all.filter((_, place) => counts[place]! > FEW_LOTS);
  const keyOf = ({ pair, ordinal }: Lots['columns'], row: number): number =>
    index.find(pair[row]!) * ORDINALS + ordinal[row]!;
  const old = placesOf(Float64Array.from({ length: before.length }, (_, row) => keyOf(b, row)));
  const isKept = new Uint8Array(before.length);
  const a = after.columns;
  const both = lotColumns.map((name) => [b[name], a[name]] as const);
  const changed = new Set<number>();
  const isNew = new Uint8Array(after.length);
  for (let row = 0; row < after.length; row++) {
    if (!isMany(a.pair[row]!)) continue;
    const was = old.find(keyOf(a, row));
    if (was < 0) isNew[row] = 1;
    else {
      isKept[was] = 1;
      if (both.some(([one, other]) => !Object.is(one[was], other[row]))) changed.add(a.ordinal[row]!);
    }
  }
  for (let row = 0; row < before.length; row++)
    if (isKept[row] === 0 && isMany(b.pair[row]!)) changed.add(b.ordinal[row]!);
  if (changed.size > 0)
    await writer.remove(lotsTable, and(isIn('pair', many), isIn('ordinal', Int32Array.from(changed))));
  // Of several such pairs, one loses rows that only another one needs to.
  const rows = filterRows(after, (row) => !isMany(a.pair[row]!) || isNew[row] === 1 || changed.has(a.ordinal[row]!));
  if (rows.length > 0) await writer.append(lotsTable, rows);
}

function distinctPairs(...of: readonly Float64Array[]): Float64Array {
  return Float64Array.from(new Set(of.flatMap((pairs) => [...pairs])));
}

/** Which pairs: those named, or all that a wallet has, or that tokens have. */
export type PairsOf = { readonly pairs: Float64Array } | { readonly wallet: number } | { readonly tokens: Int32Array };

/** Which pairs are folded from where. */
export interface FoldScope {
  readonly of: PairsOf;
  /** Where they stood before all that changed; without it they are folded from their beginning, or the horizon. Of named pairs alone. */
  readonly since?: Checkpoint | undefined;
  readonly horizon: number;
  /** Up to this `seq`, and the transfers up to its second. */
  readonly until?: number | undefined;
  /** Whether the store has transfers: without any, none are looked for. */
  readonly hasTransfers: boolean;
  /** Trades of their wallets beside those that are stored: `seq` ascends. */
  readonly unstored?: Trades | undefined;
}

export interface FoldedScope extends Folded {
  readonly balances: Balances;
  /** Where the pairs stood before. */
  readonly standing: OneState;
}

/** Where pairs stood. */
type OneState = { readonly [K in keyof States]: States[K][number] };

/** How the rows of the pairs are found. */
interface Finding {
  readonly swaps: Predicate;
  readonly transfers: Predicate;
  readonly carriedPairs: Predicate;
  /** Of tables with `pair`, `wallet` and `token`. */
  readonly rows: Predicate;
  readonly isWanted: (pair: number) => boolean;
}

function findingOf(of: PairsOf): Finding {
  if ('pairs' in of) {
    const wanted = placesOf(of.pairs);
    const wallets = distinctIds(Int32Array.from(of.pairs, pairWallet));
    return {
      swaps: isIn('wallet', wallets),
      transfers: ofWallets(wallets),
      carriedPairs: isIn('id', of.pairs),
      rows: isIn('pair', of.pairs),
      isWanted: (pair) => wanted.find(pair) >= 0,
    };
  }
  if ('wallet' in of) {
    const own = compare('wallet', 'eq', of.wallet);
    return {
      swaps: own,
      transfers: ofWallets(Int32Array.of(of.wallet)),
      carriedPairs: own,
      rows: between('pair', ...pairsOf(of.wallet)),
      isWanted: (pair) => pairWallet(pair) === of.wallet,
    };
  }
  const tokens = new Set(of.tokens);
  const own = isIn('token', of.tokens);
  return {
    swaps: or(isIn('token_in', of.tokens), isIn('token_out', of.tokens)),
    transfers: own,
    carriedPairs: own,
    rows: own,
    isWanted: (pair) => tokens.has(pairToken(pair)),
  };
}

/**
 * Folds pairs anew, and writes the facts of their trades: all that they have from the checkpoint, or their beginning, on, in the order of `seq`.
 */
export async function foldScope(
  reader: Reader,
  { roles, dustUsd }: Pick<FoldOptions, 'roles' | 'dustUsd'>,
  trades: Trades,
  scope: FoldScope,
  observer: Pick<FoldOptions, 'onStep' | 'onMove'> = {},
): Promise<FoldedScope> {
  const pause = yielder();
  const { of, since, horizon, until } = scope;
  const { isWanted, ...where } = findingOf(of);
  const standing = await standingOf(reader, where, scope);
  const from = since?.from ?? 0;
  const range = [compare('seq', 'gte', from), ...(until === undefined ? [] : [compare('seq', 'lte', until)])];
  const swaps = await reader.read({
    table: swapsTable,
    columns: legFields,
    where: and(where.swaps, ...range),
    order: ascending('seq'),
  });
  await pause.yieldIfDue();
  let transfers: TransfersOfPairs | undefined;
  if (scope.hasTransfers) {
    const times = [
      compare('block_time', 'gte', timeOf(from)),
      ...(until === undefined ? [] : [compare('block_time', 'lte', timeOf(until))]),
    ];
    transfers = await readTransfers(reader, and(where.transfers, ...times), {
      isWanted,
      walletsOf: (wallets) => swappingWallets(reader, wallets, { horizon, until }),
    });
  }
  const wallets = distinctIds(swaps.columns.wallet);
  const isAnyQuote = swaps.length > 0 && isAnyQuoteIn(of, roles);
  const allTrades = isAnyQuote
    ? await tradesOfWallets(reader, and(isIn('wallet', wallets), ...range), scope.unstored)
    : undefined;
  const book = new PairBook(standing.balances.rows.length);
  book.load(standing.balances.rows);
  const places = await pause.run(placesInBook(book, swaps, isWanted));
  const fold = new LedgerFold(book, { swaps, places, trades }, { roles, dustUsd, transfers, allTrades, ...observer });
  await pause.run(fold.prepare());
  const lots = standing.lots.rows;
  const moves = standing.moves.rows;
  const found = await placesIn(reader)(fold.unplaced);
  const state = { lots: lotsOfPairs(distinctPairs(lots.columns.pair), lots), since: sinceOf(moves), places: found };
  const folded = await pause.run(fold.fold(state));
  // Pairs that nothing touched are as they stood.
  const known = placesOf(fold.pairs);
  return {
    moves: folded.moves,
    lots: concatBatches(lotsTable, lotColumns, [
      filterRows(lots, (row) => known.find(lots.columns.pair[row]!) < 0),
      folded.lots,
    ]),
    since: concatBatches(movesTable, columnsOf(movesTable), [
      filterRows(moves, (row) => known.find(moves.columns.pair[row]!) < 0),
      folded.since,
    ]),
    balances: await book.rows(),
    standing,
  };
}

function isAnyQuoteIn(of: PairsOf, roles: Pick<Roles, 'rankOf'>): boolean {
  if ('pairs' in of) return of.pairs.some((pair) => roles.rankOf(pairToken(pair)) >= 0);
  return 'wallet' in of || of.tokens.some((token) => roles.rankOf(token) >= 0);
}

async function standingOf(
  reader: Reader,
  where: Pick<Finding, 'carriedPairs' | 'rows'>,
  { of, since, horizon }: FoldScope,
): Promise<OneState> {
  const pairs = 'pairs' in of ? of.pairs : new Float64Array(0);
  if (since !== undefined)
    return {
      lots: await statesAt(reader, lotsTable, since.lots, pairs),
      balances: await statesAt(reader, balancesTable, since.balances, pairs),
      moves: await statesAt(reader, movesTable, since.moves, pairs),
    };
  return {
    lots: { pairs, rows: await carriedLots(reader, horizon, where.rows) },
    balances: { pairs, rows: balancesOf(await carriedPairs(reader, horizon, where.carriedPairs)) },
    moves: { pairs, rows: await carriedMoves(reader, horizon, where.rows) },
  };
}

/** The wallets among these that have a swap in the store up to a place, or had one behind the horizon. */
export async function swappingWallets(
  reader: Reader,
  wallets: Int32Array,
  { horizon, until }: { readonly horizon: number; readonly until?: number | undefined },
): Promise<ReadonlySet<number>> {
  if (wallets.length === 0) return new Set();
  const { columns } = await reader.latest({
    table: swapsTable,
    columns: ['wallet'],
    key: 'wallet',
    keys: wallets,
    by: 'seq',
    ...(until === undefined ? {} : { until }),
  });
  const carried = await CarriedEntities.read(reader, horizon, 'wallets', wallets);
  return new Set([...columns.wallet, ...carried.ids]);
}

/** The wallets' trades in any token, those that are not stored yet among them, by `seq`. */
async function tradesOfWallets(reader: Reader, where: Predicate, unstored: Trades | undefined) {
  const columns = ['seq', 'tx', 'wallet'] as const;
  const stored = await reader.read({ table: tradesTable, columns, where, order: ascending('seq') });
  if (unstored === undefined || unstored.length === 0) return stored;
  const { seq, tx, wallet } = unstored.columns;
  const all = concatBatches(tradesTable, columns, [stored, { length: unstored.length, columns: { seq, tx, wallet } }]);
  return takeRows(
    all,
    allRows(all.length).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!),
  );
}

/** Stored trades of pairs from a `seq` on. */
async function tradesOfPairs(reader: Reader, pairs: Float64Array, from: number): Promise<Trades> {
  const wanted = placesOf(pairs);
  const rows = await reader.read({
    table: tradesTable,
    columns: columnsOf(tradesTable),
    where: and(
      isIn('wallet', distinctIds(Int32Array.from(pairs, pairWallet))),
      isIn('token', distinctIds(Int32Array.from(pairs, pairToken))),
      compare('seq', 'gte', from),
    ),
  });
  const found = pairsOfTrades(rows);
  return filterRows(rows, (row) => wanted.find(found[row]!) >= 0);
}

export interface LedgerAtOptions extends Pick<FoldOptions, 'roles' | 'onStep' | 'onMove'> {
  readonly config: { readonly dust_usd: number };
  /** Unix seconds. */
  readonly asOf: number;
  readonly horizon: number;
}

/** The ledgers of pairs as they were at an instant, folded from the beginning of the store: `trades` has the facts that the fold wrote. */
export async function ledgerAt(
  reader: Reader,
  of: PairsOf,
  { roles, config, asOf, horizon, onStep, onMove }: LedgerAtOptions,
): Promise<FoldedScope & { readonly trades: Trades }> {
  const until = lastSeqAt(asOf);
  const hasTransfers = (await reader.read({ table: transfersTable, columns: ['transfer'], limit: 1 })).length > 0;
  const own =
    'wallet' in of
      ? compare('wallet', 'eq', of.wallet)
      : 'tokens' in of
        ? isIn('token', of.tokens)
        : and(
            isIn('wallet', distinctIds(Int32Array.from(of.pairs, pairWallet))),
            isIn('token', distinctIds(Int32Array.from(of.pairs, pairToken))),
          );
  const found = await readBySeq(reader, tradesTable, and(own, compare('seq', 'lte', until)));
  const { isWanted } = findingOf(of);
  const pairs = pairsOfTrades(found);
  // The rows are the reader's: of an engine in memory, those of the store.
  const trades = filterRows(found, (row) => isWanted(pairs[row]!));
  const scope = { of, horizon, until, hasTransfers };
  const observer = { ...(onStep && { onStep }), ...(onMove && { onMove }) };
  const folded = await foldScope(reader, { roles, dustUsd: config.dust_usd }, trades, scope, observer);
  return { ...folded, trades };
}

/** What a refold looked at. */
export interface RefoldedPairs {
  readonly before: Trades;
  readonly after: Trades;
  readonly standing: OneState;
}

/**
 * Folds pairs anew and writes all that follows from it.
 *
 * - `late`: trades of them that are not stored, without facts.
 */
export async function refoldPairs(
  writer: Writer,
  { config, roles }: LedgerContext,
  late: Trades,
  scope: Omit<FoldScope, 'of' | 'until'> & { readonly of: { readonly pairs: Float64Array } },
): Promise<RefoldedPairs> {
  const pause = yielder();
  const { pairs } = scope.of;
  const from = scope.since?.from ?? 0;
  const before = await tradesOfPairs(writer, pairs, from);
  const all = concatBatches(tradesTable, columnsOf(tradesTable), [before, late]);
  const order = allRows(all.length).sort((a, b) => all.columns.seq[a]! - all.columns.seq[b]!);
  await pause.yieldIfDue();
  const after = takeRows(all, order);
  const folded = await foldScope(writer, { roles, dustUsd: config.dust_usd }, after, { ...scope, unstored: late });
  await replaceTrades(writer, before, after, order);
  await pause.yieldIfDue();
  await writer.remove(lotsTable, isIn('pair', pairs));
  if (folded.lots.length > 0) await writer.append(lotsTable, folded.lots);
  await writer.remove(movesTable, and(isIn('pair', pairs), compare('seq', 'gte', from)));
  await appendMoves(writer, folded);
  await writer.remove(balancesTable, isIn('pair', pairs));
  if (folded.balances.length > 0) await writer.append(balancesTable, folded.balances);
  return { before, after, standing: folded.standing };
}

/** What the ledger writes on trades. */
export const factColumns = [
  'position_state',
  'cost',
  'proceeds',
  'pnl',
  'holding',
  'open_before',
  'open_cost',
  'cost_native',
  'proceeds_native',
  'pre_token_balance',
  'post_token_balance',
] as const;

/** Writes refolded trades, but those whose facts are as they are stored: a rollback changes none of the trades before it. */
async function replaceTrades(writer: Writer, stored: Trades, refolded: Trades, order: Uint32Array): Promise<void> {
  const seqs = new Set<number>();
  for (const [row, old] of order.entries()) {
    const isSame =
      old < stored.length &&
      factColumns.every((name) => Object.is(refolded.columns[name][row], stored.columns[name][old]));
    if (!isSame) seqs.add(refolded.columns.seq[row]!);
  }
  const rows = Array.from(order.keys()).filter((row) => seqs.has(refolded.columns.seq[row]!));
  const replaced = rows.filter((row) => order[row]! < stored.length).map((row) => refolded.columns.seq[row]!);
  if (replaced.length > 0) await writer.remove(tradesTable, isIn('seq', Float64Array.from(replaced)));
  if (rows.length > 0) await writer.append(tradesTable, takeRows(refolded, rows));
}
