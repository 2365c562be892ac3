// Generated from packages/clickhouse/README.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { clickhouse } from '@swapfold/clickhouse';

const dex = await Swapfold.open({ storage: clickhouse({ server: 'http://localhost:8123', database: 'dex' }), config: { preset: 'solana' } });
export {};
