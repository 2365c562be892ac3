import type { Config, SwapColumns } from '@swapfold/core';
import { inspectSwaps } from '@swapfold/core/host';
import { batchesOf, type FileReject, type HeldPart, isWhole, OWN, rowsOfSwaps } from '@swapfold/files';
import type { BulkIngest } from './bulk-ingest.ts';
import type { FileBatch, Outcome } from './file-batch.ts';

/**
 * The parts of a file or stream of swaps, to be stored: each as a file for an engine that reads such, else as batches of columns. The first
 * part tells which; what is read ahead of that is void if the engine takes it.
 */
export async function* swapBatches(parts: AsyncIterable<HeldPart>): AsyncGenerator<FileBatch> {
  let takesFiles: boolean | undefined;
  let isWholeTaken = false;
  for await (const part of parts) {
    if (isWholeTaken) return;
    let isTaken = false;
    const isVoid = (): boolean => isTaken || isWholeTaken;
    if (isWhole(part))
      yield fileBatch(part, isVoid, (taken) => {
        isWholeTaken = taken;
      });
    else if (takesFiles === true) yield partBatch(part);
    else {
      if (part.file !== undefined && takesFiles === undefined)
        yield fileBatch(part, isVoid, (taken) => {
          isTaken = taken;
          takesFiles = taken;
        });
      for await (const read of batchesOf(part)) {
        if (isVoid()) break;
        yield columnBatch(part, read, isVoid);
      }
      if (!isTaken) await part.drop();
    }
  }
}

type Known = Pick<HeldPart, 'rejects' | 'passed'>;

/** What every batch of a part says of it. */
function toldOf(
  part: HeldPart,
): Pick<FileBatch, 'unused' | 'preset' | 'records' | 'addresses' | 'isZoneless' | 'fraction'> {
  const { unused, records, addresses, isZoneless, bytesRead, bytesTotal } = part;
  const preset = part.preset === OWN ? undefined : part.preset;
  const fraction = Number.isNaN(bytesTotal) ? 0 : bytesRead / bytesTotal;
  return { unused, preset, records, addresses, isZoneless, fraction };
}

const none: ReadonlyMap<string, number> = new Map();

/** A part as a file that the engine is asked to read; its batches follow, for an engine that does not. */
function fileBatch(part: HeldPart, isVoid: () => boolean, onAnswer: (isTaken: boolean) => void): FileBatch {
  const { plain, numbers } = part.file!;
  let isTaken = false;
  return {
    ...toldOf(part),
    ...(isWhole(part) ? { fraction: 0 } : {}),
    get passed() {
      return isTaken ? part.passed : none;
    },
    get rows() {
      if (!isTaken) return 0;
      return isWhole(part) ? plain.rows : part.rows;
    },
    async store(_dex, swaps, name) {
      if (isVoid()) return outcome(0, []);
      isTaken = await swaps.addFile(name, plain, numbers);
      onAnswer(isTaken);
      return outcome(0, isTaken ? [...part.rejects] : []);
    },
    // Whether a store is worth making follows from the first rows, which are checked again with their batch if not.
    check: (config, most) =>
      most === undefined ? Promise.resolve(outcome(0, [])) : checked(part, { config, most, refused: [] }),
  };
}

/** A part for an engine that reads files: if a row of it has to be looked at, as columns. */
export function partBatch(part: HeldPart): FileBatch {
  const { rejects, passed, rows, file } = part;
  return {
    ...toldOf(part),
    passed,
    rows,
    async store(_dex, swaps, name) {
      const refused = [...rejects];
      if (file === undefined || !(await swaps.addFile(name, file.plain, file.numbers))) {
        for await (const read of part.batches()) await add(swaps, { ...read, name, refused });
        await part.drop();
      }
      return outcome(0, refused);
    },
    check: (config, most) => checked(part, { config, most, refused: [...rejects] }),
  };
}

/** Rows of a part as columns. */
function columnBatch(part: HeldPart, read: Read & Known, isVoid: () => boolean): FileBatch {
  const { batch, rowNumbers, rejects, passed } = read;
  const passedRows = [...passed.values()].reduce((sum, count) => sum + count, 0);
  return {
    ...toldOf(part),
    get passed() {
      return isVoid() ? none : passed;
    },
    get rows() {
      return isVoid() ? 0 : batch.length + rejects.length + passedRows;
    },
    async store(_dex, swaps, name) {
      if (isVoid()) return outcome(0, []);
      const refused = [...rejects];
      // Of a part whose rows are all at fault there is no column.
      if (batch.length > 0) await add(swaps, { batch, rowNumbers, name, refused });
      return outcome(0, refused);
    },
    check(config, most) {
      const batches = async function* () {
        if (batch.length > 0) yield { batch, rowNumbers };
      };
      return checked({ batches }, { config, most, refused: [...rejects] });
    },
  };
}

interface Read {
  readonly batch: SwapColumns;
  readonly rowNumbers: Float64Array;
}

async function add(
  swaps: BulkIngest,
  o: Read & { readonly name: string; readonly refused: FileReject[] },
): Promise<void> {
  const { batch, rowNumbers, name, refused } = o;
  await swaps.add({ file: name, batch, rowNumbers }, ({ row, field, reason }) =>
    refused.push({ row: rowNumbers[row]!, field, reason }),
  );
}

/** What storing the rows into an empty store would give. `most`: only the first rows. */
async function checked(
  { batches }: Pick<HeldPart, 'batches'>,
  o: { readonly config: Config; readonly most: number | undefined; readonly refused: FileReject[] },
): Promise<Outcome> {
  let [added, passedOver] = [0, 0];
  let left = o.most ?? Number.POSITIVE_INFINITY;
  for await (const { batch, rowNumbers } of batches()) {
    const first = Uint32Array.from({ length: Math.min(left, batch.length) }, (_, row) => row);
    const rows = first.length < batch.length ? rowsOfSwaps(batch, first) : batch;
    const before = o.refused.length;
    const sound = await inspectSwaps(rows, o.config, ({ row, field, reason }) =>
      o.refused.push({ row: rowNumbers[row]!, field, reason }),
    );
    added += sound;
    passedOver += rows.length - sound - (o.refused.length - before);
    left -= rows.length;
    if (left <= 0) break;
  }
  return { ...outcome(added, o.refused), passedOver };
}

function outcome(added: number, rejects: FileReject[]): Outcome {
  const counts = { added, duplicate: 0, conflicting: 0 };
  return { counts, rejects: rejects.sort((a, b) => a.row - b.row), conflicts: [] };
}
