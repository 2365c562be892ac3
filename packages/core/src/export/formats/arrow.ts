import type * as arrow from 'apache-arrow';
import { SwapfoldError } from '../../errors.ts';
import type { ExportBatch, ExportColumn, ExportType, ExportValues } from '../column.ts';

type Arrow = typeof arrow;

/** Every column may be null; instants are timestamps in milliseconds, UTC; lists are lists of text. */
const types = {
  text: ({ Utf8 }) => new Utf8(),
  number: ({ Float64 }) => new Float64(),
  integer: ({ Int64 }) => new Int64(),
  flag: ({ Bool }) => new Bool(),
  time: ({ TimestampMillisecond }) => new TimestampMillisecond('UTC'),
  date: ({ TimestampMillisecond }) => new TimestampMillisecond('UTC'),
  list: ({ Field, List, Utf8 }) => new List(new Field('item', new Utf8(), true)),
} as const satisfies Readonly<Record<ExportType, (lib: Arrow) => arrow.DataType>>;

/** Record batches of the library apache-arrow. Errors: `invalid-input` if it is not installed. */
export async function* arrowBatches(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<arrow.RecordBatch> {
  const lib = await loadArrow();
  const schema = schemaOf(lib, columns);
  for await (const batch of batches) if (batch.length > 0) yield recordBatch(lib, schema, columns, batch);
}

/** A file of the Arrow IPC format ("Feather"), one record batch a page. */
export async function* writeArrow(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  const lib = await loadArrow();
  // The writer of the library gathers what its reader does not fetch at once: here every piece goes on when its batch is written.
  let pieces: Uint8Array[] = [];
  class Pieces extends lib.AsyncByteQueue<Uint8Array> {
    override write(value: Parameters<arrow.AsyncByteQueue['write']>[0]): void {
      pieces.push(value as Uint8Array);
    }
  }
  const writer = new lib.RecordBatchFileWriter();
  writer.reset(new Pieces(), schemaOf(lib, columns));
  const take = (): Uint8Array => {
    const taken = Buffer.concat(pieces);
    pieces = [];
    return taken;
  };
  for await (const batch of arrowBatches(columns, batches)) {
    writer.write(batch);
    yield take();
  }
  writer.finish();
  yield take();
}

/** Only who wants Arrow needs the library. */
async function loadArrow(): Promise<Arrow> {
  try {
    return await import('apache-arrow');
  } catch (cause) {
    throw new SwapfoldError('invalid-input', 'Arrow needs the package apache-arrow: npm install apache-arrow.', {
      cause,
    });
  }
}

function schemaOf(lib: Arrow, columns: readonly ExportColumn[]): arrow.Schema {
  return new lib.Schema(columns.map(({ name, type }) => new lib.Field(name, types[type](lib), true)));
}

function recordBatch(
  lib: Arrow,
  schema: arrow.Schema,
  columns: readonly ExportColumn[],
  batch: ExportBatch,
): arrow.RecordBatch {
  const children = columns.map(({ name, type }) => dataOf(lib, type, batch.columns[name]!));
  const type = new lib.Struct(schema.fields);
  return new lib.RecordBatch(schema, lib.makeData({ type, length: batch.length, nullCount: 0, children }));
}

function dataOf(lib: Arrow, type: ExportType, values: ExportValues): arrow.Data {
  if (type === 'text') return textData(lib, values as readonly (string | null)[]);
  if (type === 'list') return listData(lib, values as readonly (readonly string[])[]);
  const numbers = values as Float64Array;
  const validity = validityOf(numbers.length, (row) => !Number.isNaN(numbers[row]!));
  const rest = { length: numbers.length, ...validity };
  switch (type) {
    case 'number':
      return lib.makeData({ type: types.number(lib), data: numbers, ...rest });
    case 'integer':
      return lib.makeData({ type: types.integer(lib), data: wholes(numbers, 1), ...rest });
    case 'flag':
      return lib.makeData({
        type: types.flag(lib),
        data: validityOf(numbers.length, (row) => numbers[row] === 1).nullBitmap,
        ...rest,
      });
    case 'time':
    case 'date':
      return lib.makeData({ type: types.time(lib), data: wholes(numbers, 1000), ...rest });
  }
}

function wholes(numbers: Float64Array, by: number): BigInt64Array {
  const made = new BigInt64Array(numbers.length);
  for (let i = 0; i < made.length; i++) if (!Number.isNaN(numbers[i]!)) made[i] = BigInt(Math.round(numbers[i]! * by));
  return made;
}

/** A bit a row, the first in the lowest place. */
function validityOf(
  length: number,
  holds: (row: number) => boolean,
): { readonly nullBitmap: Uint8Array; readonly nullCount: number } {
  const nullBitmap = new Uint8Array(Math.ceil(length / 8));
  let nullCount = length;
  for (let row = 0; row < length; row++) {
    if (!holds(row)) continue;
    nullBitmap[row >> 3]! |= 1 << (row & 7);
    nullCount--;
  }
  return { nullBitmap, nullCount };
}

function textData(lib: Arrow, texts: readonly (string | null)[]): arrow.Data {
  const valueOffsets = new Int32Array(texts.length + 1);
  for (let row = 0; row < texts.length; row++)
    valueOffsets[row + 1] = valueOffsets[row]! + Buffer.byteLength(texts[row] ?? '');
  const data = Buffer.allocUnsafeSlow(valueOffsets[texts.length]!);
  for (let row = 0; row < texts.length; row++) data.write(texts[row] ?? '', valueOffsets[row]!);
  const validity = validityOf(texts.length, (row) => texts[row] !== null);
  return lib.makeData({ type: types.text(lib), length: texts.length, valueOffsets, data, ...validity });
}

function listData(lib: Arrow, lists: readonly (readonly string[])[]): arrow.Data {
  const valueOffsets = new Int32Array(lists.length + 1);
  for (let row = 0; row < lists.length; row++) valueOffsets[row + 1] = valueOffsets[row]! + lists[row]!.length;
  const child = textData(lib, lists.flat()) as arrow.Data<arrow.Utf8>;
  return lib.makeData({ type: types.list(lib), length: lists.length, nullCount: 0, valueOffsets, child });
}
