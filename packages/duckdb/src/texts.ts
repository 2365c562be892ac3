import { DuckDBBlobVector } from '@duckdb/node-api';

/** Bytes of a text's place in a vector: its length, and then up to twelve bytes of it, or four of them and where it lies. */
const PLACE = 16;
const INLINE = 12;

/** The texts of a vector, as node-api has them. */
export interface TextVector {
  readonly dataView: DataView;
  readonly validity: { data: BigUint64Array | null };
}

/**
 * Copies `count` texts of a vector into `column` from `at` on. DuckDB mostly has a long text right behind the one before. Such texts are
 * read together, because node-api's call for each one costs five times as much as the decoding.
 */
export function readTexts({ dataView, validity }: TextVector, column: unknown[], at: number, count: number): void {
  const { data } = validity;
  const words = data && new Uint32Array(data.buffer, data.byteOffset, data.length * 2);
  const isNull = (row: number): boolean => words !== null && ((words[row >>> 5]! >>> (row & 31)) & 1) === 0;
  const inline = Buffer.from(dataView.buffer, dataView.byteOffset, count * PLACE);
  let first = 0;
  let end = Number.NaN;
  let bytes = 0;
  for (let row = 0; row < count; row++) {
    const length = dataView.getUint32(row * PLACE, true);
    if (isNull(row)) column[at + row] = null;
    else if (length <= INLINE) column[at + row] = inline.toString('utf8', row * PLACE + 4, row * PLACE + 4 + length);
    else {
      const start = addressOf(dataView, row);
      if (start !== end) {
        if (bytes > 0) readRun(first, row);
        first = row;
        bytes = 0;
      }
      end = start + length;
      bytes += length;
    }
  }
  if (bytes > 0) readRun(first, count);

  /** Reads the long texts from one row to before another. */
  function readRun(from: number, to: number): void {
    const run = bytesAt(dataView, from, bytes);
    let start = 0;
    for (let row = from; row < to; row++) {
      const length = dataView.getUint32(row * PLACE, true);
      if (length <= INLINE || isNull(row)) continue;
      column[at + row] = run.toString('utf8', start, start + length);
      start += length;
    }
  }
}

function addressOf(view: DataView, row: number): number {
  return view.getUint32(row * PLACE + 12, true) * 2 ** 32 + view.getUint32(row * PLACE + 8, true);
}

/** So many bytes from where the text of a row lies: node-api reads what a place says, also if it spans several texts. */
function bytesAt(view: DataView, row: number, bytes: number): Buffer {
  const place = new DataView(new ArrayBuffer(PLACE));
  place.setUint32(0, bytes, true);
  place.setBigUint64(8, view.getBigUint64(row * PLACE + 8, true), true);
  const always = { itemValid: () => true } as never;
  const { buffer, byteOffset } = new DuckDBBlobVector(place, always, null as never, 0, 1).getItemBytes(0)!;
  return Buffer.from(buffer, byteOffset, bytes);
}
