import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SwapfoldError } from '../src/errors.ts';
import { planSearch, type SearchRequest } from '../src/search/plan.ts';
import { searchContext } from './search-fixtures.ts';

const seed = Number(process.env.SEARCH_SEED ?? 20_240_105);
const context = searchContext('tokens');

/** Any JSON, hostile texts among it. */
const hostileText = fc.constantFrom(
  "'; drop table meta; --",
  '"',
  '`',
  '\\',
  '%',
  '__proto__',
  'constructor',
  'toString',
  'market[price]',
  '$where',
  '\0',
  '\ud800',
  '\u202e',
  'a'.repeat(10_000),
  '1e999',
  'null',
  '',
);
const anyText = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), hostileText);
const scalar = fc.oneof(
  anyText,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constantFrom(1e308, -0, 2 ** 64),
);
const anything = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(anyText, tie('json'), { maxKeys: 3 }),
  ),
})).json;

/** Values that are wrong for the part of the request they stand in. */
const noObject = fc.oneof(scalar, fc.array(anything, { maxLength: 3 }));
const noBoolean = anything.filter((value) => typeof value !== 'boolean');
const noNumber = anything.filter((value) => typeof value !== 'number' && value !== null && typeof value !== 'object');
const noText = anything.filter((value) => typeof value !== 'string');
const unknownName = anyText.filter((name) => !context.fields.has(name) && !name.startsWith('$'));
const deep = fc.integer({ min: 9, max: 10_000 }).map((levels) => {
  let filter: unknown = { 'market.price': 1 };
  for (let i = 0; i < levels; i++) filter = { $and: [filter] };
  return filter;
});

const wrongFilter = fc.oneof(
  noObject,
  deep,
  unknownName.map((name) => ({ [name]: 1 })),
  anyText.filter((name) => name.startsWith('$') || name === '').map((name) => ({ [`$${name}x`]: [{}] })),
  anything.filter((value) => !Array.isArray(value)).map((value) => ({ $or: value })),
  noObject.map((value) => ({ $not: value })),
  noObject.map((value) => ({ $nor: [{}, value] })),
  noNumber.map((value) => ({ 'market.price': { $gt: value } })),
  noNumber.map((value) => ({ 'market.price': { $in: [1, value] } })),
  noNumber.map((value) => ({ $and: [{ $or: [{ 'metadata.age': { $lte: value } }] }] })),
  noText.map((value) => ({ 'metadata.symbol': { $contains: value } })),
  noBoolean.map((value) => ({ 'metadata.symbol': { $exists: value } })),
  anyText.map((value) => ({ updated_at: { $lt: value } })),
  anything.map((value) => ({ 'metadata.verified': { $gt: value } })),
  unknownName.map((name) => ({ 'market.price': { [name]: 1 } })),
  fc.integer({ min: 257, max: 20_000 }).map((length) => ({ 'market.price': { $in: new Array(length).fill(1) } })),
  fc.integer({ min: 65, max: 256 }).map((length) => ({ $or: new Array(length).fill({ 'market.price': 1 }) })),
  fc
    .integer({ min: 65, max: 20_000 })
    .map((length) => Object.fromEntries(Array.from({ length }, (_, i) => [`key${i}`, i]))),
);

const wrongRequest: fc.Arbitrary<SearchRequest> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ filter: wrongFilter }) },
  {
    weight: 1,
    arbitrary: fc.record({
      query: fc.oneof(
        noObject,
        fc.record({ text: noText }),
        fc.record({ text: anyText, fuzzy: noBoolean }),
        fc.record({ text: anyText, fields: noObject.filter((value) => !Array.isArray(value)) }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      query: unknownName
        .map((name) => ({ text: 'a', [name]: name }))
        .filter((query) =>
          Object.keys(query).some((key) => !['text', 'fields', 'autocomplete', 'fuzzy'].includes(key)),
        ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      sort: fc.oneof(
        scalar,
        unknownName.map((field) => ({ field })),
        anything.map((direction) => ({ field: 'labels', direction })),
        fc.constant([]),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      dynamic_labels: fc.oneof(
        noObject,
        wrongFilter.map((filter) => ({ label: filter })),
        fc
          .integer({ min: 17, max: 5000 })
          .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`l${i}`, {}]))),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      limit: fc.oneof(
        anything.filter((value) => typeof value !== 'number'),
        fc.integer({ max: 0 }),
        fc.integer({ min: 101 }),
        fc.constant(1.5),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      cursor: fc.oneof(
        anything,
        fc.base64String(),
        anything.map((value) => Buffer.from(JSON.stringify([1, value, [], ''])).toString('base64url')),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ explain: noBoolean }) },
);

test(`25,000 wrong requests are 400s, each within 50 ms (seed ${seed})`, () => {
  const codes = new Map<string, number>();
  const check = (request: SearchRequest): void => {
    const started = performance.now();
    let error = failureOf(request);
    let took = performance.now() - started;
    // A pause of the garbage collector is not the request's; what is slow stays slow.
    for (let attempt = 0; took > 50 && attempt < 3; attempt++) {
      const again = performance.now();
      error = failureOf(request);
      took = performance.now() - again;
    }
    assert.ok(took <= 50, `${took} ms`);
    assert.ok(
      error instanceof SwapfoldError,
      `not a SwapfoldError: ${error instanceof Error ? error.stack : 'accepted'}`,
    );
    assert.equal(error.status, 400);
    assert.ok(error.message.length < 2000 && error.details.length > 0 && error.details[0]!.path.length < 500);
    codes.set(error.code, (codes.get(error.code) ?? 0) + 1);
  };
  fc.assert(fc.property(wrongRequest, check), { seed, numRuns: 25_000, includeErrorInReport: true });
  assert.deepEqual([...codes.keys()].sort(), [
    'invalid-cursor',
    'invalid-filter',
    'invalid-request',
    'unknown-field',
    'unknown-operator',
  ]);
});

test(`10,000 requests of any JSON are read or refused, and touch no prototype (seed ${seed})`, () => {
  const request = fc.record(
    { filter: anything, query: anything, sort: anything, dynamic_labels: anything },
    { requiredKeys: [] },
  );
  const property = fc.property(request, (given) => {
    const error = failureOf(JSON.parse(JSON.stringify(given)) as SearchRequest);
    assert.ok(
      error === undefined || (error instanceof SwapfoldError && error.status === 400),
      error instanceof Error ? error.stack : 'read',
    );
    assert.deepEqual(Object.keys(Object.prototype), []);
  });
  fc.assert(property, { seed, numRuns: 10_000, includeErrorInReport: true });
});

const megabyte = 'x'.repeat(1_000_000);
const large: Readonly<Record<string, SearchRequest>> = {
  'a path': { filter: { [megabyte]: 1 } },
  'an operator': { filter: { 'market.price': { [megabyte]: 1 } } },
  'an operand': { filter: { 'market.price': { $gt: megabyte } } },
  'a time': { filter: { updated_at: megabyte } },
  '50,000 paths': { filter: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`path${i}`, i])) },
  '50,000 operators': {
    filter: { 'market.price': Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`$gt${i}`, i])) },
  },
  'a query': { query: { text: megabyte } },
  'a query field': { query: { text: 'a', fields: [megabyte] } },
  'a key of a query': { query: { text: 'a', [megabyte]: 1 } },
  'a sort field': { sort: { field: megabyte } },
  'a key of a sort': { sort: { field: 'market.price', [megabyte]: 1 } },
  'a label': { dynamic_labels: { [megabyte]: {} } },
  'a cursor': { cursor: megabyte },
};
for (const [what, request] of Object.entries(large)) {
  test(`${what} of a megabyte is a 400 within 50 ms, with a short message`, () => {
    failureOf(request);
    const started = performance.now();
    const error = failureOf(request);
    assert.ok(performance.now() - started < 50);
    assert.ok(error instanceof SwapfoldError && error.status === 400);
    assert.ok(error.message.length < 1000 && error.details[0]!.path.length < 200);
  });
}

function failureOf(request: SearchRequest): unknown {
  try {
    planSearch(request, context);
    return undefined;
  } catch (error) {
    return error;
  }
}
