import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

/** What a package holds of a contract. */
export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const require = createRequire(import.meta.url);

function artifactOf(path: string): Artifact {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: string | { readonly object: string } };
  const code = typeof bytecode === 'string' ? bytecode : bytecode.object;
  return { abi, bytecode: (code.startsWith('0x') ? code : `0x${code}`) as Hex };
}

/** The contracts as their authors published them. */
export const artifacts = {
  token: artifactOf('@openzeppelin/contracts/build/contracts/ERC20PresetMinterPauser.json'),
  weth: artifactOf('@uniswap/v2-periphery/build/WETH9.json'),
  v2Factory: artifactOf('@uniswap/v2-core/build/UniswapV2Factory.json'),
  v2Pair: artifactOf('@uniswap/v2-core/build/UniswapV2Pair.json'),
  v2Router: artifactOf('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
  v3Factory: artifactOf('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  v3Pool: artifactOf('@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json'),
  v3Router: artifactOf('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
  v3Positions: artifactOf(
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  ),
  v4Manager: artifactOf('@uniswap/v4-core/out/PoolManager.sol/PoolManager.json'),
  v4Swaps: artifactOf('@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json'),
  v4Liquidity: artifactOf('@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json'),
  v4FeeHook: artifactOf('@uniswap/v4-core/out/FeeTakingHook.sol/FeeTakingHook.json'),
  entryPoint: artifactOf('@account-abstraction/contracts/artifacts/EntryPoint.json'),
  simpleAccount: artifactOf('@account-abstraction/contracts/artifacts/SimpleAccount.json'),
  /** As it is deployed on mainnet, so that it comes to the same address. */
  cowSettlement: artifactOf('@cowprotocol/contracts/deployments/mainnet/GPv2Settlement.json'),
  safe: artifactOf('@safe-global/safe-contracts/build/artifacts/contracts/Safe.sol/Safe.json'),
  safeProxy: artifactOf('@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxy.sol/SafeProxy.json'),
  /** Of test/chain/solidity. */
  steps: artifactOf('./artifacts/Steps.json'),
  taxedToken: artifactOf('./artifacts/TaxedToken.json'),
} as const;
