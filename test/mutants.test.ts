import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { sourceOf } from './mutants/mutant.ts';
import { mutants, unnoticed } from './mutants/mutants.ts';

const root = resolve(import.meta.dirname, '..');

test('every mutant changes a text that stands once in its file, and none is in the list twice', () => {
  for (const mutant of mutants) {
    const { breaks, file, find } = mutant;
    const source = readFileSync(join(root, sourceOf(mutant)), 'utf8');
    assert.equal(source.split(find).length, 2, `"${breaks}": its text does not stand once in ${file}`);
  }
  const seen = mutants.map(({ file, find, replace }) => `${file}: ${find} -> ${replace}`);
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(new Set(mutants.map(({ breaks }) => breaks)).size, mutants.length, 'two break the same');
  assert.ok(mutants.every(({ find, replace }) => find !== replace));
  for (const breaks of unnoticed)
    assert.ok(
      mutants.some((mutant) => mutant.breaks === breaks),
      breaks,
    );
});
