import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgedPrint } from '../src/ledger/judge.ts';
import { rolesOf } from '../src/ledger/roles.ts';
import { ReferencePrices } from '../src/ledger/value.ts';
import { type Print, TokenVotes } from '../src/ledger/votes.ts';
import { NO_ID } from '../src/records/columns.ts';

const DAY = 86_400;
/** The pool of the first vote, and another one. */
const [OWN, OTHER] = [7, 8];
/** `print_factor`: prices under 0.2 are low beside 1, and 5 is not too high. */
const FACTOR = 5;

let wallets = 1000;
/** A print at 1 USD of 100 USD in the own pool, of a wallet that has no other. */
const print = (more: Partial<Print> = {}): Print => ({
  price: 1,
  usd: 100,
  wallet: wallets++,
  pool: OWN,
  time: 0,
  ...more,
});

/** The votes of transactions of one print each. */
function voted(...prints: readonly Partial<Print>[]): TokenVotes {
  const votes = new TokenVotes();
  add(votes, ...prints);
  return votes;
}
function add(votes: TokenVotes, ...prints: readonly Partial<Print>[]): void {
  for (const one of prints) votes.vote(print(one), ++votes.prints);
}
const times = (count: number, more: Partial<Print> = {}): Partial<Print>[] => Array.from({ length: count }, () => more);
const isSuspect = (votes: TokenVotes, more: Partial<Print> = {}, isMute = false): boolean =>
  votes.isSuspect(print(more), isMute, FACTOR);

test('fewer than three votes make a print suspect outside of own pools alone, or without a voice', () => {
  const two = voted({}, {});
  assert.equal(isSuspect(two, { price: 1000 }), false);
  assert.equal(isSuspect(two, { price: 1000, pool: OTHER }), true);
  assert.equal(isSuspect(two, {}, true), true);
  const none = new TokenVotes();
  assert.equal(isSuspect(none, { pool: OTHER }), false);
  assert.equal(isSuspect(none, { pool: OTHER }, true), false);
});

test('clause 1: a third of the newest have to reach a fifth of the price', () => {
  // Three votes at 1 and the print in front: two of four are needed, and the print is one of them.
  const three = voted(...times(3));
  assert.equal(isSuspect(three, { price: 5 }), false);
  // Clause 2 says the same of it: three low ones. Without a voice the print stays out: none of three reaches it.
  assert.equal(isSuspect(three, { price: 5.01 }), true);
  assert.equal(isSuspect(three, { price: 5.01 }, true), true);
  // A price of a thousandth is not reached by any; in front, it is alone of four where two are needed.
  assert.equal(isSuspect(three, { price: 0.001 }), true);
  // One vote at 0.001 more, and the print makes two of five: k is 2.
  add(three, { price: 0.001 });
  assert.equal(isSuspect(three, { price: 0.001 }), false);
});

test('clause 1 has a fall count once five of the newest fifteen votes say so', () => {
  const votes = voted(...times(20));
  const falls: boolean[] = [];
  for (let i = 0; i < 5; i++) {
    falls.push(isSuspect(votes, { price: 0.01 }));
    add(votes, { price: 0.01 });
  }
  // The print itself is the fifth of them.
  assert.deepEqual(falls, [true, true, true, true, false]);
});

test('clause 2: a third of the newest under a fifth of the price make it suspect', () => {
  // Fifteen with the print: fourteen votes of which five are low, or four.
  const votes = (low: number) => voted(...times(14 - low, { price: 1 }), ...times(low, { price: 0.01, usd: 0.01 }));
  assert.equal(isSuspect(votes(5)), true);
  assert.equal(isSuspect(votes(4)), false);
});

test('a low vote at exactly a fifth is none, and a price exactly five times is reached', () => {
  const votes = voted(...times(6, { price: 1 }));
  assert.equal(isSuspect(votes, { price: 5 }), false);
  assert.equal(isSuspect(votes, { price: 0.2 }), false);
  assert.equal(isSuspect(votes, { price: 0.1999, wallet: 1 }), true);
});

test('clause 3: in an own pool, low votes of the newest 200 USD weigh against a rise', () => {
  // One low vote of 100 USD just before, and the print has 100: as much against it as beside it.
  const fallen = voted(...times(20, { price: 10 }), { price: 1 });
  assert.equal(isSuspect(fallen, { price: 10 }), true);
  assert.equal(isSuspect(fallen, { price: 10, usd: 1e6 }), true, 'a vote weighs 100 USD at most');
  assert.equal(isSuspect(voted(...times(20, { price: 10 }), { price: 1, usd: 99 }), { price: 10 }), false);
  // The print and one more are 200 USD: what lies behind them is not looked at.
  const risen = voted(...times(20, { price: 10 }), ...times(4, { price: 1 }), { price: 10 });
  assert.equal(isSuspect(risen, { price: 10 }), false);
});

test('clause 3: in other pools, without one or without a voice the newest 2,000 USD decide', () => {
  // Two high votes that weigh 100 USD are the newest, then four low ones of 100, then high ones of 50 cents: some 210 against 400.
  const small = [
    ...times(20, { price: 10, usd: 0.5 }),
    ...times(4, { price: 1 }),
    ...times(2, { price: 10, usd: 150 }),
  ];
  const risen = { price: 10, usd: 0.5 };
  // In an own pool the two newest, of 100 USD each, are enough.
  assert.equal(isSuspect(voted(...small), risen), false);
  assert.equal(isSuspect(voted(...small), { ...risen, pool: OTHER }), true);
  assert.equal(isSuspect(voted(...small), risen, true), true);
  const nameless = small.map((one) => ({ ...one, pool: NO_ID }));
  assert.equal(isSuspect(voted(...nameless), { ...risen, pool: NO_ID }), true);
});

test('clause 3: once as many low votes were met as a third, no other weighs on', () => {
  // The newest eleven are at 10 for a dollar, then five low ones for 3, then high ones for 100: H is 12 with the print, L 15.
  const votes = voted(
    ...times(20, { price: 10, usd: 100 }),
    ...times(5, { price: 1, usd: 3 }),
    ...times(11, { price: 10, usd: 1 }),
  );
  assert.equal(isSuspect(votes, { price: 10, usd: 1 }), true);
  // With four low ones the walk goes on to 200 USD.
  const four = voted(
    ...times(20, { price: 10, usd: 100 }),
    ...times(4, { price: 1, usd: 3.75 }),
    ...times(11, { price: 10, usd: 1 }),
  );
  assert.equal(isSuspect(four, { price: 10, usd: 1 }), false);
});

test('of each wallet the three newest votes count, a print of its own among them', () => {
  // One wallet buys sixty times at 1; three others did at 100. Its print drops its own third vote: three of it stay.
  const votes = voted(...times(3, { price: 100 }), ...times(60, { price: 1, wallet: 5 }));
  // Seven of list and print: 3 x 100, 3 x 1 of wallet 5. k is 2: a stranger at 100 has three low ones.
  assert.equal(isSuspect(votes, { price: 100 }), true);
  // Wallet 5 at 0.001: itself, 1, 1, 100, 100, 100: one of six where two are needed.
  assert.equal(isSuspect(votes, { price: 0.001, wallet: 5 }), true);
  assert.equal(votes.votes().length, 6);
});

test('the newest 63 votes count', () => {
  const votes = voted(...times(1, { price: 9 }), ...times(63));
  assert.deepEqual([votes.votes().length, votes.votes().some(({ price }) => price === 9)], [63, false]);
});

test('a vote counts while fewer than 10,000 prints lie between', () => {
  const votes = voted(...times(3));
  // The votes are prints 1 to 3; print 10,001 has 9,999 after the first, 10,002 has 10,000: two are left, which judge nothing.
  votes.prints = 10_000;
  assert.equal(isSuspect(votes, { price: 1000 }), true);
  votes.prints = 10_001;
  assert.equal(isSuspect(votes, { price: 1000 }), false);
});

test('votes of own pools go before the others if they are five, and thirty days old at most', () => {
  // Votes in the own pool at 1, and 20 of 49 USD in another at 1,000, which is 20 USD short of own: 1,080 USD with the print, against 500.
  const foreign = times(20, { price: 1000, usd: 49, pool: OTHER, time: 40 * DAY });
  const four = voted(...times(4), ...foreign);
  assert.equal(isSuspect(four, { price: 1000, time: 20 * DAY }), false);
  const five = voted(...times(5), ...foreign);
  assert.equal(isSuspect(five, { price: 1000, time: 30 * DAY }), true);
  assert.equal(isSuspect(five, { price: 1000, time: 30 * DAY + 1 }), false);
});

test('another pool becomes own with 1,000 USD of votes, of which each weighs 100', () => {
  const votes = voted(...times(5));
  add(votes, ...times(9, { pool: OTHER, usd: 1e6 }), { pool: OTHER, usd: 99.99 });
  assert.equal(votes.isOwn(OTHER), false);
  add(votes, { pool: OTHER, usd: 0.01, time: 77 });
  assert.equal(votes.isOwn(OTHER), true);
  assert.deepEqual(votes.pools.get(OTHER), { usd: 1000, ownSince: 77 });
});

test('another pool becomes own with ten times what votes in own pools weigh', () => {
  const votes = voted({ usd: 3 }, { usd: 4 });
  add(votes, { pool: OTHER, usd: 69.9 });
  assert.equal(votes.isOwn(OTHER), false);
  add(votes, { pool: OTHER, usd: 0.2 });
  assert.equal(votes.isOwn(OTHER), true);
  // What is own stays own, and a third pool is compared with the votes in both: 7, and 10 of the second.
  add(votes, { pool: OTHER, usd: 10 }, { pool: 9, usd: 100 });
  assert.equal(votes.isOwn(9), false);
  add(votes, { pool: 9, usd: 70 });
  assert.deepEqual([votes.isOwn(9), votes.isOwn(OTHER)], [true, true]);
});

test('prints without a pool are in one pool', () => {
  const votes = voted({ pool: NO_ID });
  assert.deepEqual([votes.isOwn(NO_ID), votes.isOwn(OTHER)], [true, false]);
});

test('a quote token is judged by its reference price, a stable one without by 1 USD', () => {
  const [SOL, USDC] = [1, 2];
  const roles = rolesOf(
    [
      { address: 'SOL', symbol: 'SOL', kind: 'native' },
      { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    ],
    (address) => (address === 'SOL' ? SOL : USDC),
  );
  const series = new Map([[SOL, { time: Float64Array.of(100), usdPrice: Float64Array.of(10) }]]);
  const options = { roles, factor: FACTOR, references: new ReferencePrices(series, DAY) };
  const judged = (token: number, price: number, time: number) =>
    judgedPrint(voted(...times(9, { price: 1 })), token, print({ price, time }), false, options) !== 0;
  assert.deepEqual(
    [50, 50.1, 2, 1.99].map((price) => judged(SOL, price, 100)),
    [false, true, false, true],
  );
  // Before it is known, and a day later, votes judge.
  assert.deepEqual([judged(SOL, 50, 99), judged(SOL, 50, 100 + DAY), judged(SOL, 50, 101 + DAY)], [true, false, true]);
  assert.deepEqual(
    [5, 5.1, 0.2, 0.19].map((price) => judged(USDC, price, 0)),
    [false, true, false, true],
  );
});

test('votes that are put behind later ones judge as if all had come in order', () => {
  const [before, after] = [
    [...times(70), ...times(9, { pool: OTHER, usd: 5 })],
    [{ price: 3, wallet: 1 }, { price: 2 }],
  ];
  const inOrder = voted(
    ...before.map((one) => ({ wallet: 1, ...one })),
    ...after.map((one) => ({ wallet: 2, ...one })),
  );
  const earlier = voted(...before.map((one) => ({ wallet: 1, ...one })));
  const later = new TokenVotes(earlier);
  later.restart();
  add(later, ...after.map((one) => ({ wallet: 2, ...one })));
  assert.equal(later.hasSameVotes(inOrder), false);
  later.prepend(earlier);
  assert.equal(later.hasSameVotes(inOrder), true);
});
