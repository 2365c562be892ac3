import { createClient, createConfig } from './generated/dex-client/client';
import * as sdk from './generated/dex-client/sdk.gen';
import type { Error as ErrorBody, WalletFilter, WalletSort } from './generated/dex-client/types.gen';
import type { Target } from './target';

const deepFilter: WalletFilter = {
  'metrics.7d.cumulative_pnl': { $ne: null },
  labels: { $nin: ['sniper'], $all: ['of-the-registry'] },
  'metadata.last_trade_at': { $gte: '2024-01-01T00:00:00Z' },
  $and: [{ 'metrics.30d.trade_count': { $gte: 1 } }, { $or: [{ 'metadata.name': null }, { 'metadata.idle': 5 }] }],
  $not: { wallet_address: { $startsWith: 'x' } },
};

// @ts-expect-error There is no such path.
export const wrongPath: WalletFilter = { 'market.price': 1 };
// @ts-expect-error Numbers have no $contains.
export const wrongOperator: WalletFilter = { $and: [{ 'metrics.7d.pnl': { $contains: 'x' } }] };
// @ts-expect-error Labels have no order.
export const wrongSort: WalletSort = { field: 'labels' };

/** Calls every operation; all but the last of them are answered. */
export async function callAll({ baseUrl, key, fetch, token, wallet, from, operations }: Target): Promise<void> {
  const client = createClient(createConfig({ baseUrl, fetch: fetch as typeof globalThis.fetch, auth: () => key }));

  const wallets = await sdk.walletsSearch({
    client,
    body: {
      filter: deepFilter,
      sort: { field: 'metrics.7d.pnl', direction: 'asc' },
      dynamic_labels: { busy: { 'metrics.7d.trade_count': { $gt: 10 } }, odd: { $nor: [deepFilter] } },
      options: { include_metrics: ['7d'], include_metadata: true },
      explain: true,
    },
  });
  if (wallets.error) throw wallets.error;
  const trades: number = wallets.data.data[0]!.metrics!['7d']!.trade_count;
  const held: boolean = wallets.data.data[0]!.explain!.filter.held;
  const rows: number = wallets.data.plan!.steps[0]!.rows;
  if (!(trades > 0 && held && rows > 0)) throw new Error(`${trades} ${held} ${rows}`);
  await sdk.tokensSearch({ client, body: { query: { text: 'tee' }, filter: { $and: [{ labels: { $all: [] } }] } } });
  await sdk.tokensSearch({ client });
  await sdk.tokensGet({ client, body: { token, options: { include_market: true } } });
  await sdk.walletsGet({ client, body: { wallet } });
  await sdk.swapsList({ client });
  await sdk.tradesList({ client, body: { token, limit: 1 } });
  await sdk.pricesLatest({ client, body: { tokens: [token] } });
  await sdk.pricesStats({ client, body: { tokens: [token] } });
  await sdk.pricesCandles({ client, body: { token, interval: 60, from, to: from.replace('T00', 'T01') } });
  await sdk.pricesHistory({ client, body: { tokens: [token], interval: 600, from } });
  await sdk.portfoliosGet({ client, body: { wallet } });
  await sdk.healthz({ client });
  await sdk.readyz({ client });
  await sdk.openapi({ client });
  await sdk.asyncapi({ client });

  const methods = new Map(Object.entries(sdk));
  for (const { name, example } of operations) {
    const method = methods.get(
      name.replace(/\.(.)/, (_, first: string) => first.toUpperCase()),
    ) as typeof sdk.swapsList;
    await method({ client, body: example });
  }

  const { error } = await sdk.pricesCandles({ client, body: { token, interval: 1, from, count: 1 } });
  const code: ErrorBody['code'] = error!.code;
  if (code !== 'invalid-range' && code !== 'invalid-request') throw new Error(code);
}
