// @ts-check
/** @import { KindName, MetricName, PartName, WordedField } from '../types/page.ts' */

import { units } from './format.js';

/**
 * Words for what the server calls by names: `avg_daily_pnl` is "Profit a day". The name itself is shown on hover.
 * @type {Partial<Record<MetricName, string>>}
 */
const metricWords = {
  pnl: 'Profit',
  pnl_native: 'Profit',
  net_pnl: 'Profit after fees',
  roi: 'Return',
  roi_native: 'Return',
  winrate: 'Win rate',
  trade_count: 'Trades',
  buy_count: 'Buys',
  sell_count: 'Sells',
  volume: 'Volume',
  volume_native: 'Volume',
  buy_volume: 'Bought',
  sell_volume: 'Sold',
  avg_buy_size: 'Average buy',
  avg_sell_size: 'Average sell',
  avg_buy_mcap: 'Market cap at buys',
  avg_sell_mcap: 'Market cap at sells',
  win_pnl: 'Sum of profits',
  loss_pnl: 'Sum of losses',
  position_count: 'Tokens sold',
  avg_holding_duration: 'Time held',
  volume_weighted_winrate: 'Win rate by stake',
  volume_weighted_roi: 'Return by turnover',
  profit_factor: 'Profits per loss',
  win_loss_size_ratio: 'Mean win per mean loss',
  pnl_volume_ratio: 'Profit per USD traded',
  pnl_volatility: 'Scatter of profit',
  pnl_stability: 'Evenness of profit',
  roi_volatility: 'Scatter of return',
  roi_stability: 'Evenness of return',
  winrate_volatility: 'Scatter of win rate',
  winrate_stability: 'Evenness of win rate',
  win_count: 'Wins',
  loss_count: 'Losses',
  largest_win: 'Largest win',
  largest_loss: 'Largest loss',
  max_consecutive_wins: 'Longest run of wins',
  max_consecutive_losses: 'Longest run of losses',
  avg_pnl: 'Profit a sell',
  avg_roi: 'Return of a sell',
  profit_expectancy: 'Expected of a sell',
  recovery_factor: 'Profit per largest fall',
  avg_token_pnl: 'Profit a token',
  avg_token_roi: 'Return of a token',
  token_hit_ratio: 'Tokens with a profit',
  avg_trade_delta: 'Time between trades',
  avg_daily_pnl: 'Profit a day',
  avg_daily_volume: 'Volume a day',
  avg_daily_trade_count: 'Trades a day',
  avg_daily_roi: 'Return a day',
  avg_daily_traded_tokens: 'Tokens a day',
  time_weighted_roi: 'Compounded return',
  sharpe_ratio: 'Sharpe ratio',
  sortino_ratio: 'Sortino ratio',
  max_drawdown: 'Largest drawdown',
  entry_count: 'First buys',
  sniper_entry_count: 'Launches sniped',
  avg_entry_delay: 'Entry after creation',
  early_entry_ratio: 'Entries in a minute',
  winrate_low: 'Win rate, at least',
  winrate_high: 'Win rate, at most',
  pnl_without_best: 'Profit without the best token',
  best_token_share: 'Share of the best token',
  days_active: 'Days with a trade',
  unvalued_trade_count: 'Trades without a value',
  fees_native: 'Fees',
  fees: 'Fees in USD',
  wash_volume: 'Wash volume',
  wash_share: 'Share of wash trades',
  unmatched_proceeds: 'Sold without known cost',
  unmatched_share: 'Share without known cost',
  small_pnl: 'Profit of small sells',
  away_cost: 'Cost of what left',
  returned_cost: 'Cost of what came back',
  organic_volume: 'Volume without wash trades',
  makers_count: 'Traders',
  buyers_count: 'Buyers',
  sellers_count: 'Sellers',
  win_position_count: 'Wallets with a profit',
  loss_position_count: 'Wallets with a loss',
  wallet_hit_ratio: 'Share with a profit',
  avg_price: 'Mean price',
  avg_buy_price: 'Mean price of buys',
  avg_sell_price: 'Mean price of sells',
};

/** @type {Partial<Record<WordedField, string>>} */
const fieldWords = {
  'metadata.last_trade_at': 'Last trade',
  'metadata.first_trade_at': 'First trade',
  'metadata.opened_at': 'Opened',
  'metadata.closed_at': 'Closed',
  'metadata.created_at': 'Created',
  'metadata.creator_address': 'Creator',
  'metadata.twitter_username': 'Twitter',
  'metadata.telegram_username': 'Telegram',
  'metadata.state': 'State',
  'metadata.held': 'Held',
  'metadata.roles': 'At the launch',
  'market.price': 'Price',
  'market.market_cap': 'Market cap',
  'market.fdv': 'Diluted value',
  'market.top_holdings': 'Share of ten holders',
  'market.dev_holdings': 'Share of the creator',
  'holding.balance': 'Holds',
  'holding.value': 'Worth',
  'holding.price': 'Price',
  'holding.price_age': 'Age of the price',
  'holding.cost_basis': 'Cost of what is held',
  'holding.cost_basis_native': 'Cost of what is held',
  'holding.realized_pnl': 'Realised',
  'holding.realized_pnl_native': 'Realised',
  'holding.realized_roi': 'Return',
  'holding.realized_roi_native': 'Return',
  'holding.unrealized_pnl': 'Unrealised',
  'holding.unrealized_pnl_native': 'Unrealised',
  'holding.unrealized_roi': 'Unrealised return',
  'holding.avg_entry_price': 'Average entry',
  'holding.bought_usd': 'Bought',
  'holding.sold_usd': 'Sold',
  'holding.unmatched_proceeds': 'Sold without known cost',
  'holding.buy_count': 'Buys',
  'holding.sell_count': 'Sells',
  'holding.arrived_amount': 'Came without a buy',
  'holding.away_amount': 'Left without a sell',
  'holding.away_cost': 'Cost of what left',
  'holding.spent_cost': 'Cost of what was spent',
  'holding.floor_pnl': 'Profit less open losses',
  'holding.total_pnl': 'Realised and unrealised',
  'holding.quote_value': 'Worth in quote tokens',
  'holding.open_count': 'Open positions',
  'holding.unknown_count': 'Of unknown cost or price',
  'holding.largest_share': 'Share of the largest',
  'holding.stale_share': 'Share at prices over 7 days old',
  'holding.sunk_count': 'Sunk: worth under a fifth',
  'holding.sunk_loss': 'Loss of the sunk',
  'holding.token_win_count': 'Tokens won',
  'holding.token_loss_count': 'Tokens lost',
  'holding.token_winrate': 'Tokens won of all',
  'holding.away_pnl': 'Loss of what left',
  'lifetime.since': 'Since',
  'lifetime.first_trade_at': 'First trade',
  'lifetime.trade_count': 'Trades in all',
  'lifetime.volume': 'Volume in all',
  'lifetime.token_count': 'Tokens traded',
  'lifetime.position_count': 'Tokens sold in all',
  'lifetime.realized_pnl': 'Realised in all',
  'lifetime.realized_pnl_native': 'Realised in all',
  'lifetime.realized_cost': 'Cost of what was sold',
  'lifetime.realized_roi': 'Return in all',
  'lifetime.win_count': 'Wins in all',
  'lifetime.loss_count': 'Losses in all',
  'lifetime.winrate': 'Win rate in all',
  'lifetime.days_active': 'Days with a trade in all',
  'lifetime.unmatched_proceeds': 'Sold without known cost in all',
  'lifetime.unmatched_share': 'Sales without known cost',
  'lifetime.away_cost': 'Cost of what left in all',
  'lifetime.away_share': 'Left without a sale',
  'lifetime.best_token_share': 'Gains by the best token',
  'lifetime.thin_share': 'Gains in tokens few bought',
  'lifetime.suspect_share': 'Volume at suspect prices',
  labels: 'Label',
  equity: 'Equity',
  realized_pnl: 'Realised',
  realized_pnl_usd: 'Profit',
  realized_roi: 'Return',
};

/** @type {Record<PartName, string>} */
const tails = {
  gt_500: 'above 500 %',
  '200_500': '200 to 500 %',
  '0_200': '0 to 200 %',
  neg50_0: '−50 to 0 %',
  lt_neg50_0: 'below −50 %',
};

/**
 * A name may be of a server of another release, or stand in the address of the page.
 * @type {(words: Readonly<Record<string, string>>, name: string | undefined) => string | undefined}
 */
const found = (words, name) => (name !== undefined && Object.hasOwn(words, name) ? words[name] : undefined);

/** @param {string} name */
const spoken = (name) => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/**
 * The word of a metric, of a field (`market.price`), or of the path of a filter (`metrics.7d.pnl`). What is in native tokens says so.
 * @param {string} path
 */
export function wordOf(path) {
  const name = path.replace(/^metrics\.[^.]+\./, '');
  const isNative = name.endsWith('_native');
  const suffix = isNative ? ` in ${units.native || 'the native token'}` : '';
  const word = found(metricWords, name) ?? found(fieldWords, name);
  if (word !== undefined) return word + suffix;
  const [head = '', tail] = name.split('.');
  const size = found(tails, tail);
  return size === undefined ? spoken((tail ?? head).replace(/_native$/, '')) + suffix : `Results ${size}`;
}

/**
 * As a part of a sentence: "profit in SOL".
 * @param {string} path
 */
export const innerWordOf = (path) => {
  const word = wordOf(path);
  return word.charAt(0).toLowerCase() + word.slice(1);
};

/** What metrics are about, in the order in which they are shown. */
export const groups = ['Results', 'Activity', 'Risk', 'Timing', 'Luck'];

/** @type {readonly (readonly [group: string, names: RegExp])[]} */
const grouping = [
  ['Risk', /volatility|stability|sharpe|sortino|drawdown|ruin|risk|consistency|recovery|profit_factor|win_loss/],
  ['Luck', /winrate_(low|high)|without_best|best_token|largest_|consecutive|hit_ratio/],
  ['Timing', /holding_duration|delta|delay|entry|days_active/],
  ['Results', /pnl|roi|winrate|expectancy|win_|loss_/],
];

/** @param {string} name */
export const groupOf = (name) => grouping.find(([, names]) => names.test(name))?.[0] ?? 'Activity';

/** @type {Readonly<Record<string, string>>} */
const operators = {
  $gt: 'above',
  $gte: 'at least',
  $lt: 'below',
  $lte: 'at most',
  $eq: 'is',
  $ne: 'is not',
  $contains: 'contains',
  $startsWith: 'begins with',
  $in: 'is one of',
};

/**
 * A condition of a filter as a trader would say it: "Trades at least 10", "Not wash"; the window only if another one is shown.
 * @param {{ readonly path: string, readonly operator: string, readonly text: string }} condition
 * @param {string} window
 * @param {(path: string, text: string) => string} show
 */
export function conditionWords({ path, operator, text }, window, show) {
  if (path === 'labels') {
    if (operator === '$exists') return text === 'false' ? 'No label' : 'Any label';
    return operator === '$ne' ? `Not ${text}` : `Label ${text.replaceAll(', ', ' or ')}`;
  }
  const [, own] = /^metrics\.([^.]+)\./.exec(path) ?? [];
  const word = `${wordOf(path)}${own === undefined || own === window ? '' : ` ${own}`}`;
  if (operator === '$exists') return `${word} ${text === 'false' ? 'not known' : 'known'}`;
  return `${word} ${operators[operator]} ${show(path, text)}`;
}
