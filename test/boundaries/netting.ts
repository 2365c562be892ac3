import { A, buy, clock, exchange, type Fixture, inTx, sell } from '../support/fixture.ts';

/** What one wallet did with one token in one transaction. */
export const netting: readonly Fixture[] = [
  {
    title: 'a token left over by exactly 0.5 % of its flow is a routing hop, one left over by more is a trade',
    rows: [
      // 201 received, 199 given on: 2 of 400.
      ...inTx('hop', exchange(A - 60, [100, 'USDC'], [201, 'H']), exchange(A - 60, [199, 'H'], [10, 'T'])),
      ...inTx('more', exchange(A, [100, 'USDC'], [201.01, 'H']), exchange(A, [199, 'H'], [10, 'T'])),
    ],
    expected: {
      'trades.length': 3,
      'trades.0.token': 'T',
      'trades.0.quote': 'USDC',
      'trades.0.usd_amount': 100,
      'trades.0.tx_hash': 'hop',
      'trades.1.token': 'H',
      'trades.1.tx_hash': 'more',
      'trades.2.token': 'T',
      'tokens.H.metrics.1m.trade_count': 1,
    },
  },
  {
    title: 'a token given beyond what was received by exactly 0.5 % is a routing hop as well',
    rows: inTx('hop', exchange(A, [100, 'USDC'], [199, 'H']), exchange(A, [201, 'H'], [10, 'T'])),
    expected: { 'trades.length': 1, 'trades.0.token': 'T' },
  },
  {
    title: 'what a fee on transfer leaves over is no trade, and its swaps print prices',
    rows: [
      ...inTx('fee', exchange(A - 30, [100, 'USDC'], [1000, 'F']), exchange(A - 30, [998, 'F'], [10, 'T'])),
      clock(A),
    ],
    expected: {
      'trades.length': 2,
      'trades.0.token': 'T',
      'prices.F.usd_price': 0.1,
      'tokens.F.metrics.1m.trade_count': 0,
      'tokens.F.market.holders': 1,
      'portfolios.W.tokens.0.balance': 2,
      'portfolios.W.tokens.0.cost_basis': null,
      'portfolios.W.tokens.1.cost_basis': 100,
      'portfolios.W.tokens.1.unrealized_pnl': null,
    },
  },
  {
    title: 'an atomic round trip is no trade, whether it won or lost',
    rows: [
      ...inTx('won', buy(A - 60, 'T', 10, 100), sell(A - 60, 'T', 10, 105)),
      ...inTx('even', buy(A, 'T', 10, 100), sell(A, 'T', 10, 100)),
    ],
    expected: {
      'trades.length': 0,
      'prices.T.usd_price': 10,
      'wallets.W.metrics.1d.trade_count': 0,
      'wallets.W.metadata.last_trade_at': null,
      'stats.T.usd_volume_5m': 405,
    },
  },
  {
    title: 'a trade through two pools is one trade at the price of both',
    rows: inTx('split', buy(A, 'T', 10, 100), buy(A, 'T', 20, 260)),
    expected: {
      'trades.length': 1,
      'trades.0.token_amount': 30,
      'trades.0.usd_amount': 360,
      'trades.0.token_price': 12,
      'trades.0.trade_index': 0,
      'tokens.T.metrics.1m.trade_count': 1,
      'tokens.T.metrics.1m.avg_price': 12,
    },
  },
  {
    title: 'the balance before a trade is that of its first swap, the balance after it that of its last',
    rows: [
      buy(A - 60, 'T', 10, 100),
      ...inTx(
        'split',
        sell(A, 'T', 4, 50, { pre_token_balance_in: 10, post_token_balance_in: 6 }),
        sell(A, 'T', 5, 70, { pre_token_balance_in: 6, post_token_balance_in: 0 }),
      ),
    ],
    expected: {
      'trades.1.pre_token_balance': 10,
      'trades.1.post_token_balance': 0,
      'trades.1.position_state': 'close',
      // The tenth token was lost on the way: its cost goes with the nine.
      'trades.1.realized_pnl_usd': 20,
    },
  },
  {
    title: 'two tokens sold for one quote have what their stable legs say, whatever prices the feed has',
    rows: inTx('both', sell(A, 'X', 1, 20, { token_price_in: 36 }), sell(A, 'Y', 1, 20, { token_price_in: 12 })),
    expected: {
      'trades.length': 2,
      'trades.0.token': 'X',
      'trades.0.usd_amount': 20,
      'trades.0.quote_amount': 20,
      'trades.1.usd_amount': 20,
      'trades.1.quote_amount': 20,
    },
  },
  {
    title:
      'the quote is a quote token, then of the larger value, then of the greater address; all quotes make up the value',
    rows: [
      ...inTx('two-quotes', exchange(A - 9, [30, 'USDC'], [5, 'T']), exchange(A - 9, [70, 'USDT'], [5, 'T'])),
      ...inTx(
        'quote-first',
        exchange(A - 8, [1, 'USDC'], [5, 'T']),
        exchange(A - 8, [9, 'X'], [5, 'T'], { token_price_in: 100 }),
      ),
      ...inTx('greater', exchange(A - 7, [50, 'USDC'], [5, 'T']), exchange(A - 7, [50, 'USDT'], [5, 'T'])),
      clock(A),
    ],
    expected: {
      'trades.0.quote': 'USDT',
      'trades.0.usd_amount': 100,
      'trades.0.quote_amount': 70,
      'trades.1.quote': 'USDC',
      'trades.1.quote_amount': 1,
      // The mean of what its legs are worth: 1 and 900 for 5 each.
      'trades.1.usd_amount': 901,
      'trades.3.quote': 'USDT',
      'trades.3.usd_amount': 100,
    },
  },
  {
    title: 'a swap between quote tokens is a trade of the later one, and none of the wallet',
    rows: [
      exchange(A - 30, [100, 'USDC'], [1, 'SOL']),
      exchange(A - 20, [1, 'SOL'], [120, 'USDT']),
      exchange(A - 10, [50, 'USDT'], [50, 'USDC']),
      clock(A),
    ],
    expected: {
      'trades.0.token': 'SOL',
      'trades.0.direction': 'buy',
      'trades.0.swap_type': 'quote_quote',
      'trades.1.realized_pnl_usd': 20,
      'trades.2.token': 'USDT',
      'trades.2.direction': 'sell',
      'trades.2.quote': 'USDC',
      'trades.2.realized_pnl_usd': null,
      'wallets.W.metrics.1d.trade_count': 0,
      'wallets.W.metrics.1d.pnl': 0,
      'wallets.W.metadata.last_trade_at': null,
      'tokens.SOL.metrics.1d.pnl': 20,
      'tokens.SOL.metrics.1d.win_position_count': 1,
      'tokens.USDT.metrics.1d.trade_count': 1,
    },
  },
  {
    title: 'several wallets in one transaction trade each for itself',
    rows: [
      ...inTx(
        'block-order',
        buy(A - 30, 'T', 10, 100, { wallet: 'V' }),
        sell(A - 30, 'T', 10, 110, { wallet: 'W' }),
        sell(A - 30, 'T', 4, 60, { wallet: 'V' }),
      ),
      clock(A),
    ],
    expected: {
      'trades.length': 3,
      'trades.0.wallet': 'V',
      'trades.0.direction': 'buy',
      'trades.0.token_amount': 6,
      'trades.0.usd_amount': 40,
      'trades.1.wallet': 'W',
      'trades.1.direction': 'sell',
      'tokens.T.metrics.1m.makers_count': 2,
      'tokens.T.metrics.1m.buyers_count': 1,
      'tokens.T.metrics.1m.sellers_count': 1,
    },
  },
  {
    title: 'swaps of one transaction that arrive in two batches make one trade',
    rows: [
      buy(A - 30, 'T', 10, 100, { tx_hash: 'one', swap_index: 0, batch: 0 }),
      clock(A - 10),
      buy(A - 30, 'T', 10, 140, { tx_hash: 'one', swap_index: 1, batch: 1 }),
      sell(A, 'T', 20, 300, { batch: 2 }),
    ],
    expected: {
      'trades.length': 3,
      'trades.0.token_amount': 20,
      'trades.0.usd_amount': 240,
      'trades.2.realized_pnl_usd': 60,
      'trades.2.position_state': 'close',
      'wallets.W.metrics.1d.trade_count': 2,
    },
  },
  {
    title: 'a second batch can make a trade of a transaction vanish, with the result of its sell',
    rows: [
      buy(A - 30, 'T', 10, 100, { tx_hash: 'one', swap_index: 0, batch: 0 }),
      sell(A - 20, 'T', 10, 130, { batch: 0 }),
      clock(A),
      sell(A - 30, 'T', 10, 100, { tx_hash: 'one', swap_index: 1, batch: 1 }),
    ],
    expected: {
      'trades.length': 2,
      'trades.0.direction': 'sell',
      'trades.0.position_state': 'trade',
      'trades.0.realized_pnl_usd': null,
      'wallets.W.metrics.1d.pnl': 0,
    },
  },
  {
    title: 'a token with none on the opposite side is no trade',
    rows: [...inTx('gift', exchange(A - 30, [0, 'USDC'], [5, 'X']), exchange(A - 30, [0, 'USDC'], [5, 'Y'])), clock(A)],
    expected: { 'trades.length': 1, 'swaps.length': 3, 'tokens.X.metrics.1d.trade_count': 0 },
  },
  {
    title: 'two tokens that share their first swap are ordered by address',
    rows: [
      exchange(A - 30, [1, 'b'], [1, 'a'], { usd_amount_in: 5 }),
      exchange(A, [1, 'a'], [1, 'b'], { usd_amount_in: 5 }),
    ],
    expected: { 'trades.0.token': 'a', 'trades.1.token': 'b', 'trades.2.token': 'a', 'trades.3.token': 'b' },
  },
];
