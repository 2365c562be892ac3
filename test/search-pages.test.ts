import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { Query } from 'mingo';
import { wordsOf } from '../packages/core/src/filter/words.ts';
import type { Batch } from '../packages/core/src/records/columns.ts';
import type { SearchRequest } from '../packages/core/src/search/plan.ts';
import { AS_OF, type Profile, profileRows, searchContext } from '../packages/core/test/search-fixtures.ts';
import {
  datePaths,
  type FilterPair,
  filterPair,
  numberPaths,
  profile,
  textPaths,
  toDocument,
} from './search-arbitraries.ts';
import { openStores, type Place } from './search-stores.ts';
import { cases } from './support/whole.ts';

const seed = Number(process.env.SEARCH_SEED ?? 20_240_105);
const context = searchContext('tokens');
const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Sixty profiles whose addresses are not in the order of their ids. */
const profiles: readonly Profile[] = fc.sample(profile, { seed, numRuns: 60 }).map((given, i) => ({
  ...given,
  token_address: `${letters[(i * 37) % letters.length]}${i}`,
}));
const documents = new Map(profiles.map((one) => [one.token_address as string, toDocument(one)]));
const rows = profileRows('tokens', profiles);
const { places, close } = await openStores('tokens', rows);
after(close);

interface Key {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
}

const sortable = [
  ...numberPaths,
  ...textPaths,
  ...datePaths,
  'metadata.age',
  'metadata.idle',
  'metrics.7d.cumulative_pnl',
];
const sortKey: fc.Arbitrary<Key> = fc.record({
  field: fc.constantFrom(...sortable),
  direction: fc.constantFrom('asc', 'desc'),
});
const sorts = fc.array(sortKey, { minLength: 1, maxLength: 4 });
const filters = fc.oneof(
  { weight: 2, arbitrary: fc.constant<FilterPair>({ filter: {}, mongo: {} }) },
  { weight: 1, arbitrary: filterPair },
);
const limits = fc.integer({ min: 1, max: 40 });
const queries = fc.record({
  text: fc.constantFrom('a', 'A B', 'ss', 'ab', '犬', '😀', 'á', 'σ', '%', 'i'),
  autocomplete: fc.boolean(),
  fuzzy: fc.boolean(),
});

test(`pages of any size hold what the reference sorts, in its order, in every engine and in memory (seed ${seed})`, async () => {
  const property = fc.asyncProperty(sorts, filters, limits, async (sort, { filter, mongo }, limit) => {
    const expected = reference(profiles, mongo, sort);
    for (const place of places)
      assert.deepEqual(await walk(place, { sort, filter }, limit, expected.length), expected, place.name);
  });
  await fc.assert(property, { seed, numRuns: cases(300, 30), includeErrorInReport: true });
});

test(`pages of a text query come by rank, verified, liquidity and address, in every engine and in memory (seed ${seed})`, async () => {
  const property = fc.asyncProperty(
    queries,
    filters,
    limits,
    async ({ fuzzy: _, ...query }, { filter, mongo }, limit) => {
      const expected = relevant(query.text, query.autocomplete, mongo);
      for (const place of places)
        assert.deepEqual(await walk(place, { query, filter }, limit, expected.length), expected, place.name);
    },
  );
  await fc.assert(property, { seed, numRuns: cases(200, 40), includeErrorInReport: true });
});

test(`a text query that forgives typos has the same pages in every engine and in memory, also when it is sorted (seed ${seed})`, async () => {
  const property = fc.asyncProperty(
    queries,
    fc.option(sorts, { nil: undefined }),
    limits,
    async (query, sort, limit) => {
      const request = sort === undefined ? { query } : { query, sort };
      const whole = await places[0]!.search({ ...request, limit: 100 }, context);
      const expected = whole.rows.columns.token_address as string[];
      for (const place of places)
        assert.deepEqual(await walk(place, request, limit, whole.count), expected, place.name);
    },
  );
  await fc.assert(property, { seed, numRuns: cases(200, 40), includeErrorInReport: true });
});

test(`rows that do not change are neither repeated nor skipped while others change between pages (seed ${seed})`, async () => {
  const change = fc.array(fc.record({ row: fc.nat(profiles.length - 1), as: profile }), { maxLength: 10 });
  const changes = fc.array(change, { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(sorts, limits, changes, async (sort, limit, steps) => {
    const changed = new Set(steps.flat().map(({ row }) => profiles[row]!.token_address));
    const expected = reference(profiles, {}, sort).filter((address) => !changed.has(address));
    for (const place of places) {
      let step = 0;
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await place.search({ sort, limit, ...(cursor && { cursor }) }, context);
        seen.push(...(page.rows.columns.token_address as string[]));
        assert.ok(seen.length <= 10 * profiles.length, 'the pages do not end');
        cursor = page.cursor;
        for (const { row, as } of steps[step++] ?? [])
          await place.replace(rowAs(row, { ...as, token_address: profiles[row]!.token_address! }));
      } while (cursor !== undefined);
      assert.deepEqual(
        seen.filter((address) => !changed.has(address)),
        expected,
        place.name,
      );
      await place.restore();
    }
  });
  await fc.assert(property, { seed, numRuns: cases(40, 8), includeErrorInReport: true });
});

function rowAs(id: number, as: Profile): Batch {
  const batch = profileRows('tokens', [as]);
  (batch.columns.id as Int32Array)[0] = id;
  return batch;
}

/** The addresses of all pages, each page's count checked. */
async function walk(place: Place, request: SearchRequest, limit: number, count: number): Promise<string[]> {
  const addresses: string[] = [];
  let cursor: string | undefined;
  do {
    const body = cursor === undefined ? { ...request, limit } : { ...request, limit, cursor };
    const page = await place.search(body, context);
    assert.equal(page.count, count, place.name);
    assert.ok(page.cursor === undefined || page.rows.length === limit, 'only the last page is short');
    addresses.push(...(page.rows.columns.token_address as string[]));
    assert.ok(addresses.length <= count, 'rows are repeated');
    cursor = page.cursor;
  } while (cursor !== undefined);
  return addresses;
}

/** The order that sort keys mean, from the plain profiles, with none of Swapfold's code. */
function reference(given: readonly Profile[], mongo: object, sort: readonly Key[]): string[] {
  const query = new Query({ ...mongo });
  return given
    .filter((one) => query.test(documents.get(one.token_address as string)!))
    .sort((a, b) => {
      for (const { field, direction } of sort) {
        const order = compareValues(heldBy(a, field), heldBy(b, field), direction);
        if (order !== 0) return order;
      }
      return compareValues(heldBy(a, 'token_address'), heldBy(b, 'token_address'), 'asc');
    })
    .map((one) => one.token_address as string);
}

function heldBy(one: Profile, field: string): number | number[] | null {
  if (field === 'metadata.age') return elapsed(one['metadata.created_at']);
  if (field === 'metadata.idle') return elapsed(one['metadata.last_trade_at']);
  const value = one[field.replace('cumulative_pnl', 'pnl')] ?? null;
  if (typeof value !== 'string') return value as number | null;
  return datePaths.includes(field) ? Date.parse(value) : [...value].map((character) => character.codePointAt(0)!);
}

function elapsed(date: Profile[string] | undefined): number | null {
  return typeof date === 'string' ? AS_OF - Date.parse(date) / 1000 : null;
}

function compareValues(a: number | number[] | null, b: number | number[] | null, direction: 'asc' | 'desc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const order = typeof a === 'number' ? compareNumbers(a, b as number) : compareLists(a, b as number[]);
  return direction === 'asc' ? order : -order;
}

function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, i) => value !== b[i]);
  if (at === -1) return a.length - b.length;
  return at >= b.length ? 1 : a[at]! - b[at]!;
}

/** What a text query without typos means, over the words of the fields. */
function relevant(text: string, isPrefix: boolean, mongo: object): string[] {
  const query = new Query({ ...mongo });
  const asked = wordsOf(text);
  const matches = (word: string, typed: string): boolean => (isPrefix ? word.startsWith(typed) : word === typed);
  const found = profiles.flatMap((one) => {
    if (!query.test(documents.get(one.token_address as string)!)) return [];
    const texts = ['token_address', 'metadata.name', 'metadata.symbol'].map(
      (path) => (one[path] as string | undefined) ?? '',
    );
    if (asked.length === 0) {
      const rank = texts.includes(text) ? 0 : isPrefix && texts.some((field) => field.startsWith(text)) ? 1 : undefined;
      return rank === undefined ? [] : [{ one, rank }];
    }
    const fields = texts.map(wordsOf);
    if (fields.some((words) => words.length === asked.length && words.every((word, i) => word === asked[i])))
      return [{ one, rank: 0 }];
    if (fields.some((words) => asked.every((typed, i) => words[i] !== undefined && matches(words[i], typed))))
      return [{ one, rank: 1 }];
    return asked.every((typed) => fields.some((words) => words.some((word) => matches(word, typed))))
      ? [{ one, rank: 2 }]
      : [];
  });
  const isVerified = (one: Profile): number => (one['metadata.verified'] === true ? 0 : 1);
  found.sort(
    (a, b) =>
      a.rank - b.rank ||
      isVerified(a.one) - isVerified(b.one) ||
      compareValues(heldBy(a.one, 'market.liquidity'), heldBy(b.one, 'market.liquidity'), 'desc') ||
      compareValues(heldBy(a.one, 'token_address'), heldBy(b.one, 'token_address'), 'asc'),
  );
  return found.map(({ one }) => one.token_address as string);
}
