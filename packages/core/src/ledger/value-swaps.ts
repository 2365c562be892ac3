import { timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import type { NativeAfter, NativeVote, NativeVotes, PriceAt } from './native-votes.ts';
import type { Roles } from './roles.ts';
import {
  CONTRADICTED,
  FEED,
  MAX_QUANTITY,
  NATIVE,
  PRICE,
  printPrice,
  REFERENCE,
  type ReferencePrices,
  STABLE,
  type Swaps,
} from './value.ts';
import { MUTE_IN, MUTE_OUT } from './voice.ts';

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

const [STABLE_LEG, NATIVE_LEG, REFERENCE_LEG, OTHER_LEG] = [0, 1, 2, 3];

/** What one leg says; reused from swap to swap. */
interface Leg {
  kind: number;
  /** Place of its token among the quote tokens, -1 for another. */
  rank: number;
  token: number;
  /** What its token and amount say, `NaN` of nothing. */
  own: number;
  /** The code of that. */
  rule: number;
  /** Whether that may contradict a feed. */
  isFirm: boolean;
  /** What the feed says, and the code of that. */
  fed: number;
  fedBy: number;
}

const newLeg = (): Leg => ({
  ...{ kind: OTHER_LEG, rank: -1, token: NO_ID, own: Number.NaN, rule: NO_ID, isFirm: false },
  ...{ fed: Number.NaN, fedBy: NO_ID },
});

/** By how much a feed may differ from a stable leg, and from a firm native or reference leg. */
const [LEAST_OF_STABLE, MOST_OF_STABLE, NEAR_LEG] = [0.95, 1.05, 1.25];

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
  readonly #paid = newLeg();
  readonly #received = newLeg();
  /** The native price, which holds from one transaction to another. */
  #price: PriceAt | undefined;
  #last = { usd: Number.NaN, time: Number.NaN };
  /** What the transaction says of the native token so far: its last print of each kind. */
  #firmVote: NativeVote | undefined;
  #feedVote: NativeVote | undefined;

  constructor(swaps: Swaps, options: ValueOptions) {
    this.#swaps = swaps;
    this.#options = options;
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
    this.#vote();
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

  #vote(): void {
    const { votes } = this.#options;
    if (this.#firmVote !== undefined) {
      votes.addFirm(this.#firmVote);
      this.firm.push(this.#firmVote);
      this.#noteLast();
    } else if (this.#feedVote !== undefined) votes.addFeed(this.#feedVote);
    else return;
    this.#price = this.#firmVote = this.#feedVote = undefined;
  }

  #noteLast(): void {
    const { votes } = this.#options;
    this.#last = { usd: votes.lastPrice, time: votes.newestFirm?.time ?? Number.NaN };
  }

  #value(row: number, time: number, native: PriceAt): void {
    const { columns: c } = this.#swaps;
    const [paid, received] = [this.#paid, this.#received];
    const [amountIn, amountOut] = [c.token_amount_in[row]!, c.token_amount_out[row]!];
    this.#begin(paid, c.token_in[row]!, amountIn, time, native);
    this.#begin(received, c.token_out[row]!, amountOut, time, native);
    noteFeed(paid, amountIn, c.given_usd_in[row]!, c.given_price_in[row]!);
    noteFeed(received, amountOut, c.given_usd_out[row]!, c.given_price_out[row]!);
    const isPaidFirst = paid.kind < received.kind || (paid.kind === received.kind && paid.rank <= received.rank);
    const [lead, second] = isPaidFirst ? [paid, received] : [received, paid];
    const fed = fedLeg(lead, second, paid, received);
    const deciding = decidingLeg(lead, second, fed);
    const isFed = fed !== undefined && (deciding === undefined || isBelieved(deciding, fed));
    const usd = isFed ? fed.fed : (deciding?.own ?? Number.NaN);
    c.usd_amount_in[row] = c.usd_amount_out[row] = usd;
    c.valued_by[row] = isFed
      ? fed.fedBy
      : deciding === undefined
        ? NO_ID
        : deciding.rule + (fed === undefined ? 0 : CONTRADICTED);
    if (paid.kind === NATIVE_LEG)
      this.#noteEvidence(row, { time, usd, amount: amountIn, leg: paid, other: received }, deciding);
    else if (received.kind === NATIVE_LEG)
      this.#noteEvidence(row, { time, usd, amount: amountOut, leg: received, other: paid }, deciding);
  }

  #begin(leg: Leg, token: number, amount: number, time: number, native: PriceAt): void {
    const { roles, references } = this.#options;
    leg.token = token;
    leg.rank = roles.rankOf(token);
    if (leg.rank < 0) {
      leg.kind = OTHER_LEG;
      leg.own = Number.NaN;
      leg.isFirm = false;
      return;
    }
    leg.kind = roles.isStable(token) ? STABLE_LEG : roles.isNative(token) ? NATIVE_LEG : REFERENCE_LEG;
    const reference = references.isEmpty || leg.kind === NATIVE_LEG ? Number.NaN : references.at(token, time);
    if (leg.kind === NATIVE_LEG) {
      leg.own = worth(amount, native.usd);
      leg.rule = native.isReference ? REFERENCE : NATIVE;
    } else if (leg.kind === STABLE_LEG && Number.isNaN(reference)) {
      leg.own = worth(amount, 1);
      leg.rule = STABLE;
    } else {
      leg.own = worth(amount, reference);
      leg.rule = REFERENCE;
    }
    leg.isFirm = !Number.isNaN(leg.own) && (leg.kind === NATIVE_LEG ? native.isFirm : leg.kind === REFERENCE_LEG);
  }

  /** Notes what a swap of the native token says of its price, unless that came from the native price itself. */
  #noteEvidence(row: number, { time, usd, amount, leg, other }: Evidence, deciding: Leg | undefined): void {
    if (deciding === leg || leg.token === other.token) return;
    const { dustUsd, references, mutes } = this.#options;
    const { columns: c } = this.#swaps;
    if ((mutes[row]! & (leg === this.#paid ? MUTE_IN : MUTE_OUT)) !== 0) return;
    const price = printPrice(usd, amount, dustUsd);
    if (Number.isNaN(price)) return;
    const vote = { seq: c.seq[row]!, price, wallet: c.wallet[row]!, time };
    if (deciding === undefined) {
      if (other.kind !== STABLE_LEG) this.#feedVote = vote;
    } else if (deciding.kind === STABLE_LEG) this.#firmVote = vote;
    else this.#firmVote = { ...vote, time: references.holding(deciding.token, time).time };
  }
}

interface Evidence {
  readonly time: number;
  readonly usd: number;
  readonly amount: number;
  /** The leg of the native token, and the other one. */
  readonly leg: Leg;
  readonly other: Leg;
}

/** What an amount is worth at a price: `NaN` of nothing for something, and beyond what is known. */
function worth(amount: number, price: number): number {
  const usd = amount * price;
  return (usd > 0 || amount === 0) && usd <= MAX_QUANTITY ? usd : Number.NaN;
}

function noteFeed(leg: Leg, amount: number, usd: number, price: number): void {
  const isGiven = usd > 0 || (usd === 0 && amount === 0);
  leg.fed = isGiven ? usd : worth(amount, price);
  leg.fedBy = isGiven ? FEED : PRICE;
}

/** The leg for which the feed says what the swap is worth, `undefined` if it says nothing. */
function fedLeg(lead: Leg, second: Leg, paid: Leg, received: Leg): Leg | undefined {
  if (Number.isNaN(lead.fed)) return Number.isNaN(second.fed) ? undefined : second;
  if (Number.isNaN(second.fed) || lead.kind !== OTHER_LEG) return lead;
  return received.fed < paid.fed ? received : paid;
}

/** The leg that says what the swap is worth, or beside which a feed is believed; `undefined` if the feed alone says it, or nothing. */
function decidingLeg(lead: Leg, second: Leg, fed: Leg | undefined): Leg | undefined {
  if (lead.kind === STABLE_LEG && !Number.isNaN(lead.own)) return lead;
  if (fed === undefined) return [lead, second].find(({ own }) => !Number.isNaN(own));
  const firm = lead.isFirm ? lead : second.isFirm ? second : undefined;
  return firm !== undefined && (fed.fed > firm.own * NEAR_LEG || fed.fed < firm.own / NEAR_LEG) ? firm : undefined;
}

function isBelieved({ kind, own }: Leg, { fed }: Leg): boolean {
  return kind === STABLE_LEG && fed >= LEAST_OF_STABLE * own && fed <= MOST_OF_STABLE * own;
}
