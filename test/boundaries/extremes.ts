import { A, buy, clock, DAY, type Fixture, HOUR, type Row, sell } from '../support/fixture.ts';

/** A price that goes up by a tenth and down by a tenth in four hours, at a scale of its own. */
const waves = (token: string, price: number, amount: number): Row[] =>
  [1, 1.1, 0.9, 1.05].map((level, i) => buy(A - (3 - i) * HOUR, token, amount, price * amount * level));

/** Prices and amounts at the ends of what a market shows, and who holds what. */
export const extremes: readonly Fixture[] = [
  {
    title: 'prices from a quadrillionth to a billion dollars and supplies of a quintillion keep their digits',
    tokens: [
      { address: 'Tiny', total_supply: 1e18, circulating_supply: 9.5e17 },
      { address: 'Huge', total_supply: 21 },
    ],
    rows: [
      ...waves('Tiny', 1e-15, 1e17),
      ...waves('Huge', 1e9, 1e-7),
      sell(A, 'Tiny', 4e17, 440),
      sell(A, 'Huge', 4e-7, 440),
    ],
    expected: {
      'prices.Tiny.usd_price': 1.1e-15,
      'prices.Huge.usd_price': 1.1e9,
      'tokens.Tiny.market.fdv': 1100,
      'tokens.Tiny.market.market_cap': 1045,
      'tokens.Huge.market.market_cap': 2.31e10,
      'tokens.Tiny.metrics.1d.pnl': 35,
      'tokens.Huge.metrics.1d.pnl': 35,
      'tokens.Tiny.metrics.1d.avg_sell_mcap': 1045,
      'tokens.Huge.metrics.1d.avg_buy_mcap': 2.1e10 * 1.0125,
      'tokens.Tiny.metrics.1d.max_drawdown': (1 - 0.9 / 1.1) * 100,
      'tokens.Huge.metrics.1d.max_drawdown': (1 - 0.9 / 1.1) * 100,
      'tokens.Tiny.metrics.1d.avg_buy_price': 1.0125e-15,
      'trades.8.position_state': 'close',
      'trades.9.position_state': 'close',
    },
  },
  {
    title: 'prices whose squares no double can hold still have a volatility',
    rows: [...waves('Far', 1e190, 1e-180), ...waves('Near', 1e-190, 1e195)],
    expected: {
      'tokens.Far.metrics.1d.price_stability': 1 / (1 + deviationOfWaves()),
      'tokens.Near.metrics.1d.price_stability': 1 / (1 + deviationOfWaves()),
    },
  },
  {
    title: 'the ten largest of eleven balances are the top, and the creator has his part',
    tokens: [
      { address: 'T', total_supply: 100, creator_address: 'w11' },
      { address: 'U', creator_address: 'w1' },
      { address: 'Listed', total_supply: 5, holders: 999, creator_address: 'nobody' },
    ],
    rows: [
      ...Array.from({ length: 11 }, (_, i) => buy(A - 60 + i, 'T', i + 1, 1, { wallet: `w${i + 1}` })),
      buy(A - 10, 'U', 1, 1, { wallet: 'w1' }),
      buy(A, 'Listed', 1, 1),
    ],
    expected: {
      'tokens.T.market.holders': 11,
      'tokens.T.market.top_holdings': 65,
      'tokens.T.market.dev_holdings': 11,
      'tokens.T.market.circulating_supply': null,
      'tokens.T.market.liquidity': null,
      'tokens.U.market.holders': 1,
      'tokens.U.market.top_holdings': null,
      'tokens.U.market.dev_holdings': null,
      'tokens.U.market.fdv': null,
      'tokens.Listed.market.holders': 999,
      'tokens.Listed.market.dev_holdings': 0,
      'tokens.Listed.market.top_holdings': 20,
    },
  },
  {
    title: 'a portfolio goes by value, then by address, and what has no price comes last',
    rows: [
      buy(A - 60, 'b', 1, 5),
      buy(A - 50, 'a', 1, 5),
      buy(A - 40, 'c', 10, 100),
      { block_time: A - 30, token_in: 'X', token_amount_in: 1, token_out: 'z', token_amount_out: 1 },
      { block_time: A - 20, token_in: 'X', token_amount_in: 1, token_out: 'y', token_amount_out: 1 },
      sell(A, 'c', 4, 80),
    ],
    expected: {
      'portfolios.W.tokens.0.token': 'c',
      'portfolios.W.tokens.0.value': 120,
      'portfolios.W.tokens.0.cost_basis': 60,
      'portfolios.W.tokens.0.unrealized_pnl': 60,
      'portfolios.W.tokens.1.token': 'USDC',
      'portfolios.W.tokens.1.cost_basis': null,
      'portfolios.W.tokens.2.token': 'a',
      'portfolios.W.tokens.3.token': 'b',
      'portfolios.W.tokens.4.token': 'y',
      'portfolios.W.tokens.4.value': null,
      'portfolios.W.tokens.5.token': 'z',
      'portfolios.W.value': 210,
    },
  },
  {
    title: 'a registry token without a swap has a profile of zeros and nulls',
    tokens: [
      { address: 'T', symbol: 'REG', total_supply: 7 },
      { address: 'USDC', symbol: 'dollar' },
    ],
    rows: [buy(A - DAY, 'T', 1, 2, { token_symbol_out: 'FEED' }), clock(A)],
    expected: {
      'tokens.T.metadata.symbol': 'REG',
      'tokens.T.market.fdv': 14,
      'tokens.T.metrics.1d.volume': 0,
      'tokens.T.metrics.7d.volume': 2,
      'trades.0.token_symbol': 'FEED',
    },
  },
];

/** Sample deviation of the prices over their mean: 20 hours without one are left out, then 1, 1.1, 0.9 and 1.05. */
function deviationOfWaves(): number {
  const mean = 4.05 / 4;
  const squares = [1, 1.1, 0.9, 1.05].reduce((sum, level) => sum + (level - mean) ** 2, 0);
  return Math.sqrt(squares / 3) / mean;
}
