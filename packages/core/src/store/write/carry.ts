import { storedLifetime } from '../../bag/lifetime.ts';
import {
  balancesOf,
  CarriedEntities,
  carriedLots,
  carriedMoves,
  carriedPairs,
  type Horizon,
  kindOf,
} from '../../ingest/carried.ts';
import { votesToCarry } from '../../ingest/carried-votes.ts';
import { type Legs, legsByToken } from '../../ingest/derive.ts';
import { LedgerFold, lotsOfPairs, pairsOfTrades, placesInBook } from '../../ingest/ledger-fold.ts';
import { placesIn, swappingWallets } from '../../ingest/ledgers.ts';
import { sinceOf } from '../../ingest/moves.ts';
import { type VoteScope, voteRows, votesBefore } from '../../ingest/native-price.ts';
import { PairBook } from '../../ingest/pair-book.ts';
import { readTransfers } from '../../ingest/pair-transfers.ts';
import { nativeMarkOf, nativePriceOf, TokenVotes } from '../../ledger/native-mark.ts';
import type { Roles } from '../../ledger/roles.ts';
import { QUOTE_QUOTE, type Trades } from '../../ledger/trade.ts';
import type { Swaps } from '../../ledger/value.ts';
import {
  carriedEntitiesTable,
  carriedLegsTable,
  carriedLotsTable,
  carriedMovesTable,
  carriedPairsTable,
  carriedPoolSwapsTable,
  carriedVotePoolsTable,
  carriedVotesTable,
} from '../../records/carried-tables.ts';
import { firstSeqAt, pairOf, timeOf } from '../../records/chain-order.ts';
import { type Batch, columnsOf, NO_ID, newBatch, type Table, takeRows } from '../../records/columns.ts';
import { distinctIds, groupRows, placesOf } from '../../records/key-index.ts';
import type { EntityKind } from '../../records/profile-fields.ts';
import { isMarking, isSuspect } from '../../records/standing.ts';
import {
  legsTable,
  movesTable,
  nativePricesTable,
  poolSwapsTable,
  referencePricesTable,
} from '../../records/tables.ts';
import { movesOf, type PositionMoves } from '../../refresh/position-moves.ts';
import { noFacts, PositionHistory } from '../../refresh/position-rows.ts';
import { TradeLog } from '../../refresh/trade-log.ts';
import { ascending, type Reader, type Writer } from '../../storage/adapter.ts';
import { and, between, compare, isIn, type Predicate } from '../../storage/predicate.ts';
import { readTransactions } from '../../storage/reads.ts';
import { finish } from '../../work.ts';

/** What is forgotten in a step: the swaps from one horizon to the next, and what followed from them. */
export interface Step {
  readonly before: Horizon;
  readonly time: number;
  /** Rows before the next horizon. */
  readonly behind: Predicate;
  readonly swaps: Swaps;
  readonly trades: Trades;
}

/** Balances, lots, what moved since the last trades, and what the trades of positions add up to. */
export async function carryPairs(
  writer: Writer,
  { before, time, behind, swaps, trades }: Step,
  { roles, dustUsd }: { readonly roles: Roles; readonly dustUsd: number },
): Promise<void> {
  const transfers = await readTransfers(writer, between('block_time', before.time, time - 1), {
    isWanted: () => true,
    walletsOf: (wallets) => swappingWallets(writer, wallets, { horizon: before.time }),
  });
  const book = new PairBook();
  const places = finish(placesInBook(book, swaps));
  for (const pair of transfers.keys()) book.placeOf(pair);
  const touched = book.keys();
  const carried = await carriedPairs(writer, before.time, isIn('id', touched));
  book.load(balancesOf(carried));
  const fold = new LedgerFold(book, { swaps, places, trades }, { roles, dustUsd, transfers });
  finish(fold.prepare());
  const stood = await carriedLots(writer, before.time, isIn('pair', fold.lotPairs));
  const since = await carriedMoves(writer, before.time, isIn('pair', fold.sincePairs));
  const folded = finish(
    fold.fold({
      lots: lotsOfPairs(fold.lotPairs, stood),
      since: sinceOf(since),
      places: await placesIn(writer)(fold.unplaced),
    }),
  );
  const { columns: balances, length } = await book.rows();
  const rows = newBatch(carriedPairsTable, length);
  const c = rows.columns;
  const { pair, ...same } = balances;
  c.id.set(pair);
  for (const [name, values] of Object.entries(same)) (c[name as keyof typeof same] as Float64Array).set(values);
  const rowOf = placesOf(c.id);
  const { wallet, token_in, token_out, seq } = swaps.columns;
  for (let i = 0; i < swaps.length; i++)
    for (const token of token_in[i] === token_out[i] ? [] : [token_in[i]!, token_out[i]!])
      c.updated_at[rowOf.find(pairOf(wallet[i]!, token))] = timeOf(seq[i]!);
  const known = placesOf(carried.columns.id);
  for (let row = 0; row < length; row++)
    if (c.updated_at[row] === 0) {
      const old = known.find(c.id[row]!);
      c.updated_at[row] = old < 0 ? transfers.get(c.id[row]!)!.at(-1)!.time : carried.columns.updated_at[old]!;
    }
  const history = new PositionHistory();
  const moves = await movesBehind(writer, behind);
  const groups = groupRows(pairsOfTrades(trades));
  for (let row = 0; row < length; row++) {
    const old = known.find(c.id[row]!);
    const own = groups.index.find(c.id[row]!);
    const of = own < 0 ? new Int32Array() : groups.rows.subarray(groups.starts[own]!, groups.starts[own + 1]!);
    history.begin(carried, old);
    for (const trade of of) history.add(trades, trade, moves);
    history.save(c, row);
    const spent = old < 0 ? 0 : carried.columns['holding.spent_cost'][old]! || 0;
    c['holding.spent_cost'][row] = spent + moves.spentOf(c.id[row]!);
    const first = old < 0 ? Number.NaN : carried.columns.first_seq[old]!;
    c.first_seq[row] = Number.isNaN(first) && of.length > 0 ? trades.columns.seq[of[0]!]! : first;
  }
  await putInPlace(writer, carriedPairsTable, isIn('id', c.id), rows);
  await putInPlace(writer, carriedLotsTable, isIn('pair', fold.pairs), folded.lots);
  const moved = Float64Array.from(new Set([...fold.sincePairs, ...folded.since.columns.pair]));
  await putInPlace(writer, carriedMovesTable, isIn('pair', moved), folded.since);
}

/** What moved with the trades behind the next horizon. */
async function movesBehind(writer: Writer, behind: Predicate): Promise<PositionMoves> {
  const rows = await writer.read({
    table: movesTable,
    columns: ['pair', 'seq', 'spent_cost', 'opened_at', 'closed_at'],
    where: behind,
    order: ascending('pair', 'seq'),
  });
  return movesOf([rows]);
}

/** Open costs, newest trades and swaps of wallets or tokens. */
export async function carryEntities(
  writer: Writer,
  { before, swaps, trades }: Step,
  kind: EntityKind,
  roles: Roles,
): Promise<void> {
  const { wallet, token_in, token_out, seq } = swaps.columns;
  const newest = new Map<number, number>();
  for (let i = 0; i < swaps.length; i++)
    for (const id of kind === 'wallets' ? [wallet[i]!] : [token_in[i]!, token_out[i]!]) newest.set(id, timeOf(seq[i]!));
  const ids = Int32Array.from(newest.keys()).sort();
  const carried = await CarriedEntities.read(writer, before.time, kind, ids);
  const groups = groupRows(Float64Array.from(kind === 'wallets' ? trades.columns.wallet : trades.columns.token));
  const rows = newBatch(carriedEntitiesTable, ids.length);
  const c = rows.columns;
  const log = new TradeLog();
  const votes = kind === 'tokens' ? nativeVotes(swaps, roles, carried) : undefined;
  for (const [row, id] of ids.entries()) {
    const openCost = carried.openCostOf(id);
    log.begin(openCost && { time: before.time - 1, openCost, lifetime: carried.lifetimeOf(id) });
    const group = groups.index.find(id);
    const of = group < 0 ? [] : groups.rows.subarray(groups.starts[group]!, groups.starts[group + 1]!);
    const own = takeRows(trades, of) as Trades;
    if (kind === 'wallets') log.addOfWallet(own, 0, own.length, noFacts);
    else log.add(own, 0, own.length, own.columns.wallet, noFacts);
    let realized = carried.numberOf(id, 'realized_pnl') || 0;
    for (const [i, pnl] of own.columns.pnl.entries())
      if (!Number.isNaN(pnl) && own.columns.swap_type[i] !== QUOTE_QUOTE) realized += pnl;
    const { sum, low, positions } = log.checkpointAt(Number.MAX_SAFE_INTEGER).openCost;
    c.kind[row] = kindOf[kind];
    c.id[row] = id;
    c.cost_sum[row] = sum;
    c.cost_low[row] = low;
    c.cost_positions[row] = positions;
    c.realized_pnl[row] = realized;
    c.last_trade_at[row] =
      log.trades.length > 0 ? log.trades.time[log.trades.length - 1]! : carried.numberOf(id, 'last_trade_at');
    c.updated_at[row] = newest.get(id)!;
    c.lifetime[row] = kind === 'wallets' ? storedLifetime(log.lifetimes(Number.MAX_SAFE_INTEGER)[1]) : null;
    c.native_votes[row] = votes?.get(id) ?? null;
  }
  await putInPlace(writer, carriedEntitiesTable, and(compare('kind', 'eq', kindOf[kind]), isIn('id', ids)), rows);
}

/** What the newest swaps of each token say of its price in native tokens, with what was carried of those before. */
function nativeVotes(swaps: Swaps, roles: Roles, carried: CarriedEntities): ReadonlyMap<number, string> {
  const { token_in, token_out, tx, wallet } = swaps.columns;
  const found = new Map<number, { readonly newest: TokenVotes; swaps: number }>();
  for (let row = swaps.length - 1; row >= 0; row--) {
    const paid = nativePriceOf(swaps, row, roles);
    if (token_in[row] === token_out[row]) continue;
    for (const token of [token_in[row]!, token_out[row]!]) {
      const of = found.get(token) ?? { newest: new TokenVotes(), swaps: 0 };
      found.set(token, of);
      if (paid?.token === token)
        of.newest.addSwap({ price: paid.price, wallet: wallet[row]!, rank: of.swaps }, tx[row]!);
      of.swaps++;
    }
  }
  return new Map(
    Array.from(found, ([token, { newest, swaps }]) => {
      for (const vote of carried.nativeVotesOf(token)) newest.addSwap({ ...vote, rank: vote.rank + swaps });
      return [token, JSON.stringify(newest.ranked.map(({ price, wallet, rank }) => [price, wallet, rank]))];
    }),
  );
}

/** The legs that later answers read, and the votes that later prints are compared with. */
export async function carryLegs(writer: Writer, { before, behind, swaps }: Step, roles: Roles): Promise<void> {
  const tokens = distinctIds(swaps.columns.token_in, swaps.columns.token_out);
  const ofTokens = isIn('token', tokens);
  const all = await writer.read({
    table: legsTable,
    columns: columnsOf(legsTable),
    where: and(ofTokens, behind),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  await carryVotes(writer, swaps, all, before.time);
  const { rows, marks } = rowsToCarry(all);
  const legs = takeRows(all, rows) as Legs;
  const origins = await originsOf(writer, { before, swaps, ofTokens, roles });
  await putInPlace(writer, legsTable, and(ofTokens, behind), legsByToken(legs));
  const carried = newBatch(carriedLegsTable, legs.length);
  Object.assign(carried.columns, legs.columns);
  for (const [i, row] of rows.entries()) {
    const { block_slot, tx_hash, swap_index, nativePrices } = origins.get(legs.columns.seq[i]!)!;
    carried.columns.block_slot[i] = block_slot;
    carried.columns.tx_hash[i] = marks.has(row) ? tx_hash : null;
    carried.columns.swap_index[i] = marks.has(row) ? swap_index : Number.NaN;
    carried.columns.native_price[i] = nativePrices.get(legs.columns.token[i]!) ?? Number.NaN;
  }
  await putInPlace(writer, carriedLegsTable, ofTokens, carried);
}

/** `legs`: those behind the next horizon of the tokens of the swaps, newest first; some were carried before. */
async function carryVotes(writer: Writer, swaps: Swaps, legs: Legs, horizon: number): Promise<void> {
  const since = firstSeqAt(horizon);
  const rows = Array.from({ length: legs.length }, (_, i) => legs.length - 1 - i);
  const forgotten = takeRows(
    legs,
    rows.filter((row) => legs.columns.seq[row]! >= since),
  ) as Legs;
  const { votes, pools } = await votesToCarry(writer, swaps, forgotten, horizon);
  const tokens = distinctIds(swaps.columns.token_in, swaps.columns.token_out);
  await putInPlace(writer, carriedVotesTable, isIn('token', tokens), votes);
  await putInPlace(writer, carriedVotePoolsTable, isIn('pair', pools.columns.pair), pools);
}

/**
 * Of legs, newest first, those of each token that are the newest of a kind, or suspect prints after the newest that may be a mark; in chain
 * order. `marks` are the newest prints, of which an explanation names the swap.
 */
function rowsToCarry({ columns: c, length }: Legs): {
  readonly rows: readonly number[];
  readonly marks: ReadonlySet<number>;
} {
  const seen = new Set<string>();
  const isNewest = (token: number, kind: string): boolean => seen.size < seen.add(`${kind} ${token}`).size;
  const rows: number[] = [];
  const marks = new Set<number>();
  for (let row = 0; row < length; row++) {
    const [token, standing] = [c.token[row]!, c.standing[row]!];
    const isPrint = !Number.isNaN(c.price[row]!);
    const isClean = isPrint && !isSuspect(standing);
    const isBeforeMark = !seen.has(`mark ${token}`);
    const kinds = [
      isPrint && isNewest(token, 'print'),
      isPrint && isMarking(standing) && isNewest(token, 'mark'),
      isClean && isBeforeMark && isNewest(token, 'clean'),
    ];
    if (kinds.includes(true)) marks.add(row);
    const isKept = marks.has(row) || (isPrint && !isClean && isBeforeMark);
    if ([isKept, c.symbol[row] !== NO_ID && isNewest(token, 'symbol')].includes(true)) rows.push(row);
  }
  return { rows: rows.reverse(), marks };
}

/** What names a swap, as far as it is carried. */
interface Origin {
  readonly block_slot: number;
  readonly tx_hash: string | null;
  readonly swap_index: number;
  /** The prices of its tokens in native tokens, if its native leg valued it. */
  readonly nativePrices: ReadonlyMap<number, number>;
}

/** The origins of swaps that are forgotten, and of those whose legs are carried already, by their places. */
async function originsOf(
  reader: Reader,
  {
    before: { time },
    swaps,
    ofTokens,
    roles,
  }: Pick<Step, 'before' | 'swaps'> & { readonly ofTokens: Predicate; readonly roles: Roles },
): Promise<ReadonlyMap<number, Origin>> {
  const origins = new Map<number, Origin>();
  // Of two legs of a swap, one alone may have it named.
  const note = (seq: number, origin: Origin): void => {
    const nativePrices = new Map([...(origins.get(seq)?.nativePrices ?? []), ...origin.nativePrices]);
    if (origin.tx_hash !== null || !origins.has(seq)) origins.set(seq, { ...origin, nativePrices });
    else origins.set(seq, { ...origins.get(seq)!, nativePrices });
  };
  if (time > 0) {
    const columns = ['token', 'seq', 'block_slot', 'tx_hash', 'swap_index', 'native_price'] as const;
    const { columns: known } = await reader.read({ table: carriedLegsTable, columns, where: ofTokens });
    for (const [i, seq] of known.seq.entries())
      note(seq, {
        block_slot: known.block_slot[i]!,
        tx_hash: known.tx_hash[i]!,
        swap_index: known.swap_index[i]!,
        nativePrices: new Map([[known.token[i]!, known.native_price[i]!]]),
      });
  }
  const { columns: c } = swaps;
  const transactions = await readTransactions(reader, c.tx);
  for (const [i, seq] of c.seq.entries()) {
    const { block_slot, tx_hash } = transactions.get(c.tx[i]!)!;
    const tokens = [c.token_in[i]!, c.token_out[i]!];
    const nativePrices = new Map(tokens.map((token) => [token, nativeMarkOf(swaps, i, token, roles)]));
    note(seq, { block_slot, tx_hash, swap_index: c.swap_index[i]!, nativePrices });
  }
  return origins;
}

/** The newest swap of each pool and pair of tokens: a pool stands for one of all the tokens that it ever exchanged. */
export async function carryPools(writer: Writer, { behind, swaps }: Step): Promise<void> {
  const ofPools = isIn('pool', distinctIds(swaps.columns.pool.filter((pool) => pool !== NO_ID)));
  const all = await writer.read({
    table: poolSwapsTable,
    columns: columnsOf(poolSwapsTable),
    where: and(ofPools, behind),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  const { pool, token, other } = all.columns;
  const newest = new Map<string, number>();
  for (let row = all.length - 1; row >= 0; row--) newest.set(`${pool[row]} ${token[row]} ${other[row]}`, row);
  const rows = takeRows(
    all,
    [...newest.values()].sort((a, b) => b - a),
  ) as Batch<typeof poolSwapsTable>;
  await putInPlace(writer, poolSwapsTable, and(ofPools, behind), rows);
  await putInPlace(writer, carriedPoolSwapsTable, ofPools, rows);
}

/** Keeps the last reference price of each token before a time. */
export async function carryReferencePrices(writer: Writer, time: number): Promise<void> {
  const isOld = compare('time', 'lt', time);
  const prices = await writer.read({
    table: referencePricesTable,
    columns: columnsOf(referencePricesTable),
    where: isOld,
    order: [{ column: 'time', direction: 'asc' }],
  });
  const last = new Map(Array.from(prices.columns.token, (token, row) => [token, row]));
  if (last.size === prices.length) return;
  await putInPlace(writer, referencePricesTable, isOld, takeRows(prices, [...last.values()]) as typeof prices);
}

/** Keeps the votes for the native price that may count from the horizon on, and gives them. */
export async function carryNativePrice(
  writer: Writer,
  scope: VoteScope,
  { time, behind }: Pick<Step, 'time' | 'behind'>,
): Promise<Horizon['native']> {
  const { firm, feed } = (await votesBefore(writer, scope, firstSeqAt(time))).livingAt(time);
  await putInPlace(writer, nativePricesTable, behind, voteRows([...firm].sort((a, b) => a.seq - b.seq)));
  return firm.length + feed.length === 0 ? null : { firm, feed };
}

async function putInPlace<T extends Table>(writer: Writer, table: T, where: Predicate, rows: Batch<T>): Promise<void> {
  await writer.remove(table, where);
  if (rows.length > 0) await writer.append(table, rows);
}
