import { A, buy, clock, DAY, exchange, type Fixture, HOUR, sell } from '../support/fixture.ts';

/** Ten tokens or a billion, bought at one go. */
const bought = (amount: number, usd: number) => buy(A - HOUR, 'T', amount, usd);

/** Lots, first in first out, and how a position opens and closes. */
export const positions: readonly Fixture[] = [
  {
    title: 'the first lot is sold first, and what a sell takes of each weighs its age',
    rows: [buy(A - 400, 'T', 10, 100), buy(A - 200, 'T', 10, 300), sell(A - 100, 'T', 15, 450), sell(A, 'T', 5, 50)],
    expected: {
      'trades.2.realized_pnl_usd': 450 - 250,
      'trades.2.realized_roi': 80,
      'trades.3.realized_pnl_usd': 50 - 150,
      'trades.3.position_state': 'close',
      // (10 x 300 + 5 x 100) / 15, and 200.
      'wallets.W.metrics.1d.avg_holding_duration': Math.round((3500 / 15 + 200) / 2),
      'wallets.W.metrics.1d.pnl': 100,
    },
  },
  {
    title: 'a sell beyond the open lots realises the part that has a cost, and closes',
    rows: [bought(10, 100), sell(A - 60, 'T', 40, 600), sell(A, 'T', 5, 75)],
    expected: {
      'trades.1.realized_pnl_usd': 50,
      'trades.1.realized_roi': 50,
      'trades.1.position_state': 'close',
      'trades.2.position_state': 'trade',
      'trades.2.realized_pnl_usd': null,
      'wallets.W.metrics.1d.pnl': 50,
      'wallets.W.metrics.1d.sell_volume': 675,
      'wallets.W.metrics.1d.roi': 50,
      'wallets.W.metrics.1d.position_count': 1,
      'portfolios.W.tokens.length': 1,
    },
  },
  {
    title: 'lots of unknown cost are used up in turn, and stay out of the result',
    rows: [
      exchange(A - 300, [1, 'X'], [10, 'T']),
      buy(A - 200, 'T', 10, 100),
      sell(A - 100, 'T', 15, 300),
      sell(A, 'T', 5, 60),
    ],
    expected: {
      // 5 of 15 have a cost: 100 of the proceeds against 50.
      'trades.3.realized_pnl_usd': 50,
      'trades.4.realized_pnl_usd': 10,
      'trades.4.position_state': 'close',
      'wallets.W.metrics.1d.pnl': 60,
      'wallets.W.metrics.1d.avg_holding_duration': 150,
      'wallets.W.metrics.1d.trade_count': 5,
    },
  },
  {
    title: 'a sell of unknown value uses up lots and has no result',
    rows: [bought(10, 100), exchange(A - 60, [5, 'T'], [1, 'X']), sell(A, 'T', 5, 75)],
    expected: {
      'trades.1.usd_amount': null,
      'trades.1.realized_pnl_usd': null,
      'trades.3.realized_pnl_usd': 25,
      'trades.3.position_state': 'close',
      'wallets.W.metrics.1d.win_count': 1,
    },
  },
  {
    title: 'a position that closed opens with the next buy, and its old lots are gone',
    rows: [
      buy(A - 400, 'T', 10, 100),
      buy(A - 300, 'T', 10, 100),
      sell(A - 200, 'T', 20, 300),
      buy(A - 100, 'T', 5, 100),
      sell(A, 'T', 5, 80),
    ],
    expected: {
      'trades.0.position_state': 'open',
      'trades.1.position_state': 'trade',
      'trades.2.position_state': 'close',
      'trades.3.position_state': 'open',
      'trades.4.position_state': 'close',
      'trades.2.realized_pnl_usd': 100,
      'trades.4.realized_pnl_usd': -20,
      'wallets.W.metrics.1d.position_count': 1,
      'wallets.W.metrics.1d.token_hit_ratio': 1,
    },
  },
  {
    title: 'a sell that leaves exactly a billionth of what was bought closes, and the rest has no cost later',
    rows: [bought(1e9, 1e9), sell(A - 60, 'T', 1e9 - 1, 1e9), buy(A - 30, 'T', 1, 5), sell(A, 'T', 1, 7)],
    expected: {
      'trades.1.position_state': 'close',
      'trades.2.position_state': 'open',
      'trades.3.realized_pnl_usd': 2,
    },
  },
  {
    title: 'a sell that leaves two billionths of what was bought does not close',
    rows: [bought(1e9, 1e9), sell(A - 60, 'T', 1e9 - 2, 1e9), buy(A - 30, 'T', 1, 5), sell(A, 'T', 3, 21)],
    expected: {
      'trades.1.position_state': 'trade',
      'trades.2.position_state': 'trade',
      'trades.3.realized_pnl_usd': 21 - 7,
      'trades.3.position_state': 'close',
    },
  },
  {
    title: 'the bound goes by what was bought since the position opened, not before',
    rows: [
      buy(A - 500, 'T', 1e12, 1e9),
      sell(A - 400, 'T', 1e12, 1e9),
      bought(1e9, 1e9),
      sell(A - 60, 'T', 1e9 - 2, 1e9),
      clock(A),
    ].map((row, i) => (i === 2 ? { ...row, block_time: A - 300 } : row)),
    expected: { 'trades.1.position_state': 'close', 'trades.3.position_state': 'trade' },
  },
  {
    title: 'a post balance of 0 closes a position, and the rest of its lots is gone',
    rows: [
      bought(10, 100),
      sell(A - 60, 'T', 3, 60, { post_token_balance_in: 0 }),
      buy(A - 30, 'T', 1, 5),
      sell(A, 'T', 1, 7),
    ],
    expected: {
      'trades.1.realized_pnl_usd': 30,
      'trades.1.position_state': 'close',
      'trades.2.position_state': 'open',
      'trades.3.realized_pnl_usd': 2,
      // 100 in lots for 3540 s, 5 for 30 s.
      'wallets.W.metrics.1d.turnover': 35 / ((100 * 3540 + 5 * 30) / DAY),
    },
  },
  {
    title: 'a post balance of exactly a billionth of what was bought closes, one above it does not',
    rows: [
      bought(1e9, 1e9),
      buy(A - HOUR, 'U', 1e9, 1e9),
      sell(A - 60, 'T', 10, 60, { post_token_balance_in: 1 }),
      sell(A - 50, 'U', 10, 60, { post_token_balance_in: 1.001 }),
      clock(A),
    ],
    expected: { 'trades.2.position_state': 'close', 'trades.3.position_state': 'trade' },
  },
  {
    title: 'a sell with nothing open reports an empty balance, and closes nothing',
    rows: [sell(A - 60, 'T', 3, 60, { post_token_balance_in: 0 }), buy(A, 'T', 1, 5)],
    expected: {
      'trades.0.position_state': 'trade',
      'trades.1.position_state': 'open',
      'wallets.W.metrics.1d.position_count': 0,
    },
  },
  {
    title: 'a result of exactly a billionth of the cost is break-even, one of two billionths is a loss',
    rows: [bought(2, 2e9), sell(A - 60, 'T', 1, 1e9 - 1), sell(A, 'T', 1, 1e9 - 2)],
    expected: {
      'trades.1.realized_pnl_usd': 0,
      'trades.1.realized_roi': 0,
      'trades.2.realized_pnl_usd': -2,
      'wallets.W.metrics.1d.loss_count': 1,
      'wallets.W.metrics.1d.win_count': 0,
      'wallets.W.metrics.1d.winrate': 0,
    },
  },
  {
    title: 'a sell of which cost and proceeds are under the dust limit is no realised sell, one with either at it is',
    rows: [
      buy(A - 100, 'T', 3, 0.27),
      sell(A - 90, 'T', 1, 0.09),
      sell(A - 80, 'T', 1, 0.1),
      buy(A - 70, 'U', 1, 0.1),
      sell(A, 'U', 1, 0.01),
    ],
    expected: {
      'trades.1.realized_pnl_usd': 0,
      'trades.2.realized_pnl_usd': 0.01,
      'trades.4.realized_pnl_usd': -0.09,
      'wallets.W.metrics.1d.win_count': 1,
      'wallets.W.metrics.1d.loss_count': 1,
    },
  },
  {
    title: 'a sell of exactly the dust limit has a result, however its amount rounds',
    rows: [buy(A - 100, 'T', 10_000, 0.0032545382101601254), sell(A, 'T', 1.0046219679796448e-8, 0.1)],
    expected: { 'trades.1.realized_pnl_usd': 0.1 - 3.27e-15, 'wallets.W.metrics.1d.win_count': 1 },
  },
  {
    title: 'what cost nothing is a win without a return',
    // A price of 1e-329 is 0.
    rows: [exchange(A - 60, [1, 'X'], [1e30, 'T'], { usd_amount_out: 1e-299 }), sell(A, 'T', 1e30, 50)],
    expected: {
      'trades.0.usd_amount': 0,
      'trades.2.realized_pnl_usd': 50,
      'trades.2.realized_roi': null,
      'wallets.W.metrics.1d.avg_roi': null,
      'wallets.W.metrics.1d.roi': null,
      'wallets.W.metrics.1d.winrate': 100,
      'wallets.W.metrics.1d.avg_token_roi': null,
      'wallets.W.metrics.1d.token_hit_ratio': 1,
      'wallets.W.metrics.1d.token_roi_distribution.0_200': 0,
      'wallets.W.metrics.1d.volume_weighted_winrate': null,
      'wallets.W.metrics.1d.time_weighted_roi': 0,
    },
  },
  {
    title: 'large lots that come and go leave an open cost of exactly 0',
    rows: [
      buy(A - 60, 'T', 1e9, 1e12),
      buy(A - 50, 'T', 3, 0.3),
      buy(A - 40, 'U', 7, 0.7),
      sell(A - 30, 'T', 1e9 + 3, 1e12),
      sell(A, 'U', 7, 0.7),
    ],
    expected: { 'trades.3.position_state': 'close', 'trades.4.realized_pnl_usd': 0, 'portfolios.W.tokens.length': 1 },
  },
  {
    title:
      'a reported balance is the balance; a computed one never falls below 0, and a billionth left of what came in is nothing',
    rows: [
      buy(A - 90, 'T', 10, 100, { post_token_balance_out: 7, post_token_balance_in: 1000 }),
      buy(A - 80, 'R', 10, 100, { wallet: 'V' }),
      sell(A - 70, 'R', 30, 100, { wallet: 'V' }),
      buy(A - 65, 'R', 5, 100, { wallet: 'V' }),
      buy(A - 60, 'U', 1e9, 100, { wallet: 'V' }),
      sell(A - 50, 'U', 1e9 - 1, 100, { wallet: 'V' }),
      buy(A - 40, 'S', 1e9, 100, { wallet: 'V' }),
      sell(A - 30, 'S', 1e9 - 1, 100, { wallet: 'V', post_token_balance_in: 1 }),
      clock(A),
    ],
    expected: {
      'portfolios.W.value': 1070,
      'portfolios.W.tokens.0.token': 'USDC',
      'portfolios.W.tokens.0.balance': 1000,
      'portfolios.W.tokens.1.balance': 7,
      // Three of the ten have left.
      'portfolios.W.tokens.1.cost_basis': 70,
      'portfolios.V.tokens.length': 3,
      'portfolios.V.tokens.0.token': 'R',
      'portfolios.V.tokens.0.balance': 5,
      'portfolios.V.tokens.2.token': 'S',
      'portfolios.V.tokens.2.balance': 1,
      'tokens.U.market.holders': 0,
      'tokens.S.market.holders': 1,
    },
  },
];
