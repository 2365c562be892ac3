import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PrintJudge, RecentPrints } from '../src/ingest/suspects.ts';

const DAY = 86_400;

/** Prints of 100 USD, or of the value given, in order. */
function printsOf(...prints: readonly (readonly [time: number, price: number, usd?: number])[]): RecentPrints {
  const recent = new RecentPrints();
  for (const [time, price, usd = 100] of prints) recent.add(time, price, usd);
  return recent;
}
const five = [1, 1, 1, 1, 1].map((price, time) => [time, price] as const);

test('four prints before say nothing, five do', () => {
  assert.equal(printsOf(...five.slice(1)).isSuspect(5, 100, 5), false);
  assert.equal(printsOf(...five).isSuspect(5, 100, 5), true);
});

test('exactly the factor above or under is not suspect yet', () => {
  const recent = printsOf(...five);
  assert.deepEqual(
    [5, 5.001, 0.2, 0.1999].map((price) => recent.isSuspect(5, price, 5)),
    [false, true, false, true],
  );
});

test('a print of a day ago counts, one of a second earlier does not', () => {
  const recent = printsOf(...five);
  assert.equal(recent.isSuspect(DAY, 100, 5), true);
  // The first of the five is too old: four are left.
  assert.equal(recent.isSuspect(DAY + 1, 100, 5), false);
});

test('the median is that of the value, not of the number of prints', () => {
  const recent = printsOf([0, 1, 1], [1, 1, 1], [2, 1, 1], [3, 1, 1], [4, 100, 1000]);
  assert.equal(recent.isSuspect(5, 100, 5), false);
  assert.equal(recent.isSuspect(5, 1, 5), true);
});

test('where two halves of the value meet, the lower price is the median', () => {
  const recent = printsOf([0, 1], [1, 1], [2, 1], [3, 100], [4, 100], [5, 100]);
  assert.equal(recent.isSuspect(6, 5, 5), false);
  assert.equal(recent.isSuspect(6, 100, 5), true);
});

test('of the prints before, the last 21 count', () => {
  const old = Array.from({ length: 10 }, (_, time) => [time, 1000, 1e6] as const);
  const recent = printsOf(...old, ...Array.from({ length: 21 }, (_, i) => [10 + i, 1] as const));
  assert.equal(recent.isSuspect(31, 1, 5), false);
  assert.equal(recent.isSuspect(31, 1000, 5), true);
});

test('more tokens of one day than are kept at most are all judged', () => {
  const judge = new PrintJudge();
  const tokens = 50_010;
  for (let print = 0; print < 5; print++)
    for (let token = 0; token < tokens; token++) assert.equal(judge.add(token, print, 1, 100, 5), false);
  const suspects = Array.from({ length: tokens }, (_, token) => judge.add(token, 5, 100, 100, 5));
  assert.ok(suspects.every(Boolean));
});

test('of tokens that are no longer traded, a process that goes on for ever keeps none', () => {
  const judge = new PrintJudge();
  const none = {
    length: 0,
    columns: {
      token: new Int32Array(),
      seq: new Float64Array(),
      price: new Float64Array(),
      usd_amount: new Float64Array(),
    },
  };
  // A batch of new tokens each other day, as `judgeAppended` takes them up.
  for (let batch = 0; batch < 120; batch++) {
    const tokens = Array.from({ length: 1000 }, (_, i) => batch * 1000 + i);
    judge.makeRoom(batch * 2 * DAY);
    judge.load(tokens, none as unknown as Parameters<PrintJudge['load']>[1]);
    for (const token of tokens) judge.add(token, batch * 2 * DAY, 1, 100, 5);
  }
  const kept = Array.from({ length: 120_000 }, (_, token) => token).filter((token) => judge.knows(token));
  assert.ok(kept.length <= 51_000, `${kept.length}`);
  assert.ok(judge.knows(119_999));
});
