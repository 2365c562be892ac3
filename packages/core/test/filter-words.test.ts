import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fold, termsOf, wordLine, wordsOf } from '../src/filter/words.ts';

const seed = 20_240_105;

const equals: readonly (readonly [sentence: string, a: string, b: string])[] = [
  ['case does not matter', 'BoNk', 'bOnK'],
  ['full-width letters are letters', 'ＢＯＮＫ', 'bonk'],
  ['sharp s is ss', 'Straße', 'STRASSE'],
  ['capital sharp s is ss', 'STRAẞE', 'strasse'],
  ['a final sigma is a sigma', 'ΟΔΟΣ', 'οδος'],
  ['a composed and a decomposed accent are one', 'caf\u00e9', 'CAFE\u0301'],
  ['a ligature is its letters', 'ﬁnance', 'FINANCE'],
];
for (const [sentence, a, b] of equals) test(`folding: ${sentence}`, () => assert.equal(fold(a), fold(b)));

test('a sigma is found wherever it stands', () => assert.ok(fold('ΟΔΟΣ').endsWith(fold('Σ'))));

test('folding keeps accents apart', () => assert.notEqual(fold('é'), fold('e')));

test('folding twice changes nothing, for any character', () => {
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const once = fold(`a${String.fromCodePoint(code)}b`);
    assert.equal(fold(once), once, `U+${code.toString(16)}`);
  }
});

const words: readonly (readonly [sentence: string, text: string, words: readonly string[]])[] = [
  ['spaces and punctuation part words', 'USD-Coin (Portal/Wormhole)_v1', ['usd', 'coin', 'portal', 'wormhole', 'v1']],
  ['a currency sign is no part of a word', '$WIF', ['wif']],
  ['accents are left out', 'Pingüino Bôkaynou Àé', ['pinguino', 'bokaynou', 'ae']],
  ['straight and curly apostrophes part words alike', "Ape's", ['ape', 's']],
  ['straight and curly apostrophes part words alike: ’', 'Ape’s', ['ape', 's']],
  ['straight and curly apostrophes part words alike: ʼ', 'Apeʼs', ['ape', 's']],
  ['hyphens and dashes part words alike', 'a-b–c—d−e', ['a', 'b', 'c', 'd', 'e']],
  ['a trademark sign is not two letters', 'Bonk™ ®', ['bonk']],
  ['styled letters are letters', '𝔹𝕆ℕ𝕂 ⓜⓞⓞⓝ', ['bonk', 'moon']],
  ['a pictograph is a word, also within letters', 'moon🚀🌕', ['moon', '🚀', '🌕']],
  ['the style of a pictograph does not matter', '❤️ ❤', ['❤', '❤']],
  ['the skin tone of a pictograph does not matter', '👍🏽', ['👍']],
  ['joined pictographs are several', '👨‍👩‍👧', ['👨', '👩', '👧']],
  ['a flag is a word', '🇺🇸🇫🇷', ['🇺🇸', '🇫🇷']],
  ['a keycap is its digit', '1️⃣', ['1']],
  ['characters of Chinese are words', '柴犬币', ['柴', '犬', '币']],
  ['kana are words, half-width ones too', 'ドージ ﾄﾞ', ['ト', 'ー', 'シ', 'ト']],
  ['letters beside Chinese characters part from them', 'DOGE狗狗币2', ['doge', '狗', '狗', '币', '2']],
  ['Thai consonants are words', 'กข', ['ก', 'ข']],
  ['Arabic vowel points and tatweel are left out', 'دُوج ـدوجـ', ['دوج', 'دوج']],
  ['direction signs are left out', '\u200fدوج\u200e coin\u202c', ['دوج', 'coin']],
  ['a soft hyphen and a zero-width space are left out', 'bo\u00adnk\u200b', ['bonk']],
  ['Hebrew points are left out', 'שָׁלוֹם', ['שלום']],
  ['punctuation alone has no words', '??? $ — ...', []],
];
for (const [sentence, text, expected] of words)
  test(`words: ${sentence}`, () => assert.deepEqual(wordsOf(text), expected));

test('Hangul is found however it is composed', () => {
  assert.deepEqual(wordsOf('비트코인'), wordsOf('비트코인'.normalize('NFD')));
  assert.ok(wordLine(wordsOf('비트코인'))!.includes(` ${termsOf('비트')[0]}`));
});

test('a query keeps a run of Chinese together and parts words', () => {
  assert.deepEqual(termsOf('柴犬 coin 币coin'), ['柴 犬', 'coin', '币']);
});

test('a word asked for twice is asked for once', () => assert.deepEqual(termsOf('moon Moon moon'), ['moon']));

test(`every word of a text is found by its line (seed ${seed})`, () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  const found = fc.property(text, (given) => {
    const line = wordLine(wordsOf(given));
    for (const term of termsOf(given))
      assert.ok(line!.includes(` ${term} `), `${JSON.stringify(line)} lacks ${JSON.stringify(term)}`);
    assert.deepEqual(wordsOf(wordsOf(given).join(' ')), wordsOf(given));
  });
  fc.assert(found, { seed, numRuns: 3000 });
});
