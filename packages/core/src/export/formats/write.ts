import { formatTime } from '../../time.ts';
import type { ExportBatch, ExportColumn, ExportValues } from '../column.ts';
import { writeArrow } from './arrow.ts';
import { writeParquet } from './parquet.ts';

/** What separates the items of a list within a CSV field. */
const BETWEEN_ITEMS = '|';

/** RFC 4180 with a header, lines that end in LF, and nothing between the commas for a missing value. */
async function* writeCsv(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`);
  for await (const batch of batches) {
    const readers = columns.map((column) => plainValues(column, batch));
    let text = '';
    for (let row = 0; row < batch.length; row++) {
      let line = '';
      for (let i = 0; i < readers.length; i++) line += (i === 0 ? '' : ',') + fieldOf(readers[i]!(row));
      // An empty line is no row to many readers.
      text += line === '' ? '""\n' : `${line}\n`;
    }
    if (text !== '') yield Buffer.from(text);
  }
}

function fieldOf(value: PlainValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? quoted(value.join(BETWEEN_ITEMS)) : String(value);
}

function quoted(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One JSON object a line, with all columns as its keys. */
async function* writeNdjson(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  const keys = columns.map(({ name }, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  for await (const batch of batches) {
    const readers = columns.map((column) => plainValues(column, batch));
    let text = '';
    for (let row = 0; row < batch.length; row++) {
      for (let i = 0; i < readers.length; i++) text += keys[i]! + JSON.stringify(readers[i]!(row));
      text += '}\n';
    }
    if (text !== '') yield Buffer.from(text);
  }
}

/** A value as JSON has it in the interface. */
type PlainValue = string | number | boolean | null | readonly string[];

/** Reads a column's values as the interface gives them, by row. */
function plainValues({ name, type }: ExportColumn, { columns }: ExportBatch): (row: number) => PlainValue {
  const values = columns[name] as ExportValues;
  if (!(values instanceof Float64Array)) return (row) => values[row]!;
  const known = (read: (value: number) => PlainValue) => (row: number) =>
    Number.isNaN(values[row]!) ? null : read(values[row]!);
  if (type === 'date') return known(formatTime);
  return type === 'flag' ? known((value) => value === 1) : known((value) => value);
}

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
