import { readReferencePrices } from '../../ingest/reference-prices.ts';
import { feedsOverStable } from '../../ledger/weigh.ts';
import { timeOf } from '../../records/chain-order.ts';
import { columnsOf, NO_ID } from '../../records/columns.ts';
import { legsTable, swapsTable, valueCountsTable } from '../../records/tables.ts';
import type { Reader } from '../../storage/adapter.ts';
import { compare, isIn } from '../../storage/predicate.ts';
import type { StoreSession } from './session.ts';

/** What is known of the value of the swaps. */
export interface StoreValuation {
  /** Swaps without a value in USD. */
  readonly unvalued: number;
  /** Swaps whose feed was not believed, because a quote token of theirs says that they are worth something else. */
  readonly contradicted: number;
  /** Quote tokens that swaps without a value exchange, the most first, with how many those are: tokens that had no price. */
  readonly unpriced: readonly { readonly token: string; readonly symbol: string; readonly swaps: number }[];
  /** By stable token, what feeds say of its swaps over what the token says: tokens of which neither or only one says something are absent. */
  readonly stable_feeds: readonly StableFeed[];
}

/** How far feeds and a stable token differ. */
export interface StableFeed {
  readonly token: string;
  readonly symbol: string;
  /** Those of its newest thousand swaps of which a feed says a value. */
  readonly swaps: number;
  /** Median of that value over the amount of the token at its reference price, or at 1 USD. */
  readonly median: number;
}

/** Swaps of a stable token that are looked at. */
const SAMPLE = 1000;

export async function valuationOf(session: StoreSession, reader: Reader): Promise<StoreValuation> {
  const { config, dictionary } = session;
  const { columns: c } = await reader.read({ table: valueCountsTable, columns: columnsOf(valueCountsTable) });
  const rowOf = new Map(Array.from(c.token, (token, row) => [token, row]));
  const of = (token: number, counts: Float64Array): number => counts[rowOf.get(token) ?? -1] ?? 0;
  const ids = await dictionary.find(
    reader,
    config.quote_tokens.map(({ address }) => address),
  );
  const unpriced = config.quote_tokens.map(({ address, symbol }, i) => ({
    token: address,
    symbol,
    swaps: of(ids[i]!, c.unvalued),
  }));
  const feeds: StableFeed[] = [];
  for (const [i, { address, symbol, kind }] of config.quote_tokens.entries()) {
    if (kind !== 'stable' || ids[i] === NO_ID) continue;
    const ratios = await ratiosOf(session, reader, ids[i]!);
    if (ratios.length > 0) feeds.push({ token: address, symbol, swaps: ratios.length, median: medianOf(ratios) });
  }
  return {
    unvalued: of(NO_ID, c.unvalued),
    contradicted: of(NO_ID, c.contradicted),
    unpriced: unpriced.filter(({ swaps }) => swaps > 0).sort((a, b) => b.swaps - a.swaps),
    stable_feeds: feeds,
  };
}

async function ratiosOf(
  { config, remembered }: StoreSession,
  reader: Reader,
  token: number,
): Promise<readonly number[]> {
  const { roles } = remembered;
  const newest = await reader.read({
    table: legsTable,
    columns: ['seq'],
    where: compare('token', 'eq', token),
    order: [{ column: 'seq', direction: 'desc' }],
    limit: SAMPLE,
  });
  const { seq } = newest.columns;
  if (newest.length === 0) return [];
  const swaps = await reader.read({
    table: swapsTable,
    columns: [
      ...(['seq', 'token_in', 'token_out', 'token_amount_in', 'token_amount_out'] as const),
      ...(['given_usd_in', 'given_usd_out', 'given_price_in', 'given_price_out'] as const),
    ],
    where: isIn('seq', seq),
  });
  const times = { from: timeOf(seq[newest.length - 1]!), to: timeOf(seq[0]!) };
  const references = await readReferencePrices(reader, { roles, maxAge: config.reference_max_age }, times);
  return feedsOverStable(swaps, { roles, references }).get(token) ?? [];
}

/** Of an even number of values the lower one in the middle. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]!;
}
