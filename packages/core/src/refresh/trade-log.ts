import { type EntityTrades, firstAfter, newEntityTrades } from '../bag/entity.ts';
import { addToLifetime, type Lifetime, newLifetime } from '../bag/lifetime.ts';
import { resultOf } from '../ledger/result.ts';
import { BUY, OPEN, QUOTE_QUOTE } from '../ledger/trade.ts';
import { finiteOrNaN } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { foldedOfTrades, type tradesTable } from '../records/tables.ts';
import { finish, type Work } from '../work.ts';

/** The open cost of an entity at an instant: a sum of two doubles (Neumaier), and the number of positions with an open cost. */
export interface OpenCost {
  readonly sum: number;
  readonly low: number;
  readonly positions: number;
}

/** Where the trades of an entity can be taken up: those at or before `time` are in it. */
export interface Checkpoint {
  readonly time: number;
  readonly openCost: OpenCost;
  /** Of a wallet, what they add up to. */
  readonly lifetime?: Lifetime | undefined;
}

/** Gives the ids that come up numbers, from 0. */
class Numbers {
  readonly #numbers: Map<number, number>;

  constructor(numbers: Iterable<readonly [id: number, number: number]> = []) {
    this.#numbers = new Map(numbers);
  }

  get count(): number {
    return this.#numbers.size;
  }

  of(id: number): number {
    let number = this.#numbers.get(id);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(id, number);
    }
    return number;
  }

  /** The number of an id, -1 if it has none. */
  find(id: number): number {
    return this.#numbers.get(id) ?? -1;
  }

  clear(): void {
    this.#numbers.clear();
  }

  /** The same numbers for the same ids, to go on with. */
  copy(): Numbers {
    return new Numbers(this.#numbers);
  }
}

/** The numbers of an array at the beginning of a larger one. */
function extended<A extends Int32Array | Float64Array>(array: A, length: number): A {
  const larger = array instanceof Int32Array ? new Int32Array(length) : new Float64Array(length);
  larger.set(array);
  return larger as A;
}

/** What folds read of a trade. */
export const tradeColumns = ['seq', 'wallet', ...foldedOfTrades] as const;
export type TradeRows = Batch<typeof tradesTable, (typeof tradeColumns)[number]>;

export interface TokenFacts {
  /** The supply that market caps go by: circulating, or total if that is 0 or unknown; `NaN` if the registry gives neither. */
  readonly supplyOf: (token: number) => number;
  /** Unix seconds of a token's creation; `NaN` if it is unknown. */
  readonly createdAtOf: (token: number) => number;
}

const fromTheStart: Checkpoint = { time: -1, openCost: { sum: 0, low: 0, positions: 0 } };

/**
 * The trades of one entity from a checkpoint on, with the running open cost: rows are added at the end and taken back from there.
 *
 * The open cost is a sum of two doubles (Neumaier), so that large positions that come and go leave nothing behind; with no open cost in
 * any position it is exactly 0. It is stored for each row, so that rows can be taken back.
 */
export class TradeLog {
  trades: EntityTrades;
  /** The wallet's trades between quote tokens, which its positions have and its profile leaves out; absent where there were none. */
  quotes: TradeLog | undefined;
  readonly #numbers: Numbers;
  #before = fromTheStart;
  #sum: Float64Array;
  #low: Float64Array;
  #positions: Int32Array;

  constructor(
    capacity = 256,
    /** Whether the log goes from entity to entity; else it is the log of one. */
    readonly isShared = true,
    numbers = new Numbers(),
  ) {
    this.trades = newEntityTrades(capacity);
    this.#numbers = numbers;
    this.#sum = new Float64Array(capacity);
    this.#low = new Float64Array(capacity);
    this.#positions = new Int32Array(capacity);
  }

  /** The trades after this time are in the log. */
  get startsAfter(): number {
    return this.#before.time;
  }

  /** Whether most of the log lies before a time. */
  isWorn(start: number): boolean {
    const before = firstAfter(this.trades.time, this.trades.length, start);
    return (before > 1000 && before * 2 > this.trades.length) || this.quotes?.isWorn(start) === true;
  }

  /** Begins another entity, with the trades after its checkpoint; without one with its first. */
  begin(checkpoint: Checkpoint | undefined): void {
    this.#before = checkpoint ?? fromTheStart;
    this.#numbers.clear();
    this.trades.length = 0;
    this.trades.counterparties = 0;
    this.quotes?.begin(undefined);
    const { sum, low } = this.#before.openCost;
    this.trades.openBefore = Math.max(0, sum + low);
  }

  /** Takes back the trades at a time and later. */
  cut(time: number): void {
    this.trades.length = firstAfter(this.trades.time, this.trades.length, time - 1);
    this.quotes?.cut(time);
  }

  /** Adds rows `from` to `to` of a wallet, which come after those that are there: those between quote tokens to `quotes`. */
  addOfWallet(rows: TradeRows, from: number, to: number, facts: TokenFacts): void {
    const { swap_type, token } = rows.columns;
    for (let at = from; at < to; ) {
      const isQuotes = swap_type[at] === QUOTE_QUOTE;
      let end = at + 1;
      while (end < to && (swap_type[end] === QUOTE_QUOTE) === isQuotes) end++;
      if (isQuotes) this.quotes ??= new TradeLog(64, this.isShared);
      const log = isQuotes ? this.quotes! : this;
      log.add(rows, at, end, token, facts);
      at = end;
    }
  }

  /** The number of a counterparty; -1 if it has none. */
  numberOf(id: number): number {
    return this.#numbers.find(id);
  }

  /** Makes room for as many trades more, which `add` does too, but without a pause. */
  *makingRoom(more: number): Work<void> {
    while (this.trades.time.length < this.trades.length + more) yield* this.#growing();
  }

  /** Adds rows `from` to `to`, which come after those that are there. */
  add(rows: TradeRows, from: number, to: number, counterparties: Int32Array, facts: TokenFacts): void {
    finish(this.makingRoom(to - from));
    const t = this.trades;
    const c = rows.columns;
    let { sum, low, positions } = this.#costAfter(t.length - 1);
    for (let i = from, row = t.length; i < to; i++, row++) {
      const time = timeOf(c.seq[i]!);
      const token = c.token[i]!;
      t.time[row] = time;
      t.isBuy[row] = c.direction[i] === BUY ? 1 : 0;
      t.counterparty[row] = this.#numbers.of(counterparties[i]!);
      t.tokenAmount[row] = c.token_amount[i]!;
      t.usd[row] = c.usd_amount[i]!;
      t.marketCap[row] = finiteOrNaN((c.usd_amount[i]! / c.token_amount[i]!) * facts.supplyOf(token));
      t.cost[row] = c.cost[i]!;
      t.proceeds[row] = c.proceeds[i]!;
      t.pnl[row] = resultOf(c.cost[i]!, c.proceeds[i]!);
      t.holding[row] = c.holding[i]!;
      t.native[row] = c.native_amount[i]!;
      t.costNative[row] = c.cost_native[i]!;
      t.pnlNative[row] = resultOf(c.cost_native[i]!, c.proceeds_native[i]!);
      t.feeNative[row] = c.fee_native[i]!;
      t.feeUsd[row] = c.fee_usd[i]!;
      t.entryDelay[row] = c.position_state[i] === OPEN ? delaySince(facts.createdAtOf(token), time) : Number.NaN;
      const before = c.open_before[i]!;
      const after = c.open_cost[i]!;
      const less = sum - before;
      low += Math.abs(sum) >= before ? sum - less - before : -before - less + sum;
      sum = less + after;
      low += Math.abs(less) >= after ? less - sum + after : after - sum + less;
      if (before !== 0) positions--;
      if (after !== 0) positions++;
      if (positions === 0) sum = low = 0;
      this.#sum[row] = sum;
      this.#low[row] = low;
      this.#positions[row] = positions;
      t.openCost[row] = Math.max(0, sum + low);
    }
    t.length += to - from;
    t.counterparties = this.#numbers.count;
  }

  /** Where the trades after a time can be taken up again; `time` is not before the checkpoint that the log began with. */
  checkpointAt(time: number): Checkpoint {
    return { time, openCost: this.#costAfter(firstAfter(this.trades.time, this.trades.length, time) - 1) };
  }

  /** What the trades of the wallet add up to: until `time`, which is not before the checkpoint that the log began with, and all of them. */
  lifetimes(time: number): readonly [until: Lifetime, all: Lifetime] {
    const end = firstAfter(this.trades.time, this.trades.length, time);
    const until = { ...(this.#before.lifetime ?? newLifetime()) };
    addToLifetime(until, this.trades, 0, end);
    const all = { ...until };
    addToLifetime(all, this.trades, end, this.trades.length);
    return [until, all];
  }

  copy(): TradeLog {
    const { length } = this.trades;
    // One at least, of which doubling makes more.
    const copy = new TradeLog(Math.ceil(length * 1.25) + 1, false, this.#numbers.copy());
    copy.#before = this.#before;
    for (const name of columnsOf(this.trades))
      (copy.trades[name] as Float64Array).set((this.trades[name] as Float64Array).subarray(0, length));
    copy.trades.length = length;
    copy.trades.counterparties = this.trades.counterparties;
    copy.trades.openBefore = this.trades.openBefore;
    copy.#sum.set(this.#sum.subarray(0, length));
    copy.#low.set(this.#low.subarray(0, length));
    copy.#positions.set(this.#positions.subarray(0, length));
    if (this.quotes !== undefined && this.quotes.trades.length > 0) copy.quotes = this.quotes.copy();
    return copy;
  }

  #costAfter(row: number): OpenCost {
    if (row < 0) return this.#before.openCost;
    return { sum: this.#sum[row]!, low: this.#low[row]!, positions: this.#positions[row]! };
  }

  *#growing(): Work<void> {
    const larger = newEntityTrades(this.trades.time.length * 2);
    for (const name of columnsOf(larger)) {
      (larger[name] as Float64Array).set(this.trades[name] as Float64Array);
      yield;
    }
    larger.length = this.trades.length;
    larger.counterparties = this.trades.counterparties;
    larger.openBefore = this.trades.openBefore;
    this.trades = larger;
    const { length } = larger.time;
    this.#sum = extended(this.#sum, length);
    this.#low = extended(this.#low, length);
    this.#positions = extended(this.#positions, length);
  }
}

type ColumnName = { [K in keyof EntityTrades]: EntityTrades[K] extends number ? never : K }[keyof EntityTrades];

function columnsOf(trades: EntityTrades): ColumnName[] {
  return (Object.keys(trades) as (keyof EntityTrades)[]).filter(
    (name): name is ColumnName => typeof trades[name] !== 'number',
  );
}

/** Seconds from `start` to `time`; `NaN` where the start is unknown, or is said to come after. */
function delaySince(start: number, time: number): number {
  return start <= time ? time - start : Number.NaN;
}
