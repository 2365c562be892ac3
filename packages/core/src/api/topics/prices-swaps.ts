import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { candlesWanted, pricesWanted, swapsWanted, tradesWanted, transfersWanted } from '../../live/selection.ts';
import type { Wanted } from '../../live/view.ts';
import { candleSchema } from '../../market-data/candle-fold.ts';
import { latestPriceSchema } from '../../queries/prices.ts';
import { swapSchema } from '../../queries/swap.ts';
import { tradeSchema } from '../../queries/trades.ts';
import { transferSchema } from '../../queries/transfer.ts';
import { described } from '../../response.ts';
import { sample, tokenSchema, tokensSchema } from '../operations/entries.ts';
import { addressesSchema, identifiersSchema, intervalSchema, requestObject, tokenAddressesSchema } from '../request.ts';
import { topic } from '../topic.ts';

export const pricesTopic = topic({
  name: 'prices',
  operation: 'prices.latest',
  cost: 'point',
  summary: 'Latest prices of the tokens that are traded.',
  description:
    'Sends the latest price of each token that a commit trades, one a token. Without `tokens`: of all. `retracted.tokens` names tokens that have none.',
  example: (config) => ({ tokens: [sample(config).token] }),
  params: (config) => requestObject({ tokens: v.optional(tokensSchema(config, MOST_ADDRESSES)) }),
  item: () => latestPriceSchema,
  wanted: ({ tokens }) => pricesWanted({ token: tokens && new Set(tokens) }),
});

export const candlesTopic = topic({
  name: 'candles',
  operation: 'prices.candles',
  cost: 'point',
  summary: 'Candles of a token as they change.',
  description:
    'Sends the buckets that a commit changes, oldest first. After a rollback: all buckets from that of `retracted.from_block_time` on. `retracted.timestamps` names buckets without a candle.',
  example: (config) => ({ token: sample(config).token, interval: 60 }),
  params: (config) => requestObject({ token: tokenSchema(config, 'Address of the token.'), interval: intervalSchema }),
  item: () => candleSchema,
  wanted: ({ token, interval }) => candlesWanted(token, interval),
});

/** Addresses that one list of a subscription may have. */
export const MOST_ADDRESSES = 1000;

const ofWallets = (config: Config, meaning: string) =>
  v.optional(described(addressesSchema(config.address_format, MOST_ADDRESSES), meaning, [sample(config).wallet]));

const withTokens = (config: Config) =>
  v.optional(
    described(tokenAddressesSchema(config, MOST_ADDRESSES), 'Only those with one of these tokens.', [
      sample(config).token,
    ]),
  );

const listParams = (config: Config) => {
  const pools = identifiersSchema(config.address_format, MOST_ADDRESSES);
  return requestObject({
    wallets: ofWallets(config, 'Only those of these wallets.'),
    tokens: withTokens(config),
    pools: v.optional(described(pools, 'Only those that went through one of these pools.', [sample(config).pool])),
  });
};

const setOf = (list: readonly string[] | undefined): ReadonlySet<string> | undefined => list && new Set(list);

const wantedOf = (lists: {
  readonly wallets?: readonly string[] | undefined;
  readonly tokens?: readonly string[] | undefined;
  readonly pools?: readonly string[] | undefined;
}): Wanted => ({ wallet: setOf(lists.wallets), token: setOf(lists.tokens), pool: setOf(lists.pools) });

export const swapsTopic = topic({
  name: 'swaps',
  operation: 'swaps.list',
  cost: 'point',
  summary: 'Swaps as they are committed.',
  description:
    'Sends the swaps of each commit in chain order. A swap that changes, as a late one may change the value of others, is sent again with the same `tx_hash` and `swap_index`.',
  example: (config) => ({ tokens: [sample(config).token] }),
  params: listParams,
  item: () => swapSchema,
  wanted: (lists) => swapsWanted(wantedOf(lists)),
});

export const tradesTopic = topic({
  name: 'trades',
  operation: 'trades.list',
  cost: 'point',
  summary: 'Trades as they are committed.',
  description:
    'Sends the trades of each commit in chain order. A trade that changes is sent again whole, with the same `tx_hash`, `wallet` and `token`; `retracted.trades` names those that there are no more.',
  example: (config) => ({ wallets: [sample(config).wallet] }),
  params: listParams,
  item: () => tradeSchema,
  wanted: (lists) => tradesWanted(wantedOf(lists)),
});

export const transfersTopic = topic({
  name: 'transfers',
  operation: 'transfers.list',
  cost: 'point',
  summary: 'Transfers as they are committed.',
  description:
    'Sends the transfers of each commit in chain order. A transfer that changes, as one whose transaction gets swaps may move, is sent again with the same `tx_hash` and `transfer_index`; `retracted.transfers` names those that there are no more.',
  example: (config) => ({ wallets: [sample(config).wallet] }),
  params: (config) =>
    requestObject({ wallets: ofWallets(config, 'Only those from or to these wallets.'), tokens: withTokens(config) }),
  item: () => transferSchema,
  wanted: (lists) => transfersWanted(wantedOf(lists)),
});
