import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IngestOptions, SwapColumns, Swapfold } from '@swapfold/core';
import type { SwapFile } from '@swapfold/core/host';
import { BulkIngest } from '../src/importing/bulk-ingest.ts';

const batchOf = (length: number): SwapColumns => ({ length, columns: {} }) as unknown as SwapColumns;

test('rows that a store refuses once it has all are told with their files and rows', async () => {
  const reason = 'the second is full';
  const dex = {
    async ingest(batches: AsyncIterable<SwapColumns | SwapFile>, options: IngestOptions) {
      let first = 0;
      for await (const batch of batches) {
        if ('parquet' in batch) continue;
        options.onReject?.({ row: first, field: 'wallet', reason: 'at once' });
        first += batch.length;
      }
      // The last of the second file, and the first row of the third, which an engine has read itself.
      for (const row of [4, 5]) options.onReject?.({ row, field: 'block_time', reason });
      return { added: 6, duplicate: 0, conflicting: 0, rejected: [] };
    },
  };
  const swaps = new BulkIngest(dex as unknown as Swapfold, () => undefined);
  const early: number[] = [];
  const onReject = ({ row }: { readonly row: number }) => early.push(row);
  await swaps.add({ file: 'a', batch: batchOf(2), rowNumbers: Float64Array.of(1, 2) }, onReject);
  await swaps.add({ file: 'b', batch: batchOf(3), rowNumbers: Float64Array.of(1, 3, 7) }, onReject);
  const plain = { path: 'c.parquet', rows: 3, columns: {} };
  assert.equal(await swaps.addFile('c', plain, 10), true);
  const { rejects } = await swaps.end();
  assert.deepEqual(rejects, [
    { file: 'b', row: 7, field: 'block_time', reason },
    { file: 'c', row: 10, field: 'block_time', reason },
  ]);
  assert.deepEqual(early, [0, 0]);
});
