// Generated from docs/guides/export.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
declare const wallet: string;
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';

await pipeline(dex.export('trades', { format: 'parquet', wallet }), createWriteStream('trades.parquet'));

for await (const { length, columns } of dex.columns('trades', { columns: ['block_time', 'usd_amount'] })) {
  // columns.usd_amount: Float64Array, NaN where the value is unknown; columns.block_time: Unix seconds.
}
export {};
