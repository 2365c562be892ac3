import { encodeAbiParameters, encodeEventTopics, type Hex, parseAbi, zeroAddress } from 'viem';
import type { PoolSwap } from '../../src/movement.ts';
import { factsOf, type TransactionFacts } from '../../src/receipts.ts';

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event BeforeExecution()',
  'event UserOperationEvent(bytes32 indexed userOpHash, address indexed sender, address indexed paymaster, uint256 nonce, bool success, uint256 actualGasCost, uint256 actualGasUsed)',
]);
export const address = (letter: string): Hex => `0x${letter.repeat(40)}`;
export const [sender, wallet, other, pool, second, A, B, C] = [...'123456789abcdef'].map(address) as [
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

export interface Emitted {
  readonly address: string;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

export const moved = (token: Hex, from: Hex, to: Hex, value: bigint): Emitted => ({
  address: token,
  topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
  data: encodeAbiParameters([{ type: 'uint256' }], [value]),
});
export const begins: Emitted = {
  address: entryPoint,
  topics: encodeEventTopics({ abi, eventName: 'BeforeExecution' }) as Hex[],
  data: '0x',
};
export const ends = (account: Hex, cost: bigint, paymaster: Hex = zeroAddress): Emitted => ({
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
export const swapped: Emitted = { address: pool, topics: [`0x${'7'.repeat(64)}`], data: '0x' };

/** The facts of a transaction that paid 100 gas at 3. */
export const facts = (...logs: readonly Emitted[]): TransactionFacts =>
  factsOf({
    transactionHash: '0x',
    blockHash: '0x',
    from: sender,
    gasUsed: '0x64',
    effectiveGasPrice: '0x3',
    logs: logs.map((log, i) => ({ ...log, logIndex: `0x${i.toString(16)}` })),
  });

export const swap = (
  at: number,
  tokenIn: Hex,
  amountIn: bigint,
  tokenOut: Hex,
  amountOut: bigint,
  contract: Hex = pool,
): PoolSwap => ({
  ...{ at, contract, caller: undefined, tokenIn, tokenOut, amountIn, amountOut },
  ...{ isNativeIn: false, isNativeOut: false },
});
