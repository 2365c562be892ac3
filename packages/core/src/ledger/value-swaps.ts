import { timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { NativeAfter, NativeVote, NativeVotes, PriceAt } from './native-votes.ts';
import { pooledIn, pooledOut, pooledUsd } from './pooled.ts';
import type { Roles } from './roles.ts';
import { CONTRADICTED, printPrice, type ReferencePrices, type Swaps } from './value.ts';
import { MUTE_IN, MUTE_OUT } from './voice.ts';
import { isBelieved, type Leg, Legs, NATIVE_LEG, STABLE_LEG } from './weigh.ts';

export interface ValueOptions {
  readonly roles: Roles;
  readonly dustUsd: number;
  readonly references: ReferencePrices;
  /** The votes for the native price before the first swap; those of the swaps are added. */
  readonly votes: NativeVotes;
  /** Of the swaps (`mutesOf`). */
  readonly mutes: Uint8Array;
}

/** What values of swaps say of the native token. */
export interface Valued {
  /** The firm votes, oldest first. */
  readonly firm: readonly NativeVote[];
  readonly native: NativeAfter;
}

/**
 * Writes `usd_amount_in`, `usd_amount_out` and `valued_by` of swaps in chain order, transactions whole (docs/reference/metrics.md,
 * "Valuation"), `NaN` and `NO_ID` where unknown.
 */
export function valueSwaps(swaps: Swaps, options: ValueOptions): Valued {
  const valuation = new Valuation(swaps, options);
  const { tx } = swaps.columns;
  for (let start = 0; start < swaps.length; ) {
    let end = start + 1;
    while (end < swaps.length && tx[end] === tx[start]) end++;
    valuation.transaction(start, end);
    start = end;
  }
  return valuation;
}

class Valuation implements Valued {
  readonly firm: NativeVote[] = [];
  readonly native: NativeAfter;
  readonly #swaps: Swaps;
  readonly #options: ValueOptions;
  readonly #legs: Legs;
  /** The native price, which holds from one transaction to another. */
  #price: PriceAt | undefined;
  #last = { usd: Number.NaN, time: Number.NaN };
  /** What the transaction says of the native token so far: its last print of each kind. */
  #firmVote: NativeVote | undefined;
  #feedVote: NativeVote | undefined;

  constructor(swaps: Swaps, options: ValueOptions) {
    this.#swaps = swaps;
    this.#options = options;
    this.#legs = new Legs(options);
    const [price, lastPrice, lastTime] = [0, 1, 2].map(() => new Float64Array(swaps.length)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    this.native = { price, lastPrice, lastTime };
    this.#noteLast();
  }

  /** Values the swaps of one transaction, and adds its vote. */
  transaction(start: number, end: number): void {
    const time = timeOf(this.#swaps.columns.seq[start]!);
    const before = this.#priceAt(time);
    for (let row = start; row < end; row++) this.#value(row, time, before);
    this.#vote(time);
    const { price, lastPrice, lastTime } = this.native;
    const after = this.#priceAt(time).usd;
    for (let row = start; row < end; row++) {
      price[row] = after;
      lastPrice[row] = this.#last.usd;
      lastTime[row] = this.#last.time;
    }
  }

  #priceAt(time: number): PriceAt {
    if (this.#price !== undefined && time <= this.#price.until) return this.#price;
    const { votes, references, roles } = this.#options;
    this.#price = votes.priceAt(time, references.holding(roles.native, time));
    return this.#price;
  }

  /** Adds the vote of a transaction at a time. */
  #vote(time: number): void {
    const { votes } = this.#options;
    if (this.#firmVote !== undefined) {
      votes.addFirm(this.#firmVote);
      this.firm.push(this.#firmVote);
      this.#price = undefined;
      this.#noteLast();
    } else if (this.#feedVote !== undefined) {
      votes.addFeed(this.#feedVote);
      if (!votes.isFirmAt(time)) this.#price = undefined;
    }
    this.#firmVote = this.#feedVote = undefined;
  }

  #noteLast(): void {
    const { votes } = this.#options;
    this.#last = { usd: votes.lastPrice, time: votes.newestFirm?.time ?? Number.NaN };
  }

  #value(row: number, time: number, native: PriceAt): void {
    const { columns: c } = this.#swaps;
    const legs = this.#legs;
    legs.weigh(this.#swaps, row, time, native);
    const { paid, received, fed } = legs;
    const deciding = legs.deciding();
    const isFed = fed !== undefined && (deciding === undefined || isBelieved(deciding, fed));
    const usd = isFed ? fed.fed : (deciding?.own ?? Number.NaN);
    c.usd_amount_in[row] = c.usd_amount_out[row] = usd;
    c.valued_by[row] = isFed
      ? fed.fedBy
      : deciding === undefined
        ? NO_ID
        : deciding.rule + (fed === undefined ? 0 : CONTRADICTED);
    // What came from the native price says nothing of it.
    if (paid.kind === NATIVE_LEG) {
      if (deciding !== paid) this.#noteEvidence(row, time, paid, received, deciding);
    } else if (received.kind === NATIVE_LEG && deciding !== received)
      this.#noteEvidence(row, time, received, paid, deciding);
  }

  /** Notes what a swap of the native token says of its price by the leg that decides, or by its feed. */
  #noteEvidence(row: number, time: number, leg: Leg, other: Leg, deciding: Leg | undefined): void {
    if (leg.token === other.token) return;
    const { dustUsd, references, mutes, roles } = this.#options;
    const { columns: c } = this.#swaps;
    if ((mutes[row]! & (leg === this.#legs.paid ? MUTE_IN : MUTE_OUT)) !== 0) return;
    const amount = leg === this.#legs.paid ? pooledIn(c, row) : pooledOut(c, row);
    const price = printPrice(pooledUsd(c, row, c.usd_amount_in[row]!, roles), amount, dustUsd);
    if (Number.isNaN(price)) return;
    const vote = { seq: c.seq[row]!, price, wallet: c.wallet[row]!, time };
    if (deciding === undefined) {
      if (other.kind !== STABLE_LEG) this.#feedVote = vote;
    } else if (deciding.kind === STABLE_LEG) this.#firmVote = vote;
    else this.#firmVote = { ...vote, time: references.holding(deciding.token, time).time };
  }
}
