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

test(`no sentence of a docstring has more than ${MOST_WORDS} words`, () => {
  const long = filesIn('packages', '.ts')
    .filter((file) => file.includes('/src/') && file !== generated)
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/\/\*\*([\s\S]*?)\*\//g)]
        .flatMap(([, text]) => sentencesOf(text!.replaceAll(/^\s*\* ?/gm, '')))
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

/** Whether a turn of phrase may stay on a page. */
const isException = (page: string, instead: string): boolean => instead === 'if, when' && wherePages.test(page);

test('no page has a turn of phrase that the rules of English replace', () => {
  const found = [...pages, 'CHANGELOG.md'].flatMap((page) =>
    sentencesOf(readFileSync(join(root, page), 'utf8')).flatMap((text) =>
      patterns
        .filter(([pattern, instead]) => pattern.test(text) && !isException(page, instead))
        .map(([, instead]) => `${page}: ${text} (instead: ${instead})`),
    ),
  );
  assert.deepEqual(found, []);
});

test('no page has words that say nothing', () => {
  const found = pages.flatMap((page) =>
    sentencesOf(readFileSync(join(root, page), 'utf8'))
      .filter((text) => empty.test(text))
      .map((text) => `${page}: ${text}`),
  );
  assert.deepEqual(found, []);
});
