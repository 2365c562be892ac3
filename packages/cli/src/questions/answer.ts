import { type ExportBatch, SwapfoldError } from '@swapfold/core';
import { batchOfRows, writeRows } from '@swapfold/core/host';
import { print } from '../output.ts';
import { createPalette, type Palette } from '../text/palette.ts';
import { flatRows } from './flat-rows.ts';

export const answerFormats = ['table', 'json', 'ndjson', 'csv', 'parquet'] as const;
export type AnswerFormat = (typeof answerFormats)[number];

/** An answer in every form that it can be printed in. */
export interface Answer {
  /** What the library returned. */
  readonly json: unknown;
  readonly rows: readonly object[];
  readonly lines: (palette: Palette) => readonly string[];
}

/** Prints an answer. Errors: `invalid-input` for Parquet on a terminal, or of no row: it would have no column. */
export async function printAnswer({ json, rows, lines }: Answer, format: AnswerFormat): Promise<void> {
  switch (format) {
    case 'table':
      return print(lines(createPalette()).join('\n'));
    case 'json':
      return print(JSON.stringify(json, null, process.stdout.isTTY ? 2 : 0));
    case 'ndjson':
      for (const row of rows) print(JSON.stringify(row));
      return;
    case 'csv':
    case 'parquet': {
      if (format === 'parquet' && process.stdout.isTTY)
        throw new SwapfoldError('invalid-input', 'Parquet is bytes, no text: send it to a file (> FILE.parquet).');
      if (format === 'parquet' && rows.length === 0)
        throw new SwapfoldError('invalid-input', 'There is no row, so a Parquet file would have no column.');
      if (rows.length === 0) return;
      const flat = flatRows(rows);
      for await (const bytes of writeRows(format, flat.columns, only(batchOfRows(flat.columns, flat.rows))))
        process.stdout.write(bytes);
    }
  }
}

async function* only(batch: ExportBatch): AsyncGenerator<ExportBatch> {
  yield batch;
}
