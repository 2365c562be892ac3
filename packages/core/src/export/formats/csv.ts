import type { ExportBatch, ExportColumn } from '../column.ts';
import { type PlainValue, plainValues } from './plain-value.ts';

/** What separates the items of a list within a CSV field. */
const BETWEEN_ITEMS = '|';

/** RFC 4180 with a header, lines that end in LF, and nothing between the commas for a missing value. */
export async function* writeCsv(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<ExportBatch>,
): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`);
  for await (const batch of batches) {
    const readers = columns.map((column) => plainValues(column, batch));
    let text = '';
    for (let row = 0; row < batch.length; row++) {
      for (let i = 0; i < readers.length; i++) text += (i === 0 ? '' : ',') + fieldOf(readers[i]!(row));
      text += '\n';
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
