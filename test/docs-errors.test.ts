import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { errorCodes } from '@swapfold/core/host';
import { errorsPage, renderErrors } from './generate-docs/errors.ts';

test('docs/reference/errors.md is what the table of codes generates', () => {
  assert.equal(readFileSync(errorsPage, 'utf8'), renderErrors());
});

test('every code says in sentences what it means and what to do', () => {
  for (const [code, { meaning, remedy }] of Object.entries(errorCodes)) {
    assert.match(meaning, /^[A-Za-z].*\.$/, code);
    assert.match(remedy, /^\S.*\.$/, code);
    assert.doesNotMatch(`${meaning}${remedy}`, /[|\n]/, code);
  }
});

test('the error that docs/reference/errors.md shows is what that request gives', async () => {
  const [, json] = /```json\n(.*?)```/s.exec(renderErrors()) ?? assert.fail('the page shows no error');
  const { error, code, details } = JSON.parse(json!) as { error: string; code: string; details: unknown };
  const dex = await Swapfold.open({ storage: memory() });
  await assert.rejects(dex.swaps.list({ limit: 101 }), { message: error, code, details });
  await dex.close();
});
