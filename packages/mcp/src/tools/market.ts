import type { Candle, Portfolio } from '@swapfold/core';
import { formatTime, requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import {
  cursorEntry,
  limitEntry,
  offsetEntry,
  pageOf,
  requestEntries,
  responseEntries,
  responseOf,
  says,
  whole,
} from '../entries.ts';
import { type Tool, tool } from '../tool.ts';

/** The most candles of an answer: one takes up to 240 characters. */
const MAX_CANDLES = 400;

interface CandleWords {
  readonly token?: string;
  readonly pool?: string;
  readonly interval: number;
  readonly from?: unknown;
  readonly to?: unknown;
  readonly count?: number;
}

export const candles: Tool = tool({
  name: 'candles',
  title: 'Candles of a token',
  description:
    'Prices of a token, or of one pool, over time: open, high, low, close in USD and the volume of each interval, oldest first. Give `from` and `to`, or `count` for the latest ones.',
  operations: ['prices.candles'],
  // Given on as it came: the operation reads its own times.
  request: ({ config }) => {
    const names = ['token', 'pool', 'interval', 'prints'] as const;
    const time = v.optional(says(v.pipe(v.string(), v.metadata({ format: 'date-time' })), 'RFC 3339.'));
    return requestObject({
      ...requestEntries<Pick<CandleWords, 'token' | 'pool' | 'interval'> & { prints?: string }>(
        'prices.candles',
        config,
        names,
      ),
      from: time,
      to: time,
      count: v.optional(
        says(whole(1, MAX_CANDLES), `Candles: the latest ones before \`to\`, in place of \`from\`. Default 100.`),
      ),
    });
  },
  response: (store) =>
    v.strictObject({
      candles: responseOf('prices.candles', store),
      earlier: v.optional(says(v.string(), 'There are earlier ones in the range: send this as `to` for them.')),
    }),
  async answer(store, { count, ...range }) {
    const isLatest = range.from === undefined;
    const asked = { ...range, ...(isLatest ? { count: count ?? 100 } : { count }) };
    const found = (await store.call('prices.candles', asked)) as readonly Candle[];
    const shown = found.slice(-MAX_CANDLES);
    const [first] = shown;
    const hasEarlier = shown.length < found.length && first !== undefined;
    return { candles: shown, ...(hasEarlier ? { earlier: formatTime(first.timestamp) } : {}) };
  },
});

export const trades: Tool = tool({
  name: 'trades',
  title: 'Trades',
  description:
    'Buys and sells, newest first: of a wallet, of a token, or of one wallet in one token. Each with price, amounts, what it did to the position, and the result of a sell.',
  operations: ['trades.list'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ wallet?: string; token?: string }>('trades.list', config, ['wallet', 'token']),
      limit: limitEntry(50, 10),
      cursor: cursorEntry,
    }),
  response: (store) => responseOf('trades.list', store),
  answer: (store, request) => store.call('trades.list', request) as Promise<object>,
});

export const portfolio: Tool = tool({
  name: 'portfolio',
  title: 'What a wallet holds now',
  description:
    'The tokens that a wallet holds now, by value: balance, price, value, what it paid, and unrealised PnL; and the value of all of them.',
  operations: ['portfolios.get'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ wallet: string }>('portfolios.get', config, ['wallet']),
      limit: limitEntry(100, 20),
      cursor: offsetEntry,
    }),
  response: (store) =>
    v.strictObject({
      ...responseEntries('portfolios.get', store),
      count: says(v.pipe(v.number(), v.integer()), 'Tokens, on all pages.'),
      cursor: v.optional(says(v.string(), 'For the next page; absent on the last.')),
    }),
  async answer(store, { wallet, limit, cursor }) {
    const { value, tokens } = (await store.call('portfolios.get', { wallet })) as Portfolio;
    const { items, ...next } = pageOf(tokens, { limit, cursor });
    return { value, tokens: items, count: tokens.length, ...next };
  },
});
