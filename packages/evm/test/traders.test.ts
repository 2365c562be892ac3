import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hex } from 'viem';
import type { PoolSwap } from '../src/movement.ts';
import type { TransactionFacts } from '../src/receipts.ts';
import { type Traded, tradersOf } from '../src/traders.ts';
import {
  A,
  address,
  B,
  begins,
  C,
  type Emitted,
  ends,
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

interface Row {
  readonly sentence: string;
  readonly facts: TransactionFacts;
  readonly swaps: readonly PoolSwap[];
  /** Wallet, amount in, amount out and fee of each swap. */
  readonly expected: readonly (readonly [string, bigint, bigint, bigint])[];
}

const rows: readonly Row[] = [
  {
    sentence: 'a sender that gave and got made the swap and paid for it',
    facts: facts(moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped),
    swaps: [swap(2, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a swap of the native token on both sides, without any transfer, is of the sender',
    facts: facts(swapped),
    swaps: [swap(0, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'an account that gave and got by a relayer made the swap and paid nothing',
    facts: facts(moved(A, wallet, pool, 50n), moved(B, pool, wallet, 70n), swapped),
    swaps: [swap(2, A, 50n, B, 70n)],
    expected: [[wallet, 50n, 70n, 0n]],
  },
  {
    sentence: 'of two accounts that gave and got, neither is chosen',
    facts: facts(
      ...[moved(A, wallet, pool, 25n), moved(A, other, pool, 25n), moved(B, pool, wallet, 35n)],
      ...[moved(B, pool, other, 35n), swapped],
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a pool that nobody follows, in the middle of a route, is not the wallet',
    // other takes B and gives C; the second swap alone is known beside the first.
    facts: facts(moved(A, pool, second, 5n), moved(B, pool, other, 70n), moved(C, other, second, 9n), swapped),
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a contract that swaps in a circle and keeps the gain is the wallet',
    facts: facts(
      ...[moved(A, wallet, pool, 50n), moved(B, pool, second, 70n), moved(A, second, wallet, 52n), swapped, swapped],
    ),
    swaps: [swap(3, A, 50n, B, 70n), swap(4, B, 70n, A, 52n, second)],
    expected: [
      [wallet, 50n, 70n, 0n],
      [wallet, 70n, 52n, 0n],
    ],
  },
  {
    sentence:
      'an account that paid for its operation has its cost as fee, one with a paymaster none, each with its own transfers',
    facts: facts(
      begins,
      ...[moved(A, wallet, pool, 50n), moved(B, pool, wallet, 70n), swapped, ends(wallet, 1234n)],
      ...[moved(A, other, pool, 60n), moved(B, pool, other, 80n), swapped, ends(other, 5678n, second)],
    ),
    swaps: [swap(3, A, 50n, B, 70n), swap(7, A, 60n, B, 80n)],
    expected: [
      [wallet, 50n, 70n, 1234n],
      [other, 60n, 80n, 0n],
    ],
  },
  {
    sentence: 'a swap of a bundler behind its operations is of the bundler',
    facts: facts(
      ...[begins, moved(A, wallet, pool, 50n), swapped, ends(wallet, 1n)],
      ...[moved(A, sender, pool, 6n), moved(B, pool, sender, 7n), swapped],
    ),
    swaps: [swap(2, A, 50n, B, 70n), swap(6, A, 6n, B, 7n)],
    expected: [
      [wallet, 50n, 70n, 1n],
      [sender, 6n, 7n, 300n],
    ],
  },
  {
    sentence: 'an operation of an unknown EntryPoint names nobody',
    facts: facts(
      { ...begins, address: other },
      ...[moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped, { ...ends(wallet, 9n), address: other }],
    ),
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: "a tax of what came out and a fee of what went in are the wallet's own side",
    facts: facts(
      ...[moved(A, sender, other, 1n), moved(A, sender, pool, 50n), moved(B, pool, sender, 66n), moved(B, pool, B, 4n)],
      swapped,
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 51n, 66n, 300n]],
  },
  {
    sentence: 'what is given beside a swap, more than as much again, is something else',
    facts: facts(moved(A, sender, other, 51n), moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped),
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a route that is split over two pools shares a fee in proportion, the last one with the rest',
    facts: facts(
      ...[moved(A, sender, other, 103n), moved(A, other, pool, 33n), moved(B, pool, sender, 70n), swapped],
      ...[moved(A, other, second, 67n), moved(B, second, sender, 140n), swapped],
    ),
    // 103 given for 100 received: 33 of 100 are 33.99, and the rest is 70.
    swaps: [swap(3, A, 33n, B, 70n), swap(6, A, 67n, B, 140n, second)],
    expected: [
      [sender, 33n, 70n, 300n],
      [sender, 70n, 140n, 300n],
    ],
  },
  {
    sentence: 'what comes back of a token that was given is not given',
    facts: facts(moved(A, sender, other, 60n), moved(A, other, sender, 10n), moved(B, pool, sender, 70n), swapped),
    swaps: [swap(3, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
];

const [D, third] = [address('9'), address('f')];
const [fake, settlement] = [address('e'), '0x9008d19f58aabd9ed0d60971565aa8510560ab41' as Hex];
const padded = (account: Hex): Hex => `0x${account.slice(2).padStart(64, '0')}`;
const filled = (by: Hex, swapper: Hex): Emitted => ({
  address: by,
  topics: [
    '0x78ad7ec0e9f89e74012afa58738b6b661c024cb0fd185ee2f616c0a28924bd66',
    padded('0x01'),
    padded(sender),
    padded(swapper),
  ],
  data: padded('0x00'),
});
const traded: readonly Hex[] = ['0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17'];
const ethFlow: Hex = '0xba3cb449bd2b4adddbc894d8697f5170800eadec';

const attacks: readonly Row[] = [
  {
    sentence: 'an event of anybody and a transfer of a token of their own book no swap on a third account',
    facts: facts(
      ...[moved(fake, wallet, other, 1n), filled(fake, wallet)],
      ...[moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped],
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'nor does a transfer of nothing of the real token, which needs no approval',
    facts: facts(
      ...[moved(A, wallet, other, 0n), filled(fake, wallet)],
      ...[moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped],
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a reactor that is known by its address is believed, also of what a swap in the middle exchanged',
    facts: facts(
      ...[moved(C, wallet, other, 9n), moved(C, other, second, 9n), moved(A, second, other, 50n)],
      ...[moved(A, other, pool, 50n), moved(B, pool, other, 70n), swapped],
      ...[moved(B, other, third, 70n), moved(D, third, other, 8n), moved(D, other, sender, 8n)],
      filled('0x6000da47483062a0d734ba3dc7576ce6a0b645c4', wallet),
    ),
    swaps: [swap(5, A, 50n, B, 70n)],
    expected: [[wallet, 50n, 70n, 0n]],
  },
  {
    sentence:
      "CoW's event of another contract, of an order of the native token, is passed over, whatever its logs look like",
    facts: facts(
      {
        address: fake,
        topics: [`0x${'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}`],
        data: padded('0x07'),
      },
      {
        address: fake,
        topics: [...traded, padded(ethFlow)],
        data: `0x${padded(A).slice(2)}${padded(fake).slice(2)}${padded('0x01').slice(2)}${padded('0x07').slice(2)}`,
      },
      ...[moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped],
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: "of CoW's settlement, a log that is no transfer is passed over",
    facts: facts(
      {
        address: B,
        topics: [`0x${'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}`],
        data: padded('0x07'),
      },
      {
        address: settlement,
        topics: [...traded, padded(ethFlow)],
        data: `0x${padded(A).slice(2)}${padded(B).slice(2)}${padded('0x01').slice(2)}${padded('0x07').slice(2)}`,
      },
      ...[moved(A, sender, pool, 50n), moved(B, pool, sender, 70n), swapped],
    ),
    swaps: [swap(4, A, 50n, B, 70n)],
    expected: [[sender, 50n, 70n, 300n]],
  },
  {
    sentence: 'a route that is split with a pool that nobody follows has the amounts of the pool that is followed',
    // 1,000 given, 600 of them to the pool; 1,000 got, 600 of them from it.
    facts: facts(
      ...[moved(A, sender, pool, 600n), moved(A, sender, other, 400n)],
      ...[moved(B, pool, sender, 600n), moved(B, other, sender, 400n), swapped],
    ),
    swaps: [swap(4, A, 600n, B, 600n)],
    expected: [[sender, 600n, 600n, 300n]],
  },
];

for (const { sentence, facts: of, swaps, expected } of [...rows, ...attacks])
  test(sentence, () => {
    const found = tradersOf(of, swaps, { native: undefined, quotes: new Set() }).map(
      ({ wallet: by, amountIn, amountOut, fee }: Traded) => [by, amountIn, amountOut, fee],
    );
    assert.deepEqual(found, expected);
  });
