import { readFileSync } from 'node:fs';
import { type Preset, parsePreset } from './presets.ts';
import type { RowsName } from './row-kinds.ts';

/** The presets of each kind of rows. Those of swaps lie in the folder, those of others in one of their own within it. */
const names = {
  swaps: [
    'dune-solana',
    'dune-solana-bots',
    'dune-evm',
    'flipside-solana',
    'bitquery-solana',
    'uniswap-v3-subgraph',
    'uniswap-v2-subgraph',
    'geckoterminal',
    'birdeye',
    'pumpfun',
    'pumpportal',
    'moralis',
    'helius',
    'codex',
    'bitquery-graphql',
    'solana-tracker',
    'uniswap-v4-subgraph',
    'etherscan-dex',
    'cielo',
  ],
  transfers: ['dune-evm', 'dune-solana', 'etherscan', 'solscan', 'cielo'],
} as const satisfies Record<RowsName, readonly string[]>;

/** Every preset that comes with Swapfold. */
export const builtInPresets: readonly Preset[] = Object.entries(names).flatMap(([rows, all]) =>
  all.map((name) => {
    const path = `./presets/${rows === 'swaps' ? '' : `${rows}/`}${name}.sql`;
    return parsePreset(readFileSync(new URL(path, import.meta.url), 'utf8'), `${name}.sql`);
  }),
);
