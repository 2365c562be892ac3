import type { Matcher } from './fields.ts';
import { formatOf, formatOfContent } from './file-format.ts';
import { type OnProgress, openBytes, peekFile } from './open-bytes.ts';
import { openStream, type StreamSource } from './open-stream.ts';
import { readCsv } from './read-csv.ts';
import { readJson } from './read-json.ts';
import type { RecordPath } from './record-paths.ts';
import type { TableBatch } from './table-builder.ts';

/** How a file is read. */
export interface ReadOptions {
  /** Most rows of a batch. Default 32768. */
  readonly batchRows?: number | undefined;
  /** Hands out what was read after each piece of the input, instead of waiting until a batch is full: for input that goes on. */
  readonly isEager?: boolean | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** What to read, and from where. */
export interface TablePlan {
  readonly path: string;
  readonly match: Matcher;
  /** Where the records of JSON documents may be. */
  readonly records: readonly RecordPath[];
  readonly batchRows: number;
  readonly isEager: boolean;
}

/** A batch, and how far into the file it ends: `bytesRead` of `bytesTotal` on disk. `bytesTotal` is `NaN` of a stream, which does not say. */
export type TableBatchAt = TableBatch & { readonly bytesRead: number; readonly bytesTotal: number };

/** The rows of a CSV, JSON (both also gzip), Parquet or Arrow file, or of a stream of bytes, as column batches. */
export async function* readTable(
  from: string | StreamSource,
  o: ReadOptions & { readonly match: Matcher; readonly records?: readonly RecordPath[] },
): AsyncGenerator<TableBatchAt> {
  const plan: TablePlan = {
    path: typeof from === 'string' ? from : from.name,
    match: o.match,
    records: o.records ?? [],
    batchRows: o.batchRows ?? 32_768,
    isEager: o.isEager ?? false,
  };
  let at = { bytesRead: 0, bytesTotal: Number.NaN };
  const onProgress: OnProgress = (progress) => {
    at = progress;
    o.onProgress?.(progress);
  };
  for await (const batch of await batchesOf(from, plan, onProgress)) yield { ...batch, ...at };
}

async function batchesOf(
  from: string | StreamSource,
  plan: TablePlan,
  onProgress: OnProgress,
): Promise<AsyncGenerator<TableBatch>> {
  if (typeof from !== 'string') {
    const { chunks, format } = await openStream(from, onProgress);
    return readText(chunks, format, plan);
  }
  const { size, head } = await peekFile(from);
  onProgress({ bytesRead: 0, bytesTotal: size });
  const known = formatOf(from, head);
  // Only then: DuckDB and the decoders would be half of what every command loads.
  if (known.format === 'parquet') return (await import('./read-parquet.ts')).readParquet({ ...plan, size, onProgress });
  if (known.format === 'arrow') return (await import('./read-arrow.ts')).readArrow({ ...plan, size, onProgress });
  return readText(openBytes(from, { ...known, size, onProgress }), known.format, plan);
}

async function* readText(
  chunks: AsyncGenerator<Buffer>,
  known: 'csv' | 'json' | 'ndjson' | undefined,
  plan: TablePlan,
): AsyncGenerator<TableBatch> {
  const first = await chunks.next();
  const head = first.done ? Buffer.alloc(0) : first.value;
  const format = known ?? formatOfContent(plan.path, head.subarray(0, 64));
  const all = (async function* () {
    yield head;
    yield* chunks;
  })();
  yield* format === 'csv' ? readCsv(all, plan) : readJson(all, plan, format === 'ndjson');
}
