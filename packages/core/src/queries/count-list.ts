import type { QueryContext } from './context.ts';

export type CountedList = 'swaps' | 'trades';

/** A page of a list, and how its rows are counted. */
export interface CountedPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Rows that were read: up to one more than the page may hold. */
  readonly read: number;
  readonly ask: () => Promise<number>;
}

interface ListIds {
  readonly wallet?: number;
  readonly token?: number;
}

/**
 * Before a page of a list is read. The rows of a wallet lie together and are soon counted. A page of a wallet and a token passes over the
 * wallet's other rows, and the rows of a token that everybody trades, or all, are long in counting where no count is known.
 */
export function requireScanOfList(context: QueryContext, list: CountedList, { wallet, token }: ListIds): void {
  if (wallet !== undefined && token === undefined) return;
  const isCounted = token !== undefined && context.cache.get(`${list}_of_token`, token) !== undefined;
  if (wallet !== undefined || !isCounted) context.requireScan();
}

/** How many rows a list of one wallet, one token, both or neither holds: the cached count, else those of a first page that is all, or what `ask` finds. */
export async function countList(
  context: QueryContext,
  list: CountedList,
  { wallet, token }: ListIds,
  { limit, cursor, read, ask }: CountedPage,
): Promise<number> {
  const count = async (): Promise<number> => (cursor === undefined && read <= limit ? read : ask());
  if ((wallet === undefined) === (token === undefined)) return count();
  const [region, id] =
    wallet === undefined ? ([`${list}_of_token`, token!] as const) : ([`${list}_of_wallet`, wallet] as const);
  const cached = context.cache.get(region, id);
  if (cached !== undefined) return cached.count;
  const counted = await count();
  context.cache.put(region, id, { count: counted });
  return counted;
}
