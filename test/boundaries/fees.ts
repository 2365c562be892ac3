import { A, buy, clock, DAY, exchange, type Fixture, inTx, sell } from '../support/fixture.ts';

const [fee, half] = [{ fee_native: 0.5 }, { fee_native: 0.25 }];
/** Two days, and the day and hour that a native price is good for. */
const [before, maxAge] = [2 * DAY, 90_000];

/** Fees of the chain, and sells of dust. */
export const fees: readonly Fixture[] = [
  {
    title: 'fees and the profit after them are unknown while a fee in the window came before the first native price',
    rows: [
      buy(A - 3 * DAY, 'T', 10, 100, fee),
      exchange(A - before, [100, 'USDC'], [1, 'SOL']),
      sell(A, 'T', 10, 150, half),
    ],
    expected: {
      'wallets.W.metrics.1d.fees': 0.25 * 100,
      'wallets.W.metrics.1d.net_pnl': 50 - 25,
      'wallets.W.metrics.1d.fees_native': 0.25,
      'wallets.W.metrics.7d.fees': null,
      'wallets.W.metrics.7d.net_pnl': null,
      'wallets.W.metrics.7d.fees_native': 0.75,
      'wallets.W.metrics.7d.pnl': 50,
    },
  },
  {
    title: 'a fee is worth the newest native price of any age, and stale from the second after its greatest age',
    rows: [
      exchange(A - maxAge - 1, [100, 'USDC'], [1, 'SOL'], { wallet: 'V' }),
      buy(A - 1, 'T', 10, 100, fee),
      buy(A, 'T', 10, 100, half),
    ],
    expected: {
      'wallets.W.metrics.1d.fees': 75,
      'wallets.W.metrics.1d.net_pnl': -75,
      'wallets.W.metrics.1d.stale_fee_count': 1,
    },
  },
  {
    title: 'a fee of nothing needs no price',
    rows: [buy(A, 'T', 10, 100, { fee_native: 0 })],
    expected: {
      'wallets.W.metrics.1d.fees': 0,
      'wallets.W.metrics.1d.net_pnl': 0,
      'wallets.W.metrics.1d.stale_fee_count': 0,
    },
  },
  {
    title: 'the fee of a transaction that nets to nothing counts for the wallet, once, in the windows that hold it',
    rows: [
      exchange(A - before - 1, [40, 'USDC'], [1, 'SOL'], { wallet: 'V' }),
      ...inTx('round', buy(A - before, 'T', 10, 100, half), sell(A - before, 'T', 10, 101, fee)),
      ...inTx('self', exchange(A, [5, 'T'], [5, 'T'], half)),
      buy(A, 'T', 1, 10, half),
    ],
    expected: {
      'wallets.W.metrics.1d.fees_native': 0.5,
      'wallets.W.metrics.1d.fees': 20,
      'wallets.W.metrics.1d.stale_fee_count': 2,
      'wallets.W.metrics.7d.fees_native': 1,
      'wallets.W.metrics.7d.fees': 40,
      'wallets.W.metrics.7d.net_pnl': -40,
      'wallets.W.metrics.7d.trade_count': 1,
    },
  },
  {
    title: 'a second batch that makes a trade of such a transaction moves its fee to the trade',
    rows: [
      exchange(A - 9, [40, 'USDC'], [1, 'SOL'], { wallet: 'V', batch: 0 }),
      buy(A - 5, 'T', 10, 100, { ...fee, tx_hash: 'one', swap_index: 0, batch: 0 }),
      sell(A - 5, 'T', 10, 100, { ...fee, tx_hash: 'one', swap_index: 1, batch: 0 }),
      { ...clock(A), batch: 0 },
      buy(A - 5, 'T', 10, 100, { ...fee, tx_hash: 'one', swap_index: 2, batch: 1 }),
    ],
    expected: {
      'trades.1.token': 'T',
      'trades.1.fee_native': 0.5,
      'wallets.W.metrics.1d.fees_native': 0.5,
      'wallets.W.metrics.1d.fees': 20,
    },
  },
  {
    title: 'small sells count in sums, and in no count, mean, run or extreme',
    rows: [
      buy(A - 500, 'T', 1000, 50),
      ...Array.from({ length: 20 }, (_, i) => sell(A - 400 + i, 'T', 1, 0.09)),
      sell(A, 'T', 100, 4),
    ],
    expected: {
      // 20 x (0.09 - 0.05), and 4 - 5.
      'trades.1.realized_pnl_usd': 0.09 - 0.05,
      'trades.1.realized_roi': ((0.09 - 0.05) / 0.05) * 100,
      'wallets.W.metrics.1d.pnl': -0.2,
      'wallets.W.metrics.1d.small_pnl': 0.8,
      'wallets.W.metrics.1d.win_pnl': 0,
      'wallets.W.metrics.1d.loss_pnl': -1,
      'wallets.W.metrics.1d.roi': (-0.2 / 6) * 100,
      'wallets.W.metrics.1d.win_count': 0,
      'wallets.W.metrics.1d.loss_count': 1,
      'wallets.W.metrics.1d.winrate': 0,
      'wallets.W.metrics.1d.avg_pnl': -1,
      'wallets.W.metrics.1d.avg_roi': -20,
      'wallets.W.metrics.1d.volume_weighted_roi': -20,
      'wallets.W.metrics.1d.largest_win': 0,
      'wallets.W.metrics.1d.max_consecutive_wins': 0,
      'wallets.W.metrics.1d.max_consecutive_losses': 1,
      'wallets.W.metrics.1d.avg_holding_duration': 500,
      'wallets.W.metrics.1d.recovery_factor': -0.2,
      'wallets.W.metrics.1d.sell_count': 21,
      'tokens.T.metrics.1h.small_pnl': 0.8,
    },
  },
  {
    title: 'small sells alone have a profit and no position, win, period or score',
    rows: [
      buy(A - 4 * DAY, 'T', 100, 5),
      ...[3, 2, 1, 0].map((days) => sell(A - days * DAY, 'T', 1, 0.09)),
      buy(A - 60, 'U', 100, 5),
      sell(A - 30, 'U', 1, 0.06),
    ],
    expected: {
      'wallets.W.metrics.7d.pnl': 4 * 0.04 + 0.01,
      'wallets.W.metrics.7d.pnl_without_best': 0.06 - 0.05,
      'wallets.W.metrics.7d.best_token_share': null,
      'wallets.W.metrics.7d.position_count': 0,
      'wallets.W.metrics.7d.winrate': null,
      'wallets.W.metrics.7d.avg_pnl': null,
      'wallets.W.metrics.7d.avg_token_pnl': null,
      'wallets.W.metrics.7d.token_hit_ratio': null,
      'wallets.W.metrics.7d.pnl_volatility': null,
      'wallets.W.metrics.7d.risk_score': null,
      'wallets.W.metrics.7d.consistency_score': null,
      'wallets.W.metrics.7d.token_roi_distribution.0_200': 0,
      'tokens.T.metrics.7d.win_position_count': 0,
    },
  },
];
