import { foldedColumn, wordsColumn } from '../filter/words.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import type { TextQuery } from './query.ts';

/** How well a profile matches, best first: a whole field, the beginning of one, words anywhere; then the same with typos. */
const ranks = { exact: 0, prefix: 1, words: 2, nearExact: 3, nearPrefix: 4, nearWords: 5 } as const;

/** The profiles that match `query`; if it is fuzzy, a few others with them: `matchRank` says which. */
export function queryPredicate(query: TextQuery): Predicate {
  if (query.words.length === 0) return or(...query.fields.map((field) => literalPredicate(query, foldedColumn(field))));
  return and(...query.terms.map((term) => termPredicate(query, term)));
}

/** The rank of a profile by its texts in `queryColumns`; `undefined` where it does not match. */
type Ranker = (texts: readonly (string | null)[]) => number | undefined;

/** Ranks the profiles of one search; it remembers what it found out about a word, because words repeat. */
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

/**
 * Texts of which a word line holds at least one, if it holds a word near to `term`: cut in one piece more than it may hold typos,
 * the term keeps a piece whole. The first piece begins a word, the last ends one. Only two neighbours swapped across a cut
 * touch two pieces; for each cut, the piece with that swap is listed too.
 */
export function fuzzyPieces(term: string, isPrefix: boolean): string[] {
  const letters = [...term];
  const end = isPrefix ? '' : ' ';
  switch (typosAllowed(letters.length)) {
    case 0:
      return [` ${term}${end}`];
    case 1: {
      const cut = Math.ceil(letters.length / 2);
      return [
        ` ${joined(letters, 0, cut)}`,
        `${joined(letters, cut)}${end}`,
        ` ${joined(swapped(letters, cut), 0)}${end}`,
      ];
    }
    case 2: {
      const first = Math.ceil(letters.length / 3);
      const second = letters.length - first;
      return [
        ` ${joined(letters, 0, first)}`,
        joined(letters, first, second),
        `${joined(letters, second)}${end}`,
        ` ${joined(swapped(letters, first), 0, first + 1)}`,
        `${joined(swapped(letters, second), second - 1)}${end}`,
      ];
    }
  }
}

/** The letters with those before and after `cut` exchanged. */
function swapped(letters: readonly string[], cut: number): string[] {
  return letters.with(cut - 1, letters[cut]!).with(cut, letters[cut - 1]!);
}

function joined(letters: readonly string[], from: number, to?: number): string {
  return letters.slice(from, to).join('');
}

/** Typos that a word of this many characters may hold and still match. */
export function typosAllowed(length: number): 0 | 1 | 2 {
  if (length < 3) return 0;
  return length < 8 ? 1 : 2;
}

/**
 * Edits that make `typed` the beginning or the whole of `word`: characters inserted, deleted, replaced, or two neighbours swapped
 * (optimal string alignment); `undefined` where it takes more than `most`.
 */
export function typosBetween(typed: string, word: string, most: number, isPrefix: boolean): number | undefined {
  const a = [...typed];
  const b = [...word].slice(0, isPrefix ? a.length + most : undefined);
  if (b.length < a.length - most || b.length > a.length + most) return undefined;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(replaced, previous[j]! + 1, row[j - 1]! + 1);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, beforePrevious[j - 2]! + 1);
      row.push(least);
    }
    if (Math.min(...row) > most && Math.min(...previous) > most) return undefined;
    beforePrevious = previous;
    previous = row;
  }
  const typos = isPrefix ? Math.min(...previous) : previous[b.length]!;
  return typos <= most ? typos : undefined;
}
