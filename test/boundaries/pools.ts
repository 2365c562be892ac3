import { A, buy, clock, exchange, type Fixture, inTx, sell } from '../support/fixture.ts';

/** The pools of trades. */
export const pools: readonly Fixture[] = [
  {
    title: 'a trade has the pool of its swap, and none where the swap names none',
    rows: [buy(A - 60, 'T', 10, 100, { pool: 'p' }), buy(A - 30, 'T', 10, 100, { pool: '' }), sell(A, 'T', 10, 100)],
    expected: { 'trades.0.pools': ['p'], 'trades.1.pools': [], 'trades.2.pools': [], 'swaps.0.pool': 'p' },
  },
  {
    title: 'a route lists its pools from the first swap to the last, those of its hops included',
    rows: [
      ...inTx(
        'route',
        // Both H and I come and go.
        exchange(A - 60, [100, 'USDC'], [4, 'H'], { pool: 'z' }),
        exchange(A - 60, [4, 'H'], [3, 'I'], { pool: 'm' }),
        exchange(A - 60, [3, 'I'], [2, 'T'], { pool: 'a' }),
      ),
      buy(A - 30, 'T', 2, 100, { pool: 'b' }),
      ...inTx(
        'back',
        exchange(A, [2, 'T'], [4, 'H'], { pool: 'a' }),
        exchange(A, [4, 'H'], [100, 'USDC'], { pool: null }),
      ),
    ],
    expected: {
      'trades.length': 3,
      'trades.0.pools': ['z', 'm', 'a'],
      'trades.1.pools': ['b'],
      'trades.2.pools': ['a'],
    },
  },
  {
    title: 'an order that was split lists each pool once, where it was first used',
    rows: inTx(
      'split',
      buy(A, 'T', 10, 100, { pool: 'q' }),
      buy(A, 'T', 10, 100, { pool: 'p' }),
      buy(A, 'T', 10, 100, { pool: 'q' }),
    ),
    expected: { 'trades.length': 1, 'trades.0.pools': ['q', 'p'] },
  },
  {
    title: 'two orders of one transaction that share only a quote token have pools of their own',
    rows: inTx(
      'two',
      buy(A, 'T', 10, 100, { pool: 'p' }),
      exchange(A, [50, 'USDC'], [4, 'H'], { pool: 'q' }),
      exchange(A, [4, 'H'], [2, 'U'], { pool: 'r' }),
    ),
    expected: {
      'trades.0.token': 'T',
      'trades.0.pools': ['p'],
      'trades.1.token': 'U',
      'trades.1.pools': ['q', 'r'],
    },
  },
  {
    title: 'both trades of a token for another went through the same pools',
    rows: inTx(
      'both',
      exchange(A, [2, 'T'], [4, 'H'], { pool: 'p', usd_amount_in: 8 }),
      exchange(A, [4, 'H'], [1, 'U'], { pool: 'q' }),
    ),
    expected: { 'trades.length': 2, 'trades.0.pools': ['p', 'q'], 'trades.1.pools': ['p', 'q'] },
  },
  {
    title: "another wallet's swaps, and swaps of a token for itself, are no part of a route",
    rows: [
      ...inTx(
        'mixed',
        buy(A, 'T', 10, 100, { pool: 'p' }),
        buy(A, 'T', 10, 100, { pool: 'q', wallet: 'V' }),
        exchange(A, [1, 'T'], [1, 'T'], { pool: 'r' }),
      ),
    ],
    expected: { 'trades.length': 2, 'trades.0.pools': ['p'], 'trades.1.pools': ['q'] },
  },
  {
    title: 'a swap that arrives late joins the pools of its trade',
    rows: [
      buy(A - 30, 'T', 10, 100, { tx_hash: 'one', swap_index: 1, batch: 0, pool: 'q' }),
      clock(A),
      buy(A - 30, 'T', 10, 100, { tx_hash: 'one', swap_index: 0, batch: 1, pool: 'p' }),
    ],
    expected: { 'trades.length': 2, 'trades.0.pools': ['p', 'q'] },
  },
];
