import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import type { PoolSwap } from '../src/movement.ts';
import { tradersOf } from '../src/traders.ts';
import {
  A,
  address,
  B,
  C,
  type Emitted,
  facts,
  moved,
  other,
  pool,
  second,
  sender,
  swap,
  swapped,
  wallet,
} from './support/emitted.ts';

const [third, victim] = ['d', 'f'].map(address) as [Hex, Hex];
/** A is the token that wraps the native one; the others are anybody's. */
const known = { native: A as string, quotes: new Set<string>([A]) };
const topicOf = (account: Hex): Hex => `0x${account.slice(2).padStart(64, '0')}`;
const wrapped = (to: Hex, amount: bigint): Emitted => ({
  address: A,
  topics: ['0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c', topicOf(to)],
  data: `0x${amount.toString(16).padStart(64, '0')}`,
});

interface Row {
  readonly sentence: string;
  readonly logs: readonly Emitted[];
  readonly swaps: readonly PoolSwap[];
  /** Wallet, whether it is assumed, amount in and out of each swap. */
  readonly expected: readonly (readonly [string, boolean, bigint, bigint])[];
}

const rows: readonly Row[] = [
  {
    sentence: "a fake token's transfers name a victim as who paid: the sender counts",
    logs: [moved(B, victim, pool, 50n), moved(A, pool, third, 70n), swapped],
    swaps: [swap(2, B, 50n, A, 70n)],
    expected: [[sender, true, 50n, 70n]],
  },
  {
    sentence: 'transfers of two fake tokens name a victim at both ends: the sender counts',
    logs: [moved(B, victim, pool, 50n), moved(C, pool, victim, 70n), swapped],
    swaps: [swap(2, B, 50n, C, 70n)],
    expected: [[sender, true, 50n, 70n]],
  },
  {
    sentence: 'of two pools with a real token between, fake tokens at both ends name a victim: the sender counts',
    logs: [moved(B, victim, pool, 50n), moved(A, pool, second, 9n), swapped, moved(C, second, victim, 70n), swapped],
    swaps: [swap(2, B, 50n, A, 9n), swap(4, A, 9n, C, 70n, second)],
    expected: [
      [sender, true, 50n, 9n],
      [sender, true, 9n, 70n],
    ],
  },
  {
    sentence: 'who borrowed what was paid, and paid it back with a fee, has the swap, and not the lender',
    logs: [
      ...[moved(A, third, wallet, 100n), moved(A, wallet, pool, 100n), moved(B, pool, wallet, 70n), swapped],
      ...[moved(B, wallet, second, 70n), moved(A, second, wallet, 120n), moved(A, wallet, third, 101n)],
    ],
    swaps: [swap(3, A, 100n, B, 70n)],
    expected: [[wallet, false, 100n, 70n]],
  },
  {
    sentence: 'a purchase with the native token for another account is assumed to be of the sender',
    logs: [wrapped(other, 50n), moved(A, other, pool, 50n), moved(B, pool, third, 70n), swapped],
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, true, 50n, 70n]],
  },
  {
    sentence: 'a purchase with the native token that the sender receives is of the sender',
    logs: [wrapped(other, 50n), moved(A, other, pool, 50n), moved(B, pool, sender, 70n), swapped],
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, false, 50n, 70n]],
  },
  {
    sentence:
      'a pool that gives before it gets, and one that tells of a swap before it moves tokens, have the same wallet',
    logs: [
      ...[moved(B, pool, wallet, 70n), moved(A, wallet, pool, 50n), swapped],
      ...[{ ...swapped, address: second }, moved(B, wallet, second, 70n), moved(A, second, wallet, 40n)],
    ],
    swaps: [swap(2, A, 50n, B, 70n), swap(3, B, 70n, A, 40n, second)],
    expected: [
      [wallet, false, 50n, 70n],
      [wallet, false, 70n, 40n],
    ],
  },
  {
    sentence: 'what a market maker gives for a part of the token is no fee of the rest',
    logs: [
      ...[moved(A, sender, other, 100n), moved(B, third, other, 35n), moved(A, other, third, 30n)],
      ...[moved(A, other, pool, 70n), moved(B, pool, other, 80n), swapped, moved(B, other, sender, 115n)],
    ],
    swaps: [swap(5, A, 70n, B, 80n)],
    expected: [[sender, false, 70n, 80n]],
  },
  {
    sentence: "a token's contract that sells beside a user's sale still keeps the tax of that sale",
    logs: [
      ...[moved(B, B, pool, 30n), moved(A, pool, third, 3n), swapped],
      ...[moved(B, sender, B, 5n), moved(B, sender, pool, 95n), moved(A, pool, sender, 9n), swapped],
    ],
    swaps: [swap(2, B, 30n, A, 3n), swap(6, B, 95n, A, 9n)],
    expected: [
      [B, false, 30n, 3n],
      [sender, false, 100n, 9n],
    ],
  },
  {
    sentence: 'two swaps that spend one payment are of one account, also if what came of one went elsewhere',
    logs: [
      ...[moved(B, third, wallet, 100n), moved(B, wallet, pool, 60n), moved(A, pool, wallet, 6n), swapped],
      ...[moved(B, wallet, second, 40n), moved(A, second, wallet, 4n), { ...swapped, address: second }],
      moved(A, wallet, other, 4n),
    ],
    swaps: [swap(3, B, 60n, A, 6n), swap(6, B, 40n, A, 4n, second)],
    expected: [
      [wallet, false, 60n, 6n],
      [wallet, false, 40n, 4n],
    ],
  },
  {
    sentence: 'liquidity that is added behind a swap in the same pool is no part of it',
    logs: [
      ...[moved(A, wallet, pool, 50n), moved(B, pool, wallet, 70n), swapped],
      ...[moved(A, wallet, pool, 50n), moved(B, wallet, pool, 70n)],
      moved(pool, '0x0000000000000000000000000000000000000000', wallet, 7n),
    ],
    swaps: [swap(2, A, 50n, B, 70n)],
    expected: [[wallet, false, 50n, 70n]],
  },
];

for (const { sentence, logs, swaps, expected } of rows)
  test(sentence, () => {
    const found = tradersOf(facts(...logs), swaps, known);
    assert.deepEqual(
      found.map(({ wallet: by, isAssumed, amountIn, amountOut }) => [by, isAssumed, amountIn, amountOut]),
      expected,
    );
  });

test('a transaction that is made to have paths without number is traced once through each transfer', () => {
  // 2 to the power of 300 ways lead through 300 stages of two accounts each.
  const at = (stage: number, side: number): Hex => `0x${(1000 + 2 * stage + side).toString(16).padStart(40, '0')}`;
  const logs: Emitted[] = [moved(A, wallet, at(0, 0), 1000n), moved(A, wallet, at(0, 1), 1000n)];
  for (let stage = 0; stage < 300; stage++)
    for (const from of [0, 1])
      for (const to of [0, 1]) logs.push(moved(A, at(stage, from), at(stage + 1, to), 500n + BigInt(to)));
  logs.push(moved(A, at(300, 0), pool, 1000n), moved(A, at(300, 1), pool, 1000n), moved(B, pool, wallet, 70n), swapped);
  const of = [swap(logs.length - 1, A, 2000n, B, 70n)];
  const read = facts(...logs);
  let steps = 0;
  const events = read.events().map((event) => {
    const get = (target: object, key: string | symbol): unknown => {
      steps++;
      return Reflect.get(target, key);
    };
    return new Proxy(event, { get }) as typeof event;
  });
  const [traded] = tradersOf({ ...read, events: () => events }, of, known);
  assert.equal(traded!.amountOut, 70n);
  assert.ok(steps < 40 * logs.length, `${steps} reads of ${logs.length} logs`);
});

test('a look at a receipt says the same as the traces, or nothing', () => {
  const one = [moved(A, sender, pool, 50n), moved(B, pool, sender, 70n)];
  const hop = [moved(A, sender, pool, 50n), moved(B, pool, second, 70n), moved(C, second, sender, 90n)];
  const cases: readonly (readonly [logs: readonly Emitted[], swaps: readonly PoolSwap[], isSeen: boolean])[] = [
    [[...one, swapped], [swap(2, A, 50n, B, 70n)], true],
    [[...hop, swapped, swapped], [swap(3, A, 50n, B, 70n), swap(4, B, 70n, C, 90n, second)], true],
    // Another swap, another amount, a transfer too many: the traces say.
    [[...one, swapped], [swap(2, A, 50n, B, 70n), swap(2, A, 50n, B, 70n)], false],
    [[...one, swapped], [swap(2, A, 49n, B, 70n)], false],
    [[...one, moved(B, sender, other, 1n), swapped], [swap(3, A, 50n, B, 70n)], false],
    [[moved(A, wallet, pool, 50n), moved(B, pool, wallet, 70n), swapped], [swap(2, A, 50n, B, 70n)], false],
  ];
  for (const [logs, swaps, isSeen] of cases) {
    const read = facts(...logs);
    const sums = (side: 1 | 2): Map<string, bigint> =>
      new Map(
        read
          .events()
          .filter(({ topics }) => topics[side] === topicOf(sender))
          .map(({ address: token, data }) => [token, BigInt(data)]),
      );
    const glance = {
      transfers: logs.length - logs.filter((log) => log === swapped).length,
      swaps: logs.filter((log) => log === swapped).length,
      ofSender: (token: string) => ({ gave: sums(1).get(token), got: sums(2).get(token) }),
    };
    let asked = 0;
    const events = () => {
      asked++;
      return read.events();
    };
    const looked = tradersOf({ ...read, glance, events }, swaps, known);
    assert.deepEqual(looked, tradersOf(read, swaps, known));
    assert.equal(asked === 0, isSeen);
  }
});
