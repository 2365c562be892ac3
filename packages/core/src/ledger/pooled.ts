import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { Roles } from './roles.ts';
import { finiteOrNaN } from './value.ts';

/** What says what a swap exchanged with its pool. */
export const exchangedFields = [
  'token_in',
  'token_out',
  'token_amount_in',
  'token_amount_out',
  'pool_amount_in',
  'pool_amount_out',
] as const;

export type Exchanged = Batch<typeof swapsTable, (typeof exchangedFields)[number]>['columns'];

/** Tokens that the pool got: what the row says of it, else what the wallet gave. */
export function pooledIn(c: Exchanged, row: number): number {
  const pooled = c.pool_amount_in[row]!;
  return Number.isNaN(pooled) ? c.token_amount_in[row]! : pooled;
}

/** Tokens that the pool gave: what the row says of it, else what the wallet got. */
export function pooledOut(c: Exchanged, row: number): number {
  const pooled = c.pool_amount_out[row]!;
  return Number.isNaN(pooled) ? c.token_amount_out[row]! : pooled;
}

/**
 * What went through the pool, USD (docs/reference/metrics.md, "Prices"): the value of the swap for its wallet, times what the pool
 * had of the quote token over what the wallet had. `usd` itself where the row says nothing of the pool.
 */
export function pooledUsd(c: Exchanged, row: number, usd: number, roles: Roles): number {
  const [given, received] = [c.pool_amount_in[row]!, c.pool_amount_out[row]!];
  if (Number.isNaN(given)) return usd;
  const isQuoteOut = quoteOrder(c.token_out[row]!, roles) < quoteOrder(c.token_in[row]!, roles);
  return finiteOrNaN(usd * (isQuoteOut ? received / c.token_amount_out[row]! : given / c.token_amount_in[row]!));
}

/** Which of two tokens a price is quoted in: the one of the lower number, of equal ones what was paid. Stable tokens come first, then the native one. */
function quoteOrder(token: number, roles: Roles): number {
  const rank = roles.rankOf(token);
  if (rank < 0) return Number.POSITIVE_INFINITY;
  return roles.isStable(token) ? rank : rank + (roles.isNative(token) ? 1 : 2) * 1e6;
}
