import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, zeroAddress } from 'viem';
import type { PoolSwap } from '../src/exchangers.ts';
import { factsOf, type TransactionFacts } from '../src/receipts.ts';
import { type Traded, tradersOf } from '../src/traders.ts';

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event BeforeExecution()',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
const address = (letter: string): Hex => `0x${letter.repeat(40)}`;
const [sender, wallet, other, pool, second, A, B, C] = [...'123456789abcdef'].map(address) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
];
const entryPoint: Hex = '0x0000000071727de22e5e9d8baf0edac6f37da032';

interface Emitted {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

const moved = (token: Hex, from: Hex, to: Hex, value: bigint): Emitted => ({
  address: token,
  topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
});
const begins: Emitted = {
  address: entryPoint,
  topics: encodeEventTopics({ abi, eventName: 'BeforeExecution' }) as Hex[],
  data: '0x',
};
const ends = (account: Hex, cost: bigint, paymaster: Hex = zeroAddress): Emitted => ({
  address: entryPoint,
  topics: encodeEventTopics({
    abi,
    eventName: 'UserOperationEvent',
    args: { userOpHash: `0x${'0'.repeat(64)}`, sender: account, paymaster },
  }) as Hex[],
  data: encodeAbiParameters(
    [{ type: 'uint256' }, { type: 'bool' }, { type: 'uint256' }, { type: 'uint256' }],
    [0n, true, cost, 9n],
  ),
});
/** A swap event, of which only its place matters. */
const swapped: Emitted = { address: pool, topics: [`0x${'7'.repeat(64)}`], data: '0x' };

/** The facts of a transaction that paid 100 gas at 3. */
const facts = (...logs: readonly Emitted[]): TransactionFacts =>
  factsOf({
    transactionHash: '0x',
    blockHash: '0x',
    from: sender,
    gasUsed: '0x64',
    effectiveGasPrice: '0x3',
    logs: logs.map((log, i) => ({ ...log, logIndex: `0x${i.toString(16)}` })),
  });

const swap = (at: number, tokenIn: Hex, amountIn: bigint, tokenOut: Hex, amountOut: bigint): PoolSwap => ({
  ...{ at, tokenIn, tokenOut, amountIn, amountOut },
});

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
    swaps: [swap(3, A, 50n, B, 70n), swap(4, B, 70n, A, 52n)],
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
      ...[moved(A, sender, other, 103n), moved(B, pool, sender, 70n), moved(B, second, sender, 140n), swapped, swapped],
    ),
    // 103 given for 100 received: 33 of 100 are 33.99, and the rest is 70.
    swaps: [swap(3, A, 33n, B, 70n), swap(4, A, 67n, B, 140n)],
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

for (const { sentence, facts: of, swaps, expected } of rows)
  test(sentence, () => {
    const found = tradersOf(of, swaps).map(({ wallet: by, amountIn, amountOut, fee }: Traded) => [
      by,
      amountIn,
      amountOut,
      fee,
    ]);
    assert.deepEqual(found, expected);
  });
