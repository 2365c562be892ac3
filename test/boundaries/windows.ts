import { A, buy, clock, DAY, exchange, type Fixture, HOUR, MINUTE, sell } from '../support/fixture.ts';

const wire = (time: number): string => new Date(time * 1000).toISOString().replace('.000Z', 'Z');

/** A trade on the start of each window, and one a second later. */
const onEdges = (token: string, lengths: readonly number[]) =>
  [...lengths].reverse().flatMap((w) => [buy(A - w, token, 1, 1), buy(A - w + 1, token, 1, 1)]);

/** The returns x of a minute's twelve periods: three of 1, nine of 0. */
const xDeviation = Math.sqrt((3 - 9 / 12) / 11);

export const windows: readonly Fixture[] = [
  {
    title: "a trade on a wallet window's start is outside, one a second later and one on its end are inside",
    rows: [...onEdges('T', [DAY, 3 * DAY, 7 * DAY, 14 * DAY, 30 * DAY]), buy(A, 'T', 1, 1)],
    expected: {
      'wallets.W.metrics.1d.trade_count': 2,
      'wallets.W.metrics.3d.trade_count': 4,
      'wallets.W.metrics.7d.trade_count': 6,
      'wallets.W.metrics.14d.trade_count': 8,
      'wallets.W.metrics.30d.trade_count': 10,
      'wallets.W.metrics.30d.volume': 10,
    },
  },
  {
    title: "a trade on a token window's start is outside, one a second later and one on its end are inside",
    rows: [...onEdges('T', [MINUTE, 5 * MINUTE, HOUR, 6 * HOUR, DAY, 7 * DAY]), buy(A, 'T', 1, 1)],
    expected: {
      'tokens.T.metrics.1m.trade_count': 2,
      'tokens.T.metrics.5m.trade_count': 4,
      'tokens.T.metrics.1h.trade_count': 6,
      'tokens.T.metrics.6h.trade_count': 8,
      'tokens.T.metrics.1d.trade_count': 10,
      'tokens.T.metrics.7d.trade_count': 12,
    },
  },
  {
    title: 'a sell on the edge of two periods belongs to the earlier, one a second later to the later',
    rows: [
      buy(A - 8 * DAY, 'T', 30, 300),
      sell(A - 2 * DAY, 'T', 10, 110),
      sell(A - 2 * DAY + 1, 'T', 10, 110),
      sell(A, 'T', 10, 110),
    ],
    expected: {
      'wallets.W.metrics.7d.pnl': 30,
      // 0 0 0 0 10 10 10: one period off, and only two would hold a sell.
      'wallets.W.metrics.7d.pnl_volatility': Math.sqrt((300 - 900 / 7) / 6),
      'wallets.W.metrics.7d.winrate_volatility': 0,
      'wallets.W.metrics.7d.winrate_stability': 1,
      'wallets.W.metrics.7d.avg_daily_traded_tokens': 3 / 7,
      'wallets.W.metrics.30d.avg_daily_traded_tokens': 4 / 30,
      // 10 on 300, on 200, on 100.
      'wallets.W.metrics.7d.time_weighted_roi': 19.35,
      'wallets.W.metrics.7d.avg_daily_roi': (10 / 3 + 5 + 10) / 7,
      'wallets.W.metrics.7d.turnover': 300 / ((300 * 5 + 200 / DAY + 100 * (2 - 1 / DAY)) / 7),
    },
  },
  {
    title: 'a sell on the start of a window is before it, though its rest is sold inside',
    rows: [
      buy(A - 8 * DAY, 'T', 20, 200),
      sell(A - 7 * DAY, 'T', 10, 110),
      sell(A - 7 * DAY + 1, 'T', 10, 120),
      buy(A - 8 * DAY, 'T', 10, 100, { wallet: 'V' }),
      sell(A - 7 * DAY + 1, 'T', 10, 90, { wallet: 'V' }),
      clock(A),
    ],
    expected: {
      'wallets.W.metrics.7d.sell_count': 1,
      'wallets.W.metrics.7d.pnl': 20,
      'wallets.W.metrics.14d.pnl': 30,
      'wallets.W.metrics.7d.time_weighted_roi': 20,
      // The curve starts at 1: a fall in the first period counts.
      'wallets.V.metrics.7d.max_drawdown': 10,
    },
  },
  {
    title: 'what is bought on the edge of a period is capital at its start, not a buy in it',
    rows: [buy(A - DAY, 'T', 10, 100), sell(A, 'T', 10, 110)],
    expected: {
      'wallets.W.metrics.7d.time_weighted_roi': 10,
      'wallets.W.metrics.7d.avg_daily_roi': 10 / 7,
      'wallets.W.metrics.7d.turnover': 7,
      'wallets.W.metrics.1d.buy_count': 0,
      'wallets.W.metrics.1d.time_weighted_roi': 10,
      'wallets.W.metrics.1d.turnover': 1,
      'wallets.W.metrics.1d.avg_holding_duration': DAY,
    },
  },
  {
    title: 'a print on the edge of two price periods belongs to the earlier, and one on the start is the price before',
    rows: [buy(A - 60, 'T', 1, 1), buy(A - 55, 'T', 1, 2), buy(A - 54, 'T', 1, 4), buy(A, 'T', 1, 8)],
    expected: {
      'tokens.T.metrics.1m.price_volatility': 100 * xDeviation,
      'tokens.T.metrics.1m.sharpe_ratio': (0.25 / xDeviation) * Math.sqrt(12),
      'tokens.T.metrics.1m.price_stability': 50 / 12 / (50 / 12 + Math.sqrt((228 - 2500 / 12) / 11)),
      'tokens.T.metrics.1m.sortino_ratio': null,
      'tokens.T.metrics.1m.max_drawdown': 0,
    },
  },
  {
    title: 'prints in two periods are too few for a price series, and enough for a fall from the price before',
    rows: [buy(A - 60, 'T', 1, 8), buy(A - 55, 'T', 1, 4), buy(A - 53, 'T', 1, 2), buy(A - 50, 'T', 1, 6), clock(A)],
    expected: {
      'tokens.T.metrics.1m.price_volatility': null,
      'tokens.T.metrics.1m.price_stability': null,
      'tokens.T.metrics.1m.sharpe_ratio': null,
      'tokens.T.metrics.1m.max_drawdown': 75,
    },
  },
  {
    title: 'a token without a print in the window falls by 0, one without any price has no fall',
    rows: [buy(A - 8 * DAY, 'T', 1, 8), exchange(A - HOUR, [1, 'Y'], [1, 'X']), clock(A)],
    expected: {
      'tokens.T.metrics.7d.max_drawdown': 0,
      'tokens.X.metrics.7d.max_drawdown': null,
      'tokens.X.metrics.7d.trade_count': 1,
    },
  },
  {
    title:
      'statistics compare with the print at the start of the window, and volumes on it count for the window before',
    rows: [
      buy(A - 600, 'T', 1, 16),
      buy(A - 599, 'T', 1, 3),
      buy(A - 300, 'T', 1, 1),
      buy(A - 299, 'T', 1, 2),
      buy(A, 'T', 1, 4),
    ],
    expected: {
      'stats.T.usd_price': 4,
      'stats.T.usd_price_change_5m': 300,
      'stats.T.usd_volume_5m': 6,
      'stats.T.usd_volume_change_5m': 50,
      'stats.T.usd_price_change_1h': null,
      'stats.T.usd_volume_1h': 26,
      'stats.T.usd_volume_change_1h': null,
    },
  },
  {
    title: 'a bucket begins with its first second, and ends before the next',
    rows: [
      buy(A - 121, 'T', 1, 1),
      buy(A - 120, 'T', 1, 2),
      buy(A - 61, 'T', 1, 3),
      buy(A - 60, 'T', 1, 4),
      buy(A - 1, 'T', 1, 5),
      buy(A, 'T', 1, 6),
    ],
    expected: {
      'candles.T': [
        candle(A - 180, [1, 1, 1, 1], 1, 1),
        candle(A - 120, [2, 3, 2, 3], 5, 2),
        candle(A - 60, [4, 5, 4, 5], 9, 2),
        candle(A, [6, 6, 6, 6], 6, 1),
      ],
    },
    asks: [
      [
        'prices.candles',
        { token: 'T', interval: 60, from: wire(A - 120), to: wire(A - 60) },
        [candle(A - 120, [2, 3, 2, 3], 5, 2)],
      ],
      [
        'prices.candles',
        { token: 'T', interval: 60, from: wire(A - 119), to: wire(A - 59) },
        [candle(A - 120, [2, 3, 2, 3], 5, 2), candle(A - 60, [4, 5, 4, 5], 9, 2)],
      ],
      ['prices.candles', { token: 'T', interval: 60, from: wire(A - 60), to: wire(A - 60) }, []],
      ['prices.candles', { token: 'T', interval: 60, from: wire(A) }, [candle(A, [6, 6, 6, 6], 6, 1)]],
      ['prices.candles', { token: 'T', interval: 60, count: 1 }, [candle(A, [6, 6, 6, 6], 6, 1)]],
      ['prices.candles', { token: 'T', interval: 60, count: 1, to: wire(A) }, [candle(A - 60, [4, 5, 4, 5], 9, 2)]],
      ['prices.candles', { token: 'T', interval: 60, count: 1, to: wire(A + 1) }, [candle(A, [6, 6, 6, 6], 6, 1)]],
      [
        'prices.history',
        { tokens: ['T'], from: wire(A - 180), to: wire(A + 120), interval: 60 },
        [
          {
            token: 'T',
            prices: [
              { timestamp: A - 120, usd_price: 2, usd_volume: 3, suspect_count: 0 },
              { timestamp: A - 60, usd_price: 4, usd_volume: 7, suspect_count: 0 },
              { timestamp: A, usd_price: 6, usd_volume: 11, suspect_count: 0 },
            ],
          },
        ],
      ],
      [
        'prices.history',
        { tokens: ['T'], from: wire(A - 60), interval: 60 },
        [
          {
            token: 'T',
            prices: [
              { timestamp: A - 60, usd_price: 4, usd_volume: 7, suspect_count: 0 },
              { timestamp: A, usd_price: 6, usd_volume: 11, suspect_count: 0 },
            ],
          },
        ],
      ],
    ],
  },
  {
    title: 'a filled bucket repeats the close before it, with no volume and no swap',
    rows: [buy(A - 180, 'T', 1, 1), buy(A - 150, 'T', 1, 3), buy(A - 130, 'T', 1, 2), buy(A, 'T', 1, 5)],
    asks: [
      [
        'prices.candles',
        { token: 'T', interval: 60, count: 10, fill: true },
        [
          candle(A - 180, [1, 3, 1, 2], 6, 3),
          candle(A - 120, [2, 2, 2, 2], 0, 0),
          candle(A - 60, [2, 2, 2, 2], 0, 0),
          candle(A, [5, 5, 5, 5], 5, 1),
        ],
      ],
    ],
  },
  {
    title: 'the range of candles that begins with a filled gap begins with the first print',
    rows: [buy(A - 60, 'T', 1, 1), buy(A + 60, 'T', 1, 2)],
    asks: [
      [
        'prices.candles',
        { token: 'T', interval: 60, from: wire(A - 300), to: wire(A + 300), fill: true },
        [candle(A - 60, [1, 1, 1, 1], 1, 1), candle(A, [1, 1, 1, 1], 0, 0), candle(A + 60, [2, 2, 2, 2], 2, 1)],
      ],
    ],
  },
  {
    title: 'what is later than the as-of time is not there, what is at it is',
    asOf: A,
    rows: [buy(A - DAY, 'T', 10, 100), sell(A, 'T', 5, 60), sell(A + 1, 'T', 5, 500), buy(A + 1, 'U', 1, 1)],
    expected: {
      'swaps.length': 2,
      'trades.length': 2,
      'prices.T.usd_price': 12,
      'candles.T.length': 2,
      'wallets.W.metrics.1d.pnl': 10,
      'wallets.W.updated_at': '2023-11-15T00:00:00Z',
      'tokens.T.metrics.1m.trade_count': 1,
      'portfolios.W.tokens.0.balance': 5,
      'portfolios.W.tokens.0.cost_basis': 50,
      'portfolios.W.tokens.0.unrealized_pnl': 10,
    },
  },
];

function candle(
  timestamp: number,
  [open, high, low, close]: readonly [number, number, number, number],
  volume: number,
  count: number,
) {
  return { timestamp, open, high, low, close, volume, count, suspect_count: 0 };
}
