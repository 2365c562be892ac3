import { type Config, inspectSwaps, type Swapfold } from '@swapfold/core';
import type { StreamSource } from '../files/open-stream.ts';
import { readSwapFileInWorker } from '../files/read-in-worker.ts';
import type { SwapFileBatch, SwapFileOptions } from '../files/read-swap-file.ts';
import type { FileReject, PlainFile } from '../files/table-builder.ts';
import { OWN } from '../presets/built-in.ts';
import { firstRows } from '../presets/shaping.ts';
import type { BulkIngest } from './bulk-ingest.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/** The batches of a file or stream of swaps. */
export async function* swapBatches(
  from: string | StreamSource,
  options: Omit<SwapFileOptions, 'onProgress'>,
): AsyncGenerator<FileBatch> {
  let whole: WholeFile | undefined;
  for await (const read of readSwapFileInWorker(from, options)) {
    // The batch after the whole file is read before the engine has said whether it takes the file.
    if (whole?.isTaken) return;
    const batch = swapBatch(read);
    if (typeof from === 'string' && read.plainFile !== undefined) {
      whole = new WholeFile(batch, read.plainFile);
      yield whole.batch;
    }
    yield whole === undefined ? batch : whole.unlessTaken(batch);
  }
}

const nothing: Outcome = { counts: {}, rejects: [], conflicts: [] };

/** A Parquet file that the engine is asked to read; its batches follow, for an engine that does not. */
class WholeFile {
  isTaken = false;
  readonly batch: FileBatch;

  constructor(first: FileBatch, file: PlainFile) {
    const rowsOf = (): number => (this.isTaken ? file.rows : 0);
    this.batch = {
      ...first,
      get rows() {
        return rowsOf();
      },
      fraction: 0,
      store: async (_dex, swaps, name) => {
        this.isTaken = await swaps.addFile(name, file);
        return nothing;
      },
      // Whether a store is worth making follows from the first rows, which are checked again with their batch if not.
      check: async (config, most) => (most === undefined ? nothing : first.check(config, most)),
    };
  }

  /** A batch of the file, which is empty once the engine has read the file. */
  unlessTaken(batch: FileBatch): FileBatch {
    const isTaken = (): boolean => this.isTaken;
    return {
      ...batch,
      get rows() {
        return isTaken() ? 0 : batch.rows;
      },
      store: async (dex, swaps, name) => (this.isTaken ? nothing : batch.store(dex, swaps, name)),
    };
  }
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
