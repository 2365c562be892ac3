import { queryFields } from '../filter/companions.ts';
import { fold, foldedColumn } from '../filter/fold.ts';
import { quoted, shortName, suggestion } from '../filter/names.ts';
import { isText, showOperand } from '../filter/operand.ts';
import { filterLimits } from '../filter/operators.ts';
import { isPlainObject } from '../filter/plain-object.ts';
import { termsOf, wordLine, wordsColumn, wordsOf } from '../filter/words.ts';
import type { ProfileKind } from '../profiles/fields.ts';
import { refusal } from './refusal.ts';

/** A text query, read. */
export interface TextQuery {
  /** Words, and phrases of scripts without spaces, that must all match; none where the text is only punctuation. */
  readonly terms: readonly string[];
  /** All words, in order. */
  readonly words: readonly string[];
  /** The whole text as a word line. */
  readonly line: string | null;
  /** The whole text, folded: what a text of only punctuation is matched by. */
  readonly folded: string;
  readonly fields: readonly string[];
  readonly autocomplete: boolean;
  readonly fuzzy: boolean;
}

const MAX_TEXT = 200;
const keys = ['text', 'fields', 'autocomplete', 'fuzzy'];

/** Reads a caller's `query`. */
export function parseQuery(query: unknown, kind: ProfileKind): TextQuery {
  if (!isPlainObject(query))
    throw refusal(
      'invalid-request',
      'query',
      `"query" takes an object such as {"text": "bonk"}, not ${showOperand(query)}.`,
    );
  for (const key of Object.keys(query)) {
    if (!keys.includes(key))
      throw refusal(
        'unknown-field',
        `query.${shortName(key)}`,
        `Unknown field ${quoted(key)} in query.${suggestion(key, keys)}`,
      );
  }
  const { text, fields, autocomplete = false, fuzzy = false } = query;
  if (!isText(text) || text.trim() === '' || text.length > 2 * MAX_TEXT || [...text].length > MAX_TEXT) {
    throw refusal(
      'invalid-request',
      'query.text',
      `"query.text" takes a text of 1 to ${MAX_TEXT} characters that is not blank (without NUL and lone surrogates), not ${showOperand(text)}.`,
    );
  }
  const words = wordsOf(text);
  return {
    terms: termsOf(text),
    words,
    line: wordLine(words),
    folded: fold(text.trim()),
    fields: parseFields(fields, kind),
    autocomplete: parseFlag('autocomplete', autocomplete),
    fuzzy: parseFlag('fuzzy', fuzzy),
  };
}

/** The columns that matching and ranking read. */
export function queryColumns(query: TextQuery): string[] {
  return query.fields.map(query.words.length === 0 ? foldedColumn : wordsColumn);
}

function parseFields(fields: unknown, kind: ProfileKind): readonly string[] {
  const known: readonly string[] = queryFields[kind];
  if (fields === undefined) return known;
  if (!Array.isArray(fields) || fields.length === 0 || fields.length > filterLimits.items) {
    throw refusal(
      'invalid-request',
      'query.fields',
      `"query.fields" takes an array of one or more of ${known.join(', ')}, not ${showOperand(fields)}.`,
    );
  }
  for (const [i, field] of fields.entries()) {
    if (typeof field !== 'string')
      throw refusal(
        'invalid-request',
        `query.fields.${i}`,
        `"query.fields" takes field paths such as "${known[1]}", not ${showOperand(field)}.`,
      );
    if (!known.includes(field)) {
      throw refusal(
        'unknown-field',
        `query.fields.${i}`,
        `Unknown field ${quoted(field)} in query.fields.${suggestion(field, known)} Text is searched in ${known.join(', ')}.`,
      );
    }
  }
  return [...new Set(fields as string[])];
}

function parseFlag(name: string, value: unknown): boolean {
  if (typeof value !== 'boolean')
    throw refusal(
      'invalid-request',
      `query.${name}`,
      `"query.${name}" takes true or false, not ${showOperand(value)}.`,
    );
  return value;
}
