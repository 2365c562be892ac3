import type { ConfigInput, PriceInput, SwapInput } from '@swapfold/core';

export const [T, MINUTE, DAY] = [1_735_689_000, 60, 86_400];

/** Quote tokens of each kind. */
export const worthConfig = {
  chain: 'test',
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'USDT', symbol: 'USDT', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
    { address: 'MSOL', symbol: 'mSOL', kind: 'reference' },
  ],
} as const satisfies ConfigInput;

type Leg = readonly [amount: number, token: string];

let swaps = 0;

/** A swap of wallet `W` in a transaction of its own: gives one leg for the other. */
export function swapped(time: number, given: Leg, received: Leg, more: Partial<SwapInput> = {}): SwapInput {
  return {
    tx_hash: `tx${String(swaps++).padStart(6, '0')}`,
    swap_index: 0,
    block_time: time,
    wallet: 'W',
    token_in: given[1],
    token_amount_in: given[0],
    token_out: received[1],
    token_amount_out: received[0],
    ...more,
  };
}

export const price = (token: string, time: number, usd_price: number | null): PriceInput => ({
  token,
  time,
  usd_price,
});
