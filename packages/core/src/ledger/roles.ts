import type { QuoteToken } from '../config.ts';

/** Which ids are quote tokens, by their place in the configured list. */
export interface Roles {
  /** Place in the list of quote tokens, -1 for every other token. */
  rankOf(token: number): number;
  isStable(token: number): boolean;
  isNative(token: number): boolean;
}

export function rolesOf(quoteTokens: readonly QuoteToken[], idOf: (address: string) => number | undefined): Roles {
  const ranks = new Map<number, number>();
  const stable = new Set<number>();
  let native = -2;
  for (const [rank, token] of quoteTokens.entries()) {
    const id = idOf(token.address);
    if (id === undefined) continue;
    ranks.set(id, rank);
    if (token.kind === 'stable') stable.add(id);
    else native = id;
  }
  return {
    rankOf: (token) => ranks.get(token) ?? -1,
    isStable: (token) => stable.has(token),
    isNative: (token) => token === native,
  };
}
