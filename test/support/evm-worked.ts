import { type Recorded, recordedSource, swapsOf } from './evm-transactions.ts';

/** Logs of hand-worked transactions of Ethereum, and what its source reads of them by a stand-in node. */

export const accountOf = (letters: string): string => `0x${letters.repeat(40).slice(0, 40)}`;
/** Who sends, others, contracts that trade for them, and two tokens of a stranger. */
export const [SENDER, ANN, BOB, EVE] = ['1', '2', '3', '4'].map(accountOf) as [string, string, string, string];
export const [ROUTER, VAULT, ESCROW] = ['5', '6', '7'].map(accountOf) as [string, string, string];
export const [A, B] = ['a', 'b'].map(accountOf) as [string, string];
export const ZERO = accountOf('0');
export const WETH = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2';
export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

/** Pools that are followed, by their tokens: A_USDC is one of Uniswap V3, the others are pairs. `OTHER` and `ELSEWHERE` are followed by nobody. */
const followed = {
  [accountOf('c1')]: [A, WETH],
  [accountOf('c2')]: [A, USDC],
  [accountOf('c3')]: [B, WETH],
  [accountOf('c4')]: [WETH, USDC],
  [accountOf('c5')]: [A, B],
} as const;
export const [A_WETH, A_USDC, B_WETH, WETH_USDC, A_B] = Object.keys(followed) as [
  string,
  string,
  string,
  string,
  string,
];
export const [OTHER, ELSEWHERE] = ['d1', 'd2'].map(accountOf) as [string, string];
export const MANAGER = accountOf('e1');
const ids = { [`0x${'91'.repeat(32)}`]: [A, WETH], [`0x${'92'.repeat(32)}`]: [B, WETH] } as const;
export const [A_WETH_ID, B_WETH_ID] = Object.keys(ids) as [string, string];

export interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

const word = (value: string | number | bigint): string =>
  typeof value === 'string'
    ? value.slice(2).padStart(64, '0')
    : BigInt.asUintN(256, BigInt(value)).toString(16).padStart(64, '0');
const log = (address: string, topics: readonly string[], ...data: readonly (string | number)[]): Log => ({
  address,
  topics: topics.map((topic) => `0x${word(topic)}`),
  data: `0x${data.map(word).join('')}`,
});

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const moved = (token: string, from: string, to: string, amount: number): Log =>
  log(token, [TRANSFER, from, to], amount);
export const wrapped = (account: string, amount: number): Log =>
  log(WETH, ['0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c', account], amount);
export const unwrapped = (account: string, amount: number): Log =>
  log(WETH, ['0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65', account], amount);

/** A swap of a pair: what it took of its two tokens, and what it gave. */
export const pairSwap = (pair: string, ins: readonly [number, number], outs: readonly [number, number]): Log =>
  log(pair, ['0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822', ROUTER, ROUTER], ...ins, ...outs);
/** A swap of a pool of Uniswap V3: what it took, negative if it gave. */
export const poolSwap = (pool: string, amounts: readonly [number, number]): Log =>
  log(
    pool,
    ['0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67', ROUTER, ROUTER],
    ...[...amounts, 1, 1, 1],
  );
/** A swap in a pool of the manager: what its caller got, negative if it gave. */
export const managedSwap = (id: string, caller: string, amounts: readonly [number, number]): Log =>
  log(
    MANAGER,
    ['0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f', id, caller],
    ...[...amounts, 1, 1, 1, 1],
  );

/** `Fill` of a reactor of UniswapX, `OrderFilled` of 1inch router 5 and 6, and `Trade` of CoW Protocol. */
export const filled = (filler: string, swapper: string): Log =>
  log(
    '0x00000011f84b9aa48e5f8aa8b9897600006289be',
    ['0x78ad7ec0e9f89e74012afa58738b6b661c024cb0fd185ee2f616c0a28924bd66', '0x01', filler, swapper],
    1,
  );
export const filledV5 = (maker: string): Log =>
  log(
    '0x1111111254eeb25477b68fb85ed929f73a960582',
    ['0xb9ed0243fdf00f0545c63a0af8850c090d86bb46682baec4bf3c496814fe4f02', maker],
    ...['0x01', 0],
  );
export const filledV6: Log = log(
  '0x111111125421ca6dc452d289314280a0f8842a65',
  ['0xfec331350fce78ba658e082a71da20ac9f8d798a99b3c79681c8440cbfe77e07'],
  ...['0x01', 0],
);
export const SETTLEMENT = '0x9008d19f58aabd9ed0d60971565aa8510560ab41';
/** How CoW Protocol names the native token. */
export const COW_NATIVE = accountOf('e');
export const traded = (
  owner: string,
  sold: readonly [token: string, amount: number],
  bought: readonly [token: string, amount: number],
): Log =>
  log(
    SETTLEMENT,
    ['0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17', owner],
    ...[sold[0], bought[0], sold[1], bought[1], 0, 192, 0],
  );

/** A swap as it has to be: whose, what it gave and got in the smallest units, and whether it is the sender's for want of a rule. */
export type Worked = readonly [wallet: string, amountIn: number, amountOut: number, isAssumed?: 'assumed'];

/** The swaps that the source gives of a transaction, in the order of its logs, and how many of them it assumed. */
export async function swapsOfLogs(logs: readonly Log[]): Promise<{
  readonly swaps: readonly (readonly [wallet: string, amountIn: number, amountOut: number])[];
  readonly assumed: number;
}> {
  const source = recordedSource(transactionOf(logs));
  const found = [...(await swapsOf(source)).values()];
  return {
    swaps: found
      .toSorted((a, b) => Number(a.swap_index) - Number(b.swap_index))
      .map((row) => [String(row.wallet), Number(row.token_amount_in), Number(row.token_amount_out)]),
    assumed: source.undecoded.assumed_wallets,
  };
}

const pools: Recorded['pools'] = [
  ...Object.entries(followed).map(([pool, [token0, token1]]) => ({
    ...{ pool, token0, token1 },
    kind: pool === A_USDC ? ('v3' as const) : ('v2' as const),
  })),
  ...Object.entries(ids).map(([id, [token0, token1]]) => ({
    pool: `${MANAGER}/${id}`,
    kind: 'v4' as const,
    token0,
    token1,
  })),
];

/** A transaction of Ethereum that SENDER sent to ROUTER. */
export function transactionOf(logs: readonly Log[]): Recorded {
  const receipt = {
    ...{ from: SENDER, to: ROUTER, gasUsed: '0x64', effectiveGasPrice: '0x3', type: '0x2', status: '0x1' },
    logs: logs.map((each, i) => ({ ...each, logIndex: `0x${i.toString(16)}` })),
  };
  return {
    ...{ name: 'worked', kind: 'worked', why: '', chain_id: 1, transaction: `0x${'ab'.repeat(32)}` },
    ...{ pools, swaps: [], receipt },
  };
}
