// Generated from packages/files/README.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { importFiles } from '@swapfold/files';

const { counts, rejects } = await importFiles(dex, ['dune.parquet', 'exports/']);
await dex.refresh();
export {};
