import {
  type Candle,
  type LatestPrice,
  type Portfolio,
  type PortfolioToken,
  type PriceHistory,
  type PricePoint,
  type PriceStats,
  type SwapFieldType,
  swapField,
  swapFieldNames,
  type Trade,
} from '@swapfold/core';
import {
  arrayOf,
  type FieldSchemas,
  integer,
  integerOrNull,
  type JsonSchema,
  number,
  numberOrNull,
  objectOf,
  ref,
  text,
  textOrNull,
} from './json-schema.ts';

const swapTypes = ['quote_token', 'token_quote', 'token_token', 'quote_quote'] as const;

const numberTypes: readonly SwapFieldType[] = ['quantity', 'whole', 'index', 'time'];

/** The fields of a swap as they are served. */
const swap: Readonly<Record<string, JsonSchema>> = {
  ...Object.fromEntries(
    swapFieldNames.flatMap((name) => {
      const { type, isRequired, isInputOnly, meaning } = swapField(name);
      if (isInputOnly) return [];
      const jsonType = !numberTypes.includes(type) ? 'string' : type === 'quantity' ? 'number' : 'integer';
      return [[name, { type: isRequired ? jsonType : [jsonType, 'null'], description: meaning }]];
    }),
  ),
  swap_type: { ...text('Roles of token_in and token_out.'), enum: swapTypes },
};

const trade: FieldSchemas<Trade> = {
  protocol: textOrNull('Where the first swap took place.'),
  wallet: text('Who traded.'),
  token: text('What was bought or sold.'),
  quote: text('What was paid or received for it.'),
  position: text('Id of the wallet-token pair.'),
  token_amount: number('Whole tokens.'),
  quote_amount: number('Whole tokens of the quote.'),
  native_amount: numberOrNull('Whole tokens of the native token.'),
  usd_amount: numberOrNull('USD.'),
  pre_token_balance: numberOrNull('Whole tokens, before the trade.'),
  post_token_balance: numberOrNull('Whole tokens, after the trade.'),
  token_symbol: textOrNull('Symbol of the token.'),
  quote_symbol: textOrNull('Symbol of the quote.'),
  token_price: numberOrNull('USD per token.'),
  quote_price: numberOrNull('USD per token of the quote.'),
  block_slot: integerOrNull('Slot or number of the block.'),
  block_time: integer('Unix seconds, UTC.'),
  tx_hash: text('Hash of the transaction.'),
  trade_index: integer('Place of the first swap in the transaction.'),
  swap_type: { ...text('Roles of what was given and received.'), enum: swapTypes },
  direction: { ...text('Whether the wallet bought or sold the token.'), enum: ['buy', 'sell'] },
  position_state: { ...text('What the trade does to its position.'), enum: ['open', 'trade', 'close'] },
  realized_pnl_usd: numberOrNull('USD; null for a buy and where no cost is known.'),
  realized_roi: numberOrNull('Percent; null for a buy and where no cost is known.'),
  market_cap: numberOrNull('USD at the price of the trade; null without a supply.'),
};

const latestPrice: FieldSchemas<LatestPrice> = {
  token: text('Address.'),
  usd_price: number('USD per token.'),
  block_slot: integerOrNull('Slot or number of the block of the last print.'),
  block_time: integer('Unix seconds, UTC, of the last print.'),
};

const statWindows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'] as const;

const priceStats = {
  ...latestPrice,
  ...eachWindow('usd_price_change', (window) => numberOrNull(`Percent against ${window} ago.`)),
  ...eachWindow('usd_volume', (window) => number(`USD in the last ${window}.`)),
  ...eachWindow('usd_volume_change', (window) => numberOrNull(`Percent against the ${window} before.`)),
} satisfies FieldSchemas<PriceStats>;

const candle: FieldSchemas<Candle> = {
  timestamp: integer('Unix seconds, UTC, at the start of the bucket.'),
  open: number('USD per token.'),
  high: number('USD per token.'),
  low: number('USD per token.'),
  close: number('USD per token.'),
  volume: number('USD.'),
  count: integer('Swaps that touch the token.'),
};

const pricePoint: FieldSchemas<PricePoint> = {
  timestamp: integer('Unix seconds, UTC.'),
  usd_price: number('USD per token, at the last print until then.'),
  usd_volume: number('USD since the point before.'),
};

const priceHistory: { readonly [K in keyof PriceHistory]: JsonSchema } = {
  token: text('Address.'),
  prices: arrayOf(ref('PricePoint')),
};

const portfolioToken: FieldSchemas<PortfolioToken> = {
  token: text('Address.'),
  symbol: textOrNull('Symbol.'),
  balance: number('Whole tokens.'),
  price: numberOrNull('USD per token.'),
  value: numberOrNull('USD.'),
  cost_basis: numberOrNull('USD, of the open lots.'),
  unrealized_pnl: numberOrNull('USD, of the open lots.'),
};

const portfolio: { readonly [K in keyof Portfolio]: JsonSchema } = {
  value: number('USD, of the tokens with a known value.'),
  tokens: arrayOf(ref('PortfolioToken')),
};

/** What swaps, trades, prices and portfolios look like in answers, by the names of their schemas. */
export const marketDataSchemas: Readonly<Record<string, JsonSchema>> = {
  Swap: objectOf(swap),
  Trade: objectOf(trade),
  LatestPrice: objectOf(latestPrice),
  PriceStats: objectOf(priceStats),
  Candle: objectOf(candle),
  PricePoint: objectOf(pricePoint),
  PriceHistory: objectOf(priceHistory),
  PortfolioToken: objectOf(portfolioToken),
  Portfolio: objectOf(portfolio),
};

function eachWindow<const N extends string, S>(name: N, schema: (window: string) => S) {
  return Object.fromEntries(statWindows.map((window) => [`${name}_${window}`, schema(window)])) as Record<
    `${N}_${(typeof statWindows)[number]}`,
    S
  >;
}
