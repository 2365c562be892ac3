import { pairToken, pairWallet, timeOf } from '../records/chain-order.ts';
import { ExactSum } from './exact-sum.ts';
import { firstHere, type Lot, type LotRows, type Lots } from './lot-rows.ts';
import { resultOf } from './result.ts';
import { BUY, CLOSE, type LedgerTrades, OPEN, TRADE } from './trade.ts';
import { finiteOrNaN } from './value.ts';

/** Part of what was bought below which a position counts as sold out. */
const CLOSED_PART = 1e-9;
/** Part of an amount below which a difference is rounding. */
export const ROUNDING = 1e-9;

/** Lots of a pair that are away at most: of more, the oldest two become one. */
const MOST_AWAY = 64;

/** Rows that are put before the first lot, when one comes back to where none has room. */
const LEAST_ROOM = 16;

/**
 * The unsold lots of one wallet-token pair (docs/reference/metrics.md, "What comes and goes"): the newest are here, the older ones away.
 *
 * A pair without lots has no state at all: a closed position and one that never was are the same.
 * The known cost of all lots here but the first is a sum of two doubles: each lot's cost enters and leaves it as the same number,
 * so that nothing is left over when a large lot has gone.
 *
 * A lot has two ordinals, an even one and the odd one after it: of a lot that is away in part, the part that is here has the odd one.
 */
export class Position {
  #amount: number[] = [];
  #unitCost: number[] = [];
  #unitNative: number[] = [];
  #time: number[] = [];
  #ordinal: number[] = [];
  #head = 0;
  /** Bought since lots were here without a pause. */
  #bought = 0;
  #rest = 0;
  #restLow = 0;
  /** Lots of known cost behind the first: with none of them the rest is exactly 0. */
  #restKnown = 0;
  /** The oldest first. */
  #away: Lot[] = [];
  /** The amount of the lots here, once it was asked for. */
  readonly #here = new ExactSum();
  #isSummed = false;
  /** What `#take` took of the lots, and what was left when there were no more. */
  #taken = {
    left: 0,
    matched: 0,
    cost: 0,
    age: 0,
    hasCost: true,
    matchedNative: 0,
    costNative: 0,
    hasNativeCost: true,
  };

  /** Whether lots are here. */
  get isOpen(): boolean {
    return this.#head < this.#amount.length;
  }

  get isAnyAway(): boolean {
    return this.#away.length > 0;
  }

  get bought(): number {
    return this.#bought;
  }

  /** Known cost of the lots that are here, USD. */
  get openCost(): number {
    if (!this.isOpen) return 0;
    const unit = this.#unitCost[this.#head]!;
    const first = Number.isNaN(unit) ? 0 : this.#amount[this.#head]! * unit;
    return Math.max(0, first + (this.#rest + this.#restLow));
  }

  /** Tokens in the lots of known cost that are here. */
  get knownAmount(): number {
    let sum = 0;
    for (let i = this.#head; i < this.#amount.length; i++)
      if (!Number.isNaN(this.#unitCost[i]!)) sum += this.#amount[i]!;
    return sum;
  }

  /** Tokens in the lots that are here. */
  get hereAmount(): number {
    if (!this.#isSummed) {
      this.#here.clear();
      for (let i = this.#head; i < this.#amount.length; i++) this.#here.add(this.#amount[i]!);
      this.#isSummed = true;
    }
    return this.#here.value;
  }

  get awayAmount(): number {
    let sum = 0;
    for (const { amount } of this.#away) sum += amount;
    return sum;
  }

  clear(): void {
    if (this.#away.length > 0) this.#away = [];
    this.#clearHere();
  }

  #clearHere(): void {
    if (this.#amount.length > 0) {
      this.#amount = [];
      this.#unitCost = [];
      this.#unitNative = [];
      this.#time = [];
      this.#ordinal = [];
    }
    this.#head = 0;
    this.#bought = 0;
    this.#rest = 0;
    this.#restLow = 0;
    this.#restKnown = 0;
    this.#isSummed = false;
  }

  /** Takes up where `save` left: rows `from` to `to` of the pair, by ordinal. */
  load({ columns: c }: Lots, from: number, to: number): void {
    this.clear();
    const first = firstHere(c.bought, from, to);
    for (let i = from; i < to; i++) {
      const lot: Lot = {
        ordinal: c.ordinal[i]!,
        amount: c.amount[i]!,
        unitCost: c.unit_cost[i]!,
        unitNative: c.unit_cost_native[i]!,
        time: c.time[i]!,
      };
      if (i < first) {
        this.#away.push(lot);
        continue;
      }
      this.#push(lot);
      if (i > first && !Number.isNaN(lot.unitCost)) this.#restKnown++;
    }
    if (first === to) return;
    this.#bought = c.bought[first]!;
    this.#rest = c.rest_cost[first]!;
    this.#restLow = c.rest_cost_low[first]!;
  }

  /** Appends the lots of `pair` as rows. */
  save(pair: number, rows: LotRows): void {
    for (const lot of this.#away) this.#saveLot(pair, rows, lot);
    for (let i = this.#head; i < this.#amount.length; i++) {
      const row = this.#saveLot(pair, rows, {
        ordinal: this.#ordinal[i]!,
        amount: this.#amount[i]!,
        unitCost: this.#unitCost[i]!,
        unitNative: this.#unitNative[i]!,
        time: this.#time[i]!,
      });
      if (i > this.#head) continue;
      const c = rows.columns;
      c.bought[row] = this.#bought;
      c.rest_cost[row] = this.#rest;
      c.rest_cost_low[row] = this.#restLow;
    }
  }

  #saveLot(pair: number, rows: LotRows, lot: Lot): number {
    const row = rows.newRow();
    const c = rows.columns;
    c.pair[row] = pair;
    c.wallet[row] = pairWallet(pair);
    c.token[row] = pairToken(pair);
    c.ordinal[row] = lot.ordinal;
    c.amount[row] = lot.amount;
    c.unit_cost[row] = lot.unitCost;
    c.unit_cost_native[row] = lot.unitNative;
    c.time[row] = lot.time;
    c.bought[row] = c.rest_cost[row] = c.rest_cost_low[row] = Number.NaN;
    return row;
  }

  /**
   * Folds the trade at `row` of a pair of which nothing is away, nothing was reported and nothing moved, and writes its facts: `position_state`, `cost`, `proceeds`,
   * `pnl` (`NaN` unless it is a realised or a small sell), `holding` (of a realised one alone), `open_before`, `open_cost`, and
   * `cost_native`, `proceeds_native` of a sell that has a result in the native token.
   */
  apply(trades: LedgerTrades, row: number, dustUsd: number): void {
    const t = trades.columns;
    t.open_before[row] = this.openCost;
    if (t.direction[row] === BUY) {
      t.position_state[row] = this.isOpen ? TRADE : OPEN;
      this.buy(trades, row, 0);
    } else {
      const wasOpen = this.isOpen;
      this.sell(trades, row, { dustUsd, extra: 0, arrived: 0 });
      const isClosed = wasOpen && this.closeRest();
      t.position_state[row] = isClosed ? CLOSE : TRADE;
    }
    t.open_cost[row] = this.openCost;
  }

  /** Adds the lot of the buy at `row`, of which `lost` never came. */
  buy(trades: LedgerTrades, row: number, lost: number): void {
    const t = trades.columns;
    t.cost[row] = t.proceeds[row] = t.pnl[row] = t.holding[row] = Number.NaN;
    t.cost_native[row] = t.proceeds_native[row] = Number.NaN;
    const amount = t.token_amount[row]! - lost;
    this.add(amount, t.usd_amount[row]! / amount, t.native_amount[row]! / amount, timeOf(t.seq[row]!));
  }

  /** Adds the newest lot. */
  add(amount: number, unitCost: number, unitNative: number, time: number): void {
    const isFirst = !this.isOpen;
    const unit = finiteOrNaN(unitCost);
    const newest = isFirst ? (this.#away.at(-1)?.ordinal ?? 0) : this.#ordinal.at(-1)!;
    const ordinal = (newest | 1) + 1;
    this.#push({ ordinal, amount, unitCost: unit, unitNative: finiteOrNaN(unitNative), time });
    this.#bought += amount;
    if (this.#isSummed) this.#here.add(amount);
    if (isFirst || Number.isNaN(unit)) return;
    this.#restKnown++;
    this.#addToRest(amount * unit);
  }

  #push({ ordinal, amount, unitCost, unitNative, time }: Lot): void {
    this.#ordinal.push(ordinal);
    this.#amount.push(amount);
    this.#unitCost.push(unitCost);
    this.#unitNative.push(unitNative);
    this.#time.push(time);
  }

  /** Takes the lots of the sell at `row`, and writes what it made of them. Gives the known cost of those that were away. */
  sell(trades: LedgerTrades, row: number, { dustUsd, extra, arrived }: Selling): number {
    const t = trades.columns;
    t.cost[row] = t.proceeds[row] = t.pnl[row] = t.holding[row] = Number.NaN;
    t.cost_native[row] = t.proceeds_native[row] = Number.NaN;
    const sold = t.token_amount[row]!;
    const usd = t.usd_amount[row]!;
    const time = timeOf(t.seq[row]!);
    let returned = this.#take(sold, time, arrived);
    const { left, matched, age, hasCost, matchedNative, hasNativeCost } = this.#taken;
    let { cost, costNative } = this.#taken;
    if (extra > 0) {
      returned += this.#take(extra, time, Math.max(0, arrived - sold));
      cost += this.#taken.cost;
      costNative += this.#taken.costNative;
    }
    const native = t.native_amount[row]!;
    const proceedsNative = left <= 0 && hasNativeCost ? native : native * (matchedNative / sold);
    if (matchedNative > 0 && Number.isFinite(proceedsNative) && Number.isFinite(costNative)) {
      t.cost_native[row] = costNative;
      t.proceeds_native[row] = proceedsNative;
    }
    if (!(matched > 0) || Number.isNaN(usd)) return returned;
    // All of it matched, its proceeds are exactly its value: what is at the dust limit stays there.
    const proceeds = left <= 0 && hasCost ? usd : usd * (matched / sold);
    if (!Number.isFinite(proceeds) || !Number.isFinite(cost)) return returned;
    t.cost[row] = cost;
    t.proceeds[row] = proceeds;
    t.pnl[row] = resultOf(cost, proceeds);
    if (cost >= dustUsd || proceeds >= dustUsd) t.holding[row] = age / matched;
    return returned;
  }

  /** Takes lots without a result. Gives their known cost, and that of those that were away. */
  spend(amount: number, arrived: number): { readonly cost: number; readonly returned: number } {
    const returned = this.#take(amount, 0, arrived);
    return { cost: this.#taken.cost, returned };
  }

  /**
   * Takes an amount: of the lots that are here the oldest first, then of what arrived, then of the lots that are away the newest first.
   * Gives the known cost of those that were away.
   */
  #take(amount: number, time: number, arrived: number): number {
    let left = amount;
    let hasCost = true;
    let matched = 0;
    let cost = 0;
    let age = 0;
    let hasNativeCost = true;
    let matchedNative = 0;
    let costNative = 0;
    let returned = 0;
    const isSummed = this.#isSummed;
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
      if (isSummed) this.#here.add(-this.#amount[head]!);
      if (part < this.#amount[head]!) {
        this.#amount[head]! -= part;
        if (isSummed) this.#here.add(this.#amount[head]!);
      } else this.#nextLot();
    }
    // Of what is neither here nor arrived, rounding is nothing.
    let beyond = left - arrived;
    if (this.#away.length > 0 && beyond > ROUNDING * amount) {
      while (beyond > 0 && this.#away.length > 0) {
        const lot = this.#away.at(-1)!;
        const part = Math.min(lot.amount, beyond);
        if (Number.isNaN(lot.unitCost)) hasCost = false;
        else {
          matched += part;
          cost += part * lot.unitCost;
          returned += part * lot.unitCost;
          age += part * (time - lot.time);
        }
        if (Number.isNaN(lot.unitNative)) hasNativeCost = false;
        else {
          matchedNative += part;
          costNative += part * lot.unitNative;
        }
        beyond -= part;
        left -= part;
        if (part < lot.amount) lot.amount -= part;
        else this.#away.pop();
      }
    }
    this.#taken = { left, matched, cost, age, hasCost, matchedNative, costNative, hasNativeCost };
    return returned;
  }

  /** The oldest lots that are here leave, of them `amount`, so that `rest` stays, to the last digit. Gives their known cost. */
  leave(amount: number, rest: number): number {
    let left = amount;
    let cost = 0;
    while (left > 0 && this.isOpen) {
      const head = this.#head;
      const held = this.#amount[head]!;
      const part = Math.min(held, left);
      const unitCost = this.#unitCost[head]!;
      const ordinal = this.#ordinal[head]!;
      if (!Number.isNaN(unitCost)) cost += part * unitCost;
      const lot = { amount: part, unitCost, unitNative: this.#unitNative[head]!, time: this.#time[head]! };
      const top = this.#away.at(-1);
      if (top !== undefined && top.ordinal >> 1 === ordinal >> 1) top.amount += part;
      else this.#away.push({ ordinal: part < held ? ordinal & ~1 : ordinal, ...lot });
      left -= part;
      if (this.#isSummed) this.#here.add(-held);
      if (part < held) {
        this.#amount[head] = held - part;
        this.#ordinal[head] = ordinal | 1;
        if (this.#isSummed) this.#here.add(held - part);
      } else this.#nextLot();
    }
    if (!this.isOpen) this.#clearHere();
    else {
      const exact = this.#amount[this.#head]! + (rest - this.hereAmount);
      if (exact > 0) {
        this.#here.add(exact - this.#amount[this.#head]!);
        this.#amount[this.#head] = exact;
      }
    }
    return cost;
  }

  /** The newest lots that are away come back, of them `amount`. Gives their known cost. */
  comeBack(amount: number): number {
    const isFirst = !this.isOpen;
    let left = amount;
    let cost = 0;
    while (left > 0 && this.#away.length > 0) {
      const lot = this.#away.at(-1)!;
      const part = Math.min(lot.amount, left);
      if (!Number.isNaN(lot.unitCost)) cost += part * lot.unitCost;
      if (part < lot.amount) {
        this.#putFirst({ ...lot, ordinal: lot.ordinal | 1, amount: part });
        lot.amount -= part;
        lot.ordinal &= ~1;
      } else {
        this.#away.pop();
        this.#putFirst(lot);
      }
      left -= part;
    }
    if (isFirst) this.#bought = amount - left;
    return cost;
  }

  #putFirst(lot: Lot): void {
    const known = this.#head;
    if (this.#isSummed) this.#here.add(lot.amount);
    if (this.isOpen) {
      if (this.#ordinal[known]! >> 1 === lot.ordinal >> 1) {
        if (this.#isSummed) this.#here.add(-this.#amount[known]! - lot.amount);
        this.#amount[known]! += lot.amount;
        this.#ordinal[known] = lot.ordinal;
        if (this.#isSummed) this.#here.add(this.#amount[known]!);
        return;
      }
      const unit = this.#unitCost[known]!;
      if (!Number.isNaN(unit)) {
        this.#restKnown++;
        this.#addToRest(this.#amount[known]! * unit);
      }
    }
    if (this.#head === 0) this.#reseat(Math.max(LEAST_ROOM, this.#amount.length));
    const head = --this.#head;
    this.#ordinal[head] = lot.ordinal;
    this.#amount[head] = lot.amount;
    this.#unitCost[head] = lot.unitCost;
    this.#unitNative[head] = lot.unitNative;
    this.#time[head] = lot.time;
  }

  /** Drops the lots before the head, and leaves `room` before it. */
  #reseat(room: number): void {
    const before = new Array<number>(room).fill(0);
    const seated = (values: readonly number[]): number[] => before.concat(values.slice(this.#head));
    this.#amount = seated(this.#amount);
    this.#unitCost = seated(this.#unitCost);
    this.#unitNative = seated(this.#unitNative);
    this.#time = seated(this.#time);
    this.#ordinal = seated(this.#ordinal);
    this.#head = room;
  }

  /** Puts a rest away that counts as nothing, or drops it if nothing else is away. Whether nothing is here then. */
  closeRest(): boolean {
    if (!this.isOpen) {
      if (this.#amount.length > 0) this.#clearHere();
      return true;
    }
    if (!this.#holdsAtMost(CLOSED_PART * this.#bought)) return false;
    if (this.#away.length > 0) this.leave(Number.POSITIVE_INFINITY, 0);
    this.#clearHere();
    return true;
  }

  /** Beyond as many as may be away, the two oldest become one, at their mean cost and time. */
  mergeAway(): void {
    while (this.#away.length > MOST_AWAY) {
      const [a, b] = this.#away as [Lot, Lot];
      const amount = a.amount + b.amount;
      const mean = (x: number, y: number): number => finiteOrNaN((a.amount * x + b.amount * y) / amount);
      this.#away.splice(0, 2, {
        ordinal: a.ordinal,
        amount,
        unitCost: mean(a.unitCost, b.unitCost),
        unitNative: mean(a.unitNative, b.unitNative),
        time: Math.floor(mean(a.time, b.time)),
      });
    }
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
    if (this.#head > 1024 && this.#head * 2 > this.#amount.length) this.#reseat(0);
  }

  /** Neumaier's compensated addition. */
  #addToRest(value: number): void {
    const sum = this.#rest + value;
    this.#restLow += Math.abs(this.#rest) >= Math.abs(value) ? this.#rest - sum + value : value - sum + this.#rest;
    this.#rest = sum;
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

/** How a sell takes lots. */
interface Selling {
  readonly dustUsd: number;
  /** Tokens that went beside those that it sold, without proceeds. */
  readonly extra: number;
  /** Tokens of the balance beyond the lots that are here. */
  readonly arrived: number;
}
