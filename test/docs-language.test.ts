import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { sentencesOf, wordsIn } from './support/sentences.ts';

const root = resolve(import.meta.dirname, '..');
const MOST_WORDS = 40;

const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.includes('node_modules') && !name.includes('dist'))
    .map((name) => join(folder, name));

/** Formulas are no sentences: the generated types quote those of the metrics. */
const generated = 'packages/client/src/types.ts';

const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...filesIn('docs', '.md'), ...filesIn('packages', '.md')];

test('a sentence is measured without code, links and tables', () => {
  const [first, second, ...cells] = sentencesOf(
    'One two `a b c` [three](four five). Next.\n\n| five six | seven |\n```\nnot this\n```',
  ).filter((text) => text !== '');
  assert.deepEqual([wordsIn(first!), second, cells], [4, 'Next.', ['five six', 'seven']]);
});

for (const page of pages) {
  test(`no sentence of ${page} has more than ${MOST_WORDS} words`, () => {
    const long = sentencesOf(readFileSync(join(root, page), 'utf8')).filter((text) => wordsIn(text) > MOST_WORDS);
    assert.deepEqual(long, []);
  });
}

const sources = filesIn('packages', '.ts').filter((file) => file.includes('/src/') && file !== generated);

const texts = new Map(sources.map((file) => [file, readFileSync(join(root, file), 'utf8')]));

const docstringsOf = (file: string): readonly string[] =>
  [...texts.get(file)!.matchAll(/\/\*\*([\s\S]*?)\*\//g)].map(([, text]) => text!.replaceAll(/^\s*\* ?/gm, ''));

/** Literals of three words or more: errors, help, descriptions of fields. */
const messagesOf = (file: string): readonly string[] => {
  const code = texts
    .get(file)!
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/(^|\s)\/\/.*$/gm, '');
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)+)'|`((?:[^`\\\n]|\\.)+)`/g)]
    .map(([, plain, template]) => plain ?? template!)
    .filter((text) => /\w+ \w+ \w+/.test(text));
};

test(`no sentence of a docstring has more than ${MOST_WORDS} words`, () => {
  const long = sources.flatMap((file) =>
    docstringsOf(file)
      .flatMap(sentencesOf)
      // "Errors: a for this; b for that" is a list.
      .flatMap((text) => (/`code` (for|where|if|at)/.test(text) ? text.split('; ') : [text]))
      .filter((text) => wordsIn(text) > MOST_WORDS)
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(long, []);
});

/** What says nothing, or says that the reader should find it easy. */
const empty = /\b(simply|obviously|of course|please note|in order to|seamless(ly)?|leverag(e|es|ing)|blazing(ly)?)\b/i;

/** Turns of phrase that the rules of English replace, each beside what to write. */
const patterns: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [
    /, for (it|they|there|that|this|one|both|none|all|nothing)\b[^.]*\b(is|are|has|have|was|were|can|will|may)\b/,
    'because',
  ],
  [/, for (they|we|where|otherwise)\b/, 'because'],
  [/\b[Ww]here (it is|that is|there (is|are)|they are|none|nobody|no \w+ (is|are))\b/, 'if, when'],
  [/\b(is|are|was|were) told\b/, 'the actor first: logs, reports, returns'],
  [/\b\d[\d,]* (swaps|requests|rows|messages|blocks) a second\b|\b(swaps|requests|rows) a second\b/, 'per second'],
  [/\bdear(er|est)?\b/, 'slow'],
  [/\b(gives?|given|gave) up\b/, 'orphaned, dropped'],
  [/^(Whatever|Whoever|What is not)\b/, 'a noun as the subject'],
  [/\b(just|easy|easily|utili[sz]es?)\b/i, 'nothing'],
];

/** Pages whose "where" is that of descriptions in schemas and declarations, or of measurements. */
const wherePages = /^docs\/(reference|internals)\/|^docs\/guides\/sql\.md$/;

/** Turns of phrase that may stay, because "where" is a place in them. */
const places: readonly string[] = [
  'forgotten where they are checked',
  'of a row group, and where it is',
  'their rows stay where they are',
  'go on from where they are stored',
  'subscribe where it is written',
  'to be taken, where nobody counts',
  'to the leaves, where it is',
  'leaves where it is',
];

/** What the rules would replace in a text, beside its source. */
function faultsOf(source: string, text: string): readonly string[] {
  const isPlace = wherePages.test(source) || places.some((phrase) => text.includes(phrase));
  return [...patterns, [empty, 'nothing'] as const]
    .filter(([pattern, instead]) => pattern.test(text) && !(instead === 'if, when' && isPlace))
    .map(([, instead]) => `${source}: ${text} (instead: ${instead})`);
}

test('no page has a turn of phrase that the rules of English replace, nor words that say nothing', () => {
  const found = [...pages, 'CHANGELOG.md'].flatMap((page) =>
    sentencesOf(readFileSync(join(root, page), 'utf8')).flatMap((text) => faultsOf(page, text)),
  );
  assert.deepEqual(found, []);
});

test('no docstring and no message has one either', () => {
  const found = sources.flatMap((file) =>
    [...docstringsOf(file), ...messagesOf(file)].flatMap(sentencesOf).flatMap((text) => faultsOf(file, text)),
  );
  assert.deepEqual(found, []);
});

test('the search finds what it is for', () => {
  const wrong = [
    'It is dropped, for nothing can hold it.',
    'Empty where there is none.',
    'The caller is told of it.',
    '100 swaps a second.',
    'The chain gave up the block.',
    'Whoever asks gets it.',
    'Please note that it is easy.',
  ];
  assert.deepEqual(
    wrong.filter((text) => faultsOf('a page', text).length === 0),
    [],
  );
  assert.deepEqual(faultsOf('a page', 'Positions go on from where they are stored, and wait for one second.'), []);
});

test(`no message has a sentence of more than ${MOST_WORDS} words`, () => {
  const long = sources.flatMap((file) =>
    messagesOf(file)
      .flatMap(sentencesOf)
      // Formulas and the text of `--help` are no sentences.
      .filter((text) => wordsIn(text) > MOST_WORDS && !/[=;]|\n/.test(text))
      .map((text) => `${file}: ${text}`),
  );
  assert.deepEqual(long, []);
});
