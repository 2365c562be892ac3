import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { compilePredicate } from '@swapfold/core/engine';
import fc from 'fast-check';
import { filterPair, profile } from '../../../../test/search-arbitraries.ts';
import { cases } from '../../../../test/support/whole.ts';
import { filterContext, type Profile, parseFilter, profileRows, tableOf } from '../../../core/test/search-fixtures.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

const FILTERS = cases(800, 60);
const seed = Number(process.env.SEARCH_SEED ?? 20_240_106);
const table = tableOf.tokens;
const context = filterContext('tokens');
const profiles = fc
  .sample(profile, { seed, numRuns: 120 })
  .map((given, i): Profile => ({ ...given, token_address: `address${i}` }));
const rows = profileRows('tokens', profiles);

test(`${FILTERS} filters select the profiles that the predicate in JavaScript does (seed ${seed})`, async () => {
  const database = `swapfold_search_${process.pid}`;
  const store = clickhouse({ server: client, database });
  await store.open({ tables: [table] });
  await store.write((writer) => writer.append(table, rows));
  let selective = 0;
  await store.snapshot(async (reader) => {
    const property = fc.asyncProperty(filterPair, async ({ filter }) => {
      const where = parseFilter(filter, context);
      const holds = compilePredicate(where, rows);
      const expected = profiles.flatMap((_, row) => (holds(row) ? [(rows.columns.id as Int32Array)[row]!] : []));
      const found = await reader.read({ table, columns: ['id'], where, order: [{ column: 'id', direction: 'asc' }] });
      assert.deepEqual(
        [...(found.columns.id as Int32Array)],
        expected.sort((a, b) => a - b),
      );
      if (expected.length > 0 && expected.length < profiles.length) selective++;
    });
    await fc.assert(property, { seed, numRuns: FILTERS, includeErrorInReport: true });
  });
  await store.close();
  await client.command({ query: `drop database ${database} sync` });
  assert.ok(selective > FILTERS / 2, `only ${selective} filters told profiles apart`);
});
