// Generated from packages/evm/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db'), config: { preset: 'ethereum' } });
await dex.follow(evmSource({ url: 'http://127.0.0.1:8545', factories: ['uniswap-v3'], from_block: 19_000_000 }));
export {};
