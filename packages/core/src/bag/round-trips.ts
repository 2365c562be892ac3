import type { WashRule } from '../config.ts';
import type { EntityTrades } from './entity.ts';

/** Part of an amount below which its rest is rounding, and part of a volume by which a limit may be missed. */
const ROUNDING = 1e-9;

/** Seconds from a buy to a sell that are too few for anybody to follow. */
const QUICK = 60;

/**
 * The sums of a counterparty, a line of the processor's cache. First doubles: the volumes of round trips in USD and native tokens, then the volume and the result
 * of all quick pairs in each. Then whole numbers of the same memory: buys and sells with a round trip, and the number after that of the pending sell on top.
 */
const [USD, NATIVE, QUICK_USD, QUICK_NATIVE] = [0, 1, 2, 4] as const;
const [BUYS, SELLS, PENDING] = [12, 13, 14] as const;
const DOUBLES = 8;
const INTEGERS = 16;

/**
 * The round trips in the trades of one entity, added from the newest on (docs/reference/metrics.md, "Wash trades"). Reused from entity to entity.
 *
 * A sell takes the newest buys before it. From the newest trade back it is the other way round: a buy goes to the nearest sells after it that
 * want more. So the trades of a window alone tell its round trips, and nothing is stored of them.
 */
export class RoundTrips {
  readonly #rule: WashRule;
  #doubles = new Float64Array(0);
  #integers = new Int32Array(0);
  /** Sells that want more, as stacks by counterparty, the oldest on top: the row, what it wants, which one is below, and whether it has a round trip. */
  #row = new Int32Array(64);
  #wanted = new Float64Array(64);
  #below = new Int32Array(64);
  #isTrip = new Uint8Array(64);
  #pending = 0;
  /** Counterparties whose numbers may be others than 0. */
  #used = 0;
  /** Value of what was sold at most `QUICK` seconds after it was bought, USD. */
  quickProceeds = 0;
  readonly #longest: number;

  constructor(rule: WashRule) {
    this.#rule = rule;
    this.#longest = Math.max(rule.max_holding, QUICK);
  }

  begin(counterparties: number): void {
    if (counterparties * DOUBLES > this.#doubles.length) {
      this.#doubles = new Float64Array(Math.max(64, counterparties * 2) * DOUBLES);
      this.#integers = new Int32Array(this.#doubles.buffer);
    } else {
      this.#doubles.fill(0, 0, this.#used * DOUBLES);
    }
    this.#used = counterparties;
    this.#pending = 0;
    this.quickProceeds = 0;
  }

  addSell(trades: EntityTrades, row: number): void {
    if (this.#pending === this.#row.length) this.#grow();
    const at = trades.counterparty[row]! * INTEGERS + PENDING;
    const sell = this.#pending++;
    this.#row[sell] = row;
    this.#wanted[sell] = trades.tokenAmount[row]!;
    this.#below[sell] = this.#integers[at]!;
    this.#isTrip[sell] = 0;
    this.#integers[at] = this.#pending;
  }

  addBuy(trades: EntityTrades, row: number): void {
    const counterparty = trades.counterparty[row]!;
    const at = counterparty * INTEGERS + PENDING;
    if (this.#integers[at] === 0) return;
    const amount = trades.tokenAmount[row]!;
    let left = amount;
    let isTrip = false;
    let top = this.#integers[at]!;
    while (top > 0 && left > ROUNDING * amount) {
      const sell = top - 1;
      const sold = this.#row[sell]!;
      const seconds = trades.time[sold]! - trades.time[row]!;
      // The sells below came later still, and the buys to come are older: none of them are round trips.
      if (seconds > this.#longest) {
        top = 0;
        break;
      }
      const part = Math.min(left, this.#wanted[sell]!);
      const usd = trades.usd[sold]!;
      if (seconds <= QUICK && !Number.isNaN(usd)) this.quickProceeds += usd * (part / trades.tokenAmount[sold]!);
      if (seconds <= this.#rule.max_holding && this.#addPair(trades, row, sold, part)) {
        isTrip = true;
        if (this.#isTrip[sell] === 0) this.#integers[counterparty * INTEGERS + SELLS]!++;
        this.#isTrip[sell] = 1;
      }
      left -= part;
      this.#wanted[sell]! -= part;
      if (this.#wanted[sell]! <= ROUNDING * trades.tokenAmount[sold]!) top = this.#below[sell]!;
    }
    if (isTrip) this.#integers[counterparty * INTEGERS + BUYS]!++;
    this.#integers[at] = top;
  }

  /** Whether the round trips with a counterparty are wash. */
  isWash(counterparty: number): boolean {
    const at = counterparty * INTEGERS;
    if (this.#integers[at + BUYS]! < this.#rule.min_buys) return false;
    if (this.#integers[at + SELLS]! < this.#rule.min_sells) return false;
    return [QUICK_USD, QUICK_NATIVE].every((sums) => {
      const volume = this.#doubles[counterparty * DOUBLES + sums]!;
      return volume === 0 || this.#isEven(volume, this.#doubles[counterparty * DOUBLES + sums + 1]!);
    });
  }

  /** The volume of the round trips with a counterparty, USD. */
  volume(counterparty: number): number {
    return this.#doubles[counterparty * DOUBLES + USD]!;
  }

  volumeNative(counterparty: number): number {
    return this.#doubles[counterparty * DOUBLES + NATIVE]!;
  }

  /** Adds a quick pair, of an amount that was bought at one row and sold at another; gives whether it is a round trip. */
  #addPair(trades: EntityTrades, bought: number, sold: number, amount: number): boolean {
    const ofBuy = amount / trades.tokenAmount[bought]!;
    const ofSell = amount / trades.tokenAmount[sold]!;
    const paid = trades.usd[bought]! * ofBuy;
    const received = trades.usd[sold]! * ofSell;
    const paidNative = trades.native[bought]! * ofBuy;
    const receivedNative = trades.native[sold]! * ofSell;
    const isValued = !Number.isNaN(paid + received);
    const volume = isValued ? paid + received : paidNative + receivedNative;
    const result = isValued ? received - paid : receivedNative - paidNative;
    if (!(volume > 0)) return false;
    const at = trades.counterparty[bought]! * DOUBLES;
    const sums = at + (isValued ? QUICK_USD : QUICK_NATIVE);
    this.#doubles[sums]! += volume;
    this.#doubles[sums + 1]! += result;
    if (!this.#isEven(volume, result)) return false;
    if (isValued) this.#doubles[at + USD]! += volume;
    const native = paidNative + receivedNative;
    if (!Number.isNaN(native)) this.#doubles[at + NATIVE]! += native;
    return true;
  }

  #isEven(volume: number, result: number): boolean {
    const { max_result, max_loss } = this.#rule;
    return result <= (max_result + ROUNDING) * volume && -result <= (max_loss + ROUNDING) * volume;
  }

  #grow(): void {
    const length = this.#row.length * 2;
    const [row, wanted, below, isTrip] = [this.#row, this.#wanted, this.#below, this.#isTrip];
    this.#row = new Int32Array(length);
    this.#wanted = new Float64Array(length);
    this.#below = new Int32Array(length);
    this.#isTrip = new Uint8Array(length);
    this.#row.set(row);
    this.#wanted.set(wanted);
    this.#below.set(below);
    this.#isTrip.set(isTrip);
  }
}

/** A wash volume, at most the volume it is a part of, and equal to it where rounding alone sets them apart. */
export function washOf(wash: number, volume: number): number {
  return wash >= volume * (1 - ROUNDING) ? volume : wash;
}
