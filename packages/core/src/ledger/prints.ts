import { timeOf } from '../records/chain-order.ts';
import { MUTE, REPEATED, SELF } from '../records/standing.ts';
import { pooledIn, pooledOut, pooledUsd } from './pooled.ts';
import type { Roles } from './roles.ts';
import { printPrice, type ReferencePrices, type Swaps, valueRuleOf } from './value.ts';
import { MUTE_IN, MUTE_OUT } from './voice.ts';

/**
 * The prints of the two legs of swaps, and their standing as `records/standing.ts` has it; the price is `NaN` of a leg that is none. `usd`:
 * what went through the pool.
 */
export interface SwapPrints {
  readonly price_in: Float64Array;
  readonly price_out: Float64Array;
  readonly usd: Float64Array;
  readonly standing_in: Int32Array;
  readonly standing_out: Int32Array;
}

/** The prints of valued swaps before they are judged. `mutes`: as `mutesOf` gives them. */
export function printsOf(
  { columns: c, length }: Swaps,
  {
    mutes,
    dustUsd,
    roles,
    references,
  }: {
    readonly mutes: Uint8Array;
    readonly dustUsd: number;
    readonly roles: Roles;
    readonly references: ReferencePrices;
  },
): SwapPrints {
  const prints = {
    price_in: new Float64Array(length),
    price_out: new Float64Array(length),
    usd: new Float64Array(length),
    standing_in: new Int32Array(length),
    standing_out: new Int32Array(length),
  };
  for (let row = 0; row < length; row++) {
    const [tokenIn, tokenOut] = [c.token_in[row]!, c.token_out[row]!];
    if (tokenIn === tokenOut) {
      prints.price_in[row] = prints.price_out[row] = prints.usd[row] = Number.NaN;
      prints.standing_in[row] = prints.standing_out[row] = SELF;
      continue;
    }
    const usd = pooledUsd(c, row, c.usd_amount_in[row]!, roles);
    const priceIn = printPrice(usd, pooledIn(c, row), dustUsd);
    const priceOut = printPrice(usd, pooledOut(c, row), dustUsd);
    const repeats = repeatsNativePrice(row);
    prints.price_in[row] = priceIn;
    prints.price_out[row] = priceOut;
    prints.usd[row] = usd;
    if (!Number.isNaN(priceIn))
      prints.standing_in[row] =
        ((mutes[row]! & MUTE_IN) === 0 ? 0 : MUTE) | (repeats && roles.isNative(tokenIn) ? REPEATED : 0);
    if (!Number.isNaN(priceOut))
      prints.standing_out[row] =
        ((mutes[row]! & MUTE_OUT) === 0 ? 0 : MUTE) | (repeats && roles.isNative(tokenOut) ? REPEATED : 0);
  }
  return prints;

  /** Whether the native leg of a swap gave its value: by the native price, or by the reference price of the native token. */
  function repeatsNativePrice(row: number): boolean {
    const rule = valueRuleOf(c.valued_by[row]!);
    if (rule !== 'reference') return rule === 'native';
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    if (!roles.isNative(given) && !roles.isNative(received)) return false;
    const other = roles.isNative(given) ? received : given;
    return !roles.isStable(other) && !Number.isNaN(references.at(roles.native, timeOf(c.seq[row]!)));
  }
}
