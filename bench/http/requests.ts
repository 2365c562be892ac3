import { formatTime } from '@swapfold/core/host';
import { pick, type Samples, searchRequest, tokensFrom } from '../samples.ts';

/** A request in process and over HTTP. */
export interface Call {
  readonly operation: string;
  readonly body: object;
}

const COUNT = 200;
const many = (make: (i: number) => Call): Call[] => Array.from({ length: COUNT }, (_, i) => make(i));

export function priceCalls({ tokens }: Samples): Call[] {
  return many((i) => ({ operation: 'prices.latest', body: { tokens: [pick(tokens, i).address] } }));
}

export function searchCalls(): Call[] {
  return many((i) => ({ operation: 'wallets.search', body: searchRequest(i) }));
}

export function candleCalls({ tokens, hottest }: Samples): Call[] {
  return many((i) => ({
    operation: 'prices.candles',
    body: { token: i % 4 === 0 ? hottest.address : pick(tokens, i).address, interval: i % 2 === 0 ? 60 : 3600 },
  }));
}

/** What costs most of a search: 64 looks into every address, and a text with typos that may go on anywhere. */
export function expensiveSearches(): Call[] {
  const contains = Array.from({ length: 64 }, (_, i) => ({ wallet_address: { $contains: `${i}zz` } }));
  return [
    { operation: 'wallets.search', body: { filter: { $or: contains } } },
    { operation: 'tokens.search', body: { query: { text: 'tradar bonkk', fuzzy: true, autocomplete: true } } },
  ];
}

/** The routes in turn. */
export function mixedCalls(samples: Samples): Call[] {
  const { tokens, wallets, collectors, lastTime } = samples;
  const from = formatTime(lastTime - 86_400);
  return many((i) => {
    const token = pick(tokens, i).address;
    const wallet = pick(wallets, i).address;
    const some = tokensFrom(samples, i, 100).map(({ address }) => address);
    return pick<Call>(
      [
        { operation: 'wallets.search', body: searchRequest(i) },
        { operation: 'tokens.search', body: { filter: { 'metrics.1d.trade_count': { $gte: i % 30 } } } },
        { operation: 'wallets.get', body: { wallet } },
        { operation: 'tokens.get', body: { token } },
        { operation: 'positions.search', body: { filter: { wallet_address: wallet } } },
        { operation: 'swaps.list', body: { wallet } },
        { operation: 'trades.list', body: { token } },
        { operation: 'prices.latest', body: { tokens: some } },
        { operation: 'prices.stats', body: { tokens: some } },
        { operation: 'prices.candles', body: { token, interval: 300 } },
        { operation: 'prices.history', body: { tokens: [token], from, interval: 3600 } },
        { operation: 'portfolios.get', body: { wallet: pick(collectors, i).address } },
      ],
      i,
    );
  });
}
