// Generated from packages/files/README.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { readSwapFile } from '@swapfold/files';

for await (const { batch, rejects } of readSwapFile('dune.parquet')) {
  await dex.ingest(batch);
}
export {};
