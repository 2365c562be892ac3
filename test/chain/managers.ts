import { type Address, encodeAbiParameters, type Hex, keccak256, maxUint256, zeroAddress } from 'viem';
import { artifacts } from './artifacts.ts';
import { type Contract, calling, deploy, mined, placeAt, type Transaction } from './contracts.ts';
import { type Exchange, sqrtPrice, type Token, units } from './exchange.ts';

/** A token of a pool of Uniswap V4, the native one among them. */
export type Currency = Pick<Token, 'address' | 'decimals' | 'symbol'>;

export const ether: Currency = { address: zeroAddress, decimals: 18, symbol: 'ETH' };

export interface ManagedPool {
  /** As the manager names it. */
  readonly id: Hex;
  readonly currencies: readonly [Currency, Currency];
  readonly key: {
    readonly currency0: Address;
    readonly currency1: Address;
    readonly fee: number;
    readonly tickSpacing: number;
    readonly hooks: Address;
  };
}

/** Uniswap V4 on the chain of an exchange: its manager, and the routers that its authors test it with. */
export interface Managed {
  readonly manager: Contract;
  /** Takes 1.23 % of each swap, of the token whose amount the swapper leaves open. */
  readonly feeHook: Address;
  readonly addPool: (of: {
    readonly currencies: readonly [Currency, Currency];
    readonly amounts: readonly [number, number];
    readonly hooks?: Address;
  }) => Promise<ManagedPool>;
  /** The transaction of a swap that has an exact amount: of what goes in, or of what comes out. */
  readonly swap: (
    trader: Address,
    pool: ManagedPool,
    of: { readonly in: Currency; readonly exact: 'in' | 'out'; readonly amount: bigint },
  ) => Transaction;
}

const FEE = 3000;
const SPACING = 60;
const EDGE = Math.floor(887_272 / SPACING) * SPACING;
/** Prices at which a swap ends at the latest. */
const LOWEST = 4_295_128_740n;
const HIGHEST = 1_461_446_703_485_210_103_287_273_052_203_988_822_378_723_970_341n;
/** The lowest bits of a hook's address say what it is called for: after a swap, and that it may change the amounts. */
const HOOK: Address = '0x1000000000000000000000000000000000000044';
const RESERVE = 10n ** 21n;

export async function deployManaged({ chain, tokens, traders }: Exchange): Promise<Managed> {
  const [owner] = await chain.call<Address[]>('eth_accounts');
  const from = owner!;
  const manager = await deploy(chain, from, artifacts.v4Manager, [from]);
  const swaps = await deploy(chain, from, artifacts.v4Swaps, [manager.address]);
  const liquidity = await deploy(chain, from, artifacts.v4Liquidity, [manager.address]);
  await placeAt(chain, HOOK, await deploy(chain, from, artifacts.v4FeeHook, [manager.address]));
  await mined(
    chain,
    tokens.flatMap((token) => [
      ...[from, ...traders].map((account) => calling(account, token, 'approve', [swaps.address, maxUint256])),
      calling(from, token, 'approve', [liquidity.address, maxUint256]),
    ]),
  );
  return {
    manager,
    feeHook: HOOK,
    async addPool({ currencies, amounts, hooks = zeroAddress }) {
      const isSorted = BigInt(currencies[0].address) < BigInt(currencies[1].address);
      const sorted = isSorted ? currencies : ([currencies[1], currencies[0]] as const);
      const given = currencies.map((currency, i) => units(currency, amounts[i]!));
      const [amount0, amount1] = (isSorted ? given : [...given].reverse()) as [bigint, bigint];
      const [currency0, currency1] = sorted.map(({ address }) => address) as [Address, Address];
      const key = { currency0, currency1, fee: FEE, tickSpacing: SPACING, hooks };
      await mined(chain, [calling(from, manager, 'initialize', [key, sqrtPrice(amount0, amount1)])]);
      // Over all prices, liquidity is the root of the product of both amounts.
      const params = { tickLower: -EDGE, tickUpper: EDGE, liquidityDelta: rootOf(amount0 * amount1), salt: NO_SALT };
      const value = currency0 === zeroAddress ? amount0 + RESERVE : 0n;
      await mined(chain, [calling(from, liquidity, 'modifyLiquidity', [key, params, '0x'], value)]);
      return { id: idOf(key), currencies: [sorted[0], sorted[1]], key };
    },
    swap(trader, { key, currencies }, { in: currency, exact, amount }) {
      const zeroForOne = currency === currencies[0];
      const params = {
        zeroForOne,
        amountSpecified: exact === 'in' ? -amount : amount,
        sqrtPriceLimitX96: zeroForOne ? LOWEST : HIGHEST,
      };
      const settings = { takeClaims: false, settleUsingBurn: false };
      // What is sent too much of the native token comes back.
      const value = currency.address === zeroAddress ? (exact === 'in' ? amount : RESERVE) : 0n;
      return calling(trader, swaps, 'swap', [key, params, settings, '0x'], value);
    },
  };
}

const NO_SALT: Hex = `0x${'0'.repeat(64)}`;

function idOf({ currency0, currency1, fee, tickSpacing, hooks }: ManagedPool['key']): Hex {
  const types = ['address', 'address', 'uint24', 'int24', 'address'].map((type) => ({ type }));
  return keccak256(encodeAbiParameters(types, [currency0, currency1, fee, tickSpacing, hooks]));
}

/** The whole root of a number, by Newton. */
function rootOf(of: bigint): bigint {
  let root = 1n << 128n;
  for (let next = (root + of / root) >> 1n; next < root; next = (root + of / root) >> 1n) root = next;
  return root;
}
