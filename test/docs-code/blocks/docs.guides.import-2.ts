// Generated from docs/guides/import.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { readSwapFile } from 'swapfold';

for await (const { batch, rejects, passed, preset } of readSwapFile('dune.parquet', { presets: ['dune-solana'] })) {
  await dex.ingest(batch);
}
export {};
