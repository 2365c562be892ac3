import { createRequire } from 'node:module';
import type { Abi, Hex } from 'viem';

/** What a package holds of a contract. */
export interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

const require = createRequire(import.meta.url);

function artifactOf(path: string): Artifact {
  const { abi, bytecode } = require(path) as { abi: Abi; bytecode: string };
  return { abi, bytecode: (bytecode.startsWith('0x') ? bytecode : `0x${bytecode}`) as Hex };
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
} as const;
