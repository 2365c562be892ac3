import { fold } from './fold.ts';

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
