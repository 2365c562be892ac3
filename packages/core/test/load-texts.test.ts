import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseConfig } from '../src/config.ts';
import { LoadTexts } from '../src/ingest/bulk/stage.ts';
import type { Reader } from '../src/storage/adapter.ts';

const empty = { stream: async function* () {} } as unknown as Reader;

test('texts of a file get ids in their order, an empty one none', async () => {
  const loaded = await LoadTexts.open(empty);
  const texts = Array.from({ length: 10_000 }, (_, i) => (i === 5000 ? '' : `0x${String(i).padStart(40, '0')}`));
  const ids = await loaded.idsOfGiven('name', texts, parseConfig({ address_format: 'any', quote_tokens: [] }));
  assert.deepEqual([ids?.[0], ids?.[4999], ids?.[5000], ids?.[5001]], [0, 4999, -1, 5000]);
  assert.equal(loaded.length, 9999);
});

test('a text that is refused leaves none of its file behind', async () => {
  const loaded = await LoadTexts.open(empty);
  const texts = Array.from({ length: 10_000 }, (_, i) => (i === 9000 ? 'a b' : `0x${String(i).padStart(40, '0')}`));
  assert.equal(await loaded.idsOfGiven('address', texts, parseConfig({ preset: 'ethereum' })), undefined);
  assert.equal(loaded.length, 0);
});
