import type { MetricExplanation } from '@swapfold/core';
import { requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { cursorEntry, limitEntry, requestEntries, responseOf, says } from '../entries.ts';
import { argumentFault } from '../faults.ts';
import { type Tool, tool } from '../tool.ts';

/** The most values of a term that is a series. */
const MAX_SERIES = 100;

export const explainNumber: Tool = tool({
  name: 'explain_number',
  title: 'Explain a number',
  description: `What a metric is made of: its formula, the terms with their values, and the trades that enter, newest first, each with its part of a sum. Of a wallet, of a token, or with both of the wallet's position in the token. Of a term that is a series, the first ${MAX_SERIES} values.`,
  operations: ['wallets.explain', 'tokens.explain', 'positions.explain'],
  request: ({ config }) => {
    const { wallet, token, metric, window } = requestEntries<{
      wallet: string;
      token: string;
      metric: string;
      window: string;
    }>('positions.explain', config, ['wallet', 'token', 'metric', 'window']);
    return requestObject({
      wallet: v.optional(wallet),
      token: v.optional(token),
      metric,
      window: says(
        v.optional(window),
        'Of a wallet or a position 30d, 14d, 7d, 3d, 1d; of a token 7d, 1d, 6h, 1h, 5m, 1m. Default 7d, but none of what a position holds.',
      ),
      limit: limitEntry(20, 5),
      cursor: cursorEntry,
    });
  },
  response: (store) => responseOf('wallets.explain', store),
  async answer(store, request) {
    const { wallet, token } = request;
    if (wallet === undefined && token === undefined)
      throw argumentFault('wallet', 'is required, or "token", or both for the position of the wallet in the token');
    const kind = token === undefined ? 'wallets' : wallet === undefined ? 'tokens' : 'positions';
    // What is unrealised is of now.
    const window = request.metric.startsWith('holding.') ? undefined : '7d';
    const asked = { ...(window === undefined ? {} : { window }), ...request };
    const explained = (await store.call(`${kind}.explain`, asked)) as MetricExplanation;
    const terms = explained.terms.map((term) =>
      Array.isArray(term.value) ? { ...term, value: term.value.slice(0, MAX_SERIES) } : term,
    );
    return { ...explained, terms };
  },
});
