import assert from 'node:assert/strict';
import type { MetricExplanation } from '@swapfold/core';
import { pick } from '../samples.ts';
import { type Asked, assertNear, type Question } from './question.ts';

const PAGE = 20;

/** Trades of a wallet between quote tokens, which are not its own. */
const QUOTE_QUOTE = 3;

/** The first pages of explanations of the wallets that trade most, in the longest window. */
export function explanationQuestions({ dex, plain, samples }: Asked): readonly Question[] {
  const walletOf = (i: number) => pick(samples.traders, i);
  const own = `from trades where wallet = ? and time > ${samples.monthBefore} and swap_type <> ${QUOTE_QUOTE}`;
  return [
    {
      operation: "first page of the explanation of a bot's pnl",
      most: { duckdb: 50, sqlite: 50 },
      ours: (i) => dex.wallets.explain({ wallet: walletOf(i).address, metric: 'pnl', window: '30d', limit: PAGE }),
      baseline: async (i) => [
        await plain.query(`select pnl, * ${own} order by seq desc limit ${PAGE}`, walletOf(i).id),
        await plain.query(`select count(*), sum(pnl) ${own}`, walletOf(i).id),
      ],
      what: 'select * ... order by ... limit 20, and a count and a sum, of rows kept by wallet',
      check(ours: MetricExplanation, [page, [sums]]: [unknown[][], unknown[][]]) {
        assert.equal(ours.count, Number(sums![0]));
        assertNear(ours.value, sums![1], 'pnl');
        assert.deepEqual(
          ours.trades.map(({ part }) => part),
          page.map(([pnl]) => pnl),
        );
      },
    },
  ];
}
