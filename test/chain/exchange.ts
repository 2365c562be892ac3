import { type Address, encodePacked, type Hex, maxUint256, zeroAddress } from 'viem';
import type { Anvil } from './anvil.ts';
import { artifacts } from './artifacts.ts';
import { type Contract, calling, deploy, mined, send, type Transaction, view } from './contracts.ts';

/** A token of the test's market. */
export interface Token extends Contract {
  readonly symbol: string;
  readonly decimals: number;
}

export interface Pool extends Contract {
  readonly version: 'v2' | 'v3';
  readonly token0: Token;
  readonly token1: Token;
  /** Hundredths of a basis point; of V3 alone. */
  readonly fee: number;
}

/** Uniswap V2 and V3 on a chain, with tokens, pools that hold liquidity, and traders who may use both. */
export interface Exchange {
  readonly chain: Anvil;
  readonly tokens: readonly Token[];
  readonly pools: readonly Pool[];
  readonly traders: readonly Address[];
  readonly v2Factory: Contract;
  readonly v3Factory: Contract;
  /** The transaction of a swap over pools of one version, exact in what goes in. */
  readonly swap: (trader: Address, route: Route, amountIn: bigint) => Transaction;
  /** A pool of both tokens with liquidity: whole tokens of each. */
  readonly addPool: (of: NewPool) => Promise<Pool>;
  readonly addToken: (symbol: string, decimals: number) => Promise<Token>;
}

export interface Route {
  readonly version: 'v2' | 'v3';
  readonly path: readonly Token[];
  /** One for each step; of V3 alone. */
  readonly fees?: readonly number[];
}

export interface NewPool {
  readonly version: 'v2' | 'v3';
  readonly tokens: readonly [Token, Token];
  readonly amounts: readonly [number, number];
  readonly fee?: number;
}

/** The storage slot of `_decimals` in the token's layout: roles, balances, allowances, supply, name, symbol, decimals. */
const DECIMALS_SLOT = `0x${'6'.padStart(64, '0')}`;
const FAR = 10_000_000_000n;

export const units = (token: { readonly decimals: number }, amount: number): bigint =>
  (BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(token.decimals)) / 1_000_000n;

/** Deploys both versions, four tokens (USDC of 6 decimals, WBTC of 8, WETH and AAA of 18), two pools of V2 and three of V3. */
export async function deployExchange(chain: Anvil): Promise<Exchange> {
  const accounts = await chain.call<Address[]>('eth_accounts');
  const [owner, ...traders] = accounts as [Address, ...Address[]];
  const v2Factory = await deploy(chain, owner, artifacts.v2Factory, [owner]);
  const v3Factory = await deploy(chain, owner, artifacts.v3Factory);
  const weth = await deploy(chain, owner, artifacts.weth);
  const v2Router = await deploy(chain, owner, artifacts.v2Router, [v2Factory.address, weth.address]);
  const v3Router = await deploy(chain, owner, artifacts.v3Router, [v3Factory.address, weth.address]);
  const positions = await deploy(chain, owner, artifacts.v3Positions, [v3Factory.address, weth.address, zeroAddress]);
  const spenders = [v2Router, v3Router, positions];
  const tokens: Token[] = [];
  const pools: Pool[] = [];

  async function addToken(symbol: string, decimals: number): Promise<Token> {
    const contract = await deploy(chain, owner, artifacts.token, [`Token ${symbol}`, symbol]);
    await chain.call(
      'anvil_setStorageAt',
      contract.address,
      DECIMALS_SLOT,
      `0x${decimals.toString(16).padStart(64, '0')}`,
    );
    const token = { ...contract, symbol, decimals };
    const supply = units(token, 1_000_000_000);
    await mined(chain, [
      ...accounts.map((account) => calling(owner, token, 'mint', [account, supply])),
      ...approvals(token),
    ]);
    tokens.push(token);
    return token;
  }

  const approvals = (token: Contract): Transaction[] =>
    accounts.flatMap((account) =>
      spenders.map((spender) => calling(account, token, 'approve', [spender.address, maxUint256])),
    );

  async function addPool({ version, tokens: pair, amounts, fee = 3000 }: NewPool): Promise<Pool> {
    const isSorted = BigInt(pair[0].address) < BigInt(pair[1].address);
    const [token0, token1] = isSorted ? pair : ([pair[1], pair[0]] as const);
    const given = pair.map((token, i) => units(token, amounts[i]!));
    const [amount0, amount1] = (isSorted ? given : given.reverse()) as [bigint, bigint];
    const both = [token0.address, token1.address] as const;
    if (version === 'v2') {
      await mined(chain, [calling(owner, v2Router, 'addLiquidity', [...both, amount0, amount1, 0n, 0n, owner, FAR])]);
      const address = await view<Address>(chain, v2Factory, 'getPair', both);
      return put({ ...artifacts.v2Pair, address, version, token0, token1, fee });
    }
    const spacing = fee === 500 ? 10 : fee === 3000 ? 60 : 200;
    const edge = Math.floor(887_272 / spacing) * spacing;
    await mined(chain, [
      calling(owner, positions, 'createAndInitializePoolIfNecessary', [...both, fee, sqrtPrice(amount0, amount1)]),
    ]);
    const mint = {
      token0: both[0],
      token1: both[1],
      fee,
      tickLower: -edge,
      tickUpper: edge,
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: owner,
      deadline: FAR,
    };
    await mined(chain, [calling(owner, positions, 'mint', [mint])]);
    const address = await view<Address>(chain, v3Factory, 'getPool', [...both, fee]);
    return put({ ...artifacts.v3Pool, address, version, token0, token1, fee });
  }

  function put(pool: Pool): Pool {
    pools.push(pool);
    return pool;
  }

  function swap(trader: Address, { version, path, fees }: Route, amountIn: bigint): Transaction {
    const addresses = path.map(({ address }) => address);
    if (version === 'v2')
      return calling(trader, v2Router, 'swapExactTokensForTokens', [amountIn, 0n, addresses, trader, FAR]);
    const params = { path: packed(addresses, fees!), recipient: trader, deadline: FAR, amountIn, amountOutMinimum: 0n };
    return calling(trader, v3Router, 'exactInput', [params]);
  }

  const usdc = await addToken('USDC', 6);
  const wbtc = await addToken('WBTC', 8);
  const aaa = await addToken('AAA', 18);
  const ether = { ...weth, symbol: 'WETH', decimals: 18 };
  await chain.batch(accounts.map((account) => ['anvil_setBalance', [account, '0x52b7d2dcc80cd2e4000000']]));
  const wrap = (from: Address): Call => [
    'eth_sendTransaction',
    [{ from, to: weth.address, value: '0x1a784379d99db42000000', data: '0xd0e30db0' }],
  ];
  await send(chain, accounts.map(wrap));
  await mined(chain, approvals(ether));
  tokens.push(ether);
  await addPool({ version: 'v2', tokens: [usdc, ether], amounts: [20_000_000, 10_000] });
  await addPool({ version: 'v2', tokens: [ether, aaa], amounts: [5_000, 1_000_000] });
  await addPool({ version: 'v3', tokens: [usdc, ether], amounts: [40_000_000, 20_000], fee: 500 });
  await addPool({ version: 'v3', tokens: [wbtc, ether], amounts: [500, 15_000] });
  await addPool({ version: 'v3', tokens: [usdc, aaa], amounts: [1_000_000, 100_000], fee: 10_000 });
  return { chain, tokens, pools, traders, v2Factory, v3Factory, swap, addPool, addToken };
}

type Call = readonly [method: string, params: readonly unknown[]];

/** A route of V3: token, fee, token, fee, token. */
function packed(addresses: readonly Address[], fees: readonly number[]): Hex {
  const parts = addresses.slice(1).flatMap((address, i) => [fees[i]!, address] as const);
  const types = ['address', ...parts.map((part) => (typeof part === 'number' ? 'uint24' : 'address'))];
  return encodePacked(types as never, [addresses[0]!, ...parts] as never);
}

/** sqrt(amount1 / amount0) in units of 2^-96. */
export function sqrtPrice(amount0: bigint, amount1: bigint): bigint {
  let root = 1n << 160n;
  const of = (amount1 << 192n) / amount0;
  for (let next = (root + of / root) >> 1n; next < root; next = (root + of / root) >> 1n) root = next;
  return root;
}
