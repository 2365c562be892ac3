import { type ColumnData, type ColumnType, newColumn } from '@swapfold/core/engine';
import type { ByteSource } from './byte-source.ts';

const HALF = 4_294_967_296;

/** Bytes of a value of ClickHouse's number types. */
const widths: Readonly<Record<string, number>> = { Int32: 4, Int64: 8, UInt64: 8, Float64: 8 };

/** The blocks of an answer in Native format, as columns of the types asked for; nulls become NaN and null. */
export async function* readBlocks(source: ByteSource, types: readonly ColumnType[]): AsyncGenerator<ColumnData[]> {
  while (await source.hasMore()) {
    const columns = await source.varint();
    const rows = await source.varint();
    if (columns !== types.length) throw new Error(`The answer has ${columns} columns; ${types.length} were asked for.`);
    const block: ColumnData[] = [];
    for (const type of types) block.push(await readColumn(source, type, rows));
    if (rows > 0) yield block;
  }
}

async function readColumn(source: ByteSource, type: ColumnType, rows: number): Promise<ColumnData> {
  const [, declared] = await source.texts(2);
  const [, inner] = /^Nullable\((\w+)\)$/.exec(declared!) ?? [];
  const stored = inner ?? declared!;
  const nulls = inner === undefined || rows === 0 ? undefined : new Uint8Array(await source.take(rows));
  if (stored === 'String' && type === 'text') {
    const texts: (string | null)[] = await source.texts(rows);
    nulls?.forEach((isNull, i) => {
      if (isNull === 1) texts[i] = null;
    });
    return texts;
  }
  const width = widths[stored];
  if (width === undefined || type === 'text') throw new Error(`The answer has a ${declared} where a ${type} is due.`);
  const column = newColumn(type, rows);
  readNumbers(stored, await source.take(rows * width), column);
  nulls?.forEach((isNull, i) => {
    if (isNull === 1) column[i] = Number.NaN;
  });
  return column;
}

function readNumbers(stored: string, bytes: Buffer, column: Int32Array | Float64Array): void {
  // A copy: the bytes lie where the chunk has them, typed arrays begin at a multiple of their width.
  const aligned = new Uint8Array(bytes).buffer;
  if (stored === 'Int32') column.set(new Int32Array(aligned));
  else if (stored === 'Float64') column.set(new Float64Array(aligned));
  else {
    const low = new Uint32Array(aligned);
    const high = stored === 'Int64' ? new Int32Array(aligned) : low;
    for (let i = 0; i < column.length; i++) column[i] = high[i * 2 + 1]! * HALF + low[i * 2]!;
  }
}
