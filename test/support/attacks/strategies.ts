import type { Random, TokenPrint } from './prints.ts';

/** What an attacker has and wants. */
export interface Attack {
  readonly random: Random;
  /** The last honest print. */
  readonly last: TokenPrint;
  /** Where the attacker trades. */
  readonly pool: number;
  /** How many times over the price of that print the attacker trades. */
  readonly times: number;
  /** What the attacker has, USD. */
  readonly usd: number;
  readonly wallets: number;
}

export interface Strategy {
  readonly name: string;
  readonly meaning: string;
  readonly prints: (attack: Attack) => TokenPrint[];
}

const DAY = 86_400;
/** Attackers' wallets, and pools: no honest one has such a number. */
const FIRST_WALLET = 100_000;
export const NEW_POOL = 900;
const SECOND_NEW_POOL = 901;
/** As many prints as fill every list of votes or prints. */
const FLOOD = 70;
const DUST = 0.12;
const LOAN = 1e6;

interface Step {
  readonly usd: number;
  readonly isBuy?: boolean;
  /** The attack's without it. */
  readonly pool?: number;
  /** Over the fair price; the attack's without it. */
  readonly times?: number;
  /** Seconds since the transaction before, 12 without it. */
  readonly wait?: number;
  /** Whether it is of the transaction of the step before. */
  readonly joins?: boolean;
}

/** Prints of steps, transaction by transaction; each transaction is of the next of the wallets. */
function carriedOut({ last, pool, times, wallets }: Omit<Attack, 'random'>, steps: readonly Step[]): TokenPrint[] {
  let { time, tx } = last;
  let turn = -1;
  return steps.map((step) => {
    if (step.joins !== true) {
      time += step.wait ?? 12;
      tx++;
      turn++;
    }
    return {
      time,
      tx,
      price: last.price * (step.times ?? times),
      usd: step.usd,
      wallet: FIRST_WALLET + (turn % wallets),
      pool: step.pool ?? pool,
      isBuy: step.isBuy ?? true,
    };
  });
}

/** Three prints a wallet, of all the attacker has, after a wait. */
function spread({ usd, wallets }: Pick<Attack, 'usd' | 'wallets'>, wait = 12): Step[] {
  const count = 3 * wallets;
  return Array.from({ length: count }, (_, i) => (i === 0 ? { usd: usd / count, wait } : { usd: usd / count }));
}

/** Buys and sells in turn, so that the money comes back. */
const trips = (usd: number, count: number): Step[] =>
  Array.from({ length: 2 * count }, (_, i) => ({ usd, isBuy: i % 2 === 0 }));
/** Two and two steps in one transaction. */
const inPairs = (steps: readonly Step[]): Step[] => steps.map((step, i) => ({ ...step, joins: i % 2 === 1 }));
const fairDust = (attack: Attack, wait: number): Step[] =>
  Array.from({ length: FLOOD }, () => ({ usd: DUST, times: 1, wait, pool: attack.last.pool }));

/** Three prints a wallet at a hundredth of the price. */
export const spreadDown = (attack: Omit<Attack, 'random' | 'times'>): TokenPrint[] =>
  carriedOut({ ...attack, times: 0.01 }, spread(attack));

export const strategies: readonly Strategy[] = [
  {
    name: 'dust far off',
    meaning: 'three prints a wallet, of 10 cents to a dollar',
    prints: (attack) =>
      carriedOut(
        attack,
        Array.from({ length: 3 * attack.wallets }, () => ({ usd: attack.random.logBetween(0.1, 1) })),
      ),
  },
  {
    name: 'one large print',
    meaning: 'one print of all the money',
    prints: (attack) => carriedOut(attack, [{ usd: attack.usd }]),
  },
  {
    name: 'round trips in one transaction',
    meaning: 'all the money in and out through one pool, in each of 15 transactions',
    prints: (attack) => carriedOut(attack, inPairs(trips(attack.usd, 15))),
  },
  {
    name: 'the same with flash loans',
    meaning: 'a million USD in and out through one pool, in each of 15 transactions',
    prints: (attack) => carriedOut(attack, inPairs(trips(LOAN, 15))),
  },
  {
    name: 'round trips in several transactions',
    meaning: 'all the money in, and out in the next transaction, 15 times',
    prints: (attack) => carriedOut(attack, trips(attack.usd, 15)),
  },
  {
    name: 'flash loans through two new pools',
    meaning: 'a million USD in through one pool and out through another, in each of 30 transactions',
    prints: (attack) =>
      carriedOut(
        attack,
        inPairs(trips(LOAN, 30)).map((step, i) => (i % 2 === 0 ? step : { ...step, pool: SECOND_NEW_POOL })),
      ),
  },
  {
    name: 'many wallets',
    meaning: 'three prints a wallet, of all the money together',
    prints: (attack) => carriedOut(attack, spread(attack)),
  },
  {
    name: 'waiting a day',
    meaning: 'the same after 25 hours without a trade',
    prints: (attack) => carriedOut(attack, spread(attack, DAY + 3600)),
  },
  {
    name: 'fair dust first, at once',
    meaning: `${FLOOD} fair prints of 12 cents in one transaction, then the same`,
    prints: (attack) =>
      carriedOut(attack, [...fairDust(attack, 12).map((step, i) => ({ ...step, joins: i > 0 })), ...spread(attack)]),
  },
  {
    name: 'fair dust first, over a day',
    meaning: `${FLOOD} fair prints of 12 cents within a day, then the same`,
    prints: (attack) => carriedOut(attack, [...fairDust(attack, Math.floor(DAY / FLOOD)), ...spread(attack)]),
  },
];
