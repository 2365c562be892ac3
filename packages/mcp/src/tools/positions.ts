import { profileWindows, requestObject } from '@swapfold/core/host';
import * as v from 'valibot';
import { cursorEntry, limitEntry, pageResponse, requestEntries, says, windowEntry } from '../entries.ts';
import { type SearchWords, searchInWords } from '../search.ts';
import { type Tool, tool } from '../tool.ts';
import { sortEntry } from '../words.ts';

const fields = ['pnl', 'roi', 'volume', 'trade_count'] as const;

interface PositionWords extends SearchWords {
  readonly state?: 'open' | 'closed' | 'unknown' | undefined;
}

const shared = (usual: string) => ({
  state: v.optional(
    says(v.picklist(['open', 'closed', 'unknown']), 'Default: any. `unknown` if the token was never bought here.'),
  ),
  sort: sortEntry(usual),
  window: windowEntry(profileWindows.positions),
  limit: limitEntry(50, 10),
  cursor: cursorEntry,
});

const search = (of: Readonly<Record<string, object>>, { state, window }: PositionWords, sort: string) => ({
  kind: 'positions' as const,
  clauses: { ...of, state: state && { 'metadata.state': state } },
  sort,
  fields,
  body: {
    options: { include_labels: true, include_metadata: true, include_holding: true, include_metrics: [window] },
  },
});

export const walletPositions: Tool = tool({
  name: 'wallet_positions',
  title: 'Positions of a wallet',
  description:
    'The tokens that one wallet holds or held: balance, entry price, realised and unrealised PnL of the whole history, and some metrics of one window. For "its best trades" sort by realized_pnl, for "its bags" by unrealized_pnl.',
  operations: ['positions.search'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ wallet: string }>('positions.get', config, ['wallet']),
      ...shared('`value`'),
    }),
  response: (store) => pageResponse('positions.search', store),
  answer: (store, { wallet, ...words }) =>
    searchInWords(
      store,
      words as PositionWords,
      search({ wallet: { wallet_address: wallet } }, words as PositionWords, 'value'),
    ),
});

export const topTraders: Tool = tool({
  name: 'top_traders',
  title: 'Top traders of a token',
  description:
    'The wallets that made most on one token, of its whole history: what each bought and sold for, realised and unrealised PnL, and when it opened and closed. For the wallets that lost most sort lowest first.',
  operations: ['positions.search'],
  request: ({ config }) =>
    requestObject({
      ...requestEntries<{ token: string }>('positions.get', config, ['token']),
      ...shared('`realized_pnl`'),
    }),
  response: (store) => pageResponse('positions.search', store),
  answer: (store, { token, ...words }) =>
    searchInWords(
      store,
      words as PositionWords,
      search({ token: { token_address: token } }, words as PositionWords, 'realized_pnl'),
    ),
});
