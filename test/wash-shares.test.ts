import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { docsPath } from './generate-docs/page.ts';
import { washTable } from './support/wash-market.ts';

test('planted wash trades and honest traders are labelled as docs/reference/labels.md says', async () => {
  const page = readFileSync(docsPath('reference/labels.md'), 'utf8');
  const rows = page.matchAll(/^\| ([^|]+?) +\| (wash|honest) +\| (\d+) +\| (\d+) +\|$/gm);
  const documented = Array.from(rows, ([, kind, is, number, labelled]) => [kind, is, Number(number), Number(labelled)]);
  const table = await washTable(5);
  assert.equal(table.length, 17);
  assert.deepEqual(documented, table);
});
