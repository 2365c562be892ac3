import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorCodes } from '@swapfold/core';
import { errorsPage, renderErrors } from './generate-docs/errors.ts';

test('docs/errors.md is what the table of codes generates', () => {
  assert.equal(readFileSync(errorsPage, 'utf8'), renderErrors());
});

test('every code says in sentences what it means and what to do', () => {
  for (const [code, { meaning, remedy }] of Object.entries(errorCodes)) {
    assert.match(meaning, /^[A-Za-z].*\.$/, code);
    assert.match(remedy, /^\S.*\.$/, code);
    assert.doesNotMatch(`${meaning}${remedy}`, /[|\n]/, code);
  }
});
