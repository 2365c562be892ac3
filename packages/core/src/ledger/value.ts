import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { Roles } from './roles.ts';

export type Swaps = Batch<typeof swapsTable>;

/** Prints of the native token against stable quote tokens, oldest first. */
export interface NativePrints {
  readonly seq: number[];
  readonly price: number[];
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

/** Rules 1 and 2, then 3: what the feed gives, else one USD per unit of a stable quote token. */
function directValue(usd: number, price: number, amount: number, stable: boolean): number {
  if (usd > 0 || (usd === 0 && amount === 0)) return usd;
  if (price > 0 || (price === 0 && amount === 0)) return price * amount;
  return stable ? amount : Number.NaN;
}

/** The greatest amount, price, balance and USD value of a swap: their sums stay finite. */
export const MAX_QUANTITY = 1e200;

function valueOrNaN(value: number): number {
  return value <= MAX_QUANTITY ? value : Number.NaN;
}

export function finiteOrNaN(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}

/**
 * Writes `usd_amount_in` and `usd_amount_out` of swaps in chain order (docs/reference/metrics.md, "Valuation"), `NaN` where unknown.
 *
 * - `nativePrice`: latest print of the native token against a stable quote token before the first swap, `NaN` if there is none.
 * - Shape: the prints of that kind among these swaps, oldest first.
 */
export function valueSwaps(swaps: Swaps, roles: Roles, dustUsd: number, nativePrice: number): NativePrints {
  const c = swaps.columns;
  const prints: NativePrints = { seq: [], price: [] };
  let latestNative = nativePrice;
  for (let i = 0; i < swaps.length; i++) {
    const tokenIn = c.token_in[i]!;
    const tokenOut = c.token_out[i]!;
    const amountIn = c.token_amount_in[i]!;
    const amountOut = c.token_amount_out[i]!;
    const stableIn = roles.isStable(tokenIn);
    const stableOut = roles.isStable(tokenOut);
    let usdIn = directValue(c.given_usd_in[i]!, c.given_price_in[i]!, amountIn, stableIn);
    let usdOut = directValue(c.given_usd_out[i]!, c.given_price_out[i]!, amountOut, stableOut);
    const nativeIn = roles.isNative(tokenIn);
    const nativeOut = roles.isNative(tokenOut);
    if (nativeIn && Number.isNaN(usdIn)) usdIn = stableOut ? usdOut : amountIn * latestNative;
    if (nativeOut && Number.isNaN(usdOut)) usdOut = stableIn ? usdIn : amountOut * latestNative;
    usdIn = valueOrNaN(usdIn);
    usdOut = valueOrNaN(usdOut);
    if (Number.isNaN(usdIn)) usdIn = usdOut;
    else if (Number.isNaN(usdOut)) usdOut = usdIn;
    c.usd_amount_in[i] = usdIn;
    c.usd_amount_out[i] = usdOut;
    if ((nativeIn && stableOut) || (nativeOut && stableIn)) {
      const price = nativeIn ? printPrice(usdIn, amountIn, dustUsd) : printPrice(usdOut, amountOut, dustUsd);
      if (!Number.isNaN(price)) {
        latestNative = price;
        prints.seq.push(c.seq[i]!);
        prints.price.push(price);
      }
    }
  }
  return prints;
}
