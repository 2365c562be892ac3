import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Query } from 'mingo';
import { scanRows } from '../packages/core/src/memory/column-table.ts';
import type { Batch } from '../packages/core/src/records/columns.ts';
import { compilePredicate } from '../packages/core/src/storage/evaluate.ts';
import { finish } from '../packages/core/src/work.ts';
import {
  cachedRows,
  filterContext,
  type Profile,
  parseFilter,
  profileRows,
  tableOf,
} from '../packages/core/test/search-fixtures.ts';
import { filterPair, profile, toDocument } from './search-arbitraries.ts';
import { openStores } from './search-stores.ts';
import { cases } from './support/whole.ts';

const FILTERS = cases(5000, 300);

const seed = Number(process.env.SEARCH_SEED ?? 20_240_105);
const context = filterContext('tokens');
const table = tableOf.tokens;

function named(profiles: readonly Profile[]): Profile[] {
  return profiles.map((given, i) => ({ ...given, token_address: `address${i}` }));
}

const profiles = named(fc.sample(profile, { seed, numRuns: 120 }));
const rows = profileRows('tokens', profiles);
const documents = profiles.map(toDocument);
const { stores, close } = await openStores('tokens', rows);
const cached = cachedRows('tokens', rows);
after(close);

test(`${FILTERS} filters select the same profiles in mingo, in memory, cached, in SQLite and in DuckDB (seed ${seed})`, async () => {
  let selective = 0;
  const property = fc.asyncProperty(filterPair, async ({ filter, mongo }) => {
    const predicate = parseFilter(filter, context);
    const query = new Query(mongo);
    const expected = rowsWhere(documents, (document) => query.test(document));
    const holds = compilePredicate(predicate, rows);
    assert.deepEqual(
      rowsWhere(documents, (_, row) => holds(row)),
      expected,
      'the predicate in JavaScript',
    );
    const scan = scanRows(cached, { table, columns: ['id'], where: predicate });
    assert.deepEqual(idsOf(finish(scan) as Batch), expected, 'the cached rows');
    for (const store of stores) {
      const found = await store.snapshot((reader) => reader.read({ table, columns: ['id'], where: predicate }));
      assert.deepEqual(idsOf(found as Batch), expected, store.engine);
    }
    if (expected.length > 0 && expected.length < profiles.length) selective += 1;
  });
  await fc.assert(property, { seed, numRuns: FILTERS, includeErrorInReport: true });
  assert.ok(selective > FILTERS / 2, `only ${selective} filters told profiles apart`);
});

test(`${FILTERS} filters over profiles of their own select what mingo selects (seed ${seed})`, () => {
  const property = fc.property(
    fc.array(profile, { minLength: 1, maxLength: 8 }),
    filterPair,
    (given, { filter, mongo }) => {
      const generated = named(given);
      const holds = compilePredicate(parseFilter(filter, context), profileRows('tokens', generated));
      const query = new Query(mongo);
      assert.deepEqual(
        rowsWhere(generated, (_, row) => holds(row)),
        rowsWhere(generated, (one) => query.test(toDocument(one))),
      );
    },
  );
  fc.assert(property, { seed, numRuns: FILTERS, includeErrorInReport: true });
});

function idsOf(rows: Batch): number[] {
  return [...(rows.columns.id as Int32Array)].sort((a, b) => a - b);
}

function rowsWhere<T>(items: readonly T[], holds: (item: T, row: number) => boolean): number[] {
  return items.flatMap((item, row) => (holds(item, row) ? [row] : []));
}
