import { arrayOf, type JsonSchema, objectOf, ref } from './json-schema.ts';

interface Answer {
  readonly schema: JsonSchema;
  readonly description: string;
}

const pageFields = (item: string) => ({
  count: { type: 'integer', description: 'Matching items, on all pages.' },
  cursor: { type: 'string', description: 'For the next page; absent on the last.' },
  data: arrayOf(ref(item)),
});
const page = (item: string): JsonSchema => objectOf(pageFields(item), ['cursor']);
const found = (item: string): JsonSchema =>
  objectOf({ ...pageFields(item), plan: ref('SearchPlan') }, ['cursor', 'plan']);

const answers: Readonly<Record<string, Answer>> = {
  'tokens.search': { schema: found('TokenProfile'), description: 'A page of token profiles.' },
  'tokens.get': { schema: ref('TokenProfile'), description: 'The profile.' },
  'wallets.search': { schema: found('WalletProfile'), description: 'A page of wallet profiles.' },
  'wallets.get': { schema: ref('WalletProfile'), description: 'The profile.' },
  'swaps.list': { schema: page('Swap'), description: 'A page of swaps, newest first.' },
  'trades.list': { schema: page('Trade'), description: 'A page of trades, newest first.' },
  'prices.latest': {
    schema: arrayOf(ref('LatestPrice')),
    description: 'In the order of the request; tokens without a price are left out.',
  },
  'prices.stats': {
    schema: arrayOf(ref('PriceStats')),
    description: 'In the order of the request; tokens without a price are left out.',
  },
  'prices.candles': { schema: arrayOf(ref('Candle')), description: 'Oldest first.' },
  'prices.history': {
    schema: arrayOf(ref('PriceHistory')),
    description: 'In the order of the request, points oldest first.',
  },
  'portfolios.get': { schema: ref('Portfolio'), description: 'What the wallet holds; nothing for an unknown one.' },
};

/** What an operation answers with; any JSON for one that is not known here. */
export function answerOf(operation: string): Answer {
  return answers[operation] ?? { schema: {}, description: 'The answer.' };
}
