/**
 * One trade of a story: how long before the as-of time, what, of which counterparty, how many tokens for how many USD. `null` USD are
 * unknown: it is paid in the native token, `native` of it, or 1. `fee` is what the wallet paid the chain, in native tokens. Trades of one time
 * and one `tx` are swaps of one transaction.
 */
export type StoryTrade = readonly [
  ago: string,
  side: 'buy' | 'sell',
  counterparty: string,
  amount: number,
  usd: number | null,
  more?: { readonly native?: number; readonly fee?: number; readonly tx?: string },
];

/**
 * Trades to work an example on by hand: a wallet's over its tokens, or a token's over its wallets (`counterparty` is the other side).
 * Oldest first. The ledger folds them, so that costs and profits are FIFO's own.
 */
export interface Story {
  readonly title: string;
  readonly trades: readonly StoryTrade[];
  /** Supply of every token, for market caps. */
  readonly supply?: number;
  /** Price of the native token, USD; without it there is none. */
  readonly nativePrice?: number;
  /** How long before the as-of time that price became known: by default 30 days. */
  readonly nativePriced?: string;
  /** How long before the as-of time counterparties that are tokens were created. */
  readonly created?: Readonly<Record<string, string>>;
  /** Transfers to (`in`) and from (`out`) the wallet: how long before the as-of time, which way, of which counterparty's trades, how many tokens. */
  readonly transfers?: readonly (readonly [ago: string, way: 'in' | 'out', counterparty: string, amount: number])[];
  /** Prints of the token beside its trades: how long before the as-of time, and the price. */
  readonly prints?: readonly (readonly [ago: string, price: number])[];
}

/** On each of five days a buy of 10 A for 100, and a sell of them six hours later for what is given, the oldest first. */
const fiveDays = (...sold: number[]): StoryTrade[] =>
  sold.flatMap((usd, i): StoryTrade[] => [
    [`${5 - i}d18h`, 'buy', 'A', 10, 100],
    [`${5 - i}d12h`, 'sell', 'A', 10, usd],
  ]);

/** Five times in ten minutes a buy of 10 A for 100, and a minute later a sell of them for what is given. */
const fiveMinutes = (usd: number): StoryTrade[] =>
  ['1d9m 1d8m', '1d7m 1d6m', '1d5m 1d4m', '1d3m 1d2m', '1d1m 1d'].flatMap((times): StoryTrade[] => {
    const [bought, sold] = times.split(' ') as [string, string];
    return [
      [bought, 'buy', 'A', 10, 100],
      [sold, 'sell', 'A', 10, usd],
    ];
  });

/** No trade at all. */
export const nothing: Story = { title: 'nothing', trades: [] };

/**
 * Two counterparties, one win and one loss on different days. Buys 100 + 200, sells 150 (cost 100: +50) and 120 (cost 200: -80).
 * Supply 1,000: market caps at the buys 10 x 1000 and 20 x 1000, at the sells 15 x 1000 and 12 x 1000.
 */
export const winAndLoss: Story = {
  title: 'a win and a loss',
  supply: 1000,
  trades: [
    ['5d', 'buy', 'A', 10, 100],
    ['4d12h', 'sell', 'A', 10, 150],
    ['3d12h', 'buy', 'B', 10, 200],
    ['2d12h', 'sell', 'B', 10, 120],
  ],
};

/** A buy for 100 and a sell of it six hours later on five days, the first and last day of the week idle: +10, +20, -10, +20, -10. */
export const dayTrades: Story = { title: 'five day trades', trades: fiveDays(110, 120, 90, 120, 90) };

/** Two tokens that lost: -10 of A, -30 of B. */
export const lossesAlone: Story = {
  title: 'losses alone',
  trades: [
    ['4d', 'buy', 'A', 10, 100],
    ['3d', 'sell', 'A', 10, 90],
    ['2d', 'buy', 'B', 10, 100],
    ['1d', 'sell', 'B', 10, 70],
  ],
};

/** Day trades whose wins and losses are of one size: +10, +10, -10, +10, -10. */
export const evenOdds: Story = { title: 'wins and losses of one size', trades: fiveDays(110, 110, 90, 110, 90) };

/** A lot bought before the window and sold within it: cost comes from before, volume does not. */
export const boughtBefore: Story = {
  title: 'bought before the window, sold in it',
  trades: [
    ['8d', 'buy', 'A', 10, 100],
    ['1d', 'sell', 'A', 5, 100],
  ],
};

/** Sells more than the data saw bought: only the lots of known cost count. */
export const overSell: Story = {
  title: 'an over-sell',
  trades: [
    ['2d', 'buy', 'A', 10, 100],
    ['1d', 'sell', 'A', 40, 600],
  ],
};

/** Of ten tokens bought, eight leave, and five of these come back. */
export const cameBack: Story = {
  title: 'tokens that leave and come back',
  trades: [
    ['5d', 'buy', 'A', 10, 100],
    ['3d', 'sell', 'A', 1, 20],
    ['1d', 'sell', 'A', 6, 120],
  ],
  transfers: [
    ['4d', 'out', 'A', 8],
    ['2d', 'in', 'A', 5],
  ],
};

/** A value that nobody knows is counted, and stays out of every sum. */
export const unknownValue: Story = {
  title: 'a sell of unknown value',
  trades: [
    ['3d', 'buy', 'A', 10, 100],
    ['2d', 'sell', 'A', 5, null],
    ['1d', 'sell', 'A', 5, 75],
  ],
};

/** A buy for one native token and a sell for three, where nothing says what the native token is worth. */
export const forNative: Story = {
  title: 'bought and sold for the native token',
  trades: [
    ['2d', 'buy', 'A', 10, null, { native: 1 }],
    ['1d', 'sell', 'A', 10, null, { native: 3 }],
  ],
};

/** A buy and two sells, of which the last says nothing of its fee, while the native token is worth 40 USD. */
export const feesPaid: Story = {
  title: 'fees',
  nativePrice: 40,
  trades: [
    ['3d', 'buy', 'A', 10, 100, { fee: 0.25 }],
    ['2d', 'sell', 'A', 5, 75, { fee: 0.5 }],
    ['1d', 'sell', 'A', 5, 75],
  ],
};

/** A buy with a fee, and a round trip of B inside one transaction, which nets to nothing and cost a fee all the same. */
export const feesPaidBare: Story = {
  title: 'the fee of a round trip',
  nativePrice: 40,
  trades: [
    ['3d', 'buy', 'A', 10, 100, { fee: 0.25 }],
    ['2d', 'buy', 'B', 10, 100, { fee: 0.125, tx: 'round-trip' }],
    ['2d', 'sell', 'B', 10, 100, { fee: 0.125, tx: 'round-trip' }],
  ],
};

/** A buy and a sell with fees, of which nothing says what the native token is worth. */
export const feesUnpriced: Story = {
  title: 'fees without a native price',
  trades: [
    ['3d', 'buy', 'A', 10, 100, { fee: 0.25 }],
    ['2d', 'sell', 'A', 10, 150, { fee: 0.5 }],
  ],
};

/** The same, after a native price that is older than it may be. */
export const feesStale: Story = {
  title: 'fees at a stale native price',
  nativePrice: 40,
  nativePriced: '40d',
  trades: [
    ['3d', 'buy', 'A', 10, 100, { fee: 0.25 }],
    ['2d', 'sell', 'A', 10, 150, { fee: 0.5 }],
  ],
};

/** A is bought for one native token, and sold for five, with which B is bought in the same transaction. */
export const throughNative: Story = {
  title: 'one token for another through the native token',
  trades: [
    ['2d', 'buy', 'A', 10, null, { native: 1 }],
    ['1d', 'sell', 'A', 10, null, { native: 5, tx: 'route' }],
    ['1d', 'buy', 'B', 10, null, { native: 5, tx: 'route' }],
  ],
};

/** A realised sell (cost 100, proceeds 120), and two whose cost and proceeds are under a dust_usd of 0.1: 0.05 to 0.08 of A, 0.05 to 0.075 of B. */
export const soldSmall: Story = {
  title: 'small sells',
  trades: [
    ['5d1h', 'buy', 'A', 10, 100],
    ['5d', 'sell', 'A', 10, 120],
    ['4d', 'buy', 'A', 1, 0.05],
    ['3d', 'sell', 'A', 1, 0.08],
    ['2d', 'buy', 'B', 1, 0.05],
    ['1d', 'sell', 'B', 1, 0.075],
  ],
};

/** Five times A is bought and sold a minute later for as much; B is held for an hour each time, for no result either, and only twice. */
export const washed: Story = {
  title: 'wash trades',
  trades: [
    ['3d2h', 'buy', 'B', 10, 100],
    ['3d1h', 'sell', 'B', 10, 100],
    ['2d2h', 'buy', 'B', 10, 100],
    ['2d1h', 'sell', 'B', 10, 100],
    ...fiveMinutes(100),
  ],
};

/** The same in A, with a profit of 1 each time: a market maker earns its spread. */
export const madeMarket: Story = { title: 'a market maker', trades: fiveMinutes(101) };

/** A is entered 12 s after its creation, added to, sold and entered again 86,412 s after it; B is entered after 60 s; C's creation is unknown, D's wrong. */
export const entries: Story = {
  title: 'entries',
  created: { A: '5d12s', B: '3d1m', D: '1d' },
  trades: [
    ['5d', 'buy', 'A', 10, 100],
    ['4d18h', 'buy', 'A', 10, 100],
    ['4d6h', 'sell', 'A', 20, 300],
    ['4d', 'buy', 'A', 10, 100],
    ['3d', 'buy', 'B', 10, 100],
    ['2d', 'buy', 'C', 10, 100],
    ['1d12h', 'buy', 'D', 10, 100],
  ],
};

/** Prints of 2, 3, 1 and 2 on four days, and one of 4 before the week. */
export const prints: Story = {
  title: 'five prints',
  trades: [],
  prints: [
    ['8d', 4],
    ['6d12h', 2],
    ['5d12h', 3],
    ['3d12h', 1],
    ['1d12h', 2],
  ],
};
