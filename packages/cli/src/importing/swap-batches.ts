import { type Config, inspectSwaps, type Swapfold } from '@swapfold/core';
import type { StreamSource } from '../files/open-stream.ts';
import { readSwapFileInWorker } from '../files/read-in-worker.ts';
import type { SwapFileBatch, SwapFileOptions } from '../files/read-swap-file.ts';
import type { FileReject } from '../files/table-builder.ts';
import { OWN } from '../presets/built-in.ts';
import { firstRows } from '../presets/shaping.ts';
import type { BulkIngest } from './bulk-ingest.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/** The batches of a file or stream of swaps. */
export async function* swapBatches(
  from: string | StreamSource,
  options: Omit<SwapFileOptions, 'onProgress'>,
): AsyncGenerator<FileBatch> {
  for await (const read of readSwapFileInWorker(from, options)) yield swapBatch(read);
}

/** A batch as it was read, to be stored. */
export function swapBatch(read: SwapFileBatch): FileBatch {
  const { batch, rowNumbers, rejects, passed, unused, isZoneless, bytesRead, bytesTotal } = read;
  const passedRows = [...passed.values()].reduce((sum, count) => sum + count, 0);
  return {
    unused,
    passed,
    preset: read.preset === OWN ? undefined : read.preset,
    addresses: read.addresses,
    isZoneless,
    rows: batch.length + rejects.length + passedRows,
    fraction: Number.isNaN(bytesTotal) ? 0 : bytesRead / bytesTotal,
    async store(_dex: Swapfold, swaps: BulkIngest, file: string): Promise<Outcome> {
      const refused: FileReject[] = [...rejects];
      // Of a file whose rows are all at fault there is no column.
      if (batch.length > 0)
        await swaps.add({ file, batch, rowNumbers }, ({ row, field, reason }) =>
          refused.push({ row: rowNumbers[row]!, field, reason }),
        );
      return outcome({ added: 0, duplicate: 0, conflicting: 0 }, refused, []);
    },
    async check(config: Config, most = batch.length): Promise<Outcome> {
      const refused: FileReject[] = [...rejects];
      const rows = most < batch.length ? firstRows(batch, most) : batch;
      const added =
        rows.length === 0
          ? 0
          : await inspectSwaps(rows, config, ({ row, field, reason }) =>
              refused.push({ row: rowNumbers[row]!, field, reason }),
            );
      return outcome({ added, duplicate: 0, conflicting: 0 }, refused, []);
    },
  };
}

function outcome(counts: Outcome['counts'], rejects: FileReject[], conflicts: FileReject[]): Outcome {
  return { counts, rejects: rejects.sort((a, b) => a.row - b.row), conflicts };
}
