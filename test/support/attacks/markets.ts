import { Random, type TokenPrint } from './prints.ts';

/** How the prints of an honest market come about; ranges are of numbers that are as likely in every part of them. */
interface Trading {
  readonly count: number;
  /** Seconds from a print to the next. */
  readonly gap: readonly [number, number];
  readonly usd: readonly [number, number];
  readonly wallets: number;
  /** The fair price at a part of the market, from 0 to 1. */
  readonly price?: (part: number) => number;
  /** What part of the prints a bot makes, of 50 USD each. */
  readonly bot?: number;
  /** How often a pool is used, and its price beside the others. */
  readonly pools?: readonly { readonly part: number; readonly price: number }[];
}

export interface Market {
  readonly name: string;
  readonly meaning: string;
  readonly trading: Trading;
}

const HOUR = 3600;
/** Rises or falls so many times, evenly. */
const by =
  (times: number) =>
  (part: number): number =>
    times ** part;

export const markets: readonly Market[] = [
  {
    name: 'thin',
    meaning: '40 prints of 5 to 60 USD, hours apart, 12 wallets',
    trading: { count: 40, gap: [HOUR / 2, 4 * HOUR], usd: [5, 60], wallets: 12 },
  },
  {
    name: 'four trades a day',
    meaning: '60 prints of 20 to 200 USD, 10 wallets',
    trading: { count: 60, gap: [4 * HOUR, 8 * HOUR], usd: [20, 200], wallets: 10 },
  },
  {
    name: 'two wallets',
    meaning: '100 prints of 10 to 100 USD, all of two wallets',
    trading: { count: 100, gap: [60, 600], usd: [10, 100], wallets: 2 },
  },
  {
    name: 'busy',
    meaning: '400 prints of 5 to 500 USD within an hour, 150 wallets',
    trading: { count: 400, gap: [1, 15], usd: [5, 500], wallets: 150 },
  },
  {
    name: 'one bot',
    meaning: '300 prints, 85 % of them of one wallet, 30 others',
    trading: { count: 300, gap: [20, 60], usd: [5, 100], wallets: 30, bot: 0.85 },
  },
  {
    name: 'launch',
    meaning: '60 prints in three minutes, up eight times, 50 wallets',
    trading: { count: 60, gap: [1, 5], usd: [10, 300], wallets: 50, price: by(8) },
  },
  {
    name: 'curve',
    meaning: '150 prints up a bonding curve, sixteen times, 80 wallets',
    trading: { count: 150, gap: [2, 20], usd: [5, 80], wallets: 80, price: (part) => (1 + 3 * part) ** 2 },
  },
  {
    name: 'rug',
    meaning: '150 prints, then ten down a hundred times, and 20 there',
    trading: {
      count: 180,
      gap: [10, 60],
      usd: [5, 200],
      wallets: 80,
      price: (part) => 0.01 ** Math.min(1, Math.max(0, part * 180 - 150) / 10),
    },
  },
  {
    name: 'decline',
    meaning: '300 prints down fifty times within weeks, 40 wallets',
    trading: { count: 300, gap: [HOUR / 6, 3 * HOUR], usd: [5, 100], wallets: 40, price: by(1 / 50) },
  },
  {
    name: 'several pools',
    meaning: '200 prints in three pools up to 5 % apart, 60 wallets',
    trading: {
      count: 200,
      gap: [10, 300],
      usd: [10, 300],
      wallets: 60,
      pools: [
        { part: 0.6, price: 1 },
        { part: 0.3, price: 1.02 },
        { part: 0.1, price: 0.97 },
      ],
    },
  },
  {
    name: 'falling native token',
    meaning: '200 prints quoted in a native token that loses 60 %, 40 wallets',
    trading: { count: 200, gap: [600, 1800], usd: [5, 200], wallets: 40, price: by(0.4) },
  },
];

const START = 1_700_000_000;

/** The prints of a market, each a transaction of its own, within 3 % of the fair price. Pools are 1, 2, 3; wallets from 0 on. */
export function honestPrints({ trading }: Market, seed: number): TokenPrint[] {
  const random = new Random(seed);
  const { count, price = () => 1, bot = 0, pools = [{ part: 1, price: 1 }] } = trading;
  let time = START;
  return Array.from({ length: count }, (_, tx) => {
    time += Math.ceil(random.logBetween(...trading.gap));
    const isBot = random.next() < bot;
    let [pool, left] = [0, random.next()];
    while (pool < pools.length - 1 && left >= pools[pool]!.part) left -= pools[pool++]!.part;
    return {
      time,
      price: price(tx / (count - 1)) * pools[pool]!.price * random.between(0.97, 1.03),
      usd: isBot ? 50 : random.logBetween(...trading.usd),
      wallet: isBot ? 0 : 1 + random.below(trading.wallets),
      pool: pool + 1,
      tx,
      isBuy: random.next() < 0.5,
    };
  });
}

/** Honest prints after those of a market, at another price: as far apart, and of the same wallets, pools and values (or of one value). */
export function afterJump(
  before: readonly TokenPrint[],
  options: { readonly times: number; readonly count: number; readonly seed: number; readonly usd?: number },
): TokenPrint[] {
  const random = new Random(options.seed);
  const last = before[before.length - 1]!;
  let time = last.time;
  return Array.from({ length: options.count }, (_, i) => {
    const k = 1 + random.below(before.length - 1);
    const like = before[k]!;
    time += like.time - before[k - 1]!.time;
    const usd = options.usd ?? like.usd;
    return { ...like, usd, time, price: last.price * options.times * random.between(0.97, 1.03), tx: last.tx + 1 + i };
  });
}
