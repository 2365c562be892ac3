import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { type FileMetaData, parquetRead, parquetSchema } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { checkPages, type FlatColumn } from './check-pages.ts';
import type { MatchedColumns } from './fields.ts';
import { decimalText, storedColumns } from './parquet-decimals.ts';
import { damageAs, type ParquetFile, reasonOf } from './parquet-file.ts';
import { type Fault, type TableBatch, TableBuilder } from './table-builder.ts';

/** A file, and which of its columns holds each field. */
export interface RowSource {
  readonly path: string;
  readonly batchRows: number;
  readonly file: ParquetFile;
  readonly metadata: FileMetaData;
  readonly matched: MatchedColumns;
  /** Whether a column of times has no zone. */
  readonly isZoneless: boolean;
}

/** The rows from number `from` on and before `to`, value by value, one row group in memory at a time. */
export async function* rowByRow(source: RowSource, from: number, to: number): AsyncGenerator<TableBatch> {
  for await (const batch of rowBatches(source, from, to))
    yield { ...batch, isZoneless: source.isZoneless || batch.isZoneless };
}

async function* rowBatches(source: RowSource, from: number, to: number): AsyncGenerator<TableBatch> {
  const { path, matched, file } = source;
  const { metadata, scales } = storedColumns(source.metadata);
  const builder = new TableBuilder(matched, matched.byField.keys(), source.batchRows);
  builder.rowNumber = from;
  const columns = builder.names.map((name) => matched.byField.get(name)!);
  const scaleOf = columns.map((name) => scales.get(name));
  let rowStart = 0;
  for (const [group, { num_rows }] of metadata.row_groups.entries()) {
    const rows = Number(num_rows);
    if (rowStart < to && rowStart + rows > from) {
      const where = `${basename(path)}: row group ${group + 1} of ${metadata.row_groups.length} (rows ${rowStart + 1} to ${rowStart + rows})`;
      const values = await damageAs(
        `${where} is damaged`,
        readRowGroup(file, { metadata, columns, group, rowStart, rows }),
      );
      const wanted = { rows, from: Math.max(0, from - rowStart), to: Math.min(rows, to - rowStart), scaleOf };
      yield* rowsOf(values, wanted, builder);
    }
    rowStart += rows;
  }
  if (!builder.isEmpty) yield builder.take();
}

type Values = ArrayLike<unknown>;

/** Looks at the pages of the named columns of a row group before they are read. */
async function checkChunks(file: ParquetFile, o: GroupPlan, flat: ReadonlyMap<string, FlatColumn>): Promise<void> {
  for (const { meta_data: meta } of o.metadata.row_groups[o.group]!.columns) {
    const name = meta?.path_in_schema[0];
    if (meta === undefined || name === undefined || !o.columns.includes(name)) continue;
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const bytes = await file.read(start, start + Number(meta.total_compressed_size));
    try {
      checkPages({ bytes, meta, rows: o.rows, flat: flat.get(name) });
    } catch (cause) {
      throw new Error(`column "${name}": ${reasonOf(cause)}`, { cause });
    }
  }
}

/** The columns that are no lists or records. */
function flatColumns(metadata: FileMetaData): Map<string, FlatColumn> {
  const flat = parquetSchema(metadata).children.filter(
    ({ children, element }) => children.length === 0 && element.repetition_type !== 'REPEATED',
  );
  return new Map(
    flat.map(({ element: { name, repetition_type } }) => [name, { isOptional: repetition_type !== 'REQUIRED' }]),
  );
}

/** What to read of a row group, and where it is. */
interface GroupPlan {
  readonly metadata: FileMetaData;
  readonly columns: string[];
  readonly group: number;
  readonly rowStart: number;
  readonly rows: number;
}

/** The named columns of the rows, each in the pieces that it is stored in. */
async function readRowGroup(file: ParquetFile, o: GroupPlan): Promise<Values[][]> {
  const pieces = new Map<string, Values[]>(o.columns.map((name) => [name, []]));
  const flat = flatColumns(o.metadata);
  if (o.rows > 0) {
    await checkChunks(file, o, flat);
    await parquetRead({
      file,
      metadata: o.metadata,
      compressors,
      parsers: { stringFromBytes },
      // Bytes stay bytes unless the file says that they are a text.
      utf8: false,
      columns: o.columns,
      rowStart: o.rowStart,
      rowEnd: o.rowStart + o.rows,
      onChunk: ({ columnName, columnData }) => pieces.get(columnName)?.push(columnData),
    });
  }
  for (const [name, values] of pieces) {
    const length = values.reduce((sum, piece) => sum + piece.length, 0);
    if (length !== o.rows) throw new Error(`column "${name}" has ${length} values`);
    // A missing value of these is null.
    if (flat.has(name) && values.some((piece) => Array.isArray(piece) && piece.includes(undefined)))
      throw new Error(`column "${name}" has a value that its dictionary does not have`);
  }
  return o.columns.map((name) => pieces.get(name)!);
}

/** The rows of a group from place `from` on and before `to`. */
function* rowsOf(
  columns: readonly Values[][],
  { rows, from, to, scaleOf }: { rows: number; from: number; to: number; scaleOf: readonly (number | undefined)[] },
  builder: TableBuilder,
): Generator<TableBatch> {
  const flat = columns.map((pieces) => (pieces.length === 1 ? pieces[0]! : joined(pieces, rows)));
  for (let i = from; i < to; i++) {
    builder.beginRow();
    builder.endRow(setRow(flat, i, scaleOf, builder));
    if (builder.isFull) yield builder.take();
  }
}

/** Sets the row at hand from place `i` of the columns. */
function setRow(
  columns: readonly Values[],
  i: number,
  scaleOf: readonly (number | undefined)[],
  builder: TableBuilder,
): Fault | undefined {
  const row = builder.length;
  for (let k = 0; k < columns.length; k++) {
    let value = columns[k]![i];
    if (scaleOf[k] !== undefined && value != null) value = decimalText(value, scaleOf[k]!);
    else if (value instanceof Uint8Array && builder.isText(k)) value = stringFromBytes(value);
    if (value === notUtf8) return [builder.names[k]!, 'is not UTF-8'];
    const column = builder.builders[k]!;
    const reason = value === undefined || value === null ? column.setMissing(row) : column.setValue(row, value);
    if (reason !== undefined) return [builder.names[k]!, reason];
  }
  return undefined;
}

function joined(pieces: readonly Values[], rows: number): unknown[] {
  const all = new Array<unknown>(rows);
  let at = 0;
  for (const piece of pieces) for (let i = 0; i < piece.length; i++) all[at++] = piece[i];
  return all;
}

/** Stands for a text that cannot be read, and so for a row that is rejected. */
const notUtf8 = Symbol('not UTF-8');

function stringFromBytes(bytes: Uint8Array | undefined): string | symbol | undefined {
  if (bytes === undefined) return undefined;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.includes('\ufffd') && !isUtf8(bytes) ? notUtf8 : text;
}
