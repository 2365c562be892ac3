import { presets } from '@swapfold/core';
import { chains } from './chains.ts';

/** Decimals of the native token of every chain, and of what wraps it. */
export const NATIVE_DECIMALS = 18;

/** How managers of pools name the native token. */
export const NATIVE = '0x0000000000000000000000000000000000000000';

/** The native token as itself, of a chain for which no other one is given. */
export const nativeItself = { address: NATIVE, decimals: NATIVE_DECIMALS, symbol: null, name: null } as const;

function quotesOf(chainId: number): readonly { readonly address: string; readonly kind: string }[] {
  const name = chains.find(({ id }) => id === chainId)?.name;
  return Object.values(presets).find(({ chain }) => chain === name)?.quote_tokens ?? [];
}

/** The token that the preset of a chain has as its native quote token, if there is a preset. */
export const nativeTokenOf = (chainId: number): string | undefined =>
  quotesOf(chainId).find(({ kind }) => kind === 'native')?.address;

/** The quote tokens that the preset of a chain has. */
export const quoteTokensOf = (chainId: number): ReadonlySet<string> =>
  new Set(quotesOf(chainId).map(({ address }) => address));
