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

const [third, hook, manager] = ['d', 'f', 'e'].map(address) as [Hex, Hex, Hex];
const zero: Hex = `0x${'0'.repeat(40)}`;
/** A is the token that wraps the native one; the others are anybody's. */
const known = { native: A as string, quotes: new Set<string>([A]) };
const word = (value: bigint | Hex): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');
const topicOf = (account: Hex): Hex => `0x${word(account)}`;

const native =
  (topic: Hex) =>
  (account: Hex, amount: bigint): Emitted => ({
    address: A,
    topics: [topic, topicOf(account)],
    data: `0x${word(amount)}`,
  });
const wrapped = native('0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c');
const unwrapped = native('0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65');
/** A swap of a pair, whose amounts nobody reads here. */
const swappedIn = (pair: Hex): Emitted => ({
  address: pair,
  topics: ['0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', topicOf(other), topicOf(other)],
  data: `0x${word(1n).repeat(4)}`,
});
/** A swap in a pool of a manager, by who called it. */
const managed = (caller: Hex): Emitted => ({
  address: manager,
  topics: ['0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f', topicOf(pool), topicOf(caller)],
  data: `0x${word(1n).repeat(6)}`,
});
const managedSwap = (caller: Hex, ...of: Parameters<typeof swap>): PoolSwap => ({
  ...swap(...of),
  contract: manager,
  caller,
});

type Expected = readonly [wallet: string, isAssumed: boolean, amountIn: bigint, amountOut: bigint];

const kinds: Readonly<
  Record<
    string,
    readonly (readonly [
      sentence: string,
      logs: readonly Emitted[],
      swaps: readonly PoolSwap[],
      expected: readonly Expected[],
    ])[]
  >
> = {
  'taxed token': [
    [
      "its contract sells and keeps what it gets, and the sale beside it, without a tax, is the sender's",
      [
        ...[moved(B, B, pool, 30n), moved(A, pool, B, 3n), swapped],
        ...[moved(B, sender, pool, 95n), moved(A, pool, sender, 9n), swapped],
      ],
      [swap(2, B, 30n, A, 3n), swap(5, B, 95n, A, 9n)],
      [
        [B, false, 30n, 3n],
        [sender, false, 95n, 9n],
      ],
    ],
    [
      'its contract sells for the native token by a router',
      [
        ...[moved(B, B, pool, 30n), moved(A, pool, other, 3n), swapped, unwrapped(other, 3n)],
        ...[moved(B, sender, B, 5n), moved(B, sender, pool, 95n), moved(A, pool, sender, 9n), swapped],
      ],
      [swap(2, B, 30n, A, 3n), swap(7, B, 95n, A, 9n)],
      [
        [B, false, 30n, 3n],
        [sender, false, 100n, 9n],
      ],
    ],
    [
      'a tax of a purchase is not received',
      [moved(A, sender, pool, 50n), moved(B, pool, B, 7n), moved(B, pool, sender, 63n), swapped],
      [swap(3, A, 50n, B, 70n)],
      [[sender, false, 50n, 63n]],
    ],
    [
      'what a sale burns is given',
      [moved(B, sender, zero, 2n), moved(B, sender, pool, 98n), moved(A, pool, sender, 9n), swapped],
      [swap(3, B, 98n, A, 9n)],
      [[sender, false, 100n, 9n]],
    ],
    [
      'a tax that goes to an account is given as well',
      [moved(B, sender, third, 4n), moved(B, sender, pool, 96n), moved(A, pool, sender, 9n), swapped],
      [swap(3, B, 96n, A, 9n)],
      [[sender, false, 100n, 9n]],
    ],
  ],
  'split with a pool that nobody follows': [
    [
      'a router divides what went in and joins what came out',
      [
        ...[moved(A, sender, other, 100n), moved(A, other, pool, 60n), moved(B, pool, other, 90n), swapped],
        ...[
          moved(A, other, second, 40n),
          moved(B, second, other, 60n),
          swappedIn(second),
          moved(B, other, sender, 150n),
        ],
      ],
      [swap(3, A, 60n, B, 90n)],
      [[sender, false, 60n, 90n]],
    ],
    [
      'both pools pay the sender',
      [
        ...[moved(A, sender, other, 100n), moved(A, other, pool, 60n), moved(B, pool, sender, 90n), swapped],
        ...[moved(A, other, second, 40n), moved(B, second, sender, 60n), swappedIn(second)],
      ],
      [swap(3, A, 60n, B, 90n)],
      [[sender, false, 60n, 90n]],
    ],
    [
      'both pools are paid by the sender',
      [
        ...[moved(A, sender, pool, 60n), moved(B, pool, sender, 90n), swapped],
        ...[moved(A, sender, second, 40n), moved(B, second, sender, 60n), swappedIn(second)],
      ],
      [swap(2, A, 60n, B, 90n)],
      [[sender, false, 60n, 90n]],
    ],
    [
      'the other pool comes first on the way',
      [
        ...[moved(A, sender, second, 50n), moved(C, second, pool, 20n), swappedIn(second)],
        ...[moved(B, pool, sender, 70n), swapped],
      ],
      [swap(4, C, 20n, B, 70n)],
      [[sender, false, 20n, 70n]],
    ],
    [
      'the other pool comes last on the way',
      [
        ...[moved(A, sender, pool, 50n), moved(C, pool, second, 20n), swapped],
        ...[moved(B, second, sender, 70n), swappedIn(second)],
      ],
      [swap(2, A, 50n, C, 20n)],
      [[sender, false, 50n, 20n]],
    ],
  ],
  hook: [
    [
      'it sells its fee, which nobody pays for, within the swap of a user',
      [
        managed(hook),
        moved(A, manager, hook, 5n),
        managed(other),
        moved(B, sender, manager, 100n),
        moved(A, manager, sender, 45n),
      ],
      [managedSwap(hook, 0, B, 10n, A, 5n), managedSwap(other, 2, B, 100n, A, 45n)],
      [
        [hook, false, 10n, 5n],
        [sender, false, 100n, 45n],
      ],
    ],
    [
      'a router that is paid for is none',
      [managed(other), moved(A, sender, manager, 50n), moved(B, manager, sender, 70n)],
      [managedSwap(other, 0, A, 50n, B, 70n)],
      [[sender, false, 50n, 70n]],
    ],
    [
      'a router that passes on what the manager pays is none',
      [managed(other), moved(A, sender, manager, 50n), moved(B, manager, other, 70n), moved(B, other, sender, 70n)],
      [managedSwap(other, 0, A, 50n, B, 70n)],
      [[sender, false, 50n, 70n]],
    ],
  ],
  relayer: [
    [
      'it sends what an account signed, and takes a fee of what came out',
      [
        ...[moved(A, wallet, other, 50n), moved(A, other, pool, 50n), moved(B, pool, other, 70n), swapped],
        ...[moved(B, other, sender, 2n), moved(B, other, wallet, 68n)],
      ],
      [swap(3, A, 50n, B, 70n)],
      [[wallet, false, 50n, 68n]],
    ],
    [
      'it takes its fee of what went in',
      [
        ...[moved(A, wallet, other, 52n), moved(A, other, sender, 2n), moved(A, other, pool, 50n)],
        ...[moved(B, pool, wallet, 70n), swapped],
      ],
      [swap(4, A, 50n, B, 70n)],
      [[wallet, false, 52n, 70n]],
    ],
    [
      'it takes nothing',
      [moved(A, wallet, pool, 50n), moved(B, pool, wallet, 70n), swapped],
      [swap(2, A, 50n, B, 70n)],
      [[wallet, false, 50n, 70n]],
    ],
  ],
  'pool that pays before it takes': [
    [
      'the sender gets first',
      [moved(B, pool, sender, 70n), moved(A, sender, pool, 50n), swapped],
      [swap(2, A, 50n, B, 70n)],
      [[sender, false, 50n, 70n]],
    ],
    [
      'of a route, the last pool pays first and the first one takes last',
      [
        ...[moved(C, second, sender, 90n), moved(B, pool, second, 70n), moved(A, sender, pool, 50n)],
        ...[swapped, { ...swapped, address: second }],
      ],
      [swap(3, A, 50n, B, 70n), swap(4, B, 70n, C, 90n, second)],
      [
        [sender, false, 50n, 70n],
        [sender, false, 70n, 90n],
      ],
    ],
    [
      'the native token is wrapped behind what was paid out',
      [moved(B, pool, sender, 70n), wrapped(other, 50n), moved(A, other, pool, 50n), swapped],
      [swap(3, A, 50n, B, 70n)],
      [[sender, false, 50n, 70n]],
    ],
  ],
  harvest: [
    [
      'a vault sells its reward while the sender deposits',
      [
        ...[moved(A, sender, wallet, 500n), moved(C, third, wallet, 20n), moved(C, wallet, pool, 20n)],
        ...[moved(A, pool, wallet, 8n), swapped],
      ],
      [swap(4, C, 20n, A, 8n)],
      [[wallet, false, 20n, 8n]],
    ],
    [
      'a keeper calls it and gets a tenth of what came out',
      [
        ...[moved(C, third, wallet, 20n), moved(C, wallet, pool, 20n), moved(A, pool, wallet, 80n), swapped],
        moved(A, wallet, sender, 8n),
      ],
      [swap(3, C, 20n, A, 80n)],
      [[wallet, false, 20n, 80n]],
    ],
    [
      'the reward is sold over two pools',
      [
        ...[moved(C, third, wallet, 20n), moved(C, wallet, pool, 20n), moved(B, pool, second, 30n), swapped],
        ...[moved(A, second, wallet, 8n), { ...swapped, address: second }],
      ],
      [swap(3, C, 20n, B, 30n), swap(5, B, 30n, A, 8n, second)],
      [
        [wallet, false, 20n, 30n],
        [wallet, false, 30n, 8n],
      ],
    ],
  ],
};

for (const [kind, rows] of Object.entries(kinds))
  for (const [sentence, logs, swaps, expected] of rows)
    test(`${kind}: ${sentence}`, () => {
      const found = tradersOf(facts(...logs), swaps, known);
      assert.deepEqual(
        found.map(({ wallet: by, isAssumed, amountIn, amountOut }) => [by, isAssumed, amountIn, amountOut]),
        expected,
      );
    });
