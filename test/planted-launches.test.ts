import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { launchesPage, renderLaunches } from './generate-docs/launches.ts';

test('what docs/reference/launches.md says of planted launches is what a fresh generation gives (npm run docs)', async () => {
  assert.equal(readFileSync(launchesPage, 'utf8'), await renderLaunches());
});
