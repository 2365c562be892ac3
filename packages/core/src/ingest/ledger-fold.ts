import { LotRows, type Lots } from '../ledger/lot-rows.ts';
import { type Move, newStep, PairLedger, type SinceMoved, type Step } from '../ledger/pair-ledger.ts';
import type { Roles } from '../ledger/roles.ts';
import { orderSteps, type Place, type PlacedStep } from '../ledger/step-order.ts';
import { type LedgerTrades, ledgerTrades } from '../ledger/trade.ts';
import { pairOf, pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, NO_ID, takeRows } from '../records/columns.ts';
import { groupingRows, KeyIndex, placesOf, type RowGroups } from '../records/key-index.ts';
import { AWAY, LOTS, SINCE, type tradesTable } from '../records/tables.ts';
import type { Work } from '../work.ts';
import { type LegSwaps, legSwaps } from './leg-swaps.ts';
import { MoveRows, type Moves } from './moves.ts';
import type { PairBook } from './pair-book.ts';
import { addTransfers, compareSteps, type PairTransfers, type TransfersOfPairs } from './pair-transfers.ts';

/** After as many legs, steps or pairs others may have their turn. */
const LEGS_PER_CHECK = 16_384;
const STEPS_PER_CHECK = 512;
const PAIRS_PER_CHECK = 64;

/** Lots of pairs, those of each pair together and by ordinal: those of the pair at place `p` of `index` are rows `starts[p]` to `starts[p + 1]`. */
export interface PairLots {
  readonly lots: Lots;
  readonly index: KeyIndex;
  readonly starts: Int32Array;
}

export interface FoldOptions {
  readonly roles: Pick<Roles, 'rankOf' | 'isNative'>;
  readonly dustUsd: number;
  readonly transfers?: TransfersOfPairs | undefined;
  /** Trades of the wallets of the swaps, in any tokens: in their transactions, quote tokens are spent. Default: the trades that are folded. */
  readonly allTrades?: Batch<typeof tradesTable, 'tx' | 'wallet'> | undefined;
  /** Called after each step of a pair, pair by pair: then no pair is plain. `seq` is that of its trade, `undefined` without one. */
  readonly onStep?: ((pair: number, time: number, ledger: PairLedger, seq: number | undefined) => void) | undefined;
  readonly onMove?: ((pair: number, move: Move) => void) | undefined;
}

/** What a fold needs to know of the store beside what it folds. */
export interface FoldState {
  /** The lots of the pairs of `lotPairs`. */
  readonly lots: PairLots;
  /** What had moved in the pairs of `sincePairs`. */
  readonly since: ReadonlyMap<number, SinceMoved>;
  /** Where the transactions of `unplaced` stand. */
  readonly places: ReadonlyMap<number, Place>;
}

/** What a fold leaves: the balances stand in its book. */
export interface Folded {
  /** Lots by pair and ordinal: all that the pairs which were folded have. */
  readonly lots: Lots;
  /** Rows of trades. */
  readonly moves: Moves;
  /** What has moved since the last trades of pairs. */
  readonly since: Moves;
}

const NO_TRANSFERS: readonly PairTransfers[] = [];

/**
 * Folds swaps and their trades, whole transactions in chain order, into the ledgers of their pairs. Balances are stepped in a book.
 *
 * A pair is *plain* if none of its legs reports a balance, nothing of it is away or has moved, it has no transfer, and each of its
 * transactions has a trade of it: then balances are stepped leg by leg, and lots trade by trade. The others go transaction by transaction.
 * Both leave the same of a pair that is plain.
 */
export class LedgerFold {
  readonly #book: PairBook;
  readonly #swaps: LegSwaps;
  readonly #trades: LedgerTrades;
  readonly #options: FoldOptions;
  /** By leg, given and received of each swap in turn: the place of its pair in the book, -1 if it is not folded. */
  readonly #places: Int32Array;
  #isSpecial = new Uint8Array(0);
  #traded!: RowGroups;
  /** Legs of pairs that are not plain, by the place of the pair. */
  #legs!: RowGroups;
  /** The pairs that are folded beyond their balances, ascending. */
  pairs = new Float64Array(0);
  /** The step of transactions that are alone in their second. */
  readonly #lone = newStep();
  /** The first row of each transaction of trades, once it is looked for. */
  #tradeOf: { readonly index: KeyIndex; readonly row: readonly number[] } | undefined;
  /** Pairs that are folded, and have lots in the store. */
  lotPairs = new Float64Array(0);
  /** Pairs of which something may have moved since their last trade. */
  sincePairs = new Float64Array(0);
  /** Transactions that share a second with another of a pair. */
  readonly unplaced = new Set<number>();

  /**
   * `book`: has the balances of all pairs that are folded, as far as there are any. `places`: as `placesInBook` gives them.
   */
  constructor(
    book: PairBook,
    { swaps, places, trades }: { readonly swaps: LegSwaps; readonly places: Int32Array; readonly trades: LedgerTrades },
    options: FoldOptions,
  ) {
    this.#book = book;
    this.#swaps = legSwaps(swaps);
    this.#places = places;
    this.#trades = ledgerTrades(trades);
    this.#options = options;
  }

  /** Looks which pairs there are, which of them are plain, and what has to be known of them. */
  *prepare(): Work<void> {
    const book = this.#book;
    const places = this.#places;
    const c = this.#swaps.columns;
    for (const pair of this.#options.transfers?.keys() ?? []) book.placeOf(pair);
    const size = book.length;
    const isSpecial = new Uint8Array(size);
    const transactions = new Int32Array(size);
    const last = new Int32Array(size).fill(NO_ID);
    const { pre_token_balance_in, pre_token_balance_out, post_token_balance_in, post_token_balance_out } = c;
    for (let leg = 0; leg < places.length; leg++) {
      const place = places[leg]!;
      if (place < 0) continue;
      const row = leg >> 1;
      if (last[place] !== c.tx[row]!) {
        last[place] = c.tx[row]!;
        transactions[place]!++;
      }
      const isUnreported =
        (leg & 1) === 0
          ? Number.isNaN(pre_token_balance_in[row]!) && Number.isNaN(post_token_balance_in[row]!)
          : Number.isNaN(pre_token_balance_out[row]!) && Number.isNaN(post_token_balance_out[row]!);
      if (!isUnreported) isSpecial[place] = 1;
      if (leg % LEGS_PER_CHECK === 0) yield;
    }
    yield;
    this.#traded = yield* groupingRows(pairsOfTrades(this.#trades));
    const { index, starts } = this.#traded;
    const trades = new Int32Array(size);
    for (const [i, pair] of index.keys().entries()) trades[book.find(pair)] = starts[i + 1]! - starts[i]!;
    yield;
    const pairs: number[] = [];
    const since: number[] = [];
    const { transfers, onStep } = this.#options;
    for (let place = 0; place < size; place++) {
      if (place % LEGS_PER_CHECK === 0) yield;
      const hasTransfers = transfers?.has(book.pairAt(place)) === true;
      if (last[place] === NO_ID && !hasTransfers) continue;
      const flags = book.flagsAt(place);
      const hasLots = (flags & LOTS) !== 0 || trades[place]! > 0;
      if (
        onStep !== undefined ||
        hasTransfers ||
        (flags & (AWAY | SINCE)) !== 0 ||
        (hasLots && transactions[place]! > trades[place]!)
      )
        isSpecial[place] = 1;
      if (isSpecial[place] === 1 || trades[place]! > 0) pairs.push(book.pairAt(place));
      if ((flags & SINCE) !== 0) since.push(book.pairAt(place));
    }
    this.#isSpecial = isSpecial;
    this.pairs = Float64Array.from(pairs).sort();
    this.lotPairs = this.pairs.filter((pair) => (book.flagsAt(book.find(pair)) & LOTS) !== 0);
    this.sincePairs = Float64Array.from(since);
    yield;
    yield* this.#groupLegs();
  }

  *#groupLegs(): Work<void> {
    const places = this.#places;
    const legs = new Int32Array(places.length);
    const special = new Float64Array(places.length);
    let length = 0;
    for (let leg = 0; leg < places.length; leg++) {
      const place = places[leg]!;
      if (place < 0 || this.#isSpecial[place] === 0) continue;
      legs[length] = leg;
      special[length++] = place;
    }
    yield;
    const grouped = yield* groupingRows(special.subarray(0, length));
    const { starts, rows, index } = grouped;
    for (let i = 0; i < rows.length; i++) rows[i] = legs[rows[i]!]!;
    this.#legs = grouped;
    const { seq, tx } = this.#swaps.columns;
    const { transfers } = this.#options;
    for (const [group, place] of index.keys().entries()) {
      if (group % STEPS_PER_CHECK === 0) yield;
      const moved = transfers?.get(this.#book.pairAt(place));
      const seconds = moved && new Set(moved.map(({ time }) => time));
      for (let i = starts[group]!; i < starts[group + 1]!; i++) {
        const row = rows[i]! >> 1;
        if (seconds?.has(timeOf(seq[row]!))) this.unplaced.add(tx[row]!);
        if (i === starts[group]) continue;
        const before = rows[i - 1]! >> 1;
        if (tx[before] === tx[row] || timeOf(seq[before]!) !== timeOf(seq[row]!)) continue;
        this.unplaced.add(tx[before]!);
        this.unplaced.add(tx[row]!);
      }
    }
  }

  /** Writes the facts of the trades, and steps the balances of the book. */
  *fold(state: FoldState): Work<Folded> {
    const book = this.#book;
    yield* this.#stepPlain();
    const ledger = new PairLedger();
    const { position } = ledger;
    const { index, starts, rows: own } = this.#traded;
    const { lots } = state;
    const lotRows = new LotRows();
    const moves = new MoveRows();
    const since = new MoveRows();
    const { dustUsd, roles, onMove } = this.#options;
    let done = 0;
    for (const pair of this.pairs) {
      const place = book.find(pair);
      const group = index.find(pair);
      const firstTrade = group < 0 ? 0 : starts[group]!;
      const tradeEnd = group < 0 ? 0 : starts[group + 1]!;
      const at = lots.index.find(pair);
      const [from, to] = at < 0 ? [0, 0] : [lots.starts[at]!, lots.starts[at + 1]!];
      if (this.#isSpecial[place] === 1) {
        ledger.begin(
          {
            dustUsd,
            isNative: roles.isNative(pairToken(pair)),
            onMove: onMove && ((move) => onMove(pair, move)),
          },
          { lots: lots.lots, from, to },
          { balance: book.balanceAt(place), received: book.receivedAt(place), flags: book.flagsAt(place) },
          state.since.get(pair),
        );
        yield* this.#foldPair({ ledger, pair, place, firstTrade, tradeEnd, moves }, state);
        if (ledger.isSinceMoved) since.add(pair, undefined, ledger.moved, ledger.openCost);
        book.set(place, ledger.balance, ledger.received, ledger.flags);
      } else {
        position.load(lots.lots, from, to);
        for (let i = firstTrade; i < tradeEnd; i++) {
          position.apply(this.#trades, own[i]!, dustUsd);
          if ((i - firstTrade) % STEPS_PER_CHECK === STEPS_PER_CHECK - 1) yield;
        }
        book.setFlag(place, LOTS, position.isOpen);
      }
      position.save(pair, lotRows);
      if (++done % PAIRS_PER_CHECK === 0) yield;
    }
    yield;
    return { lots: lotRows.collected(), moves: moves.collected(), since: since.collected() };
  }

  *#stepPlain(): Work<void> {
    const book = this.#book;
    const places = this.#places;
    const { token_amount_in, token_amount_out } = this.#swaps.columns;
    for (let leg = 0; leg < places.length; leg++) {
      const place = places[leg]!;
      if (leg % LEGS_PER_CHECK === 0) yield;
      if (place < 0 || this.#isSpecial[place] === 1) continue;
      book.step(place, (leg & 1) === 0 ? -token_amount_in[leg >> 1]! : token_amount_out[leg >> 1]!);
    }
  }

  /** Folds a pair second by second: mostly that is one transaction. */
  *#foldPair({ ledger, pair, place, firstTrade, tradeEnd, moves }: PairFold, { places }: FoldState): Work<void> {
    const { rows: own } = this.#traded;
    const { index, starts, rows: legs } = this.#legs;
    const group = index.find(place);
    const legEnd = group < 0 ? 0 : starts[group + 1]!;
    const transfers = this.#options.transfers?.get(pair) ?? NO_TRANSFERS;
    const { seq } = this.#swaps.columns;
    const { seq: tradeSeq } = this.#trades.columns;
    let leg = group < 0 ? 0 : starts[group]!;
    let trade = firstTrade;
    let transfer = 0;
    let done = 0;
    while (leg < legEnd || transfer < transfers.length) {
      if (++done % STEPS_PER_CHECK === 0) yield;
      const moved = transfer < transfers.length ? transfers[transfer]!.time : Number.POSITIVE_INFINITY;
      const traded = leg < legEnd ? timeOf(seq[legs[leg]! >> 1]!) : Number.POSITIVE_INFINITY;
      const time = Math.min(moved, traded);
      if (traded < moved) {
        const end = this.#endOfStep(leg, legEnd);
        if (end === legEnd || timeOf(seq[legs[end]! >> 1]!) !== time) {
          const step = this.#fillStep(this.#lone, pair, leg, end, trade < tradeEnd ? own[trade]! : -1);
          leg = end;
          if (ledger.apply(this.#trades, step, PairLedger.disbelieve(this.#trades, step)))
            moves.add(pair, tradeSeq[step.trade]!, ledger.moved, Number.NaN);
          if (step.trade >= 0) {
            trade++;
            ledger.endSpan();
          }
          this.#options.onStep?.(pair, time, ledger, tradeSeq[step.trade]);
          continue;
        }
      }
      const steps: Step[] = [];
      while (leg < legEnd && timeOf(seq[legs[leg]! >> 1]!) === time) {
        const end = this.#endOfStep(leg, legEnd);
        const step = this.#fillStep(newStep(), pair, leg, end, trade < tradeEnd ? own[trade]! : -1);
        leg = end;
        if (step.trade >= 0) trade++;
        steps.push(step);
        if (++done % STEPS_PER_CHECK === 0) yield;
      }
      const apart: PlacedStep[] = [];
      for (; transfers[transfer]?.time === time; transfer++) {
        const moved = transfers[transfer]!;
        const swapped = moved.tx === NO_ID ? undefined : steps.find((step) => step.tx === moved.tx);
        const step = swapped ?? { ...newStep(), time };
        addTransfers(step, moved, this.#options.roles.isNative(pairToken(pair)));
        if (swapped === undefined) apart.push({ step, place: moved.place });
      }
      if (steps.length + apart.length === 1) {
        const step = steps[0] ?? apart[0]!.step;
        if (ledger.apply(this.#trades, step, PairLedger.disbelieve(this.#trades, step)))
          moves.add(pair, tradeSeq[step.trade]!, ledger.moved, Number.NaN);
        if (step.trade >= 0) ledger.endSpan();
        this.#options.onStep?.(pair, time, ledger, tradeSeq[step.trade]);
        continue;
      }
      const contradicted = new Set(steps.filter((step) => PairLedger.disbelieve(this.#trades, step)));
      const chain = [...steps.map((step) => ({ step, place: places.get(step.tx)! })), ...apart].sort(compareSteps);
      const ordered = orderSteps(chain, ledger.balance);
      const openBefore = ledger.openCost;
      const { opened_at, closed_at } = ledger.moved;
      for (const { step } of ordered) {
        if (ledger.apply(this.#trades, step, contradicted.has(step)))
          moves.add(pair, tradeSeq[step.trade]!, ledger.moved, Number.NaN);
        if (step.trade >= 0) ledger.endSpan();
        this.#options.onStep?.(pair, time, ledger, tradeSeq[step.trade]);
        if (++done % STEPS_PER_CHECK === 0) yield;
      }
      if (ordered.every(({ step }, i) => step === chain[i]!.step)) continue;
      this.#levelCosts(steps, openBefore, ledger.openCost);
      // Of one trade, the chain has no other order.
      const trading = steps.filter((step) => step.trade >= 0);
      if (trading.length > 1)
        moves.setState(pair, tradeSeq[trading.at(-1)!.trade]!, stateAfter(ledger, time, [opened_at, closed_at]));
    }
  }

  /** Of trades that were taken in another order than that of the chain, the last in the chain alone changes the open cost. */
  #levelCosts(steps: readonly Step[], before: number, after: number): void {
    const traded = steps.filter(({ trade }) => trade >= 0).map(({ trade }) => trade);
    const { open_before, open_cost } = this.#trades.columns;
    for (const trade of traded) open_before[trade] = open_cost[trade] = before;
    if (traded.length > 0) open_cost[traded.at(-1)!] = after;
  }

  /** The leg after those of the transaction of the leg at `from`, of those before `to`. */
  #endOfStep(from: number, to: number): number {
    const { tx } = this.#swaps.columns;
    const legs = this.#legs.rows;
    const own = tx[legs[from]! >> 1];
    let end = from + 1;
    while (end < to && tx[legs[end]! >> 1] === own) end++;
    return end;
  }

  /** Makes a step of the legs from one to another; `next` is the pair's next trade, -1 without one. */
  #fillStep(step: Step, pair: number, from: number, to: number, next: number): Step {
    const { columns: c } = this.#swaps;
    const legs = this.#legs.rows;
    const first = legs[from]!;
    const last = legs[to - 1]!;
    step.time = timeOf(c.seq[first >> 1]!);
    step.tx = c.tx[first >> 1]!;
    step.pre = ((first & 1) === 0 ? c.pre_token_balance_in : c.pre_token_balance_out)[first >> 1]!;
    step.post = ((last & 1) === 0 ? c.post_token_balance_in : c.post_token_balance_out)[last >> 1]!;
    step.hasPoolAmounts = false;
    // An array that is emptied first would be made anew.
    if (step.legs.length > to - from) step.legs.length = to - from;
    for (let i = from; i < to; i++) {
      const leg = legs[i]!;
      const row = leg >> 1;
      step.legs[i - from] = (leg & 1) === 0 ? -c.token_amount_in[row]! : c.token_amount_out[row]!;
      if (!Number.isNaN(c.pool_amount_in[row]!)) step.hasPoolAmounts = true;
    }
    const hasTrade = next >= 0 && this.#trades.columns.tx[next] === step.tx;
    step.trade = hasTrade ? next : -1;
    step.isSpending = !hasTrade && this.#isSpending(pair, step.tx);
    return step;
  }

  /** Whether a leg of the pair in a transaction without a trade of it gives a quote token for another. */
  #isSpending(pair: number, tx: number): boolean {
    if (this.#options.roles.rankOf(pairToken(pair)) < 0) return false;
    const wallet = pairWallet(pair);
    const { columns: c, length } = this.#options.allTrades ?? this.#trades;
    if (this.#tradeOf === undefined) {
      const index = new KeyIndex(length);
      const row: number[] = [];
      for (let i = 0; i < length; i++) {
        const place = index.placeOf(c.tx[i]!);
        if (place === row.length) row.push(i);
      }
      this.#tradeOf = { index, row };
    }
    const place = this.#tradeOf.index.find(tx);
    if (place < 0) return false;
    for (let row = this.#tradeOf.row[place]!; row < length && c.tx[row] === tx; row++)
      if (c.wallet[row] === wallet) return true;
    return false;
  }
}

/**
 * When a position opened and closed since the last trade before a second, `NaN` if it did not: as rows of `moves` say it. `before`: the same
 * before the second.
 */
function stateAfter(
  { lastOpened, lastClosed, position }: PairLedger,
  time: number,
  [opened, closed]: readonly [number, number],
): readonly [number, number] {
  return [lastOpened === time ? time : opened, position.isOpen ? Number.NaN : lastClosed === time ? time : closed];
}

interface PairFold {
  readonly ledger: PairLedger;
  readonly pair: number;
  readonly place: number;
  /** The first of its trades, and the one after its last, among those that are grouped by pair. */
  readonly firstTrade: number;
  readonly tradeEnd: number;
  readonly moves: MoveRows;
}

/** The places that the pairs of the legs have in a book, which gets those that it lacks: given and received of each swap in turn, -1 of a pair that is not wanted. */
export function* placesInBook(
  book: PairBook,
  { columns: c, length }: LegSwaps,
  isWanted?: (pair: number) => boolean,
): Work<Int32Array> {
  const places = new Int32Array(length * 2).fill(-1);
  for (let row = 0; row < length; row++) {
    if (row % LEGS_PER_CHECK === 0) yield;
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    if (given === received) continue;
    const first = pairOf(c.wallet[row]!, given);
    const second = pairOf(c.wallet[row]!, received);
    if (isWanted === undefined || isWanted(first)) places[row * 2] = book.placeOf(first);
    if (isWanted === undefined || isWanted(second)) places[row * 2 + 1] = book.placeOf(second);
  }
  return places;
}

export function pairsOfTrades(trades: Batch<typeof tradesTable, 'wallet' | 'token'>): Float64Array {
  const { wallet, token } = trades.columns;
  const pairs = new Float64Array(trades.length);
  for (let i = 0; i < pairs.length; i++) pairs[i] = pairOf(wallet[i]!, token[i]!);
  return pairs;
}

/** Stored lots in any order, the lots of each pair of `pairs` together and by ordinal. */
export function lotsOfPairs(pairs: Float64Array, stored: Lots): PairLots {
  const index = placesOf(pairs);
  const { pair, ordinal } = stored.columns;
  const starts = new Int32Array(index.length + 1);
  for (let row = 0; row < stored.length; row++) starts[index.find(pair[row]!) + 1]!++;
  for (let place = 0; place < index.length; place++) starts[place + 1]! += starts[place]!;
  const order = new Int32Array(stored.length);
  const next = starts.slice();
  for (let row = 0; row < stored.length; row++) order[next[index.find(pair[row]!)]!++] = row;
  for (let place = 0; place < index.length; place++) {
    const own = order.subarray(starts[place]!, starts[place + 1]!);
    if (own.some((row, i) => i > 0 && ordinal[own[i - 1]!]! > ordinal[row]!))
      own.sort((a, b) => ordinal[a]! - ordinal[b]!);
  }
  return { lots: takeRows(stored, order), index, starts };
}
