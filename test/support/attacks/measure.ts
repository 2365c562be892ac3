import { afterJump, honestPrints, type Market, markets } from './markets.ts';
import { Random, type TokenPrint, transactions, withoutPools } from './prints.ts';
import { type Judge, judgeAfter } from './rules.ts';
import { NEW_POOL, type Strategy, spreadDown, strategies } from './strategies.ts';

/** Not those that the numbers of the rule were chosen by. */
export const SEEDS = [101, 102, 103, 104, 105, 106] as const;
export const MONEY = [1, 10, 100, 900] as const;
/** From which a mark counts as raised: so many times the price of the last honest print. */
const RAISED = 5;
/** At how many times that price attackers trade. */
const TIMES = [6, 1000] as const;

/** A rule, and whether the feed names pools. */
export interface Told {
  readonly newJudge: () => Judge;
  readonly hasPools: boolean;
}

/** Where how many wallets attack it: in a new pool, if not in the one of the last honest print. */
export interface Setting extends Told {
  readonly wallets: number;
  readonly isInHonestPool?: boolean;
}

/** One attack under one setting, and whether it raised the mark. */
export interface Outcome {
  readonly setting: Setting;
  readonly strategy: Strategy;
  readonly market: Market;
  readonly usd: number;
  readonly isRaised: boolean;
}

/** Whether one of the prints becomes a mark far over the price. */
function raises(judge: Judge, attack: readonly TokenPrint[], price: number): boolean {
  return transactions(attack).some((transaction) =>
    judge.judge(transaction).some(({ marks }, i) => marks && transaction[i]!.price > RAISED * price),
  );
}

const seen = (prints: readonly TokenPrint[], hasPools: boolean): readonly TokenPrint[] =>
  hasPools ? prints : withoutPools(prints);

/** Every strategy with every sum of money on every market, for each seed and setting. */
export function attackAll(settings: readonly Setting[]): Outcome[] {
  const outcomes: Outcome[] = [];
  for (const market of markets)
    for (const seed of SEEDS) {
      const honest = honestPrints(market, seed);
      const last = honest[honest.length - 1]!;
      for (const setting of settings) {
        const { wallets, hasPools, isInHonestPool = false } = setting;
        const judge = judgeAfter(setting.newJudge(), transactions(seen(honest, hasPools)));
        for (const strategy of strategies)
          for (const usd of MONEY) {
            const random = new Random(seed * 1000 + usd);
            const times = random.logBetween(...TIMES);
            const pool = isInHonestPool ? last.pool : NEW_POOL;
            const attack = strategy.prints({ random, last, pool, times, usd, wallets });
            const isRaised = raises(judge.fork(), seen(attack, hasPools), last.price);
            outcomes.push({ setting, strategy, market, usd, isRaised });
          }
      }
    }
  return outcomes;
}

/** Of the honest prints of a market, which part is suspect, over all seeds. */
export function falseSuspects(market: Market, { hasPools, newJudge }: Told): number {
  const standings = SEEDS.flatMap((seed) => {
    const judge = newJudge();
    return transactions(seen(honestPrints(market, seed), hasPools)).flatMap((transaction) => judge.judge(transaction));
  });
  return standings.filter(({ isSuspect }) => isSuspect).length / standings.length;
}

/** Prints from a true jump to the first that is a mark, the median over markets and seeds; `usd`: what each of them is worth. */
export function printsUntilMarked(times: number, { hasPools, newJudge }: Told, usd?: number): number {
  const counts = markets.flatMap((market) =>
    SEEDS.map((seed) => {
      const honest = honestPrints(market, seed);
      const before = usd === undefined ? honest : honest.map((print) => ({ ...print, usd }));
      const judge = judgeAfter(newJudge(), transactions(seen(before, hasPools)));
      const jump = afterJump(before, { times, count: WATCHED, seed, ...(usd === undefined ? {} : { usd }) });
      const first = transactions(seen(jump, hasPools)).findIndex((transaction) => judge.judge(transaction)[0]!.marks);
      return first < 0 ? jump.length : first + 1;
    }),
  );
  return counts.sort((a, b) => a - b)[counts.length >> 1]!;
}

/** How many honest prints are watched after a jump or an attack. */
export const WATCHED = 100;
/** What a print is worth that is to mark a token down. */
export const CENTS = 15;

/**
 * Whether three prints a wallet at a hundredth of the price become a mark of less than a fifth of it: in which part of all markets, and how
 * many honest prints it takes there until the mark is back, the median.
 */
export function markedDown({ hasPools, newJudge, wallets }: Setting): { fallen: number; healing?: number } {
  const counts = markets.flatMap((market) =>
    SEEDS.map((seed) => {
      const honest = honestPrints(market, seed);
      const last = honest[honest.length - 1]!;
      const judge = judgeAfter(newJudge(), transactions(seen(honest, hasPools)));
      const attack = spreadDown({ last, pool: NEW_POOL, usd: (CENTS / 100) * 3 * wallets, wallets });
      const judged = transactions(seen(attack, hasPools)).flatMap((transaction) => judge.judge(transaction));
      if (!judged.some(({ marks }) => marks)) return 0;
      const after = afterJump([...honest, { ...last, tx: attack[attack.length - 1]!.tx }], {
        times: 1,
        count: WATCHED,
        seed,
      });
      const first = transactions(seen(after, hasPools)).findIndex((transaction) => judge.judge(transaction)[0]!.marks);
      return first < 0 ? after.length : first + 1;
    }),
  );
  const healing = counts.filter((count) => count > 0).sort((a, b) => a - b);
  const fallen = healing.length / counts.length;
  return healing.length === 0 ? { fallen } : { fallen, healing: healing[healing.length >> 1]! };
}
