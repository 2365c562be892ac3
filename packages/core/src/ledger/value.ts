import { timeOf } from '../records/chain-order.ts';
import { type Batch, firstAfter, NO_ID } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { Roles } from './roles.ts';

export type Swaps = Batch<typeof swapsTable>;

/** Prints of the native token against stable quote tokens, oldest first. */
export interface NativePrints {
  readonly seq: number[];
  readonly price: number[];
}

/** Codes of `valued_by`: the rules that give a leg a value, in their order. */
export const valueRules = ['feed', 'price', 'reference', 'stable', 'native', 'other_leg'] as const;
const [FEED, PRICE, REFERENCE, STABLE, NATIVE] = [0, 1, 2, 3, 4];
const NO_RULE = valueRules.length;
/** Added to the code of a swap whose feed contradicts it. */
export const CONTRADICTED = 8;

/** The rule that gave a swap its value, `null` without one. */
export function valueRuleOf(valuedBy: number): (typeof valueRules)[number] | null {
  return valuedBy === NO_ID ? null : valueRules[valuedBy % CONTRADICTED]!;
}

/** Whether the value that the feed gave was not believed. */
export function isContradicted(valuedBy: number): boolean {
  return valuedBy >= CONTRADICTED;
}

/** Whether the native price gave a swap its value, which then says nothing of that price. */
export function isNativeValued(valuedBy: number): boolean {
  return valuedBy >= 0 && valuedBy % CONTRADICTED === NATIVE;
}

/** Swaps of a token that are looked through for one against the native token. */
export const MOST_SWAPS = 1000;

type Exchanged = 'token_in' | 'token_out' | 'token_amount_in' | 'token_amount_out';

/** What a swap of a token against the native one says: native tokens per token. `undefined` of another swap, and without a finite price. */
export function nativePriceOf({ columns: c }: Batch<typeof swapsTable, Exchanged>, row: number, roles: Roles) {
  const isGiven = roles.isNative(c.token_in[row]!);
  if (isGiven === roles.isNative(c.token_out[row]!)) return undefined;
  const [token, amount, paid] = isGiven
    ? [c.token_out[row]!, c.token_amount_out[row]!, c.token_amount_in[row]!]
    : [c.token_in[row]!, c.token_amount_in[row]!, c.token_amount_out[row]!];
  const price = paid / amount;
  return price > 0 && Number.isFinite(price) ? { token, price } : undefined;
}

/** USD per token of a leg, `NaN` if that is not finite. */
export function legPrice(usd: number, amount: number): number {
  return finiteOrNaN(usd / amount);
}

/** The price of a leg that counts as a price print, else `NaN`. */
export function printPrice(usd: number, amount: number, dustUsd: number): number {
  const price = usd / amount;
  return usd >= dustUsd && amount > 0 && price > 0 ? finiteOrNaN(price) : Number.NaN;
}

/** The greatest amount, price, balance and USD value of a swap: their sums stay finite. */
export const MAX_QUANTITY = 1e200;

function valueOrNaN(value: number): number {
  return value <= MAX_QUANTITY ? value : Number.NaN;
}

export function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/** The supply that market caps go by: circulating, or else total. A registry that says 0 of a token does not know it. */
export function knownSupply(circulating: number, total: number): number {
  return circulating > 0 ? circulating : total > 0 ? total : Number.NaN;
}

export interface ValueOptions {
  readonly roles: Roles;
  readonly dustUsd: number;
  /** Latest print of the native token against a stable quote token before the first swap, `NaN` if there is none. */
  readonly nativePrice: number;
  readonly references: ReferencePrices;
}

/** What the rules say of one leg; reused from swap to swap. */
interface Leg {
  /** Place of its token among the quote tokens, -1 for another. */
  rank: number;
  isStable: boolean;
  isNative: boolean;
  amount: number;
  /** What the feed gives, by rule 1 or else 2. */
  given: number;
  /** What rule 3 gives, by a reference price or as a stable token. */
  direct: number;
  /** The value by rules 1 to 4, and the first that gave it. */
  usd: number;
  rule: number;
  isFeed: boolean;
  isReferenced: boolean;
}

const newLeg = (): Leg => ({
  rank: -1,
  isStable: false,
  isNative: false,
  amount: 0,
  given: Number.NaN,
  direct: Number.NaN,
  usd: Number.NaN,
  rule: NO_RULE,
  isFeed: false,
  isReferenced: false,
});

/**
 * Writes `usd_amount_in`, `usd_amount_out` and `valued_by` of swaps in chain order (docs/reference/metrics.md, "Valuation"), `NaN` and
 * `NO_ID` where unknown.
 *
 * - Shape: the prints of the native token against stable ones among these swaps, oldest first.
 */
export function valueSwaps(swaps: Swaps, options: ValueOptions): NativePrints {
  const { roles, dustUsd, references } = options;
  const c = swaps.columns;
  const prints: NativePrints = { seq: [], price: [] };
  let latestNative = options.nativePrice;
  const paid = newLeg();
  const received = newLeg();
  const begin = (leg: Leg, token: number, amount: number, usd: number, price: number, time: number): void => {
    leg.rank = roles.rankOf(token);
    leg.isStable = leg.rank >= 0 && roles.isStable(token);
    leg.isNative = leg.rank >= 0 && roles.isNative(token);
    const reference = leg.rank < 0 || references.isEmpty ? Number.NaN : references.at(token, time);
    leg.isReferenced = !Number.isNaN(reference);
    leg.amount = amount;
    leg.isFeed = usd > 0 || (usd === 0 && amount === 0);
    leg.given = leg.isFeed ? usd : price > 0 || (price === 0 && amount === 0) ? price * amount : Number.NaN;
    leg.direct = leg.isReferenced ? amount * reference : leg.isStable ? amount : Number.NaN;
  };
  for (let i = 0; i < swaps.length; i++) {
    const [tokenIn, tokenOut] = [c.token_in[i]!, c.token_out[i]!];
    const time = timeOf(c.seq[i]!);
    begin(paid, tokenIn, c.token_amount_in[i]!, c.given_usd_in[i]!, c.given_price_in[i]!, time);
    begin(received, tokenOut, c.token_amount_out[i]!, c.given_usd_out[i]!, c.given_price_out[i]!, time);
    valueLeg(paid);
    valueLeg(received);
    if (paid.isNative && Number.isNaN(paid.usd)) valueNative(paid, received, latestNative);
    if (received.isNative && Number.isNaN(received.usd)) valueNative(received, paid, latestNative);
    const own = tokenIn === tokenOut ? Number.NaN : ownValue(paid, received, latestNative);
    if (isFarOff(paid, own) || isFarOff(received, own)) {
      c.usd_amount_in[i] = c.usd_amount_out[i] = own;
      c.valued_by[i] = CONTRADICTED + ownRule(paid, received, latestNative);
    } else {
      const [usdIn, usdOut] = [valueOrNaN(paid.usd), valueOrNaN(received.usd)];
      c.usd_amount_in[i] = Number.isNaN(usdIn) ? usdOut : usdIn;
      c.usd_amount_out[i] = Number.isNaN(usdOut) ? usdIn : usdOut;
      const rule = Math.min(Number.isNaN(usdIn) ? NO_RULE : paid.rule, Number.isNaN(usdOut) ? NO_RULE : received.rule);
      c.valued_by[i] = rule === NO_RULE ? NO_ID : rule;
    }
    if ((paid.isNative && received.isStable) || (received.isNative && paid.isStable)) {
      const price = paid.isNative
        ? printPrice(c.usd_amount_in[i]!, paid.amount, dustUsd)
        : printPrice(c.usd_amount_out[i]!, received.amount, dustUsd);
      if (!Number.isNaN(price)) {
        latestNative = price;
        prints.seq.push(c.seq[i]!);
        prints.price.push(price);
      }
    }
  }
  return prints;
}

/** Rules 1 to 3. */
function valueLeg(leg: Leg): void {
  const isGiven = !Number.isNaN(leg.given);
  leg.usd = isGiven ? leg.given : leg.direct;
  leg.rule = isGiven ? (leg.isFeed ? FEED : PRICE) : Number.isNaN(leg.direct) ? NO_RULE : directRule(leg);
}

function directRule(leg: Leg): number {
  return leg.isReferenced ? REFERENCE : STABLE;
}

/** Rule 4. */
function valueNative(leg: Leg, other: Leg, latestNative: number): void {
  leg.usd = other.isStable ? other.usd : leg.amount * latestNative;
  leg.rule = Number.isNaN(leg.usd) ? NO_RULE : NATIVE;
}

/** What rules 3 and 4 give a leg if the feed says nothing of either. */
function unfedValue(leg: Leg, other: Leg, latestNative: number): number {
  if (!Number.isNaN(leg.direct) || !leg.isNative) return leg.direct;
  return other.isStable ? other.direct : leg.amount * latestNative;
}

/** The leg whose token decides what a swap is worth: a stable token goes before the native one, and the native one before any other quote token. */
function decidingLeg(a: Leg, b: Leg, latestNative: number): Leg | undefined {
  const kindOf = (leg: Leg): number => (leg.isStable ? 0 : leg.isNative ? 1 : 2);
  const order = kindOf(a) - kindOf(b) || a.rank - b.rank;
  for (const leg of order <= 0 ? [a, b] : [b, a])
    if (leg.rank >= 0 && !Number.isNaN(valueOrNaN(unfedValue(leg, leg === a ? b : a, latestNative)))) return leg;
  return undefined;
}

/** What a swap of a quote token is worth by itself, whatever its feed says; `NaN` if no quote token decides it, or the feed says nothing. */
function ownValue(a: Leg, b: Leg, latestNative: number): number {
  if ((Number.isNaN(a.given) && Number.isNaN(b.given)) || (a.rank < 0 && b.rank < 0)) return Number.NaN;
  const leg = decidingLeg(a, b, latestNative);
  return leg === undefined ? Number.NaN : unfedValue(leg, leg === a ? b : a, latestNative);
}

function ownRule(a: Leg, b: Leg, latestNative: number): number {
  const leg = decidingLeg(a, b, latestNative)!;
  return Number.isNaN(leg.direct) ? NATIVE : directRule(leg);
}

/** Whether the value that a feed gives a leg is less than half of the swap's own one, or more than twice. The value of a leg of no tokens is not judged. */
function isFarOff({ amount, given }: Leg, own: number): boolean {
  return own > 0 && amount > 0 && (given < own / 2 || given > own * 2);
}

/** Prices of one token, oldest first. */
export interface PriceSeries {
  readonly time: Float64Array;
  readonly usdPrice: Float64Array;
}

/**
 * Prices of quote tokens from outside, by the id of the token: at a time the newest that was known by then, unless it is older than
 * `maxAge` seconds.
 */
export class ReferencePrices {
  static readonly none = new ReferencePrices(new Map(), 0);

  readonly #series: ReadonlyMap<number, PriceSeries>;
  readonly #maxAge: number;

  constructor(series: ReadonlyMap<number, PriceSeries>, maxAge: number) {
    this.#series = series;
    this.#maxAge = maxAge;
  }

  get isEmpty(): boolean {
    return this.#series.size === 0;
  }

  /** USD per token at a time, `NaN` without a price. */
  at(token: number, time: number): number {
    const series = this.#series.get(token);
    if (series === undefined) return Number.NaN;
    const { time: times, usdPrice } = series;
    const last = firstAfter(times, times.length, time) - 1;
    return last >= 0 && time - times[last]! <= this.#maxAge ? usdPrice[last]! : Number.NaN;
  }
}
