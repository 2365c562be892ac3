import createClient from 'openapi-fetch';
import type { components, paths } from './generated/dex';
import type { Target } from './target';

type Schemas = components['schemas'];

const deepFilter: Schemas['TokenFilter'] = {
  'market.price': { $gt: 0.001, $in: [4, null] },
  labels: { $nin: ['hot'] },
  'metadata.created_at': { $exists: false },
  $and: [{ 'metrics.1d.volume': { $gte: 0 } }, { $or: [{ 'metadata.verified': true }, { 'metadata.name': null }] }],
  $not: { 'metadata.symbol': { $startsWith: 'NO' } },
};

// @ts-expect-error There is no such path.
export const wrongPath: Schemas['TokenFilter'] = { 'market.pric': 1 };
// @ts-expect-error Numbers have no $contains.
export const wrongOperator: Schemas['TokenFilter'] = { $and: [{ 'market.price': { $contains: 'x' } }] };
// @ts-expect-error There is no such label.
export const wrongLabel: Schemas['TokenFilter'] = { labels: 'hott' };
// @ts-expect-error Booleans have no order.
export const wrongSort: Schemas['TokenSort'] = { field: 'metadata.verified' };

/** Calls every operation; all but the last of them are answered. */
export async function callAll({ baseUrl, key, fetch, token, wallet, from, operations }: Target): Promise<void> {
  const dex = createClient<paths>({ baseUrl, fetch, headers: { 'X-Api-Key': key } });

  const tokens = await dex.POST('/v1/solana/dex/profiles/tokens/search-profiles', {
    body: {
      query: { text: 'tee', fields: ['metadata.name'], autocomplete: true, fuzzy: true },
      filter: deepFilter,
      sort: [{ field: 'metrics.1d.makers_count' }, { field: 'metadata.age', direction: 'asc' }],
      dynamic_labels: { dear: { 'market.price': { $gt: 1 } }, odd: { $nor: [deepFilter] } },
      options: { include_market: true, include_metrics: ['1d', '5m'], include_labels: true },
      explain: true,
    },
  });
  if (tokens.error) throw tokens.error;
  const makers: number = tokens.data.data[0]!.metrics!['1d']!.makers_count;
  const held: boolean = tokens.data.data[0]!.explain!.dynamic_labels.dear!.held;
  const rows: number = tokens.data.plan!.steps[0]!.rows;
  if (!(makers > 0 && held && rows > 0)) throw new Error(`${makers} ${held} ${rows}`);
  const wallets = await dex.POST('/v1/solana/dex/profiles/wallets/search-profiles', {
    body: { filter: { $and: [{ 'metrics.7d.trade_count': { $gt: 0 } }] }, limit: 1 },
  });
  await dex.POST('/v1/solana/dex/profiles/wallets/search-profiles', {
    body: { filter: { $and: [{ 'metrics.7d.trade_count': { $gt: 0 } }] }, limit: 2, cursor: wallets.data!.cursor! },
  });
  await dex.POST('/v1/solana/dex/profiles/wallets/search-profiles');
  await dex.POST('/v1/solana/dex/profiles/tokens/get-profile', { body: { token } });
  await dex.POST('/v1/solana/dex/profiles/wallets/get-profile', {
    body: { wallet, options: { include_labels: true } },
  });
  await dex.POST('/v1/solana/dex/swaps/get-swaps', { body: { token, limit: 2 } });
  await dex.POST('/v1/solana/dex/trades/get-trades', { body: { wallet } });
  await dex.POST('/v1/solana/dex/prices/get-price', { body: { tokens: [token] } });
  await dex.POST('/v1/solana/dex/prices/get-price-stats', { body: { tokens: [token] } });
  await dex.POST('/v1/solana/dex/prices/get-price-candles', { body: { token, interval: 60, count: 3, fill: true } });
  await dex.POST('/v1/solana/dex/prices/get-price-history', { body: { tokens: [token], interval: 600, from } });
  await dex.POST('/v1/solana/dex/portfolios/get-portfolio', { body: { wallet } });
  await dex.GET('/healthz');
  await dex.GET('/readyz');
  await dex.GET('/openapi.json');
  await dex.GET('/asyncapi.json');

  for (const { path, example } of operations)
    await dex.POST(path as '/v1/solana/dex/swaps/get-swaps', { body: example });

  const strange = wallet.replaceAll('A', 'N');
  const { error } = await dex.POST('/v1/solana/dex/profiles/wallets/get-profile', { body: { wallet: strange } });
  const code: Schemas['Error']['code'] = error!.code;
  if (code !== 'not-found') throw new Error(code);
}
