import { A, buy, clock, DAY, type Fixture, HOUR, type Row, sell } from '../support/fixture.ts';

/** Five lots of 100 USD in five hours of the day, each sold half an hour later for `usd`. */
const fiveSells = (usd: number): Row[] =>
  [10, 8, 6, 4, 2].flatMap((hours) => [
    buy(A - hours * HOUR - 1800, 'T', 10, 100),
    sell(A - hours * HOUR, 'T', 10, usd),
  ]);

/** Lots of 100 USD of as many tokens, sold in the same minute for `usds`. */
const quickSells = (wallet: string, usds: readonly number[]): Row[] =>
  usds.flatMap((usd, i) => [buy(A - 60, `U${i}`, 10, 100, { wallet }), sell(A - 50 + i, `U${i}`, 10, usd, { wallet })]);

/** The deviation of 24 periods of which five are 10 (or -10). */
const deviation = Math.sqrt((500 - 2500 / 24) / 23);
const steady = 50 / 24 / (50 / 24 + deviation);
const annual = Math.sqrt(365 * 24);

/** One position for each return: 10 USD in, `usd` out. */
const returns = (usds: readonly number[]): Row[] =>
  usds.flatMap((usd, i) => [
    buy(A - 60 - i, `T${i}`, 10, 10, { wallet: 'W' }),
    sell(A - 30 - i, `T${i}`, 10, usd, { wallet: 'W' }),
    buy(A - 60 - i, 'All', 10, 10, { wallet: `V${i}` }),
    sell(A - 30 - i, 'All', 10, usd, { wallet: `V${i}` }),
  ]);

/** A bought and sold lot in every hour of the day: results that differ in their last bit only. */
const alike: Row[] = Array.from({ length: 24 }, (_, j) => {
  const [cost, usd] = j % 2 === 0 ? [0.3, 0.4] : [0.1, 0.2];
  return [buy(A - j * HOUR - 60, 'T', 1, cost), sell(A - j * HOUR, 'T', 1, usd)];
}).flat();

/** Metrics of windows that hold few, or only one kind of result. */
export const results: readonly Fixture[] = [
  {
    title: 'one buy: counts are 1, sums are what it was, results are 0, and what needs more is null',
    rows: [buy(A, 'T', 10, 100)],
    tokens: [{ address: 'T', total_supply: 1000 }],
    expected: {
      'wallets.W.metrics.1d.trade_count': 1,
      'wallets.W.metrics.1d.volume': 100,
      'wallets.W.metrics.1d.avg_buy_size': 100,
      'wallets.W.metrics.1d.avg_sell_size': null,
      'wallets.W.metrics.1d.avg_buy_mcap': 10_000,
      'wallets.W.metrics.1d.avg_trade_delta': null,
      'wallets.W.metrics.1d.avg_holding_duration': null,
      'wallets.W.metrics.1d.pnl': 0,
      'wallets.W.metrics.1d.largest_win': 0,
      'wallets.W.metrics.1d.largest_loss': 0,
      'wallets.W.metrics.1d.winrate': null,
      'wallets.W.metrics.1d.roi': null,
      'wallets.W.metrics.1d.profit_factor': null,
      'wallets.W.metrics.1d.pnl_volume_ratio': 0,
      'wallets.W.metrics.1d.recovery_factor': null,
      'wallets.W.metrics.1d.time_weighted_roi': 0,
      'wallets.W.metrics.1d.max_drawdown': 0,
      'wallets.W.metrics.1d.sharpe_ratio': null,
      'wallets.W.metrics.1d.risk_of_ruin': null,
      'wallets.W.metrics.1d.risk_score': null,
      'wallets.W.metrics.1d.consistency_score': null,
      // No time has passed: the open cost has no average yet.
      'wallets.W.metrics.1d.turnover': null,
      'tokens.T.metrics.1m.avg_price': 10,
      'tokens.T.metrics.1m.avg_sell_price': null,
      'tokens.T.metrics.1m.makers_count': 1,
      'tokens.T.metrics.1m.sellers_count': 0,
      'tokens.T.metrics.1m.max_drawdown': 0,
    },
  },
  {
    title: 'one buy a second ago: nothing of the open cost was turned over',
    rows: [buy(A - 1, 'T', 10, 100), clock(A)],
    expected: { 'wallets.W.metrics.1d.turnover': 0, 'wallets.W.metrics.1d.avg_daily_trade_count': 1 },
  },
  {
    title: 'only losses: a win rate of 0, a profit factor of 0, certain ruin',
    rows: fiveSells(90),
    expected: {
      'wallets.W.metrics.1d.win_count': 0,
      'wallets.W.metrics.1d.loss_count': 5,
      'wallets.W.metrics.1d.pnl': -50,
      'wallets.W.metrics.1d.win_pnl': 0,
      'wallets.W.metrics.1d.largest_win': 0,
      'wallets.W.metrics.1d.largest_loss': -10,
      'wallets.W.metrics.1d.max_consecutive_wins': 0,
      'wallets.W.metrics.1d.max_consecutive_losses': 5,
      'wallets.W.metrics.1d.winrate': 0,
      'wallets.W.metrics.1d.volume_weighted_winrate': 0,
      'wallets.W.metrics.1d.profit_factor': 0,
      'wallets.W.metrics.1d.win_loss_size_ratio': null,
      'wallets.W.metrics.1d.profit_expectancy': -10,
      'wallets.W.metrics.1d.recovery_factor': -1,
      'wallets.W.metrics.1d.max_drawdown': 100 * (1 - 0.9 ** 5),
      'wallets.W.metrics.1d.time_weighted_roi': 100 * (0.9 ** 5 - 1),
      'wallets.W.metrics.1d.pnl_volatility': deviation,
      'wallets.W.metrics.1d.pnl_stability': steady,
      'wallets.W.metrics.1d.roi_volatility': deviation,
      'wallets.W.metrics.1d.winrate_volatility': 0,
      'wallets.W.metrics.1d.winrate_stability': null,
      'wallets.W.metrics.1d.sharpe_ratio': (-50 / 24 / deviation) * annual,
      'wallets.W.metrics.1d.sortino_ratio': (-50 / 24 / Math.sqrt(500 / 24)) * annual,
      'wallets.W.metrics.1d.risk_of_ruin': 100,
      'wallets.W.metrics.1d.risk_score': 100 * (0.35 * (1 - 0.9 ** 5) + 0.25 + 0.2 + 0.2),
      'wallets.W.metrics.1d.consistency_score': 0,
      'tokens.T.metrics.1d.profit_factor': 0,
      'tokens.T.metrics.1d.avg_wallet_winrate': 0,
      'tokens.T.metrics.1d.loss_position_count': 1,
      'tokens.T.metrics.1d.wallet_hit_ratio': 0,
    },
  },
  {
    title: 'only wins: no loss to divide by, no fall to recover from, no ruin',
    rows: fiveSells(110),
    expected: {
      'wallets.W.metrics.1d.loss_pnl': 0,
      'wallets.W.metrics.1d.largest_loss': 0,
      'wallets.W.metrics.1d.winrate': 100,
      'wallets.W.metrics.1d.profit_factor': null,
      'wallets.W.metrics.1d.win_loss_size_ratio': null,
      'wallets.W.metrics.1d.recovery_factor': null,
      'wallets.W.metrics.1d.max_drawdown': 0,
      'wallets.W.metrics.1d.sortino_ratio': null,
      'wallets.W.metrics.1d.sharpe_ratio': (50 / 24 / deviation) * annual,
      'wallets.W.metrics.1d.winrate_stability': 1,
      'wallets.W.metrics.1d.risk_of_ruin': 0,
      'wallets.W.metrics.1d.risk_score': 100 * 0.2 * (1 - steady),
      'wallets.W.metrics.1d.consistency_score': 100 * (0.4 + 0.3 * steady + 0.3),
    },
  },
  {
    title: 'only break-evens: sells with results of 0, and neither wins nor losses',
    rows: fiveSells(100),
    expected: {
      'wallets.W.metrics.1d.position_count': 1,
      'wallets.W.metrics.1d.win_count': 0,
      'wallets.W.metrics.1d.loss_count': 0,
      'wallets.W.metrics.1d.winrate': null,
      'wallets.W.metrics.1d.volume_weighted_winrate': null,
      'wallets.W.metrics.1d.profit_expectancy': null,
      'wallets.W.metrics.1d.avg_roi': 0,
      'wallets.W.metrics.1d.roi': 0,
      'wallets.W.metrics.1d.token_hit_ratio': 0,
      'wallets.W.metrics.1d.token_roi_distribution.0_200': 1,
      'wallets.W.metrics.1d.pnl_volatility': 0,
      'wallets.W.metrics.1d.pnl_stability': null,
      'wallets.W.metrics.1d.winrate_volatility': null,
      'wallets.W.metrics.1d.sharpe_ratio': null,
      'wallets.W.metrics.1d.risk_of_ruin': null,
      'wallets.W.metrics.1d.risk_score': 0,
      'wallets.W.metrics.1d.consistency_score': 0,
      'tokens.T.metrics.1d.avg_wallet_winrate': null,
    },
  },
  {
    title: 'a run of wins ends with a loss or a break-even, a run of losses with a win or a break-even',
    rows: [110, 110, 100, 110, 90, 90, 110, 90, 90, 90, 100, 90].flatMap((usd, i) => [
      buy(A - 110 + i * 10, 'T', 10, 100),
      sell(A - 105 + i * 10, 'T', 10, usd),
    ]),
    expected: {
      'wallets.W.metrics.1d.max_consecutive_wins': 2,
      'wallets.W.metrics.1d.max_consecutive_losses': 3,
      'wallets.W.metrics.1d.winrate': 40,
      // 10 20 20 30 20 10 20 10 0 -10 -10 -20
      'wallets.W.metrics.1d.recovery_factor': -0.4,
    },
  },
  {
    title: 'returns of exactly 500, 200, 0 and -50 % fall below the upper edges and on the lower ones',
    rows: returns([60.01, 60, 30.01, 30, 10, 9.99, 5, 4.99]),
    expected: {
      'wallets.W.metrics.1d.token_roi_distribution.gt_500': 1,
      'wallets.W.metrics.1d.token_roi_distribution.200_500': 2,
      'wallets.W.metrics.1d.token_roi_distribution.0_200': 2,
      'wallets.W.metrics.1d.token_roi_distribution.neg50_0': 2,
      'wallets.W.metrics.1d.token_roi_distribution.lt_neg50_0': 1,
      'tokens.All.metrics.1d.wallet_roi_distribution.gt_500': 1,
      'tokens.All.metrics.1d.wallet_roi_distribution.200_500': 2,
      'tokens.All.metrics.1d.wallet_roi_distribution.0_200': 2,
      'tokens.All.metrics.1d.wallet_roi_distribution.neg50_0': 2,
      'tokens.All.metrics.1d.wallet_roi_distribution.lt_neg50_0': 1,
      'tokens.All.metrics.1d.avg_wallet_winrate': 400 / 7,
      'wallets.W.metrics.1d.token_hit_ratio': 0.5,
    },
  },
  {
    title: 'a series that differs in its last bits only is constant: it neither scatters nor has a sharpe ratio',
    rows: alike,
    expected: {
      'wallets.W.metrics.1d.pnl_volatility': 0,
      'wallets.W.metrics.1d.pnl_stability': 1,
      'wallets.W.metrics.1d.winrate_volatility': 0,
      'wallets.W.metrics.1d.consistency_score': 100,
    },
  },
  {
    title: 'a price that stands still has no volatility, full stability and no ratios',
    rows: [7, 5, 3, 2, 0].map((hours) => buy(A - hours * HOUR, 'T', 1, 3)),
    expected: {
      'tokens.T.metrics.1d.price_volatility': 0,
      'tokens.T.metrics.1d.price_stability': 1,
      'tokens.T.metrics.1d.sharpe_ratio': null,
      'tokens.T.metrics.1d.sortino_ratio': null,
      'tokens.T.metrics.1d.max_drawdown': 0,
    },
  },
  {
    title: 'two periods with a sell are too few for a series, three are enough',
    rows: [
      buy(A - 5 * DAY, 'T', 60, 600),
      sell(A - 2 * DAY, 'T', 10, 110),
      sell(A - 2 * DAY - 1, 'T', 10, 110),
      sell(A, 'T', 10, 110),
      buy(A - 5 * DAY, 'T', 60, 600, { wallet: 'V' }),
      sell(A - 3 * DAY, 'T', 10, 110, { wallet: 'V' }),
      sell(A - 2 * DAY, 'T', 10, 110, { wallet: 'V' }),
      sell(A, 'T', 10, 110, { wallet: 'V' }),
    ],
    expected: {
      'wallets.W.metrics.7d.pnl_volatility': null,
      'wallets.W.metrics.7d.roi_stability': null,
      'wallets.W.metrics.7d.winrate_stability': null,
      'wallets.W.metrics.7d.sharpe_ratio': null,
      'wallets.W.metrics.7d.consistency_score': null,
      'wallets.V.metrics.7d.pnl_volatility': Math.sqrt((300 - 900 / 7) / 6),
      'wallets.V.metrics.7d.winrate_stability': 1,
    },
  },
  {
    title:
      'four decided sells are too few for a chance of ruin, and five that won nothing together are ruin for certain',
    rows: [
      ...fiveSells(90).slice(0, 8),
      ...quickSells('V', [90, 110, 90, 110, 100]),
      ...quickSells('Y', [90, 110, 90, 110, 90]),
      ...quickSells('Z', [110, 110, 110, 85, 85]),
      clock(A),
    ],
    expected: {
      'wallets.W.metrics.1d.risk_of_ruin': null,
      'wallets.V.metrics.1d.risk_of_ruin': null,
      // No fall (0.35) and a win rate of 50 (0.2): ruin and stability drop out with their weights.
      'wallets.V.metrics.1d.risk_score': (100 * 0.2 * 0.5) / 0.55,
      'wallets.Y.metrics.1d.risk_of_ruin': 100,
      'wallets.Y.metrics.1d.win_loss_size_ratio': 1,
      'wallets.Z.metrics.1d.pnl': 0,
      'wallets.Z.metrics.1d.risk_of_ruin': 100,
    },
  },
  {
    title: 'means leave out what is unknown, and ratios of an unsold position are of its sells alone',
    rows: [
      buy(A - 60, 'T', 10, 100),
      { block_time: A - 50, token_in: 'X', token_amount_in: 1, token_out: 'T', token_amount_out: 5 },
      sell(A - 40, 'T', 4, 60),
      { block_time: A, token_in: 'T', token_amount_in: 1, token_out: 'X', token_amount_out: 1 },
    ],
    tokens: [{ address: 'T', total_supply: 1000, circulating_supply: 500 }],
    expected: {
      'wallets.W.metrics.1d.buy_count': 3,
      'wallets.W.metrics.1d.avg_buy_size': 100,
      'wallets.W.metrics.1d.avg_sell_size': 60,
      'wallets.W.metrics.1d.avg_buy_mcap': 5000,
      'wallets.W.metrics.1d.avg_sell_mcap': 7500,
      'wallets.W.metrics.1d.avg_trade_delta': 12,
      'tokens.T.metrics.5m.avg_price': 160 / 14,
      'trades.1.market_cap': null,
      'tokens.T.market.market_cap': 7500,
      'tokens.T.market.fdv': 15_000,
    },
  },
];
