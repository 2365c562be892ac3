// Generated from docs/guides/chain.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db'), config: { preset: 'ethereum' } });
const source = evmSource({
  url: 'http://127.0.0.1:8545',
  factories: ['uniswap-v2', 'uniswap-v3'],
  from_block: 19_000_000,
  chain_id: 1,
  onNotice: console.warn,
});
const stopping = new AbortController();
await dex.follow(source, { signal: stopping.signal });
export {};
