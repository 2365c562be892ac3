import type { ParquetWriter } from 'hyparquet-writer';
import type { ExportBatch, ExportColumn, ExportType, ExportValues } from '../column.ts';

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** Values of one row group: of a wide table fewer rows are as much memory. */
const GROUP_CELLS = 2_000_000;
const GROUP_ROWS = 100_000;

/** Snappy pages, row groups of bounded size, every column optional; instants are UTC timestamps in milliseconds, lists are lists of text. */
export async function* writeParquet(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  // Only who writes Parquet pays for the library.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
  const bytes = new ByteWriter(2 ** 20);
  const take = (): Uint8Array => {
    const taken = bytes.getBytes().slice();
    bytes.index = 0;
    return taken;
  };
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)];
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'swapfold' });
  const most = Math.min(GROUP_ROWS, Math.max(1000, Math.floor(GROUP_CELLS / columns.length)));
  for await (const group of inGroups(batches, most)) {
    const rows = group.reduce((sum, { length }) => sum + length, 0);
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: group.flatMap((batch) => cellsOf(type, batch.columns[name]!)),
    }));
    await writer.write({ columnData, rowGroupSize: rows });
    yield take();
  }
  await writer.finish();
  yield take();
}

/** Batches by the row group that they go to, together at most a batch more than `most` rows. */
async function* inGroups(batches: AsyncIterable<ExportBatch>, most: number): AsyncGenerator<ExportBatch[]> {
  let group: ExportBatch[] = [];
  let rows = 0;
  for await (const batch of batches) {
    if (batch.length === 0) continue;
    group.push(batch);
    rows += batch.length;
    if (rows < most) continue;
    yield group;
    group = [];
    rows = 0;
  }
  if (group.length > 0) yield group;
}

function elementsOf({ name, type }: ExportColumn): SchemaElement[] {
  if (type !== 'list') return [{ name, repetition_type: 'OPTIONAL', ...leaves[type] }];
  return [
    { name, repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST', logical_type: { type: 'LIST' } },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...leaves.text },
  ];
}

const timestamp = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

const leaves = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  number: { type: 'DOUBLE' },
  integer: { type: 'INT64' },
  flag: { type: 'BOOLEAN' },
  time: timestamp,
  date: timestamp,
} as const satisfies Readonly<Record<Exclude<ExportType, 'list'>, Omit<SchemaElement, 'name'>>>;

function cellsOf(type: ExportType, values: ExportValues): unknown[] {
  if (!(values instanceof Float64Array)) return values as unknown[];
  const read = cells[type as keyof typeof cells];
  const made = new Array<unknown>(values.length);
  for (let i = 0; i < made.length; i++) made[i] = Number.isNaN(values[i]!) ? null : read(values[i]!);
  return made;
}

const cells = {
  number: (value: number): unknown => value,
  integer: (value: number): unknown => BigInt(value),
  flag: (value: number): unknown => value === 1,
  time: (value: number): unknown => new Date(value * 1000),
  date: (value: number): unknown => new Date(value * 1000),
} as const;
