import { lastSeq, type QueryContext } from '../queries/context.ts';
import { latestPrints } from '../queries/latest-prints.ts';
import type { Batch } from '../records/columns.ts';
import type { EntityScan } from './entities.ts';
import { type Holders, readHolders } from './holders.ts';
import { newestOf } from './newest.ts';
import type { StoredEntities } from './stored.ts';

/** Writes the `market` section of token profiles: price, caps and who holds them. Registry figures must be there already. */
export async function fillMarket(
  context: QueryContext,
  rows: Batch,
  { ids, stored, cached }: EntityScan,
): Promise<void> {
  const { reader, dictionary } = context;
  const creators = rows.columns['metadata.creator_address'] as (string | null)[];
  const named = creators.filter((creator) => creator !== null);
  const creatorIds = await dictionary.find(reader, named);
  const creatorId = new Map(named.map((creator, i) => [creator, creatorIds[i]!]));
  const creatorOf = new Map(
    Array.from(ids, (id, row) => [id, creators[row] === null ? undefined : creatorId.get(creators[row]!)]),
  );
  const holders = await readHolders(
    context,
    ids,
    (token) => creatorOf.get(token),
    stored === undefined ? undefined : cached,
  );
  const prices = await newestOf(ids, stored, priceOf, async (tokens, from) => {
    const prints = await latestPrints(reader, tokens, lastSeq(context), from);
    return new Map(Array.from(prints, ([token, { price }]) => [token, price]));
  });
  const column = (name: string): Float64Array => rows.columns[`market.${name}`] as Float64Array;
  const nobody: Holders = { holders: 0, top: 0, creator: 0 };
  for (const [row, id] of ids.entries()) {
    const price = prices.get(id) ?? Number.NaN;
    const total = column('total_supply')[row]!;
    const circulating = column('circulating_supply')[row]!;
    const held = holders.get(id) ?? nobody;
    column('price')[row] = price;
    column('fdv')[row] = finite(price * total);
    column('market_cap')[row] = finite(price * (Number.isNaN(circulating) ? total : circulating));
    if (Number.isNaN(column('holders')[row]!)) column('holders')[row] = held.holders;
    column('top_holdings')[row] = finite((held.top / total) * 100);
    column('dev_holdings')[row] = creators[row] === null ? Number.NaN : finite((held.creator / total) * 100);
  }
}

const priceOf = (stored: StoredEntities, id: number): number | undefined => stored.unchanged(id, 'market.price');

function finite(value: number): number {
  return Number.isFinite(value) ? value : Number.NaN;
}
