import { TokenVotes } from '../../../packages/core/src/ledger/votes.ts';
import type { Standing, TokenPrint } from './prints.ts';

const FACTOR = 5;

/** Judges the prints of one token, transaction by transaction. */
export interface Judge {
  judge(transaction: readonly TokenPrint[]): readonly Standing[];
  /** Another judge that knows what this one does. */
  fork(): Judge;
}

const hasNoVoice = (print: TokenPrint, transaction: readonly TokenPrint[]): boolean =>
  transaction.some(({ pool, isBuy }) => pool === print.pool && isBuy !== print.isBuy);

/** The rule of today: votes. */
export function votesJudge(votes = new TokenVotes()): Judge {
  return {
    fork: () => votesJudge(new TokenVotes(votes)),
    judge: (transaction) => {
      let [chosen, ordinal, isOwn] = [undefined as TokenPrint | undefined, 0, false];
      const standings = transaction.map((print) => {
        const isMute = hasNoVoice(print, transaction);
        const isSuspect = votes.isSuspect(print, isMute, FACTOR);
        const number = ++votes.prints;
        const isPrintOwn = votes.isOwn(print.pool);
        if (!isMute && (isPrintOwn || !isOwn)) [chosen, ordinal, isOwn] = [print, number, isPrintOwn];
        return { isSuspect, marks: !isSuspect && !isMute };
      });
      if (chosen !== undefined) votes.vote(chosen, ordinal);
      return standings;
    },
  };
}

const [MOST, FEWEST, SECONDS] = [21, 5, 86_400];

/** The price up to which prints have half of the value. */
function weightedMedian(prints: readonly TokenPrint[]): number {
  const sorted = prints.toSorted((a, b) => a.price - b.price);
  let left = sorted.reduce((sum, { usd }) => sum + usd, 0) / 2;
  for (const { price, usd } of sorted) {
    left -= usd;
    if (left <= 0) return price;
  }
  return sorted[sorted.length - 1]!.price;
}

/** The rule before: the median of the last 21 prints of a day, weighted by value. */
export function medianJudge(before: readonly TokenPrint[] = []): Judge {
  let last = before;
  return {
    fork: () => medianJudge(last),
    judge: (transaction) =>
      transaction.map((print) => {
        const near = last.filter(({ time }) => print.time - time <= SECONDS);
        const median = near.length < FEWEST ? print.price : weightedMedian(near);
        last = [...last, print].slice(-MOST);
        const isSuspect = print.price > median * FACTOR || print.price * FACTOR < median;
        return { isSuspect, marks: !isSuspect };
      }),
  };
}

/** A judge that has seen some prints. */
export function judgeAfter(judge: Judge, transactions: readonly (readonly TokenPrint[])[]): Judge {
  for (const transaction of transactions) judge.judge(transaction);
  return judge;
}
