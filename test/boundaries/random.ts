import type { SwapInput, TokenInput } from '@swapfold/core';
import { A, DAY, HOUR, MINUTE } from '../support/fixture.ts';

const quotes = ['USDC', 'USDT', 'SOL'] as const;
const tokens = [...quotes, 'A', 'B', 'C', 'D', 'a', 'b'] as const;
/** Some are of every token. */
const pools = ['P', 'Q', 'R', 'p', null, null] as const;
const wallets = ['W1', 'W2', 'W3', 'W4', 'W5'] as const;
/** Lengths of windows and periods. */
const lengths = [5, 30, MINUTE, 300, 1800, HOUR, 3 * HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY];

/** Numbers from 0 to 1, decided by the seed (xorshift). */
function unitsOf(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
}

/**
 * Swaps of which most lie on a boundary: on the edges of windows and periods, in one second, in one transaction with others' swaps;
 * amounts that are whole, nothing, or of any size; values given, given as 0, or unknown; balances that come and go.
 */
export function randomBoundaries(seed: number): { swaps: SwapInput[]; tokens: TokenInput[]; asOf: number | undefined } {
  const unit = unitsOf(seed);
  const chance = (part: number): boolean => unit() < part;
  const pick = <T>(items: readonly T[]): T => items[Math.floor(unit() * items.length)]!;
  const amount = (): number => {
    const kind = unit();
    if (kind < 0.05) return 0;
    if (kind < 0.6) return Math.ceil(unit() * 10);
    return kind < 0.8 ? 10 ** Math.floor(unit() * 8 - 4) : unit() * 10 ** (unit() * 8 - 4);
  };
  const maybe = (part: number): number | null => (chance(part) ? amount() : null);
  const times: number[] = [];
  const timeOf = (): number => {
    const length = pick(lengths);
    if (chance(0.4)) return A - length * Math.floor(unit() * Math.min(40, (32 * DAY) / length));
    return times.length > 0 && chance(0.2) ? pick(times) : A - Math.floor(10 ** (unit() * 6.5));
  };
  const swaps: SwapInput[] = [];
  const transactions: Pick<SwapInput, 'tx_hash' | 'block_time' | 'block_slot' | 'tx_index'>[] = [];
  const count = 60 + Math.floor(unit() * 400);
  const areAmountsWhole = chance(0.5);
  for (let i = 0; i < count; i++) {
    if (transactions.length === 0 || chance(0.65)) {
      times.push(timeOf());
      transactions.push({
        tx_hash: `${pick(['x', 'Z', 'z'])}${i}`,
        block_time: times[times.length - 1]!,
        block_slot: chance(0.2) ? null : Math.floor(unit() * 3),
        tx_index: chance(0.5) ? null : Math.floor(unit() * 3),
      });
    }
    const pair = [pick(tokens), chance(0.5) ? pick(quotes) : pick(tokens)] as const;
    const [tokenIn, tokenOut] = chance(0.5) ? pair : [pair[1], pair[0]];
    const size = (): number => (areAmountsWhole ? Math.ceil(unit() * 20) : amount());
    swaps.push({
      ...pick(transactions.slice(-3)),
      swap_index: i,
      wallet: pick(wallets),
      protocol: pick(['p', 'q', null]),
      token_in: tokenIn,
      token_out: tokenOut,
      token_symbol_in: chance(0.2) ? `S${tokenIn}` : null,
      token_amount_in: size(),
      token_amount_out: size(),
      token_price_in: maybe(0.15),
      token_price_out: maybe(0.15),
      usd_amount_in: maybe(0.2),
      usd_amount_out: maybe(0.2),
      pre_token_balance_in: maybe(0.1),
      post_token_balance_in: chance(0.1) ? 0 : maybe(0.15),
      post_token_balance_out: maybe(0.2),
      pool: pick(pools),
    });
  }
  const registry = tokens
    .filter(() => chance(0.5))
    .map((address) => ({
      address,
      symbol: chance(0.5) ? `R${address}` : null,
      total_supply: maybe(0.7),
      circulating_supply: maybe(0.4),
      creator_address: chance(0.5) ? pick(wallets) : null,
      holders: chance(0.2) ? 3 : null,
    }));
  return { swaps, tokens: registry, asOf: chance(0.3) ? A - Math.floor(10 ** (unit() * 5)) : undefined };
}
