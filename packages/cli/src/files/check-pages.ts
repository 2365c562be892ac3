import type { ColumnMetaData } from 'hyparquet';
import { parquetHeader } from 'hyparquet/src/column.js';
import { decompressPage } from 'hyparquet/src/datapage.js';
import { readVarInt } from 'hyparquet/src/thrift.js';
import { compressors } from 'hyparquet-compressors';

/** A column whose rows have one value each, or none. */
export interface FlatColumn {
  readonly isOptional: boolean;
}

/** A column chunk of a Parquet file, as the footer describes it. */
export interface Chunk {
  readonly bytes: ArrayBuffer;
  readonly meta: ColumnMetaData;
  /** Rows of its row group. */
  readonly rows: number;
  /** `undefined` for a list or a record, of whose pages only the headers are looked at. */
  readonly flat: FlatColumn | undefined;
}

/** A page that unpacks to more than the footer says of all pages, and than this, is damaged. */
const LARGEST_PAGE = 2 ** 26;

type Header = ReturnType<typeof parquetHeader>;

/**
 * Throws if a length or a count in the pages of a chunk cannot be. hyparquet believes each: a damaged one has it read the same byte for ever,
 * or repeat a value a billion times.
 */
export function checkPages(chunk: Chunk): void {
  const { bytes, meta, rows, flat } = chunk;
  const reader = { view: new DataView(bytes), offset: 0 };
  const most = flat ? rows : Number(meta.num_values);
  let values = 0;
  while (values < most && reader.offset < bytes.byteLength - 1) {
    const header = parquetHeader(reader);
    const { compressed_page_size: size, uncompressed_page_size: unpacked } = header;
    check('a page has', size, 'bytes', bytes.byteLength - reader.offset);
    check('a page unpacks to', unpacked, 'bytes', Math.max(LARGEST_PAGE, Number(meta.total_uncompressed_size)));
    const data = header.data_page_header ?? header.data_page_header_v2;
    if (data !== undefined) {
      check('a page has', data.num_values, 'values', most - values);
      values += data.num_values;
      if (flat) checkEncoded(new Uint8Array(bytes, reader.offset, size), { header, meta, ...flat });
    }
    reader.offset += size;
  }
}

/** Looks at the runs and blocks of a page of a flat column. */
function checkEncoded(packed: Uint8Array, page: FlatColumn & { header: Header; meta: ColumnMetaData }): void {
  const { header, meta, isOptional } = page;
  const unpack = (from: Uint8Array, size: number): Uint8Array => decompressPage(from, size, meta.codec, compressors);
  const { data_page_header: first, data_page_header_v2: second } = header;
  const isBoolean = meta.type === 'BOOLEAN';
  if (first !== undefined) {
    if (!isOptional && first.encoding === 'PLAIN') return;
    const reader = readerOf(unpack(packed, header.uncompressed_page_size));
    const count = isOptional ? checkLengthAndRuns(reader, first.num_values) : first.num_values;
    checkValues(reader, { encoding: first.encoding, count, isBoolean });
  } else if (second !== undefined) {
    const { repetition_levels_byte_length: repeated, definition_levels_byte_length: defined, num_values } = second;
    check('the levels of a page have', repeated + defined, 'bytes', packed.length);
    check('a page has', second.num_nulls, 'values that are missing', num_values);
    if (isOptional && defined > 0) checkRuns(readerOf(packed.subarray(repeated)), 1, num_values);
    if (second.encoding === 'PLAIN') return;
    const rest = packed.subarray(repeated + defined);
    const isPacked = second.is_compressed !== false;
    const values = isPacked ? unpack(rest, header.uncompressed_page_size - repeated - defined) : rest;
    checkValues(readerOf(values), { encoding: second.encoding, count: num_values - second.num_nulls, isBoolean });
  }
}

interface Reader {
  readonly view: DataView<ArrayBuffer>;
  offset: number;
}

function readerOf(bytes: Uint8Array): Reader {
  const { buffer, byteOffset, byteLength } = bytes as Uint8Array<ArrayBuffer>;
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 };
}

function checkValues(reader: Reader, o: { encoding: string; count: number; isBoolean: boolean }): void {
  const { encoding, count, isBoolean } = o;
  if (encoding.startsWith('DELTA_')) {
    const block = readVarInt(reader);
    const parts = readVarInt(reader);
    if (parts < 1 || block < parts || block % parts !== 0)
      throw new Error(`a page has blocks of ${block} values in ${parts} parts`);
  } else if (isBoolean && encoding === 'RLE') checkLengthAndRuns(reader, count);
  else if (encoding.endsWith('_DICTIONARY') && count > 0) {
    const width = reader.view.getUint8(reader.offset++);
    check('a place in a dictionary has', width, 'bits', 32);
    if (width > 0) checkRuns(reader, width, count);
  }
}

/** As `checkRuns`, of runs of one bit that lie behind their length in bytes. */
function checkLengthAndRuns(reader: Reader, count: number): number {
  const length = reader.view.getUint32(reader.offset, true);
  const end = reader.offset + 4 + length;
  reader.offset += 4;
  const ones = checkRuns(reader, 1, count);
  reader.offset = end;
  return ones;
}

/** The runs that `count` values of `width` bits lie in: one value that is repeated, or groups of eight. Gives how many of one bit are 1. */
function checkRuns(reader: Reader, width: number, count: number): number {
  const { view } = reader;
  let ones = 0;
  for (let seen = 0; seen < count && reader.offset < view.byteLength; ) {
    const run = readVarInt(reader);
    const isRepeated = (run & 1) === 0;
    const values = isRepeated ? run >>> 1 : (run >>> 1) * 8;
    if (isRepeated) {
      check('a run has', values, 'values', count - seen);
      if (width === 1 && (view.getUint8(reader.offset) & 1) === 1) ones += values;
    } else if (width === 1) ones += onesOf(reader, Math.min(values, count - seen));
    reader.offset += isRepeated ? (width + 7) >> 3 : (values * width) / 8;
    seen += values;
  }
  return ones;
}

function onesOf({ view, offset }: Reader, count: number): number {
  let ones = 0;
  for (let i = 0; i < count; i++) ones += (view.getUint8(offset + (i >> 3)) >> (i & 7)) & 1;
  return ones;
}

function check(what: string, found: number | undefined, unit: string, most: number): void {
  if (found === undefined) throw new Error(`${what} no number of ${unit}`);
  if (Number.isInteger(found) && found >= 0 && found <= most) return;
  throw new Error(`${what} ${found} ${unit}, where at most ${most} can be`);
}
