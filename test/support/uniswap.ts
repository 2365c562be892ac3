import { existsSync } from 'node:fs';
import type { ConfigInput, SwapInput } from '@swapfold/core';
import { readSwapsCsv } from './csv.ts';

const USDC = { address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48', symbol: 'USDC', kind: 'stable' } as const;
const WETH = { address: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2', symbol: 'WETH', kind: 'native' } as const;

/** A recorded day of three Uniswap v3 pools (demeter-fetch test samples, Apache-2.0); it lies beside the project. */
export const uniswapDay = new URL('../../../shared/data/uniswap-v3-2024-01-05/swaps.csv', import.meta.url).pathname;

/** Why a test that needs the recorded day is skipped, or `false`. */
export const noUniswapDay = existsSync(uniswapDay)
  ? false
  : 'the recorded Uniswap day is not beside the project (../shared/data)';

/** WETH as a traded token; and WETH as the native quote token. */
export const uniswapConfigs: Readonly<Record<string, ConfigInput>> = {
  'WETH is traded': { preset: 'ethereum', quote_tokens: [USDC] },
  'WETH is the native token': { preset: 'ethereum', quote_tokens: [USDC, WETH] },
};

/** The rows of the recorded day as swap objects. */
export function readUniswapDay(): SwapInput[] {
  return readSwapsCsv(uniswapDay);
}
