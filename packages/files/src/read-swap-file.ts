import type { SwapColumns } from '@swapfold/core';
import { openArrow } from './arrow-lines.ts';
import type { PartInfo, SwapPart } from './batches.ts';
import { peekFile, type StreamSource } from './bytes.ts';
import { formatOf } from './format.ts';
import type { RowFileOptions, SwapFileOptions } from './options.ts';
import { readParquetParts } from './parquet.ts';
import { FileReading, formOf, type HeldPart, readJsonLines, readTextParts } from './read-parts.ts';
import type { RowKind } from './row-kinds.ts';

/** Rows of a file of swaps, as columns. */
export interface SwapFileBatch extends PartInfo {
  /** With the file and the numbers there of its rows, counting data rows from 1, so that an ingest names them. */
  readonly batch: SwapColumns;
}

/**
 * The swaps of a file or of a stream of bytes, in its order, as column batches.
 *
 * - Formats: CSV, JSON (both also gzip and zstd), Parquet and Arrow, told by the name, or by the content where the name does not tell. A
 *   stream is CSV or JSON.
 * - Columns: the fields of `SwapInput`, or those of a preset; `map` names others. Columns of no field are not read; `unused` names them.
 * - A row that cannot be read is a reject, and the rest goes on.
 * - Errors: `invalid-input` for a file that cannot be read or lacks needed columns, naming the file and the place.
 */
export async function* readSwapFile(
  from: string | StreamSource,
  options: SwapFileOptions = {},
): AsyncGenerator<SwapFileBatch> {
  yield* batchesOfParts(readParts(from, options));
}

/** The batches of parts, each of which is dropped after its last one. */
export async function* batchesOfParts(parts: AsyncGenerator<HeldPart>): AsyncGenerator<SwapFileBatch> {
  for await (const part of parts) {
    if (isWhole(part)) continue;
    try {
      yield* batchesOf(part);
    } finally {
      await part.drop();
    }
  }
}

/** Whether a part is a whole file for an engine, whose rows follow as other parts unless one takes it. */
export function isWhole({ file, rows }: SwapPart): boolean {
  return file !== undefined && rows === 0;
}

/** The batches of a part. Each has the rejects among its rows and before them; the first tells what was passed over. */
export async function* batchesOf(part: HeldPart): AsyncGenerator<SwapFileBatch> {
  const { batches, drop: _drop, file: _file, rows: _rows, ...info } = part;
  let { passed, unindexed } = part;
  let told = 0;
  const read = batches();
  let next = await read.next();
  while (!next.done) {
    const { value: batch } = next;
    next = await read.next();
    const last = numberOf(batch, batch.length - 1);
    const after = next.done ? -1 : part.rejects.findIndex(({ row }) => row > last);
    const rejects = part.rejects.slice(told, after < 0 ? undefined : after);
    told += rejects.length;
    yield { ...info, batch, rejects, passed, unindexed };
    [passed, unindexed] = [new Map(), 0];
  }
  const rejects = part.rejects.slice(told);
  if (rejects.length === 0 && passed.size === 0) return;
  const batch = { length: 0, columns: {} as SwapColumns['columns'] };
  yield { ...info, rejects, passed, unindexed, batch };
}

/** The number in its file of a row of a batch. */
export function numberOf({ numbers = 0 }: Pick<SwapColumns, 'numbers'>, row: number): number {
  return typeof numbers === 'number' ? numbers + row : numbers[row]!;
}

/**
 * The rows of a file or of a stream of bytes in converted parts, which an engine may read by itself. Each lies in a file until it is dropped,
 * or the process ends.
 *
 * `kind`: what they are; swaps if absent.
 */
export async function* readParts(
  from: string | StreamSource,
  options: RowFileOptions,
  kind?: RowKind,
): AsyncGenerator<HeldPart> {
  const file = new FileReading(from, options, kind);
  try {
    const { format } = typeof from === 'string' ? formatOf(from, (await peekFile(from)).head) : { format: undefined };
    if (format === 'parquet') yield* readParquetParts(file);
    else if (format === 'arrow') yield* readArrowParts(file);
    else yield* readTextParts(file, from);
  } finally {
    file.close();
  }
}

async function* readArrowParts(file: FileReading): AsyncGenerator<HeldPart> {
  const { names, zoneless, lines, close } = await openArrow(file.path, file.onProgress);
  try {
    const reading = file.choose(names);
    const form = formOf(file, reading, { list: '', literal: new Set(names) });
    const isTime = (field: string): boolean => file.fields[field]!.kind === 'instant';
    const isZoneless = [...reading.byField].some(([field, name]) => isTime(field) && zoneless.has(name));
    for await (const part of readJsonLines(file, lines, form, false))
      yield { ...part, isZoneless: part.isZoneless || isZoneless };
  } finally {
    await close();
  }
}
