import type { ColumnMap, Fields } from './fields.ts';
import { formatOf, formatOfContent } from './file-format.ts';
import { type OnProgress, openBytes, peekFile } from './open-bytes.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import { readParquet } from './read-parquet.ts';
import type { TableBatch } from './table-builder.ts';

export interface ReadOptions {
  /** Column names of the file by the field they hold: `{ their_name: 'our_name' }`. */
  readonly map?: ColumnMap | undefined;
  /** Most rows of a batch. Default 32768. */
  readonly batchRows?: number | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** What to read, and from where. */
export interface TablePlan {
  readonly path: string;
  readonly fields: Fields;
  readonly map: ColumnMap;
  readonly batchRows: number;
}

/** A batch, and how far into the file it ends: `bytesRead` of `bytesTotal` on disk. */
export type TableBatchAt = TableBatch & { readonly bytesRead: number; readonly bytesTotal: number };

/** The rows of a CSV, NDJSON (both also gzip) or Parquet file as column batches. */
export async function* readTable(path: string, o: ReadOptions & { fields: Fields }): AsyncGenerator<TableBatchAt> {
  const { size, head } = await peekFile(path);
  const plan: TablePlan = { path, fields: o.fields, map: o.map ?? {}, batchRows: o.batchRows ?? 32_768 };
  let bytesRead = 0;
  const onProgress: OnProgress = (progress) => {
    bytesRead = progress.bytesRead;
    o.onProgress?.(progress);
  };
  const known = formatOf(path, head);
  const source = { ...known, size, onProgress };
  const batches =
    known.format === 'parquet'
      ? readParquet({ ...plan, size, onProgress })
      : readText(openBytes(path, source), known.format, plan);
  for await (const batch of batches) yield { ...batch, bytesRead, bytesTotal: size };
}

async function* readText(
  chunks: AsyncGenerator<Buffer>,
  known: 'csv' | 'ndjson' | undefined,
  plan: TablePlan,
): AsyncGenerator<TableBatch> {
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const format = known ?? formatOfContent(plan.path, head.subarray(0, 64));
  const all = (async function* () {
    yield head;
    yield* chunks;
  })();
  yield* format === 'ndjson' ? readNdjson(all, plan) : readCsv(all, plan);
}
