import { readFileSync } from 'node:fs';
import { type Preset, parsePreset } from './presets.ts';

const names = [
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
] as const;

/** Every preset that comes with Swapfold. */
export const builtInPresets: readonly Preset[] = names.map((name) =>
  parsePreset(readFileSync(new URL(`./presets/${name}.sql`, import.meta.url), 'utf8'), `${name}.sql`),
);
