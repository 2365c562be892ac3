import type { ProfileField, ProfileKind } from '../profiles/fields.ts';
import type { ColumnData, ColumnType } from '../records/columns.ts';
import { fold, foldedColumn } from './fold.ts';
import { wordLine, wordsColumn, wordsOf } from './words.ts';

/** The fields that a text query can match, and does unless it names fewer. */
export const queryFields = {
  tokens: ['token_address', 'metadata.name', 'metadata.symbol'],
  wallets: ['wallet_address', 'metadata.name', 'metadata.twitter_username', 'metadata.telegram_username'],
} as const satisfies Record<ProfileKind, readonly string[]>;

/** Columns stored beside the fields, so that engines match text as Swapfold does: folded text and word lines. */
export function searchColumns(kind: ProfileKind, fields: readonly ProfileField[]): Record<string, ColumnType> {
  const columns: Record<string, ColumnType> = {};
  for (const field of fields) if (field.type === 'text') columns[foldedColumn(field.path)] = 'text';
  for (const path of queryFields[kind]) columns[wordsColumn(path)] = 'text';
  return columns;
}

/** Fills the search columns of `batch` from its text columns; the other columns stay as they are. */
export function fillSearchColumns(
  kind: ProfileKind,
  fields: readonly ProfileField[],
  batch: { readonly length: number; readonly columns: Readonly<Record<string, ColumnData>> },
): void {
  const searched = new Set<string>(queryFields[kind]);
  for (const { path, type } of fields) {
    if (type !== 'text') continue;
    const source = batch.columns[path] as (string | null)[];
    const folded = batch.columns[foldedColumn(path)] as (string | null)[];
    const lines = searched.has(path) ? (batch.columns[wordsColumn(path)] as (string | null)[]) : undefined;
    for (let row = 0; row < batch.length; row++) {
      const text = source[row] ?? null;
      folded[row] = text === null ? null : fold(text);
      if (lines !== undefined) lines[row] = text === null ? null : wordLine(wordsOf(text));
    }
  }
}
