import { foldedColumn } from '../filter/fold.ts';
import { wordsColumn } from '../filter/words.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import { fuzzyPieces } from './fuzzy-pieces.ts';
import type { TextQuery } from './query.ts';
import { typosAllowed, typosBetween } from './typos.ts';

/** How well a profile matches, best first: a whole field, the beginning of one, words anywhere; then the same with typos. */
export const ranks = { exact: 0, prefix: 1, words: 2, nearExact: 3, nearPrefix: 4, nearWords: 5 } as const;

/** The profiles that match `query`; if it is fuzzy, a few others with them: `matchRank` says which. */
export function queryPredicate(query: TextQuery): Predicate {
  if (query.words.length === 0) return or(...query.fields.map((field) => literalPredicate(query, foldedColumn(field))));
  return and(...query.terms.map((term) => termPredicate(query, term)));
}

/** The rank of a profile by its texts in `queryColumns`; `undefined` where it does not match. */
export type Ranker = (texts: readonly (string | null)[]) => number | undefined;

/** Ranks the profiles of one search; what it finds out about a word it remembers, for words repeat. */
export function createRanker(query: TextQuery): Ranker {
  const { line, terms, autocomplete, folded } = query;
  if (line === null) {
    return (texts) => {
      if (texts.includes(folded)) return ranks.exact;
      return autocomplete && texts.some((text) => text?.startsWith(folded) === true) ? ranks.prefix : undefined;
    };
  }
  const parts = terms.map((term) => termText(query, term));
  const nearRank = query.fuzzy ? createNearRanker(query) : () => undefined;
  return (texts) => {
    if (texts.includes(line)) return ranks.exact;
    if (texts.some((text) => text !== null && beginsAs(query, line, text))) return ranks.prefix;
    if (parts.every((part) => texts.some((text) => text?.includes(part) === true))) return ranks.words;
    return nearRank(texts);
  };
}

/** With autocomplete each word of the query is the beginning of one: `wrap bitc` begins `wrapped bitcoin`. */
function beginsAs({ words, autocomplete }: TextQuery, line: string, text: string): boolean {
  if (!autocomplete) return text.startsWith(line);
  if (!text.startsWith(` ${words[0]!}`)) return false;
  const field = wordsIn(text);
  return words.every((word, i) => field[i]?.startsWith(word) === true);
}

/** Ranks profiles that lack a word of the query by words near to it. */
function createNearRanker({ words, terms, autocomplete }: TextQuery): Ranker {
  const tests = new Map([...words, ...terms].map((typed) => [typed, createNearTest(typed, autocomplete)]));
  const exactTests = new Map(words.map((typed) => [typed, createNearTest(typed, false)]));
  return (texts) => {
    const lines = texts.filter((text) => text !== null);
    const fields = lines.map(wordsIn);
    const isFound = (term: string): boolean =>
      term.includes(' ')
        ? lines.some((line) => line.includes(` ${term} `))
        : fields.some((field) => field.some((word) => tests.get(term)!(word)));
    if (!terms.every(isFound)) return undefined;
    const begins = fields.filter((field) =>
      words.every((typed, i) => i < field.length && tests.get(typed)!(field[i]!)),
    );
    const isWhole = (field: readonly string[]): boolean =>
      field.length === words.length && words.every((typed, i) => exactTests.get(typed)!(field[i]!));
    if (begins.some(isWhole)) return ranks.nearExact;
    return begins.length > 0 ? ranks.nearPrefix : ranks.nearWords;
  };
}

/** Words of which a test remembers whether they are near. */
const REMEMBERED = 4096;

/** Whether a word is `typed`, or near to it, or begins so. */
function createNearTest(typed: string, isPrefix: boolean): (word: string) => boolean {
  const most = isTypable(typed) ? typosAllowed([...typed].length) : 0;
  const known = new Map<string, boolean>();
  return (word) => {
    let isNear = known.get(word);
    if (isNear === undefined) {
      isNear = isPrefix ? word.startsWith(typed) : word === typed;
      isNear ||= most > 0 && typosBetween(typed, word, most, isPrefix) !== undefined;
      // Names repeat; addresses do not, and there are as many as there are profiles.
      if (known.size === REMEMBERED) known.clear();
      known.set(word, isNear);
    }
    return isNear;
  };
}

function wordsIn(line: string): string[] {
  return line.slice(1, -1).split(' ');
}

/** A profile with a near word holds one of the parts of the term that typos leave alone. */
function termPredicate(query: TextQuery, term: string): Predicate {
  const parts = query.fuzzy && isTypable(term) ? fuzzyPieces(term, query.autocomplete) : [termText(query, term)];
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
