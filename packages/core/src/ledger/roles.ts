import type { QuoteToken } from '../config.ts';

/** Which ids are quote tokens, by their place in the configured list. */
export interface Roles {
  /** Place in the list of quote tokens, -1 for every other token. */
  rankOf(token: number): number;
  isStable(token: number): boolean;
  isNative(token: number): boolean;
}

/** No id of a token. */
const NONE = -2;

export function rolesOf(quoteTokens: readonly QuoteToken[], idOf: (address: string) => number | undefined): Roles {
  // So few that looking through them is faster than a map.
  const ids = quoteTokens.map(({ address }) => idOf(address) ?? NONE);
  const stable = ids.filter((_, rank) => quoteTokens[rank]!.kind === 'stable');
  const native = ids.find((_, rank) => quoteTokens[rank]!.kind === 'native') ?? NONE;
  return {
    rankOf: (token) => ids.indexOf(token),
    isStable: (token) => stable.includes(token),
    isNative: (token) => token === native,
  };
}
