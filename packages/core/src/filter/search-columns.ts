import { hasColumn, type ProfileField } from '../profiles/fields.ts';
import type { ColumnData, ColumnType } from '../records/columns.ts';
import { fold, foldedColumn } from './fold.ts';
import { wordLine, wordsColumn, wordsOf } from './words.ts';

/**
 * Columns stored beside the fields, so that engines match text as Swapfold does: folded text, and word lines of the fields whose paths
 * are `queried`.
 */
export function searchColumns(queried: readonly string[], fields: readonly ProfileField[]): Record<string, ColumnType> {
  const columns: Record<string, ColumnType> = {};
  for (const field of fields) if (field.type === 'text') columns[foldedColumn(field.path)] = 'text';
  for (const path of queried) if (foldedColumn(path) in columns) columns[wordsColumn(path)] = 'text';
  return columns;
}

/** Fills the search columns of `batch` from its text columns; the other columns stay as they are. */
export function fillSearchColumns(
  fields: readonly ProfileField[],
  batch: { readonly length: number; readonly columns: Readonly<Record<string, ColumnData>> },
): void {
  for (const { path } of fields.filter((field) => field.type === 'text' && hasColumn(field))) {
    const source = batch.columns[path] as (string | null)[];
    const folded = batch.columns[foldedColumn(path)] as (string | null)[];
    const lines = batch.columns[wordsColumn(path)] as (string | null)[] | undefined;
    for (let row = 0; row < batch.length; row++) {
      const text = source[row] ?? null;
      folded[row] = text === null ? null : fold(text);
      if (lines !== undefined) lines[row] = text === null ? null : wordLine(wordsOf(text));
    }
  }
}
