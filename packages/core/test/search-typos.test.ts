import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { wordLine } from '../src/filter/words.ts';
import { fuzzyPieces, typosAllowed, typosBetween } from '../src/search/match.ts';

const seed = 20_240_105;

const distances: readonly (readonly [sentence: string, typed: string, word: string, typos: number | undefined])[] = [
  ['a word is no typo of itself', 'bonk', 'bonk', 0],
  ['a letter replaced is one typo', 'bank', 'bonk', 1],
  ['a letter left out is one typo', 'bnk', 'bonk', 1],
  ['a letter too many is one typo', 'boonk', 'bonk', 1],
  ['two neighbours swapped are one typo', 'bnok', 'bonk', 1],
  ['two neighbours swapped at the end are one typo', 'bokn', 'bonk', 1],
  ['letters swapped over a distance are two typos', 'kcat', 'tcak', 2],
  ['three typos are too many', 'xyzk', 'bonk', undefined],
  ['a word three letters longer is too far', 'bonk', 'bonkers', undefined],
  ['a pictograph counts as one letter', 'a😀c', 'abc', 1],
  ['a swap with a letter put between is not one typo more', 'ca', 'abc', undefined],
];
for (const [sentence, typed, word, typos] of distances) {
  test(sentence, () => assert.equal(typosBetween(typed, word, 2, false), typos));
}

test('a word that begins as typed holds no typo', () => assert.equal(typosBetween('samo', 'samoyed', 1, true), 0));
test('a beginning may hold a typo', () => assert.equal(typosBetween('smao', 'samoyed', 1, true), 1));
test('a beginning may lack a letter', () => assert.equal(typosBetween('samoyd', 'samoyedcoin', 1, true), 1));
test('the limit is kept', () => assert.equal(typosBetween('abcdefgh', 'abXYefgh', 1, false), undefined));

test('words of 3 letters may hold one typo, of 8 two, shorter ones none', () => {
  assert.deepEqual([1, 2, 3, 7, 8, 44].map(typosAllowed), [0, 0, 1, 1, 2, 2]);
});

test(`the distance is what a plain search over edits finds (seed ${seed})`, () => {
  const short = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  const property = fc.property(short, short, fc.constantFrom(1, 2), (typed, word, most) => {
    assert.equal(typosBetween(typed, word, most, false), editsBetween(typed, word, most));
  });
  fc.assert(property, { seed, numRuns: 5000 });
});

/** Least edits from `a` to `b` by trying all, each letter edited at most once, up to `most`. */
function editsBetween(a: string, b: string, most: number): number | undefined {
  if (a === '' || b === '') return a.length + b.length <= most ? a.length + b.length : undefined;
  if (most < 0) return undefined;
  const tries = [
    a[0] === b[0] ? editsBetween(a.slice(1), b.slice(1), most) : undefined,
    plusOne(editsBetween(a.slice(1), b.slice(1), most - 1)),
    plusOne(editsBetween(a.slice(1), b, most - 1)),
    plusOne(editsBetween(a, b.slice(1), most - 1)),
    a[0] === b[1] && a[1] === b[0] && a.length > 1
      ? plusOne(editsBetween(a.slice(2), b.slice(2), most - 1))
      : undefined,
  ];
  const found = tries.filter((edits) => edits !== undefined && edits <= most) as number[];
  return found.length === 0 ? undefined : Math.min(...found);
}

function plusOne(edits: number | undefined): number | undefined {
  return edits === undefined ? undefined : edits + 1;
}

test(`the engine's candidates hold every word that is near (seed ${seed})`, () => {
  const letter = fc.constantFrom('a', 'b', 'c', '😀');
  const typed = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
  const edit = fc.record({ at: fc.nat(12), kind: fc.constantFrom('replace', 'insert', 'remove', 'swap'), letter });
  const property = fc.property(
    typed,
    fc.array(edit, { maxLength: 2 }),
    fc.boolean(),
    typed,
    (term, edits, isPrefix, more) => {
      const word = edits.reduce(applyEdit, [...term]).join('') + (isPrefix ? more : '');
      const most = typosAllowed([...term].length);
      fc.pre(word !== '' && typosBetween(term, word, most, isPrefix) !== undefined);
      const line = wordLine(['x', word, 'y'])!;
      assert.ok(
        fuzzyPieces(term, isPrefix).some((part) => line.includes(part)),
        `${term} ~ ${word}`,
      );
    },
  );
  fc.assert(property, { seed, numRuns: 20_000 });
});

function applyEdit(letters: readonly string[], edit: { at: number; kind: string; letter: string }): string[] {
  const at = Math.min(edit.at, letters.length);
  const next = [...letters];
  if (edit.kind === 'insert') next.splice(at, 0, edit.letter);
  if (edit.kind === 'replace' && at < letters.length) next[at] = edit.letter;
  if (edit.kind === 'remove') next.splice(at, 1);
  if (edit.kind === 'swap' && at + 1 < letters.length) next.splice(at, 2, letters[at + 1]!, letters[at]!);
  return next;
}
