import { foldedColumn } from '../filter/fold.ts';
import { wordsColumn } from '../filter/words.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import { nearParts } from './near-parts.ts';
import type { TextQuery } from './query.ts';
import { typosAllowed, typosBetween } from './typos.ts';

/** How well a profile matches, best first: a whole field, the beginning of one, words anywhere; then the same with typos. */
export const ranks = { exact: 0, prefix: 1, words: 2, nearExact: 3, nearPrefix: 4, nearWords: 5 } as const;

/** The profiles that match `query`; where it is fuzzy, a few others with them: `matchRank` tells which. */
export function queryPredicate(query: TextQuery): Predicate {
  if (query.words.length === 0) return or(...query.fields.map((field) => literalPredicate(query, foldedColumn(field))));
  return and(...query.terms.map((term) => termPredicate(query, term)));
}

/** The rank of a profile by its texts in `queryColumns`; `undefined` where it does not match. */
export function matchRank(query: TextQuery, texts: readonly (string | null)[]): number | undefined {
  const held = texts.filter((text) => text !== null);
  const { line, autocomplete } = query;
  if (line === null) {
    if (held.includes(query.folded)) return ranks.exact;
    return autocomplete && held.some((text) => text.startsWith(query.folded)) ? ranks.prefix : undefined;
  }
  if (held.includes(line)) return ranks.exact;
  if (held.some((text) => beginsAs(query, line, text))) return ranks.prefix;
  if (query.terms.every((term) => held.some((text) => text.includes(termText(query, term))))) return ranks.words;
  return query.fuzzy ? nearRank(query, held) : undefined;
}

/** With autocomplete each word of the query is the beginning of one: `wrap bitc` begins `wrapped bitcoin`. */
function beginsAs({ words, autocomplete }: TextQuery, line: string, text: string): boolean {
  if (!autocomplete) return text.startsWith(line);
  const field = text.trim().split(' ', words.length);
  return words.every((word, i) => field[i]?.startsWith(word) === true);
}

/** The rank of a profile that lacks a word of the query, by words near to it. */
function nearRank(query: TextQuery, lines: readonly string[]): number | undefined {
  const { words, terms, autocomplete } = query;
  const fields = lines.map((line) => line.trim().split(' '));
  const begins = fields.filter((field) => words.every((word, i) => isNear(word, field[i], autocomplete)));
  if (
    begins.some((field) => field.length === words.length && words.every((word, i) => isNear(word, field[i], false)))
  ) {
    return ranks.nearExact;
  }
  if (begins.length > 0) return ranks.nearPrefix;
  const isFound = (term: string): boolean =>
    lines.some((line) => line.includes(termText(query, term))) ||
    fields.some((field) => field.some((word) => isNear(term, word, autocomplete)));
  return terms.every(isFound) ? ranks.nearWords : undefined;
}

function isNear(typed: string, word: string | undefined, isPrefix: boolean): boolean {
  if (word === undefined) return false;
  if (isPrefix ? word.startsWith(typed) : word === typed) return true;
  return isTypable(typed) && typosBetween(typed, word, typosAllowed([...typed].length), isPrefix) !== undefined;
}

/** A profile with a near word holds one of the parts of the term that typos leave alone. */
function termPredicate(query: TextQuery, term: string): Predicate {
  const parts = query.fuzzy && isTypable(term) ? nearParts(term, query.autocomplete) : [termText(query, term)];
  return or(
    ...query.fields.flatMap((field) =>
      parts.map((text): Predicate => ({ kind: 'contains', column: wordsColumn(field), text })),
    ),
  );
}

function literalPredicate(query: TextQuery, column: string): Predicate {
  return query.autocomplete ? { kind: 'startsWith', column, text: query.folded } : compare(column, 'eq', query.folded);
}

/** What a word line holds where it has the term as a word, or as the beginning of one. */
function termText({ autocomplete }: TextQuery, term: string): string {
  return autocomplete ? ` ${term}` : ` ${term} `;
}

/** Phrases of single characters hold no typos. */
function isTypable(term: string): boolean {
  return !term.includes(' ') && typosAllowed([...term].length) > 0;
}
