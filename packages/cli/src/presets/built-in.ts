import { duneEvm, duneSolana, duneSolanaBots } from './dune.ts';
import { geckoterminal, uniswapV2Subgraph, uniswapV3Subgraph } from './evm-exports.ts';
import type { Preset } from './preset.ts';
import { birdeye, bitquerySolana, flipsideSolana } from './solana-exports.ts';

/** The name of Swapfold's own columns among presets. */
export const OWN = 'swapfold';

/** Every preset that comes with Swapfold. */
export const builtInPresets: readonly Preset[] = [
  duneSolana,
  duneSolanaBots,
  duneEvm,
  flipsideSolana,
  bitquerySolana,
  uniswapV3Subgraph,
  uniswapV2Subgraph,
  geckoterminal,
  birdeye,
];
