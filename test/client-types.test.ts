import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypesFile, renderClientTypes } from './generate-docs/client-types.ts';

test('the types of the client are what the operations and topics generate', async () => {
  assert.ok(readFileSync(clientTypesFile, 'utf8') === (await renderClientTypes()), 'run npm run docs');
});
