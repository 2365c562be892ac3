// Generated from packages/core/README.md by test/generate-docs/blocks.ts.
declare const swaps: readonly import('@swapfold/core').SwapInput[];
import { memory, Swapfold } from '@swapfold/core';

const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
await dex.ingest(swaps);
await dex.refresh();
const { data } = await dex.wallets.search({ filter: { 'metrics.7d.pnl': { $gt: 1000 } } });
await dex.close();
export {};
