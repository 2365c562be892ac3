import { type Arithmetic, numbers } from '../records/arithmetic.ts';
import { pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { type Batch, enlarged, newBatch, sliceRows } from '../records/columns.ts';
import { lotsTable } from '../records/tables.ts';
import { BUY, CLOSE, OPEN, TRADE, type Trades } from './trade.ts';
import { finiteOrNaN } from './value.ts';

type Lots = Batch<typeof lotsTable>;

/** Part of what was bought below which a position counts as sold out. */
const CLOSED_PART = 1e-9;
/** Part of what a pair ever received below which a computed balance is rounding, and 0. */
const EMPTY_PART = 1e-9;

/** Part of cost or proceeds below which a result is rounding, and 0. */
const BREAK_EVEN_PART = 1e-9;

/** What a sell made of its cost and proceeds; unknown of a trade that has none. */
export function resultIn<T>(m: Arithmetic<T>, cost: T, proceeds: T): T {
  const result = m.minus(proceeds, cost);
  const rounding = m.times(m.number(BREAK_EVEN_PART), m.ifAtLeast(cost, proceeds, cost, proceeds));
  return m.ifAtLeast(rounding, m.abs(result), m.number(0), result);
}

export function resultOf(cost: number, proceeds: number): number {
  return resultIn(numbers, cost, proceeds);
}

/**
 * The open lots of one wallet-token pair, folded trade by trade in chain order (docs/reference/metrics.md, "Positions").
 *
 * A pair without open lots has no state at all: a closed position and one that never was are the same.
 * The known cost of all lots but the first is a sum of two doubles: each lot's cost enters and leaves it as the same number,
 * so that nothing is left over when a large lot has gone.
 */
export class Position {
  #amount: number[] = [];
  #unitCost: number[] = [];
  #unitNative: number[] = [];
  #time: number[] = [];
  #head = 0;
  #bought = 0;
  #rest = 0;
  #restLow = 0;
  /** Lots of known cost behind the first: with none of them the rest is exactly 0. */
  #restKnown = 0;

  get isOpen(): boolean {
    return this.#head < this.#amount.length;
  }

  /** Known cost of the open lots, USD. */
  get openCost(): number {
    if (!this.isOpen) return 0;
    const unit = this.#unitCost[this.#head]!;
    const first = Number.isNaN(unit) ? 0 : this.#amount[this.#head]! * unit;
    return Math.max(0, first + (this.#rest + this.#restLow));
  }

  /** Tokens in the open lots of known cost. */
  get knownAmount(): number {
    let sum = 0;
    for (let i = this.#head; i < this.#amount.length; i++)
      if (!Number.isNaN(this.#unitCost[i]!)) sum += this.#amount[i]!;
    return sum;
  }

  clear(): void {
    this.#amount = [];
    this.#unitCost = [];
    this.#unitNative = [];
    this.#time = [];
    this.#head = 0;
    this.#bought = 0;
    this.#rest = 0;
    this.#restLow = 0;
    this.#restKnown = 0;
  }

  /** Takes up where `save` left: rows `from` to `to` of the pair, by ordinal. */
  load(lots: Lots, from: number, to: number): void {
    this.clear();
    for (let i = from; i < to; i++) {
      this.#amount.push(lots.columns.amount[i]!);
      this.#unitCost.push(lots.columns.unit_cost[i]!);
      this.#unitNative.push(lots.columns.unit_cost_native[i]!);
      if (i > from && !Number.isNaN(lots.columns.unit_cost[i]!)) this.#restKnown++;
      this.#time.push(lots.columns.time[i]!);
      this.#bought = lots.columns.bought[i]!;
      this.#rest = lots.columns.rest_cost[i]!;
      this.#restLow = lots.columns.rest_cost_low[i]!;
    }
  }

  /** Appends the open lots of `pair` as rows. */
  save(pair: number, rows: LotRows): void {
    for (let i = this.#head; i < this.#amount.length; i++) {
      const row = rows.newRow();
      const c = rows.columns;
      c.pair[row] = pair;
      c.wallet[row] = pairWallet(pair);
      c.token[row] = pairToken(pair);
      c.ordinal[row] = i - this.#head;
      c.amount[row] = this.#amount[i]!;
      c.unit_cost[row] = this.#unitCost[i]!;
      c.unit_cost_native[row] = this.#unitNative[i]!;
      c.time[row] = this.#time[i]!;
      c.bought[row] = this.#bought;
      c.rest_cost[row] = this.#rest;
      c.rest_cost_low[row] = this.#restLow;
    }
  }

  /**
   * Folds the trade at `row` and writes its facts: `position_state`, `cost`, `proceeds`, `pnl` (`NaN` unless it is a realised or a small sell),
   * `holding` (of a realised one alone), `open_before`, `open_cost`, and `cost_native`, `proceeds_native` of a sell that has a result in the
   * native token.
   */
  apply(trades: Trades, row: number, dustUsd: number): void {
    const t = trades.columns;
    t.cost[row] = t.proceeds[row] = t.pnl[row] = t.holding[row] = Number.NaN;
    t.cost_native[row] = t.proceeds_native[row] = Number.NaN;
    t.open_before[row] = this.openCost;
    const amount = t.token_amount[row]!;
    const usd = t.usd_amount[row]!;
    const time = timeOf(t.seq[row]!);
    if (t.direction[row] === BUY) {
      t.position_state[row] = this.isOpen ? TRADE : OPEN;
      this.#buy(amount, usd / amount, t.native_amount[row]! / amount, time);
    } else {
      const wasOpen = this.isOpen;
      this.#sell(trades, row, amount, usd, time, dustUsd);
      const bound = CLOSED_PART * this.#bought;
      const isClosed = wasOpen && (this.#holdsAtMost(bound) || t.post_token_balance[row]! <= bound);
      t.position_state[row] = isClosed ? CLOSE : TRADE;
      if (isClosed) this.clear();
    }
    t.open_cost[row] = this.openCost;
  }

  #buy(amount: number, unitCost: number, unitNative: number, time: number): void {
    const isFirst = !this.isOpen;
    const unit = finiteOrNaN(unitCost);
    this.#amount.push(amount);
    this.#unitCost.push(unit);
    this.#unitNative.push(finiteOrNaN(unitNative));
    this.#time.push(time);
    this.#bought += amount;
    if (isFirst || Number.isNaN(unit)) return;
    this.#restKnown++;
    this.#addToRest(amount * unit);
  }

  #sell(trades: Trades, row: number, sold: number, usd: number, time: number, dustUsd: number): void {
    let left = sold;
    let hasCost = true;
    let matched = 0;
    let cost = 0;
    let age = 0;
    let hasNativeCost = true;
    let matchedNative = 0;
    let costNative = 0;
    while (left > 0 && this.isOpen) {
      const head = this.#head;
      const part = Math.min(this.#amount[head]!, left);
      const unit = this.#unitCost[head]!;
      if (Number.isNaN(unit)) {
        hasCost = false;
      } else {
        matched += part;
        cost += part * unit;
        age += part * (time - this.#time[head]!);
      }
      const unitNative = this.#unitNative[head]!;
      if (Number.isNaN(unitNative)) {
        hasNativeCost = false;
      } else {
        matchedNative += part;
        costNative += part * unitNative;
      }
      left -= part;
      if (part < this.#amount[head]!) this.#amount[head]! -= part;
      else this.#nextLot();
    }
    const t = trades.columns;
    const native = t.native_amount[row]!;
    const proceedsNative = left <= 0 && hasNativeCost ? native : native * (matchedNative / sold);
    if (matchedNative > 0 && Number.isFinite(proceedsNative) && Number.isFinite(costNative)) {
      t.cost_native[row] = costNative;
      t.proceeds_native[row] = proceedsNative;
    }
    if (!(matched > 0) || Number.isNaN(usd)) return;
    // All of it matched, its proceeds are exactly its value: what is at the dust limit stays there.
    const proceeds = left <= 0 && hasCost ? usd : usd * (matched / sold);
    if (!Number.isFinite(proceeds) || !Number.isFinite(cost)) return;
    t.cost[row] = cost;
    t.proceeds[row] = proceeds;
    t.pnl[row] = resultOf(cost, proceeds);
    if (cost >= dustUsd || proceeds >= dustUsd) t.holding[row] = age / matched;
  }

  #nextLot(): void {
    this.#head++;
    if (!this.isOpen) return;
    const unit = this.#unitCost[this.#head]!;
    if (!Number.isNaN(unit)) {
      this.#restKnown--;
      if (this.#restKnown > 0) this.#addToRest(-this.#amount[this.#head]! * unit);
      else this.#rest = this.#restLow = 0;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#amount.length) this.#compact();
  }

  /** Neumaier's compensated addition. */
  #addToRest(value: number): void {
    const sum = this.#rest + value;
    this.#restLow += Math.abs(this.#rest) >= Math.abs(value) ? this.#rest - sum + value : value - sum + this.#rest;
    this.#rest = sum;
  }

  #compact(): void {
    this.#amount = this.#amount.slice(this.#head);
    this.#unitCost = this.#unitCost.slice(this.#head);
    this.#unitNative = this.#unitNative.slice(this.#head);
    this.#time = this.#time.slice(this.#head);
    this.#head = 0;
  }

  #holdsAtMost(bound: number): boolean {
    let held = 0;
    for (let i = this.#head; i < this.#amount.length; i++) {
      held += this.#amount[i]!;
      if (held > bound) return false;
    }
    return true;
  }
}

export class LotRows {
  #lots = newBatch(lotsTable, 256);
  #length = 0;

  /** Longer than what was collected. */
  get columns(): Lots['columns'] {
    return this.#lots.columns;
  }

  newRow(): number {
    if (this.#length === this.#lots.length) this.#lots = enlarged(lotsTable, this.#lots, this.#length * 2);
    return this.#length++;
  }

  collected(): Lots {
    return sliceRows(this.#lots, 0, this.#length);
  }
}

/** Running balance of a wallet-token pair (docs/reference/metrics.md, "Market and portfolio"). */
export interface Balance {
  balance: number;
  received: number;
  /** Whether the last step was a reported post balance. */
  isReported: boolean;
}

export function newBalance(): Balance {
  return { balance: 0, received: 0, isReported: false };
}

/** One leg, in chain order: `amount` received (positive) or given (negative), and the post balance that the feed reports or `NaN`. */
export function stepBalance(state: Balance, amount: number, reported: number): void {
  if (amount > 0) state.received += amount;
  state.isReported = !Number.isNaN(reported);
  state.balance = state.isReported ? reported : Math.max(0, state.balance + amount);
}

export function settledBalance(balance: number, received: number, isReported: boolean): number {
  return !isReported && balance <= EMPTY_PART * received ? 0 : balance;
}
