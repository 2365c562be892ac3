// Generated from packages/testing/README.md by test/generate-docs/blocks.ts.
import { memory, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';

const market = generateMarket({ seed: 1, swaps: 10_000 });
const dex = await Swapfold.open({ storage: memory(), config: market.config });
for (const batch of market.swaps()) await dex.ingest(batch);
export {};
