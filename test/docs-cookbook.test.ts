import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { printedRecipes, recipePages, recipePath } from './support/cookbook.ts';

const textOf = (name: string): string => readFileSync(recipePath(name), 'utf8');

test('the commands of each recipe print what its page says (npm run docs)', async () => {
  const pages = await printedRecipes();
  assert.ok(pages.size >= 4);
  for (const [name, page] of pages) assert.equal(textOf(name), page, name);
});

test('a recipe is a question and at most 40 lines', () => {
  const faults = recipePages.filter((name) => !/^# .*\?\n/.test(textOf(name)) || textOf(name).split('\n').length > 41);
  assert.deepEqual(faults, []);
});

test('the index of the recipes lists each page by its question', () => {
  const listed = [...textOf('README.md').matchAll(/^\| \[([^\]]+)\]\(([\w-]+\.md)\)/gm)];
  assert.deepEqual(
    listed.map(([, question, name]) => [name, question]).sort(),
    recipePages.map((name) => [name, textOf(name).slice(2).split('\n')[0]]),
  );
});
