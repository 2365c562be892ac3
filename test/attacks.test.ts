import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { attacksPage, inNewPool, renderAttacks } from './generate-docs/attacks.ts';
import { docsPath } from './generate-docs/page.ts';
import { honestPrints, markets } from './support/attacks/markets.ts';
import { attackAll, type Outcome } from './support/attacks/measure.ts';
import { transactions } from './support/attacks/prints.ts';
import { medianJudge, votesJudge } from './support/attacks/rules.ts';

const outcomes = attackAll(Object.values(inNewPool));
const raised = (column: string, isMeant: (outcome: Outcome) => boolean = () => true): number =>
  outcomes.filter((outcome) => outcome.setting === inNewPool[column] && outcome.isRaised && isMeant(outcome)).length;

test(`docs/${attacksPage} is what a fresh generation gives (npm run docs)`, () => {
  assert.equal(readFileSync(docsPath(attacksPage), 'utf8'), renderAttacks(outcomes));
});

test('one wallet raises no mark more than fivefold, whatever it does, whether pools are named or not', () => {
  assert.equal(raised('pools named, 1 wallet'), 0);
  assert.equal(raised('no pools, 1 wallet'), 0);
  // The attacks do work, if nothing but the median of 21 prints stands in their way.
  assert.ok(raised('before, 1 wallet') > outcomes.length / 6 / 4);
});

test('with named pools, twenty wallets raise a mark only through a pool of their own that money goes around in', () => {
  const others = ({ strategy }: Outcome): boolean =>
    !['round trips in several transactions', 'flash loans through two new pools'].includes(strategy.name);
  assert.equal(raised('pools named, 20', others), 0);
});

test('a market is the same for the same seed and another for another', () => {
  for (const market of markets) {
    assert.deepEqual(honestPrints(market, 7), honestPrints(market, 7));
    assert.notDeepEqual(honestPrints(market, 7), honestPrints(market, 8));
  }
});

test('a judge that forks goes on by itself', () => {
  for (const judge of [votesJudge(), medianJudge()]) {
    const [busy] = [markets.find(({ name }) => name === 'busy')!];
    const honest = transactions(honestPrints(busy, 3));
    for (const transaction of honest.slice(0, 200)) judge.judge(transaction);
    const fork = judge.fork();
    // Prints at a thousand times the price, which the first judge never sees.
    const wild = honest
      .slice(200, 240)
      .map((prints) => prints.map((print) => ({ ...print, price: print.price * 1000 })));
    for (const transaction of wild) fork.judge(transaction);
    const rest = honest.slice(240).map((transaction) => judge.judge(transaction)[0]!.isSuspect);
    assert.ok(rest.every((isSuspect) => !isSuspect));
    assert.ok(fork.judge(honest[240]!)[0]!.isSuspect);
  }
});
