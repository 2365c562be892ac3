import { A, buy, clock, exchange, type Fixture, inTx, sell } from '../support/fixture.ts';

/** Several orders of one wallet in one transaction, and routes that share tokens. */
export const orders: readonly Fixture[] = [
  {
    title: 'two tokens sold for one quote get what each was sold for, whatever their feeds say',
    rows: inTx('both', sell(A, 'X', 1, 20, { token_price_in: 30 }), sell(A, 'Y', 1, 20, { token_price_in: 12 })),
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
    title: 'two tokens bought for the native token cost what each was bought for, and no price of it is needed',
    rows: [
      ...inTx('both', exchange(A - 60, [1, 'SOL'], [10, 'X']), exchange(A - 60, [9, 'SOL'], [10, 'Y'])),
      exchange(A - 30, [10, 'X'], [2, 'SOL']),
      exchange(A, [10, 'Y'], [10, 'SOL']),
    ],
    expected: {
      'trades.0.quote_amount': 1,
      'trades.0.native_amount': 1,
      'trades.1.quote_amount': 9,
      'trades.1.native_amount': 9,
      'trades.2.realized_pnl_native': 1,
      'trades.3.realized_pnl_native': 1,
      'wallets.W.metrics.1d.pnl_native': 2,
      'wallets.W.metrics.1d.roi_native': 20,
    },
  },
  {
    title: 'a token bought directly does not share the cost of one bought over a route',
    rows: [
      ...inTx(
        'two orders',
        exchange(A - 60, [100, 'USDC'], [100, 'A']),
        exchange(A - 60, [10, 'USDC'], [10, 'X']),
        exchange(A - 60, [10, 'X'], [50, 'B']),
      ),
      sell(A - 30, 'A', 100, 120),
      sell(A, 'B', 50, 15),
    ],
    expected: {
      'trades.0.usd_amount': 100,
      'trades.1.usd_amount': 10,
      'trades.1.quote': 'USDC',
      'trades.1.quote_amount': 10,
      'trades.2.realized_pnl_usd': 20,
      'trades.3.realized_pnl_usd': 5,
      'wallets.W.metrics.1d.win_count': 2,
      'wallets.W.metrics.1d.winrate': 100,
    },
  },
  {
    title: 'a token on one side of a swap is no other side of the orders beside it',
    rows: inTx('both', exchange(A, [7, 'X'], [3, 'Z']), sell(A, 'Y', 1, 40)),
    expected: {
      'trades.length': 3,
      'trades.0.token': 'X',
      'trades.0.quote': 'Z',
      'trades.0.quote_amount': 3,
      'trades.0.usd_amount': null,
      'trades.2.token': 'Y',
      'trades.2.quote_amount': 40,
      'trades.2.usd_amount': 40,
    },
  },
  {
    title: 'two tokens bought over one hop share its cost by what each took of the hop',
    rows: inTx(
      'hop',
      exchange(A, [100, 'USDC'], [200, 'H']),
      exchange(A, [180, 'H'], [3, 'Y']),
      exchange(A, [20, 'H'], [5, 'Z']),
    ),
    expected: {
      'trades.length': 2,
      'trades.0.token': 'Y',
      'trades.0.usd_amount': 90,
      'trades.0.quote_amount': 90,
      'trades.1.token': 'Z',
      'trades.1.usd_amount': 10,
      'trades.1.swap_type': 'quote_token',
    },
  },
  {
    title: 'what a token cost directly stays its own where it shares a route with another',
    rows: inTx(
      'joined',
      buy(A, 'Y', 5, 50),
      exchange(A, [10, 'USDC'], [10, 'H']),
      exchange(A, [4, 'H'], [1, 'Y']),
      exchange(A, [6, 'H'], [3, 'Z']),
    ),
    // 50, and 4 of 10 of the route; 6 of 10 of it.
    expected: { 'trades.0.usd_amount': 54, 'trades.0.token_amount': 6, 'trades.1.usd_amount': 6 },
  },
  {
    title: 'a token of which a part went on bears the cost of the part that stayed',
    rows: inTx('left', exchange(A, [100, 'USDC'], [200, 'H']), exchange(A, [150, 'H'], [10, 'T'])),
    expected: {
      'trades.length': 2,
      'trades.0.token': 'H',
      'trades.0.token_amount': 50,
      'trades.0.usd_amount': 25,
      'trades.0.quote_amount': 25,
      'trades.1.token': 'T',
      'trades.1.usd_amount': 75,
      'trades.1.quote': 'USDC',
    },
  },
  {
    title: 'a token sold and bought back in part over another quote token brings what was kept of the sale',
    // 10 sold for 80 USDC, 4 bought for 1 SOL: 6 of 10 are sold, 4 changed SOL for USDC.
    rows: inTx('back', sell(A, 'X', 10, 80), exchange(A, [1, 'SOL'], [4, 'X'])),
    expected: { 'trades.length': 1, 'trades.0.token_amount': 6, 'trades.0.usd_amount': 48, 'trades.0.quote': 'USDC' },
  },
  {
    title: 'what comes back of a quote token lowers the cost of the trades that it went for',
    rows: [
      ...inTx(
        'one',
        exchange(A - 60, [100, 'USDC'], [10, 'H']),
        exchange(A - 60, [9, 'H'], [5, 'Y']),
        exchange(A - 60, [1, 'H'], [10.5, 'USDC']),
      ),
      // 80 and 10 faced; 0.5 more came back than went for it: 4/9 and 0.5/9 of these.
      ...inTx(
        'two',
        exchange(A, [100, 'USDC'], [10, 'H']),
        exchange(A, [8, 'H'], [5, 'Y']),
        exchange(A, [1, 'H'], [2, 'Z']),
        exchange(A, [1, 'H'], [10.5, 'USDC']),
      ),
    ],
    expected: {
      'trades.0.usd_amount': 89.5,
      'trades.1.usd_amount': 80 - 0.5 * (8 / 9),
      'trades.2.usd_amount': 10 - 0.5 / 9,
    },
  },
  {
    title: 'a round trip of a quote token beside an order belongs to no trade',
    rows: inTx(
      'beside',
      buy(A, 'Y', 5, 50),
      exchange(A, [100, 'USDC'], [10, 'H']),
      exchange(A, [10, 'H'], [101, 'USDC']),
    ),
    expected: { 'trades.length': 1, 'trades.0.usd_amount': 50, 'trades.0.quote_amount': 50 },
  },
  {
    title: 'a token of which a round trip brought more than was sold faces nothing: the quote token came in as well',
    // Of T 12 came, 10 went back and 1 was sold: a net of 1, beside 5 USDC more and as much of H as before.
    rows: [
      ...inTx('gain', exchange(A, [10, 'H'], [12, 'T']), exchange(A, [10, 'T'], [10, 'H']), sell(A, 'T', 1, 5)),
      clock(A),
    ],
    expected: { 'trades.length': 1, 'trades.0.token': 'Clock' },
  },
  {
    title:
      'a quote token that is changed for another one, of which a part is left, costs what the token was bought for',
    rows: inTx('change', exchange(A, [1, 'SOL'], [150, 'USDC']), buy(A, 'Y', 5, 100)),
    expected: {
      'trades.length': 1,
      'trades.0.quote': 'USDC',
      'trades.0.quote_amount': 100,
      'trades.0.usd_amount': 100,
    },
  },
  {
    title:
      'a token sold for more of a quote token than another was bought for is a sale for it, and the other a purchase',
    rows: inTx('more', sell(A, 'X', 1, 80), buy(A, 'Y', 1, 50)),
    expected: {
      'trades.0.quote': 'USDC',
      'trades.0.quote_amount': 80,
      'trades.0.usd_amount': 80,
      'trades.1.quote': 'USDC',
      'trades.1.quote_amount': 50,
      'trades.1.swap_type': 'quote_token',
    },
  },
  {
    title: 'one token for another through the native token is worth the native tokens that passed',
    rows: [
      exchange(A - 60, [1, 'SOL'], [10, 'X']),
      ...inTx('route', exchange(A - 30, [10, 'X'], [5, 'SOL']), exchange(A - 30, [5, 'SOL'], [7, 'Y'])),
      exchange(A, [7, 'Y'], [22, 'SOL']),
    ],
    expected: {
      'trades.1.quote': 'Y',
      'trades.1.native_amount': 5,
      'trades.1.usd_amount': null,
      'trades.1.realized_pnl_native': 4,
      'trades.2.native_amount': 5,
      'trades.3.realized_pnl_native': 17,
      'wallets.W.metrics.1d.pnl_native': 21,
      'wallets.W.metrics.1d.volume_native': 33,
    },
  },
  {
    title: 'a token bought through the native token with a stable one counts the native tokens that passed',
    rows: inTx('route', exchange(A, [100, 'USDC'], [2, 'SOL']), exchange(A, [2, 'SOL'], [7, 'Y'])),
    expected: { 'trades.0.quote': 'USDC', 'trades.0.usd_amount': 100, 'trades.0.native_amount': 2 },
  },
  {
    title: 'a trade of the native token is worth its own amount, whatever it was paid with',
    rows: [exchange(A - 1, [100, 'USDC'], [2, 'SOL']), exchange(A, [300, 'USDT'], [3, 'SOL'])],
    expected: { 'trades.0.native_amount': 2, 'trades.1.native_amount': 3 },
  },
  {
    title: 'a quote token is no other side of the one that comes last if it went for a third',
    rows: [
      ...inTx('three', exchange(A - 1, [100, 'USDC'], [1, 'SOL']), exchange(A - 1, [40, 'USDC'], [40, 'USDT'])),
      clock(A),
    ],
    expected: { 'trades.0.token': 'SOL', 'trades.0.usd_amount': 100, 'trades.0.quote_amount': 100 },
  },
];
