import type { Swapfold } from '@swapfold/core';
import { readSwapFileInWorker } from '../files/read-in-worker.ts';
import type { SwapFileOptions } from '../files/read-swap-file.ts';
import type { FileReject } from '../files/table-builder.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/** The batches of a file of swaps, to be stored in the store that `dex` gives. */
export async function* swapBatches(
  dex: () => Swapfold,
  path: string,
  options: Omit<SwapFileOptions, 'onProgress'>,
): AsyncGenerator<FileBatch> {
  for await (const read of readSwapFileInWorker(path, options)) {
    const { batch, rowNumbers, rejects, unused, bytesRead, bytesTotal } = read;
    yield {
      unused,
      rows: batch.length + rejects.length,
      fraction: bytesRead / bytesTotal,
      async store(): Promise<Outcome> {
        const refused: FileReject[] = [...rejects];
        const conflicts: FileReject[] = [];
        const { added, duplicate, conflicting } = await dex().ingest(batch, {
          onReject: ({ row, field, reason }) => refused.push({ row: rowNumbers[row]!, field, reason }),
          onConflict: ({ row, reason }) => conflicts.push({ row: rowNumbers[row]!, field: 'tx_hash', reason }),
        });
        refused.sort((a, b) => a.row - b.row);
        return { counts: { added, duplicate, conflicting }, rejects: refused, conflicts };
      },
    };
  }
}
