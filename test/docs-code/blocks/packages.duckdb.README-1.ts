// Generated from packages/duckdb/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';

const dex = await Swapfold.open({ storage: duckdb('dex.duckdb'), config: { preset: 'solana' } });
export {};
