// Generated from packages/sqlite/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';

const dex = await Swapfold.open({ storage: sqlite('dex.db'), config: { preset: 'solana' } });
export {};
