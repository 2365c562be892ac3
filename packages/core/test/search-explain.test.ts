import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory } from '../src/memory/memory.ts';
import type { SearchPage } from '../src/search/page.ts';
import type { SearchRequest } from '../src/search/plan.ts';
import { storedRows } from '../src/search/rows.ts';
import { type Profile, profileRows, searchContext, searchProfiles, tableOf } from './search-fixtures.ts';

const tokens: readonly Profile[] = [
  {
    token_address: 'A',
    labels: ['hot', 'new'],
    updated_at: '2024-01-05T00:00:00Z',
    'metadata.created_at': '2024-01-04T23:00:00Z',
    'metadata.symbol': 'BONK',
    'metadata.verified': true,
    'market.price': 5,
  },
  { token_address: 'B', 'metadata.symbol': 'MOON' },
];

async function search(request: SearchRequest): Promise<SearchPage> {
  const store = memory();
  await store.open({ tables: [tableOf.tokens] });
  await store.write((writer) => writer.append(tableOf.tokens, profileRows('tokens', tokens)));
  return store.snapshot((reader) =>
    searchProfiles(storedRows(reader, tableOf.tokens), request, searchContext('tokens')),
  );
}

test('a request that does not ask has no explanation', async () => {
  assert.equal('explanation' in (await search({})), false);
  assert.equal('explanation' in (await search({ explain: false })), false);
});

test('every clause shows the operand, the actual value and whether it held, nested as written', async () => {
  const filter = {
    $or: [
      { 'market.price': { $gt: 1, $lt: 5 } },
      { $not: { 'metadata.symbol': { $contains: 'bon' } } },
      { $nor: [{ labels: { $all: ['hot', 'new'] } }, { 'metadata.verified': true }] },
      { 'metadata.age': { $lte: 3600 }, updated_at: '2024-01-05T01:00:00+01:00' },
    ],
  };
  const { explanation } = await search({ filter, explain: true, limit: 1 });
  assert.deepEqual(explanation?.rows[0]?.filter, {
    operator: '$or',
    held: true,
    clauses: [
      {
        operator: '$and',
        held: false,
        clauses: [
          { path: 'market.price', operator: '$gt', operand: 1, actual: 5, held: true },
          { path: 'market.price', operator: '$lt', operand: 5, actual: 5, held: false },
        ],
      },
      {
        operator: '$not',
        held: false,
        clauses: [{ path: 'metadata.symbol', operator: '$contains', operand: 'bon', actual: 'BONK', held: true }],
      },
      {
        operator: '$nor',
        held: false,
        clauses: [
          { path: 'labels', operator: '$all', operand: ['hot', 'new'], actual: ['hot', 'new'], held: true },
          { path: 'metadata.verified', operator: '$eq', operand: true, actual: true, held: true },
        ],
      },
      {
        operator: '$and',
        held: true,
        clauses: [
          { path: 'metadata.age', operator: '$lte', operand: 3600, actual: 3600, held: true },
          {
            path: 'updated_at',
            operator: '$eq',
            operand: '2024-01-05T01:00:00+01:00',
            actual: '2024-01-05T00:00:00Z',
            held: true,
          },
        ],
      },
    ],
  });
});

test('a missing value shows as null, labels as an empty list', async () => {
  const filter = {
    'market.price': null,
    'metadata.age': { $ne: 1 },
    updated_at: { $exists: false },
    'metadata.verified': { $ne: true },
    labels: { $nin: ['hot'] },
  };
  const { explanation } = await search({ filter, explain: true });
  const root = explanation?.rows[0]?.filter;
  assert.ok(root !== undefined && 'clauses' in root && root.held);
  assert.deepEqual(
    root.clauses.map((clause) => ('actual' in clause ? clause.actual : undefined)),
    [null, null, null, null, []],
  );
});

test('an empty filter is explained as a group of nothing that holds', async () => {
  const { explanation } = await search({ explain: true, limit: 1 });
  assert.deepEqual(explanation?.rows[0]?.filter, { operator: '$and', held: true, clauses: [] });
});

test('each dynamic label is explained, also where it does not hold', async () => {
  const labels = JSON.parse('{"cheap": {"market.price": {"$lt": 1}}, "__proto__": {"metadata.symbol": "BONK"}}');
  const { explanation, dynamic_labels: names } = await search({
    dynamic_labels: labels,
    explain: true,
    limit: 1,
    sort: { field: 'token_address', direction: 'asc' },
  });
  const explained = explanation?.rows[0]?.dynamic_labels;
  assert.deepEqual(names, [['__proto__']]);
  assert.deepEqual(
    Object.entries(explained ?? {}).map(([name, clause]) => [name, clause.held]),
    [
      ['cheap', false],
      ['__proto__', true],
    ],
  );
});

test('the plan of a sorted search names condition, order and reads', async () => {
  const { explanation } = await search({
    filter: { 'market.price': { $gte: 5 } },
    sort: { field: 'metadata.age', direction: 'asc' },
    explain: true,
  });
  assert.deepEqual(explanation?.plan, {
    where: { kind: 'compare', column: 'market.price', op: 'gte', value: 5 },
    order: [
      { column: 'metadata.created_at', direction: 'desc' },
      { column: 'token_address', direction: 'asc' },
    ],
    steps: [
      { step: 'count', rows: 1 },
      { step: 'page', rows: 1 },
    ],
  });
});

test('the plan of a text query names how many rows the engine gave and how many matched', async () => {
  const { explanation } = await search({ query: { text: 'moom', fuzzy: true }, explain: true });
  assert.deepEqual(explanation?.plan.steps, [
    { step: 'match', rows: 1, matches: 1 },
    { step: 'page', rows: 1 },
  ]);
  assert.deepEqual(
    explanation?.plan.order.map(({ column }) => column),
    ['rank', 'metadata.verified', 'market.liquidity', 'token_address'],
  );
});

test('an explanation is plain JSON', async () => {
  const { explanation } = await search({
    query: { text: 'moon' },
    filter: { 'market.price': { $nin: [1, null, 2] } },
    explain: true,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(explanation)), explanation);
});

test('what an explanation would repeat for each profile is bounded, and only there', async () => {
  const filterOf = (length: number) => ({ token_address: { $ne: 'x'.repeat(length) } });
  // [{"token_address":{"$ne":"..."}},null]
  const around = 35;
  assert.equal((await search({ filter: filterOf(65_536 - around), explain: true })).count, 2);
  assert.equal((await search({ filter: filterOf(1_000_000) })).count, 2);
  await assert.rejects(search({ filter: filterOf(65_537 - around), explain: true }), {
    code: 'invalid-request',
    message: /together they may take 65536 characters of JSON, not 65537\.$/,
  });
});
