import { field, flagSection, type Section } from './section.ts';

/** What every position profile has. */
export const positionBase = {
  key: 'position_address',
  fields: () => [
    {
      path: 'updated_at',
      ...field('date', 'fold', "Block time of the newest of the wallet's swaps that touches the token."),
    },
    { path: 'synced_at', ...field('date', 'fold', 'When the profile was stored.') },
    {
      path: 'position_address',
      ...field('textAlways', 'query', 'Id of the wallet-token pair, as trades have it in `position`.'),
    },
    { path: 'wallet_address', ...field('address', 'fold', 'Address of the wallet.') },
    { path: 'token_address', ...field('address', 'fold', 'Address of the token.') },
  ],
  queried: [],
} as const satisfies Section;

/** When a position was traded, opened and closed. */
export const positionMetadata = flagSection('metadata', {
  symbol: field('text', 'query', "The token's: from the registry, else of the newest swap that names one."),
  first_trade_at: field('date', 'fold', 'Block time of the first trade.'),
  last_trade_at: field('date', 'fold', 'Block time of the newest trade.'),
  opened_at: field('date', 'fold', 'When the position was opened that is open now, or was last open.'),
  closed_at: field('date', 'fold', 'When that one was closed; `null` while it is open.'),
  held: field('countOrNull', 'fold', 'Seconds from `opened_at` to `closed_at`; `null` while it is open.'),
  age: field('number', { since: 'metadata.opened_at' }, 'Seconds since `opened_at`.'),
  idle: field('number', { since: 'metadata.last_trade_at' }, 'Seconds since the newest trade.'),
  state: field(
    'textAlways',
    'fold',
    '`open` with open lots, `closed` once opened and none left, `unknown` where the token was never bought.',
  ),
});

/** What the wallet holds of the token, and what came of it so far: of the whole history. */
export const holding = flagSection('holding', {
  balance: field('number', 'fold', 'Whole tokens.'),
  cost_basis: field('number', 'fold', 'USD, of the open lots of known cost.'),
  avg_entry_price: field('number', 'fold', 'USD per token: cost_basis / tokens in the open lots of known cost.'),
  realized_pnl: field('number', 'fold', 'USD, of all realised sells.'),
  realized_roi: field('number', 'fold', 'Percent: realized_pnl / cost of what was sold x 100.'),
  cost_basis_native: field('number', 'fold', 'Native tokens, of the open lots of known cost in them.'),
  realized_pnl_native: field('number', 'fold', 'Native tokens, of all sells that have a result in them.'),
  realized_roi_native: field(
    'number',
    'query',
    'Percent: realized_pnl_native / cost of what was sold, in native tokens, x 100.',
  ),
  bought_usd: field('number', 'fold', 'USD, of all buys of known value.'),
  sold_usd: field('number', 'fold', 'USD, of all sells of known value.'),
  buy_count: field('count', 'fold', 'Buys.'),
  sell_count: field('count', 'fold', 'Sells.'),
  price: field('number', 'query', 'Latest price of the token, USD.'),
  value: field('number', 'query', 'USD: balance x price.'),
  unrealized_pnl: field('number', 'query', 'USD: tokens in the open lots of known cost x price - cost_basis.'),
  unrealized_pnl_native: field(
    'number',
    'query',
    'Native tokens: tokens in the open lots of known cost in them x native price of the token - cost_basis_native.',
  ),
  unrealized_roi: field('number', 'query', 'Percent: unrealized_pnl / cost_basis x 100.'),
  price_age: field('countOrNull', 'query', 'Seconds from the print that `price` is of to the as-of time.'),
});
