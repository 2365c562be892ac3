import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shuffled } from '../../../test/support/shuffle.ts';
import { type HoldingPrice, type NativeVote, NativeVotes, VoteList } from '../src/ledger/native-votes.ts';

const MAX_AGE = 1000;
const NONE: HoldingPrice = { usd: Number.NaN, time: Number.NaN, until: Number.POSITIVE_INFINITY };
const known = (usd: number, time: number): HoldingPrice => ({ usd, time, until: time + MAX_AGE });

/** A vote of a wallet of its own, unless one is named. */
let wallets = 1000;
const vote = (time: number, price: number, wallet = wallets++): NativeVote => ({ seq: time * 10, price, wallet, time });

/** The price at a time after firm votes, and after feed votes behind them. */
function priceOf(firm: readonly NativeVote[], feed: readonly NativeVote[] = [], time = 100, reference = NONE) {
  const votes = new NativeVotes(MAX_AGE);
  for (const each of firm) votes.addFirm(each);
  for (const each of feed) votes.addFeed(each);
  const { usd, isReference, isFirm } = votes.priceAt(time, reference);
  return { usd, isReference, isFirm };
}

const prices: readonly (readonly [title: string, prices: readonly number[], usd: number])[] = [
  ['no vote says nothing', [], Number.NaN],
  ['one vote is the price', [150], 150],
  ['of two votes more than a quarter apart the lower one counts, also if it is older', [100, 150], 100],
  ['of two votes more than a quarter apart the lower one counts, also if it is newer', [150, 100], 100],
  ['the newest vote exactly a quarter above the median is the price', [100, 100, 125], 125],
  ['a vote just over a quarter above the median is not', [100, 100, 125.1], 100],
  ['the newest vote exactly a quarter below the median is the price', [100, 100, 80], 80],
  ['a vote just over a quarter below the median is not', [100, 100, 79.9], 100],
  ['of votes within a quarter the newest counts, not the nearest', [90, 100, 100, 110, 95], 95],
  ['of four votes the second lowest is the median', [1, 2, 100, 100], 2],
  [
    'the tenth vote has no part: nine at 200 leave one at 100 behind',
    [100, 200, 200, 200, 200, 200, 200, 200, 200, 200],
    200,
  ],
  ['nine are the newest: five at 100 outvote four at 200', [1, 100, 100, 100, 100, 100, 200, 200, 200, 200], 100],
];
for (const [title, given, usd] of prices)
  test(title, () => assert.equal(priceOf(given.map((price, i) => vote(i, price))).usd, usd));

test('a wallet has three votes: its fourth takes the place of its first', () => {
  // W's four votes leave [9, 9, 9] and three at 100: the lower median of six is the third lowest, 9. Of W's oldest at 500 nothing is left.
  const firm = [vote(1, 500, 1), vote(2, 100), vote(3, 100), vote(4, 100), vote(5, 9, 1), vote(6, 9, 1), vote(7, 9, 1)];
  assert.equal(priceOf(firm).usd, 9);
  // Forty votes of W against four of others: 9, 9, 9, 100, 100, 100, 100.
  const many = Array.from({ length: 40 }, (_, i) => vote(10 + i, 9, 1));
  assert.equal(priceOf([vote(1, 100), vote(2, 100), vote(3, 100), vote(4, 100), ...many]).usd, 100);
});

test('a vote counts up to the greatest age, and not a second longer', () => {
  assert.equal(priceOf([vote(100, 7)], [], 100 + MAX_AGE).usd, 7);
  assert.equal(priceOf([vote(100, 7)], [], 101 + MAX_AGE).usd, Number.NaN);
  // One of three is too old: of the other two the lower counts.
  assert.equal(priceOf([vote(99, 1), vote(200, 10), vote(300, 20)], [], 99 + MAX_AGE).usd, 10);
  assert.equal(priceOf([vote(99, 1), vote(200, 10), vote(300, 12)], [], 100 + MAX_AGE).usd, 12);
});

test('a price rests on five votes, or on a reference price, to be firm', () => {
  const five = [1, 2, 3, 4, 5].map((time) => vote(time, 100));
  assert.equal(priceOf(five).isFirm, true);
  assert.equal(priceOf(five.slice(1)).isFirm, false);
  assert.equal(priceOf(five, [], 2 + MAX_AGE).isFirm, false);
  assert.equal(priceOf([], five).isFirm, true);
  assert.equal(priceOf([], [], 100, known(90, 50)).isFirm, true);
});

test('five firm votes that are newer replace a reference price that holds', () => {
  const at = (...times: number[]) => times.map((time) => vote(time, 100));
  const reference = known(200, 10);
  assert.deepEqual(priceOf(at(11, 12, 13, 14), [], 50, reference), { usd: 200, isReference: true, isFirm: true });
  assert.deepEqual(priceOf(at(10, 11, 12, 13, 14), [], 50, reference).usd, 200, 'at equal times the reference');
  assert.deepEqual(priceOf(at(11, 12, 13, 14, 15), [], 50, reference), { usd: 100, isReference: false, isFirm: true });
  // Feed votes replace none.
  assert.equal(priceOf([], at(11, 12, 13, 14, 15, 16), 50, reference).usd, 200);
  // Three of a wallet are not five.
  const ofOne = [11, 12, 13, 14, 15, 16].map((time) => vote(time, 100, 1));
  assert.equal(priceOf(ofOne, [], 50, reference).usd, 200);
  assert.equal(priceOf([...ofOne, vote(17, 100), vote(18, 100)], [], 50, reference).usd, 100);
});

test('the votes that replace a reference price may be older than it in part', () => {
  // 5 of the 9 are newer than 10 s: of 50, 50, 50, 50, 100, 100, 100, 100, 100 the fifth lowest is 100.
  const firm = [6, 7, 8, 9].map((time) => vote(time, 50));
  for (const time of [11, 12, 13, 14, 15]) firm.push(vote(time, 100));
  assert.equal(priceOf(firm, [], 50, known(200, 10)).usd, 100);
});

test('feed votes count only where no firm one does', () => {
  const feed = [vote(50, 300), vote(60, 310)];
  assert.equal(priceOf([vote(10, 100)], feed, 100).usd, 100);
  assert.equal(priceOf([vote(10, 100)], feed, 10 + MAX_AGE).usd, 100);
  assert.equal(priceOf([vote(10, 100)], feed, 11 + MAX_AGE).usd, 310);
  assert.equal(priceOf([vote(10, 100)], feed, 61 + MAX_AGE).usd, Number.NaN);
});

test('a vote whose age counts from before goes behind newer ones, and by its age', () => {
  const lagging: NativeVote = { seq: 900, price: 70, wallet: 1, time: 20 };
  // 100, 70: the lower counts; it is older than the other, and goes first.
  assert.equal(priceOf([vote(80, 100), lagging]).usd, 70);
  assert.equal(priceOf([vote(80, 100), lagging], [], 20 + MAX_AGE).usd, 70);
  assert.equal(priceOf([vote(80, 100), lagging], [], 21 + MAX_AGE).usd, 100);
  assert.equal(priceOf([vote(80, 72), lagging]).usd, 72, 'the newest by its time, not by its place');
});

test('what firm votes said last is of the time of the newest, of any age', () => {
  const votes = new NativeVotes(MAX_AGE);
  assert.equal(votes.lastPrice, Number.NaN);
  for (const each of [vote(1, 10), vote(2000, 50), vote(2001, 51)]) votes.addFirm(each);
  votes.addFeed(vote(9000, 7));
  assert.deepEqual([votes.lastPrice, votes.newestFirm!.time], [51, 2001]);
});

test('a list is the same in whatever order its votes are added, and if they are added twice', () => {
  for (let seed = 0; seed < 200; seed++) {
    const votes = Array.from({ length: 30 }, (_, i): NativeVote => {
      const time = ((i * (seed + 7)) % 23) * 10;
      return { seq: i, price: 1 + i, wallet: (i * (seed + 3)) % 4, time };
    });
    const lists = [votes, shuffled([...votes, ...votes], seed)].map((order) => {
      const list = new VoteList();
      for (const each of order) list.add(each);
      return list.votes;
    });
    assert.deepEqual(lists[1], lists[0], `seed ${seed}`);
    // From the definition: newest first, three a wallet, nine.
    const wanted: NativeVote[] = [];
    for (const each of [...votes].sort((a, b) => b.time - a.time || b.seq - a.seq))
      if (wanted.filter(({ wallet }) => wallet === each.wallet).length < 3 && wanted.length < 9) wanted.push(each);
    assert.deepEqual(lists[0], wanted, `seed ${seed}`);
  }
});

test('many waiting feed votes are as many that were put in place at once', () => {
  const feed = Array.from({ length: 5000 }, (_, i) => vote(i, 100 + (i % 7), i % 5));
  const asked = new NativeVotes(MAX_AGE);
  for (const each of feed) {
    asked.addFeed(each);
    asked.priceAt(each.time, NONE);
  }
  const waiting = new NativeVotes(MAX_AGE);
  for (const each of feed) waiting.addFeed(each);
  assert.deepEqual(waiting.data, asked.data);
  assert.ok(waiting.isSameAt(asked, 5000));
  asked.addFirm(vote(6000, 1));
  assert.ok(!waiting.isSameAt(asked, 6000));
  waiting.addFirm({ ...asked.newestFirm!, seq: 3 });
  assert.ok(waiting.isSameAt(asked, 6000), 'places do not count');
});
