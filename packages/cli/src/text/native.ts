import type { Config } from '@swapfold/core';

/** The symbol of the chain's own token; `undefined` if the configuration has none. */
export function nativeSymbol({ quote_tokens: quotes }: Pick<Config, 'quote_tokens'>): string | undefined {
  return quotes.find(({ kind }) => kind === 'native')?.symbol;
}
