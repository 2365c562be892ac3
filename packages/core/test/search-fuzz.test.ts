import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { cases } from '../../../test/support/whole.ts';
import { SwapfoldError } from '../src/errors.ts';
import type { SearchRequest } from '../src/search/plan.ts';
import { planSearch, searchContext } from './search-fixtures.ts';
import { anything, wrongSearch } from './wrong-requests.ts';

const [WRONG, ANY] = [cases(25_000, 3000), cases(10_000, 1500)];
const seed = Number(process.env.SEARCH_SEED ?? 20_240_105);
const context = searchContext('tokens');

test(`${WRONG} wrong requests are 400s, each within 50 ms (seed ${seed})`, () => {
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
  fc.assert(fc.property(wrongSearch, check), { seed, numRuns: WRONG, includeErrorInReport: true });
  assert.deepEqual([...codes.keys()].sort(), [
    'invalid-cursor',
    'invalid-filter',
    'invalid-request',
    'unknown-field',
    'unknown-operator',
  ]);
});

test(`${ANY} requests of any JSON are read or refused, and touch no prototype (seed ${seed})`, () => {
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
  fc.assert(property, { seed, numRuns: ANY, includeErrorInReport: true });
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
    let error: unknown;
    let least = Number.POSITIVE_INFINITY;
    // Of several: another process may take the processor meanwhile, though never of each.
    for (let call = 0; call < 6 && least >= 50; call++) {
      const started = performance.now();
      error = failureOf(request);
      least = Math.min(least, performance.now() - started);
    }
    assert.ok(least < 50, `${least} ms`);
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
