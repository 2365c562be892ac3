import { timeOf } from '../records/chain-order.ts';
import { type Batch, NO_ID } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { PriceAt } from './native-votes.ts';
import type { Roles } from './roles.ts';
import { FEED, MAX_QUANTITY, NATIVE, PRICE, REFERENCE, type ReferencePrices, STABLE } from './value.ts';

/** Kinds of legs, by the order in which they are asked what a swap is worth. */
export const [STABLE_LEG, NATIVE_LEG, REFERENCE_LEG, OTHER_LEG] = [0, 1, 2, 3];

/** By how much a feed may differ from a stable leg, and from a firm native or reference leg. */
const [LEAST_OF_STABLE, MOST_OF_STABLE, NEAR_LEG] = [0.95, 1.05, 1.25];

/** What one leg says; reused from swap to swap. */
export interface Leg {
  kind: number;
  /** Place of its token among the quote tokens, -1 for another. */
  rank: number;
  token: number;
  amount: number;
  /** What its token and amount say, `NaN` of nothing. */
  own: number;
  /** The code of that in `valued_by`. */
  rule: number;
  /** Whether that may contradict a feed. */
  isFirm: boolean;
  /** What the feed says, and the code of that. */
  fed: number;
  fedBy: number;
}

const newLeg = (): Leg => ({
  kind: OTHER_LEG,
  rank: -1,
  token: NO_ID,
  amount: Number.NaN,
  own: Number.NaN,
  rule: NO_ID,
  isFirm: false,
  fed: Number.NaN,
  fedBy: NO_ID,
});

/** What is weighed of a swap. */
type Weighed = Batch<
  typeof swapsTable,
  | 'seq'
  | `token_${'in' | 'out'}`
  | `token_amount_${'in' | 'out'}`
  | `given_usd_${'in' | 'out'}`
  | `given_price_${'in' | 'out'}`
>;

export interface LegOptions {
  readonly roles: Roles;
  readonly references: ReferencePrices;
}

/** Both legs of a swap, and what they and the feed say that it is worth (docs/reference/metrics.md, "Valuation"). */
export class Legs {
  readonly paid = newLeg();
  readonly received = newLeg();
  /** The leg that is asked first, and the other one. */
  lead = this.paid;
  second = this.received;
  /** The leg for which the feed says what the swap is worth, `undefined` if it says nothing. */
  fed: Leg | undefined;
  readonly #references: ReferencePrices;
  /** The quote tokens that there are, in the configured order, and their kinds. */
  readonly #quotes: readonly number[];
  readonly #kinds: readonly number[];

  constructor({ roles, references }: LegOptions) {
    this.#references = references;
    this.#quotes = roles.known;
    this.#kinds = roles.known.map((token) =>
      roles.isStable(token) ? STABLE_LEG : roles.isNative(token) ? NATIVE_LEG : REFERENCE_LEG,
    );
  }

  /** Takes the swap at a row; `native` is the native price before its transaction. */
  weigh({ columns: c }: Weighed, row: number, time: number, native: PriceAt): void {
    const { paid, received } = this;
    paid.token = c.token_in[row]!;
    paid.amount = c.token_amount_in[row]!;
    received.token = c.token_out[row]!;
    received.amount = c.token_amount_out[row]!;
    this.#noteOwn(paid, time, native);
    this.#noteOwn(received, time, native);
    noteFed(paid, c.given_usd_in[row]!, c.given_price_in[row]!);
    noteFed(received, c.given_usd_out[row]!, c.given_price_out[row]!);
    if (paid.amount > 0 !== received.amount > 0) dropNothing(paid.amount > 0 ? received : paid);
    const isPaidFirst = paid.kind < received.kind || (paid.kind === received.kind && paid.rank <= received.rank);
    this.lead = isPaidFirst ? paid : received;
    this.second = isPaidFirst ? received : paid;
    this.fed = this.#fedLeg();
  }

  #noteOwn(leg: Leg, time: number, native: PriceAt): void {
    const rank = this.#quotes.indexOf(leg.token);
    leg.rank = rank;
    leg.own = Number.NaN;
    leg.isFirm = false;
    leg.kind = rank < 0 ? OTHER_LEG : this.#kinds[rank]!;
    if (rank < 0) return;
    if (leg.kind === NATIVE_LEG) {
      leg.own = worth(leg.amount, native.usd);
      leg.rule = native.isReference ? REFERENCE : NATIVE;
      leg.isFirm = native.isFirm && !Number.isNaN(leg.own);
      return;
    }
    const isStable = leg.kind === STABLE_LEG;
    const reference = this.#references.isEmpty ? Number.NaN : this.#references.at(leg.token, time);
    const isReferenced = !Number.isNaN(reference);
    leg.rule = isReferenced ? REFERENCE : STABLE;
    if (isReferenced || isStable) leg.own = worth(leg.amount, isReferenced ? reference : 1);
    leg.isFirm = !isStable && !Number.isNaN(leg.own);
  }

  #fedLeg(): Leg | undefined {
    const { lead, second, paid, received } = this;
    if (Number.isNaN(lead.fed)) return Number.isNaN(second.fed) ? undefined : second;
    if (Number.isNaN(second.fed) || lead.kind !== OTHER_LEG) return lead;
    return received.fed < paid.fed ? received : paid;
  }

  /** The leg that says what the swap is worth, or beside which a feed is believed; `undefined` if the feed alone says it, or nothing. */
  deciding(): Leg | undefined {
    const { lead, second, fed } = this;
    const isKnown = !Number.isNaN(lead.own);
    if (isKnown && lead.kind === STABLE_LEG) return lead;
    if (second.kind === STABLE_LEG && !Number.isNaN(second.own)) return second;
    if (fed === undefined) return isKnown ? lead : Number.isNaN(second.own) ? undefined : second;
    const firm = lead.isFirm ? lead : second.isFirm ? second : undefined;
    return firm !== undefined && (fed.fed > firm.own * NEAR_LEG || fed.fed < firm.own / NEAR_LEG) ? firm : undefined;
  }
}

/** Whether a feed is believed beside the leg that decides. */
export function isBelieved({ kind, own }: Leg, { fed }: Leg): boolean {
  return kind === STABLE_LEG && fed >= LEAST_OF_STABLE * own && fed <= MOST_OF_STABLE * own;
}

const UNKNOWN: PriceAt = { usd: Number.NaN, isReference: false, isFirm: false, until: Number.POSITIVE_INFINITY };

/** What feeds say of swaps over what their stable legs say, by the token of the leg. Swaps without both are left out. */
export function feedsOverStable(swaps: Weighed, options: LegOptions): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>();
  const legs = new Legs(options);
  for (let row = 0; row < swaps.length; row++) {
    legs.weigh(swaps, row, timeOf(swaps.columns.seq[row]!), UNKNOWN);
    const { lead, fed } = legs;
    if (lead.kind !== STABLE_LEG || fed === undefined || !(lead.own > 0)) continue;
    const of = found.get(lead.token);
    if (of === undefined) found.set(lead.token, [fed.fed / lead.own]);
    else of.push(fed.fed / lead.own);
  }
  return found;
}

/** What an amount is worth at a price: `NaN` of nothing for something, and beyond what is known. */
function worth(amount: number, price: number): number {
  const usd = amount * price;
  return (usd > 0 || amount === 0) && usd <= MAX_QUANTITY ? usd : Number.NaN;
}

/** What a leg without an amount says of a swap whose other leg has one: that it is worth 0 says nothing. */
function dropNothing(leg: Leg): void {
  if (leg.own === 0) [leg.own, leg.isFirm] = [Number.NaN, false];
  if (leg.fed === 0) leg.fed = Number.NaN;
}

function noteFed(leg: Leg, usd: number, price: number): void {
  const isGiven = usd > 0 || (usd === 0 && leg.amount === 0);
  leg.fed = isGiven ? usd : worth(leg.amount, price);
  leg.fedBy = isGiven ? FEED : PRICE;
}
