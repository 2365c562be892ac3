import type { ExportBatch, ExportColumn } from '../column.ts';
import { plainValues } from './plain-value.ts';

/** One JSON object a line, with all columns as its keys. */
export async function* writeNdjson(
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
