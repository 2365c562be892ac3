// Generated from docs/guides/export.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
import { RecordBatch, Table } from 'apache-arrow';

const batches: RecordBatch[] = [];
for await (const batch of dex.columns<RecordBatch>('trades', { as: 'arrow' })) batches.push(batch);
const table = new Table(batches);
export {};
