import type { QuoteToken } from '../config.ts';

/** Which ids are quote tokens, by their place in the configured list. */
export interface Roles {
  /** Place in the list of quote tokens, -1 for every other token. */
  rankOf(token: number): number;
  isStable(token: number): boolean;
  isNative(token: number): boolean;
  /** The native token, if there is one and a swap or price has named it; no id otherwise. */
  readonly native: number;
  /** The quote tokens that swaps or prices have named, in the order of the list. */
  readonly known: readonly number[];
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
    native,
    known: ids.filter((id) => id !== NONE),
  };
}
