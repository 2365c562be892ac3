import type { QueryContext } from './context.ts';

export type CountedList = 'swaps' | 'trades';

export interface CountedPage {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Rows that were read: up to one more than the page may hold. */
  readonly read: number;
  readonly ask: () => Promise<number>;
}

/** Ids of what a list is of: rows of all of them. */
export interface ListIds {
  readonly wallet?: number;
  readonly token?: number;
  readonly pool?: number;
}

/**
 * Before a page of a list is read. The rows of a wallet lie together and are soon counted. A page of a wallet and more passes over the
 * wallet's other rows, and the rows of a token or pool that everybody trades, or all, are long in counting if no count is known.
 */
export function requireScanOfList(context: QueryContext, list: CountedList, ids: ListIds): void {
  const counted = countedBy(list, ids);
  if (counted?.by === 'wallet') return;
  if (counted === undefined || context.cache.get(counted.region, counted.id) === undefined) context.requireScan();
}

/** How many rows a list holds: the cached count, else those of a first page that is all, or what `ask` finds. */
export async function countList(
  context: QueryContext,
  list: CountedList,
  ids: ListIds,
  { limit, cursor, read, ask }: CountedPage,
): Promise<number> {
  const count = async (): Promise<number> => (cursor === undefined && read <= limit ? read : ask());
  const counted = countedBy(list, ids);
  if (counted === undefined) return count();
  const cached = context.cache.get(counted.region, counted.id);
  if (cached !== undefined) return cached.count;
  const found = await count();
  context.cache.put(counted.region, counted.id, { count: found });
  return found;
}

/** Where the count of a list is cached: a list of one wallet, one token or one pool. */
function countedBy(list: CountedList, ids: ListIds) {
  const [given, ...others] = (['wallet', 'token', 'pool'] as const).filter((by) => ids[by] !== undefined);
  if (given === undefined || others.length > 0) return undefined;
  // Only swaps are listed by pool.
  const region = given === 'pool' ? ('swaps_of_pool' as const) : (`${list}_of_${given}` as const);
  return { by: given, region, id: ids[given]! };
}
