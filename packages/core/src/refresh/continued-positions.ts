import { windowSpecs } from '../bag/windows.ts';
import { type CarriedPairs, carriedPairs, tradedPairs } from '../ingest/carried.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { pairsOfTrades } from '../ingest/ledger-fold.ts';
import { firstSeqAt, pairToken, pairWallet, pairsOf as rangeOfWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, concatBatches, concatenating, takeRows } from '../records/columns.ts';
import { groupingRows, KeyIndex, placesOf, sortingKeys } from '../records/key-index.ts';
import { SINCE_LAST_TRADE, tradesTable } from '../records/tables.ts';
import { between, isIn } from '../storage/predicate.ts';
import { ROWS_PER_CHECK, type Yielder, yielder } from '../yielder.ts';
import type { FoldContext } from './context.ts';
import { readPositionMoves } from './position-moves.ts';
import { groupByPairs, historyColumns, historyRows, PositionWindows, storedColumns } from './position-rows.ts';
import { readLots, readPairSwaps } from './positions.ts';
import type { EntityReads } from './read.ts';
import type { StalePositions } from './stale.ts';
import { readBalances } from './touched-balances.ts';
import { type TradeLog, type TradeRows, tradeColumns } from './trade-log.ts';
import { allTrades, type TradeReads } from './trades.ts';

const LONGEST = windowSpecs.wallets[0]!.seconds;

interface ReadOptions {
  readonly stale: StalePositions;
  readonly of: Float64Array;
  readonly syncedAt: number;
}

/**
 * Positions that go on from where they are stored: their history is continued with what has come since, their windows are folded from the
 * trades that the fold of their wallet reads.
 */
export class ContinuedPositions {
  /** One a pair that has a trade, ascending; whole once all wallets were taken. */
  readonly rows: Batch;
  readonly #pairs: Float64Array;
  readonly #windows: PositionWindows;
  readonly #asOf: number;
  /** The first row that was not taken. */
  #next = 0;
  /** By number of a counterparty, its place among the tokens asked for, from 1; else 0. */
  #placeOf = new Int32Array(64);

  private constructor({ shapes, metrics, asOf }: FoldContext, rows: Batch, pairs: Float64Array) {
    this.rows = rows;
    this.#pairs = pairs;
    this.#windows = new PositionWindows(shapes.positions, metrics, rows);
    this.#asOf = asOf;
  }

  /** Reads what all positions of wallets are made of beside the trades, which were read for the wallets, from the first one on. */
  static async readAll(
    context: FoldContext,
    { ids: wallets, trades: reads }: EntityReads,
    { syncedAt, isAll }: { readonly syncedAt: number; readonly isAll: boolean },
  ): Promise<ContinuedPositions> {
    const { dictionary, reader } = context;
    const pause = yielder();
    const { newestSwap } = await readPairSwaps(context, { wallets, isAll, syncedAt }, pause);
    const pieces = allTrades(reads);
    const of = new Float64Array(pieces.reduce((sum, { length }) => sum + length, 0));
    let end = 0;
    for (const piece of pieces) {
      of.set(pairsOfTrades(piece), end);
      end += piece.length;
      await pause.yieldIfDue();
    }
    const carried = tradedPairs(await carriedPairs(reader, context.horizon, between('id', ...rangeOf(wallets))));
    const { pairs, starts, order } = await groupWithCarried(of, carried, pause);
    await pause.yieldIfDue();
    await dictionary.load(reader, await tokensOf(pairs, pause));
    const range = between('pair', ...rangeOf(wallets));
    const rows = await historyRows(
      context,
      {
        trades: await pause.run(concatenating(tradesTable, historyColumns, pieces)),
        pairs,
        starts,
        order,
        newestSwap,
        balances: await readBalances(reader, range),
        lots: await readLots(context, range),
        moves: await readPositionMoves(context, (column) => between(column, ...rangeOf(wallets))),
        syncedAt,
        stored: carried,
      },
      pause,
    );
    return new ContinuedPositions(context, rows, pairs);
  }

  /** Reads what the pairs, of those that are continued, are made of beside the trades, which were read for their wallets. */
  static async read(
    context: FoldContext,
    { trades: read }: EntityReads,
    { stale, of, syncedAt }: ReadOptions,
  ): Promise<ContinuedPositions> {
    const { reader, dictionary, shapes } = context;
    const { table } = shapes.positions;
    const stored = (await reader.read({ table, columns: storedColumns, where: isIn('id', of) })) as Batch;
    const trades = await newTrades(read, stale);
    const known = placesOf(stored.columns.id as Float64Array);
    const traded = pairsOfTrades(trades);
    const { starts } = groupByPairs(trades, traded, of);
    const pairs = of.filter((pair, i) => known.find(pair) >= 0 || starts[i]! < starts[i + 1]!);
    await dictionary.load(reader, Int32Array.from(new Set(pairs.map(pairWallet))));
    await dictionary.load(reader, Int32Array.from(new Set(pairs.map(pairToken))));
    const reads = {
      ...groupByPairs(trades, traded, pairs),
      stored,
      newestSwap: stale.newestSwap,
      balances: await stale.balances.of(pairs),
      lots: await readLots(context, isIn('pair', pairs)),
      moves: await readPositionMoves(context, (column) => isIn(column, pairs), { from: newSeq(stale) }),
      syncedAt,
    };
    return new ContinuedPositions(context, await historyRows(context, reads, yielder()), pairs);
  }

  /** Writes the windows of the positions of a wallet, from its trades. Wallets have to ascend. Many positions take several turns. */
  async take(wallet: number, log: TradeLog, pause: Yielder): Promise<void> {
    const pairs = this.#pairs;
    while (this.#next < pairs.length && pairWallet(pairs[this.#next]!) < wallet) this.#next++;
    const from = this.#next;
    while (this.#next < pairs.length && pairWallet(pairs[this.#next]!) === wallet) this.#next++;
    if (from === this.#next) return;
    const tokens = Array.from(pairs.subarray(from, this.#next), pairToken);
    const counted = this.#rowsOf(tokens, log);
    const quotes = log.quotes && this.#rowsOf(tokens, log.quotes);
    for (const [i, rows] of counted.entries()) {
      if (pause.isDue()) await pause.take();
      const between = quotes?.[i] ?? [];
      // A token has trades of one kind alone.
      if (between.length > 0) this.#windows.fill(from + i, log.quotes!.trades, between, this.#asOf);
      else this.#windows.fill(from + i, log.trades, rows, this.#asOf);
    }
  }

  /** The rows of a log by token, newest first, of the longest window. */
  #rowsOf(tokens: readonly number[], log: TradeLog): readonly (readonly number[])[] {
    const rows: number[][] = tokens.map(() => []);
    const { trades } = log;
    if (this.#placeOf.length < trades.counterparties) this.#placeOf = new Int32Array(trades.counterparties * 2);
    const numbers = tokens.map((token) => log.numberOf(token));
    for (const [i, number] of numbers.entries()) if (number >= 0) this.#placeOf[number] = i + 1;
    const { time, counterparty } = trades;
    for (let row = trades.length - 1; row >= 0 && time[row]! > this.#asOf - LONGEST; row--) {
      const place = this.#placeOf[counterparty[row]!]!;
      if (place > 0) rows[place - 1]!.push(row);
    }
    for (const number of numbers) if (number >= 0) this.#placeOf[number] = 0;
    return rows;
  }
}

/** Rows of trades by pair, carried pairs without any trade among them. The pairs ascend, so that positions are stored in order. */
async function groupWithCarried(of: Float64Array, { columns }: CarriedPairs, pause: Yielder) {
  const { index, starts, rows } = await pause.run(groupingRows(of));
  const traded = index.keys();
  const untraded = columns.id.filter((pair) => index.find(pair) < 0);
  const unordered = new Float64Array(traded.length + untraded.length);
  unordered.set(traded);
  unordered.set(untraded, traded.length);
  const pairs = await pause.run(sortingKeys(unordered));
  const grown = new Int32Array(pairs.length + 1);
  const order = new Int32Array(rows.length);
  for (const [place, pair] of pairs.entries()) {
    if (place % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    const own = index.find(pair);
    const group = own < 0 ? rows.subarray(0, 0) : rows.subarray(starts[own]!, starts[own + 1]!);
    order.set(group, grown[place]!);
    grown[place + 1] = grown[place]! + group.length;
  }
  return { pairs, starts: grown, order };
}

/** The keys that pairs of wallets, which ascend, lie between. */
export function rangeOf(wallets: Int32Array): readonly [first: number, last: number] {
  return [rangeOfWallet(wallets[0]!)[0], rangeOfWallet(wallets[wallets.length - 1]!)[1]];
}

/** The least `seq` of what has come since the first change of a wallet. */
function newSeq({ changed }: StalePositions): number {
  const since = Math.min(...changed.map(({ since }) => since));
  return since === NO_SWAP ? SINCE_LAST_TRADE : firstSeqAt(since);
}

/** Of the trades that were read of wallets, those that have come since the first change of each, oldest first within a wallet. */
async function newTrades({ runs }: TradeReads, { sinceOf }: StalePositions): Promise<TradeRows> {
  const found: TradeRows[] = [];
  const pause = yielder();
  for (const piece of [...runs.values()].flat()) {
    const { wallet, seq } = piece.columns;
    const rows: number[] = [];
    for (let row = 0; row < piece.length; row++) if (timeOf(seq[row]!) >= sinceOf(wallet[row]!)) rows.push(row);
    found.push(takeRows(piece, rows));
    await pause.yieldIfDue();
  }
  return concatBatches(tradesTable, tradeColumns, found);
}

async function tokensOf(pairs: Float64Array, pause: Yielder): Promise<Int32Array> {
  const tokens = new KeyIndex();
  for (const [i, pair] of pairs.entries()) {
    if (i % ROWS_PER_CHECK === 0) await pause.yieldIfDue();
    tokens.placeOf(pairToken(pair));
  }
  return Int32Array.from(tokens.keys());
}
