import type { ColumnData, ColumnType } from '../records/columns.ts';
import { hasColumn, type ProfileField } from '../records/profile-fields.ts';

/** Signs that normalisation would turn into letters (TM, SM), and letters that stand for an apostrophe. */
const signs = /[©®™℠\u02B9-\u02BF\u02C8]/gu;

/** Marks (accents, vowel points), joiners and direction signs, tatweel, skin tones: people search without them. */
const ignored = /[\p{M}\p{Cf}\u0640\p{Emoji_Modifier}]/gu;

/**
 * One word: a character of a script written without spaces, a flag, a pictograph, or a run of letters and digits.
 * Within a run, the scripts without spaces end it.
 */
const unspaced =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30FC';
const word = new RegExp(
  `[${unspaced}]|\\p{RI}{2}|\\p{So}|\\p{Extended_Pictographic}|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`,
  'gu',
);

/** A query splits at spaces and punctuation only, so that a run of characters without spaces stays a phrase. */
const run = new RegExp(
  `(?:[${unspaced}]|\\p{RI}{2})+|\\p{So}|\\p{Extended_Pictographic}|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`,
  'gu',
);

/**
 * The words of a text as text search compares them: without case, accents and punctuation.
 *
 * - `wordsOf('Ape’s Café ™ 🚀')` is `['ape', 's', 'cafe', '🚀']`; `wordsOf('柴犬')` is `['柴', '犬']`.
 */
export function wordsOf(text: string): string[] {
  return plain(text).match(word) ?? [];
}

/** What a query asks for: each item is one word, or a phrase of characters from a script without spaces. */
export function termsOf(text: string): string[] {
  const terms = (plain(text).match(run) ?? []).map((found) => wordsOf(found).join(' '));
  return [...new Set(terms)];
}

/** The stored form, ` one two `, in which ` two ` is a word and ` tw` the beginning of one; `null` if there is no word. */
export function wordLine(words: readonly string[]): string | null {
  return words.length === 0 ? null : ` ${words.join(' ')} `;
}

/** The column that holds the word line of the field `path`. */
export function wordsColumn(path: string): string {
  return `words.${path}`;
}

function plain(text: string): string {
  return fold(text.replace(signs, ' ').normalize('NFKD').replace(ignored, '')).normalize('NFKD').replace(ignored, '');
}

/**
 * A text as case-insensitive comparison sees it: compatibility forms unified, case folded, accents kept.
 *
 * - `fold('ＢＯＮＫ') === fold('bonk')`, `fold('STRASSE') === fold('straße')`, `fold('ΟΔΟΣ') === fold('οδος')`; `fold('é') !== fold('e')`.
 * - Folding twice changes nothing.
 */
export function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase().normalize('NFKC').replaceAll('ς', 'σ');
}

/** The column that holds the folded text of the field `path`. */
export function foldedColumn(path: string): string {
  return `folded.${path}`;
}

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
