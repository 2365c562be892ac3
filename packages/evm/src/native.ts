import { presets } from '@swapfold/core';
import { chains } from './chains.ts';
import type { Token } from './tokens.ts';

/** How managers of pools name the native token. */
export const NATIVE = '0x0000000000000000000000000000000000000000';

/** The native token as itself, of a chain for which no other one is given. */
export const nativeItself: Token = { address: NATIVE, decimals: 18, symbol: null, name: null };

/** The token that the preset of a chain has as its native quote token, if there is a preset. */
export function nativeTokenOf(chainId: number): string | undefined {
  const name = chains.find(({ id }) => id === chainId)?.name;
  const preset = Object.values(presets).find(({ chain }) => chain === name);
  return preset?.quote_tokens.find(({ kind }) => kind === 'native')?.address;
}
