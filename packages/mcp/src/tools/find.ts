import { labelNamesOf, profileWindows, requestObject } from '@swapfold/core/host';
import type { AskedStore } from '@swapfold/server';
import * as v from 'valibot';
import { cursorEntry, limitEntry, pageResponse, says, windowEntry } from '../entries.ts';
import { type SearchWords, searchInWords } from '../search.ts';
import { type Tool, tool } from '../tool.ts';
import { conditionsEntry, sortEntry } from '../words.ts';

/** What a page of profiles has of their metrics unless the request names others. */
const headlines = {
  wallets: ['pnl', 'roi', 'winrate', 'volume', 'trade_count', 'position_count', 'max_drawdown'],
  tokens: ['volume', 'organic_volume', 'trade_count', 'makers_count', 'buyers_count', 'sellers_count', 'pnl'],
} as const;

interface FindWords extends SearchWords {
  readonly name?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** What a search is sorted by that names neither a sort nor a name: wallets as every leaderboard has them. */
const most = { wallets: 'floor_pnl', tokens: 'volume' } as const;

const usual = {
  wallets: `\`${most.wallets}\`, what the whole history realised less every loss on paper; \`pnl\` for what a window made`,
  tokens: `\`${most.tokens}\``,
} as const;

/** The fields that both searches take. */
const findRequest = (kind: 'wallets' | 'tokens', store: AskedStore) =>
  requestObject({
    where: conditionsEntry(kind, store),
    labels: v.optional(
      says(
        v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(16)),
        `Labels of which one at least holds: ${labelNamesOf(store.config)[kind].join(', ')}.`,
      ),
    ),
    name: v.optional(
      says(
        v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
        'The beginning of a word of a name, symbol or address.',
      ),
    ),
    window: windowEntry(profileWindows[kind]),
    sort: sortEntry(`${usual[kind]}, or by relevance with \`name\``),
    fields: v.optional(
      says(
        v.pipe(v.array(v.string()), v.maxLength(20)),
        `The metrics to return. Default: ${headlines[kind].join(', ')}.`,
      ),
    ),
    filter: v.optional(
      says(
        v.record(v.string(), v.unknown()),
        'For what `where` cannot say: a filter with the operators $and, $or, $nor and $not over full paths such as metrics.7d.pnl.',
      ),
    ),
    limit: limitEntry(50, 10),
    cursor: cursorEntry,
  });

const findIn = (kind: 'wallets' | 'tokens', store: AskedStore, words: FindWords): Promise<object> =>
  searchInWords(store, words, {
    kind,
    clauses: { labels: words.labels && { labels: { $in: words.labels } } },
    sort: words.name === undefined ? most[kind] : undefined,
    fields: words.fields ?? headlines[kind],
    body: {
      ...(words.name === undefined ? {} : { query: { text: words.name, autocomplete: true } }),
      options: {
        include_labels: true,
        include_metadata: true,
        include_metrics: [words.window],
        ...(kind === 'tokens' ? { include_market: true } : {}),
        // The order that is seen.
        ...(kind === 'wallets' && words.name === undefined && words.sort === undefined
          ? { include_holding: true }
          : {}),
      },
    },
  });

export const findWallets: Tool = tool({
  name: 'find_wallets',
  title: 'Find wallets',
  description:
    'Finds wallets by what they made, how they trade, their labels or their name: "who made more than 10,000 USD this week with a win rate over 60 %". Answers a page of wallets with some metrics of one window, and how many there are in all.',
  operations: ['wallets.search'],
  request: (store) => findRequest('wallets', store),
  response: (store) => pageResponse('wallets.search', store),
  answer: (store, words) => findIn('wallets', store, words as FindWords),
});

export const findTokens: Tool = tool({
  name: 'find_tokens',
  title: 'Find tokens',
  description:
    'Finds tokens by name, price, market cap, liquidity, volume, age or who trades them. Also the way from a symbol to an address: several tokens may have one symbol, and the others may be copies. Answers a page of tokens with some metrics of one window, and how many there are in all.',
  operations: ['tokens.search'],
  request: (store) => findRequest('tokens', store),
  response: (store) => pageResponse('tokens.search', store),
  answer: (store, words) => findIn('tokens', store, words as FindWords),
});
