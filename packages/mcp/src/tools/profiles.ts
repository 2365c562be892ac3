import { profileWindows, requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { itemOf, requestEntries, responseEntries, responseOf, says, windowEntry } from '../entries.ts';
import { argumentFault } from '../faults.ts';
import { withMetrics } from '../search.ts';
import { type Tool, tool } from '../tool.ts';
import { checkMetrics } from '../words.ts';

export const walletSummary: Tool = tool({
  name: 'wallet_summary',
  title: 'Summarise a wallet',
  description:
    'What one wallet is and how it does: labels, name if it has one, last trade, all metrics of one window (result, win rate, risk, timing, luck), and its whole history with what it rests on. store_info says what each metric means, explain_number what it is made of.',
  operations: ['wallets.get'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ wallet: string }>('wallets.get', config, ['wallet']),
      window: windowEntry(profileWindows.wallets),
    }),
  response: (store) => responseOf('wallets.get', store),
  answer: (store, { wallet, window }) =>
    store.call('wallets.get', {
      wallet,
      options: {
        include_labels: true,
        include_metadata: true,
        include_lifetime: true,
        include_holding: true,
        include_metrics: [window],
      },
    }) as Promise<object>,
});

export const tokenSummary: Tool = tool({
  name: 'token_summary',
  title: 'Summarise a token',
  description:
    'What one token is and how it does: name, labels, price, market cap, liquidity, holders, price changes and volumes over seven windows, and all metrics of one window. Takes an address; find_tokens finds it by name.',
  operations: ['tokens.get', 'prices.stats'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ token: string }>('tokens.get', config, ['token']),
      window: windowEntry(profileWindows.tokens),
    }),
  response: (store) => {
    // first_buyers tells of the launch.
    const { launch: _, ...profile } = responseEntries('tokens.get', store);
    return v.strictObject({
      profile: v.strictObject(profile),
      price_stats: says(v.nullable(itemOf('prices.stats', store)), 'null without a price.'),
    });
  },
  async answer(store, { token, window }) {
    const options = {
      include_labels: true,
      include_metadata: true,
      include_market: true,
      include_metrics: [window],
    };
    const profile = await store.call('tokens.get', { token, options });
    const [stats = null] = (await store.call('prices.stats', { tokens: [token] })) as object[];
    return { profile, price_stats: stats };
  },
});

/** The most wallets or tokens side by side. */
const MAX_COMPARED = 10;

const allWindows = [...new Set([...profileWindows.wallets, ...profileWindows.tokens])];

const usual = {
  wallets: ['pnl', 'roi', 'winrate', 'volume', 'trade_count', 'profit_factor', 'max_drawdown', 'avg_holding_duration'],
  tokens: ['volume', 'trade_count', 'makers_count', 'pnl', 'price_volatility', 'max_drawdown'],
} as const;

export const compare: Tool = tool({
  name: 'compare',
  title: 'Compare wallets or tokens',
  description: `Puts 2 to ${MAX_COMPARED} wallets, or tokens, side by side by the same metrics of the same window. Give wallets or tokens, not both.`,
  operations: ['wallets.search', 'tokens.search'],
  request: ({ config }) => {
    const { wallet } = requestEntries<{ wallet: string }>('wallets.get', config, ['wallet']);
    const { token } = requestEntries<{ token: string }>('tokens.get', config, ['token']);
    const listOf = (address: typeof wallet | typeof token) =>
      v.pipe(v.array(address), v.minLength(2), v.maxLength(MAX_COMPARED));
    return requestObject({
      wallets: v.optional(says(listOf(wallet), 'Addresses of wallets.')),
      tokens: v.optional(says(listOf(token), 'Addresses of tokens.')),
      window: windowEntry(allWindows),
      fields: v.optional(
        says(
          v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(20)),
          `The metrics to compare. Default of wallets: ${usual.wallets.join(', ')}; of tokens: ${usual.tokens.join(', ')}.`,
        ),
      ),
    });
  },
  response: () =>
    v.strictObject({
      rows: v.array(
        v.strictObject({
          address: v.string(),
          name: v.nullable(v.string()),
          labels: v.array(v.string()),
          metrics: says(v.record(v.string(), v.unknown()), 'Those that were asked for.'),
        }),
      ),
      missing: says(v.array(v.string()), 'Addresses without a profile.'),
    }),
  async answer(store, { wallets, tokens, window, fields }) {
    const kind = wallets === undefined ? 'tokens' : 'wallets';
    const addresses = wallets ?? tokens;
    if (addresses === undefined || (wallets !== undefined && tokens !== undefined))
      throw argumentFault('wallets', 'expected either "wallets" or "tokens"');
    const windows: readonly string[] = profileWindows[kind];
    if (!windows.includes(window))
      throw argumentFault('window', `expected one of ${windows.join(', ')} for ${kind}, received "${window}"`);
    const metrics = fields ?? usual[kind];
    checkMetrics(metrics, 'fields', kind, store);
    const key = kind === 'wallets' ? 'wallet_address' : 'token_address';
    const { data } = (await store.call(`${kind}.search`, {
      filter: { [key]: { $in: addresses } },
      options: { include_labels: true, include_metadata: true, include_metrics: [window] },
      limit: MAX_COMPARED,
    })) as { readonly data: readonly ComparedProfile[] };
    const rows = data.map((profile) => ({
      address: profile[key]!,
      name: profile.metadata?.symbol ?? profile.metadata?.name ?? null,
      labels: profile.labels ?? [],
      metrics: withMetrics(profile, metrics).metrics?.[window] ?? {},
    }));
    const found = new Set(rows.map(({ address }) => address.toLowerCase()));
    return { rows, missing: addresses.filter((address) => !found.has(address.toLowerCase())) };
  },
});

interface ComparedProfile {
  readonly wallet_address?: string;
  readonly token_address?: string;
  readonly labels?: readonly string[];
  readonly metadata?: { readonly name?: string | null; readonly symbol?: string | null };
  readonly metrics?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
