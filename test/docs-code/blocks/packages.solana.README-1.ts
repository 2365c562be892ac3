// Generated from packages/solana/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { solanaSource } from '@swapfold/solana';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db') });
await dex.follow(solanaSource({ url: 'http://127.0.0.1:8899' }));
export {};
