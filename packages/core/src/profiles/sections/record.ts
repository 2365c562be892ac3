import { field, flagSection, onRequest } from './section.ts';

/** What all stored trades of a wallet add up to, those behind the horizon among them. Trades between quote tokens do not count, as in all of its profile. */
export const walletLifetime = onRequest(
  flagSection('lifetime', {
    since: field(
      'date',
      'query',
      'When the section begins: the first trade, or the horizon if what lies behind it is unknown.',
    ),
    first_trade_at: field('date', 'fold', 'Block time of the first trade.'),
    trade_count: field('countOrNull', 'fold', 'Trades.'),
    volume: field('number', 'fold', 'USD, of the trades of known value.'),
    token_count: field('count', 'query', 'Tokens that were traded.'),
    position_count: field('count', 'query', 'Tokens of which something was sold that had a known cost above 0.'),
    realized_pnl: field('number', 'fold', 'USD, of all realised and small sells.'),
    realized_cost: field('number', 'fold', 'USD: cost of what was sold.'),
    realized_roi: field('number', 'fold', 'Percent: realized_pnl / realized_cost x 100.'),
    realized_pnl_native: field('number', 'fold', 'Native tokens, of all sells that have a result in them.'),
    win_count: field('countOrNull', 'fold', 'Realised sells with a profit.'),
    loss_count: field('countOrNull', 'fold', 'Realised sells with a loss.'),
    winrate: field('number', 'fold', 'Percent: win_count / (win_count + loss_count) x 100.'),
    days_active: field('countOrNull', 'fold', 'UTC days with a trade.'),
    unmatched_proceeds: field('number', 'fold', 'USD: value of what was sold without a known cost.'),
    unmatched_share: field(
      'number',
      'fold',
      'Percent of the value of all sells that has no known cost; `null` without a sell of known value.',
    ),
    away_cost: field('number', 'query', 'USD: known cost of the lots that left without a sell and are still away.'),
    away_share: field('number', 'query', 'Percent: away_cost / value of all buys x 100.'),
    best_token_share: field(
      'number',
      'query',
      'Percent of the gains (realised results above 0, by token) that the best token made.',
    ),
    thin_share: field(
      'number',
      'query',
      'Percent of the gains that were made in tokens of which fewer than 20 other wallets bought for 10 USD.',
    ),
    suspect_share: field(
      'number',
      'query',
      'Percent of the volume that was traded at suspect prints; `null` over 5,000 trades.',
    ),
  }),
);

type Members = (typeof walletLifetime)['members'];

/** The paths of its fields that a fold stores. */
export type StoredOfLifetime = {
  [Name in keyof Members & string]: Members[Name]['source'] extends 'fold' ? `lifetime.${Name}` : never;
}[keyof Members & string];

/** What a wallet holds, at the marks of the answer. Quote tokens stay out, but for `quote_value`. */
export const walletHolding = onRequest(
  flagSection('holding', {
    value: field('number', 'query', 'USD: balances x price, of the tokens that have a price.'),
    quote_value: field('number', 'query', 'USD: the same of quote tokens.'),
    cost_basis: field('number', 'query', 'USD, of the lots of known cost that are here.'),
    unrealized_pnl: field('number', 'query', 'USD: the same lots at the mark - what they cost.'),
    total_pnl: field('number', 'query', 'USD: lifetime.realized_pnl + unrealized_pnl.'),
    open_count: field('count', 'query', 'Positions that are open.'),
    unknown_count: field('count', 'query', 'Open positions with lots without a known cost, or without a price.'),
    largest_share: field('number', 'query', 'Percent of `value` that the most valuable token makes.'),
    stale_share: field('number', 'query', 'Percent of `value` at marks older than 7 days.'),
    sunk_count: field(
      'count',
      'query',
      'Open positions whose lots are worth less than a fifth of their cost, or whose mark is older than 30 days.',
    ),
    sunk_loss: field('number', 'query', 'USD, at most 0: unrealised losses of these positions.'),
    token_win_count: field(
      'count',
      'query',
      'Tokens with a result above 0: realised, open lots at the mark, and losses sent away.',
    ),
    token_loss_count: field('count', 'query', 'Tokens with such a result below 0.'),
    token_winrate: field('number', 'query', 'Percent: token_win_count / (token_win_count + token_loss_count) x 100.'),
    away_pnl: field(
      'number',
      'query',
      'USD, at most 0: by token, lots that are away at the mark - what they cost, if that is a loss.',
    ),
    floor_pnl: field(
      'number',
      'query',
      'USD: lifetime.realized_pnl + unrealised losses + away_pnl. Unrealised gains count nothing.',
    ),
  }),
);

/** The paths of the fields of a wallet's record. */
export const recordPaths: readonly string[] = [walletLifetime, walletHolding].flatMap((section) =>
  section.fields([]).map(({ path }) => path),
);
