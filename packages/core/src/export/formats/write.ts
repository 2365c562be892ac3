import type { ExportBatch, ExportColumn } from '../column.ts';
import { writeArrow } from './arrow.ts';
import { writeCsv } from './csv.ts';
import { writeNdjson } from './ndjson.ts';
import { writeParquet } from './parquet.ts';

type Write = (columns: readonly ExportColumn[], batches: AsyncIterable<ExportBatch>) => AsyncGenerator<Uint8Array>;

/** A new format is a file beside these, and a row here. */
const writers = {
  csv: writeCsv,
  ndjson: writeNdjson,
  parquet: writeParquet,
  arrow: writeArrow,
} as const satisfies Readonly<Record<string, Write>>;

/** One of `exportFormats`. */
export type ExportFormat = keyof typeof writers;

/** The formats of files. */
export const exportFormats = Object.keys(writers) as readonly ExportFormat[];

/**
 * The bytes of a file with these rows, in pieces, as the batches come: memory holds one row group at most.
 *
 * - CSV and NDJSON have values as the interface has them; lists in CSV are joined by `|`, and a missing value is an empty field. Parquet and Arrow
 *   have instants as timestamps.
 * - Errors: `invalid-input` for Arrow without the package apache-arrow.
 */
export function writeRows(
  format: ExportFormat,
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  return writers[format](columns, batches);
}
