import assert from 'node:assert/strict';
import { test } from 'node:test';
import { budgetOf } from '../src/cache/budget.ts';
import { ProcessMemory } from '../src/cache/process-memory.ts';
import type { CachedProfiles } from '../src/cache/profile-cache.ts';
import type { ProfileCaches } from '../src/cache/profile-caches.ts';
import { listKey, newCandleRegion, newRegions, seriesKey } from '../src/cache/regions.ts';
import { type Changes, everything, newChanges } from '../src/ingest/changes.ts';
import { CandleFold } from '../src/market-data/candle-fold.ts';
import { emptyTable } from '../src/memory/column-table.ts';
import { firstSeqAt } from '../src/records/chain-order.ts';
import { tableOf } from './search-fixtures.ts';

const COIN = 7;
const LIST = listKey('swaps of a token', COIN);

/** A cache with one count in it, and profiles that a test may take away. */
function filled(): { cache: ProcessMemory; drop: () => void; set: (profiles: CachedProfiles) => void } {
  let profiles: CachedProfiles | undefined;
  const drop = (): void => {
    profiles = undefined;
  };
  const caches = { bytes: 0, current: () => profiles, loadFor: async () => undefined, commit: () => undefined, drop };
  const things = { profiles: caches as unknown as ProfileCaches };
  const cache = new ProcessMemory(newRegions(budgetOf(1_000_000)), things, assert.ifError);
  cache.view()!.put('lists', LIST, { count: 3 });
  return {
    cache,
    drop,
    set: (next) => {
      profiles = next;
    },
  };
}

function commit(cache: ProcessMemory, changes: Changes = newChanges()): void {
  cache.committing();
  cache.commit(changes);
}

const count = (cache: ProcessMemory): number | undefined => cache.view()?.get('lists', LIST)?.count;

test('a view gives what is cached until the next commit begins, and nothing from then on', () => {
  const { cache } = filled();
  const view = cache.view()!;
  assert.equal(view.get('lists', LIST)?.count, 3);
  cache.committing();
  assert.equal(view.get('lists', LIST), undefined);
  assert.equal(cache.view(), undefined, 'the engine may have either state');
  cache.commit(newChanges());
  assert.equal(view.get('lists', LIST), undefined);
  assert.equal(count(cache), 3);
});

test('while one of two writes is being committed there is no view', () => {
  const { cache } = filled();
  cache.committing();
  cache.committing();
  cache.commit(newChanges());
  assert.equal(cache.view(), undefined);
  cache.commit(newChanges());
  assert.equal(count(cache), 3);
});

test('an answer that was read before a commit is not cached after it', () => {
  const { cache } = filled();
  const view = cache.view()!;
  cache.committing();
  view.put('lists', LIST, { count: 4 });
  cache.commit(newChanges());
  view.put('lists', LIST, { count: 5 });
  assert.equal(count(cache), 3);
});

test('a commit deletes what it touches, one that fails or changes everything deletes all', () => {
  const touched = newChanges();
  touched.touched.tokens.add(COIN);
  const cases: Readonly<Record<string, (cache: ProcessMemory) => void>> = {
    touched: (cache) => commit(cache, touched),
    everything: (cache) => commit(cache, everything()),
    failed: (cache) => {
      cache.committing();
      cache.failCommit();
    },
  };
  for (const [name, change] of Object.entries(cases)) {
    const { cache } = filled();
    change(cache);
    assert.equal(count(cache), undefined, name);
    assert.notEqual(cache.view(), undefined, name);
  }
});

test('a view keeps the profiles that it began with, and takes up none of a later commit', async () => {
  const { cache, set, drop } = filled();
  const [earlier, later] = [1, 2].map(
    (asOf): CachedProfiles => ({ rows: emptyTable(tableOf.wallets), asOf, nativeUsd: Number.NaN }),
  );
  const without = cache.view()!;
  set(earlier!);
  assert.equal(without.profiles('wallets'), earlier, 'loaded meanwhile, of the same version');
  const view = cache.view()!;
  commit(cache);
  set(later!);
  assert.equal(view.profiles('wallets'), earlier);
  assert.equal(without.profiles('wallets'), undefined);
  assert.equal(await without.awaitProfiles('wallets'), undefined);
  assert.equal(cache.view()!.profiles('wallets'), later);
  drop();
  assert.equal(view.profiles('wallets'), earlier);
});

test('candles count in the cache with the buckets that have swaps and no print', () => {
  const fold = new CandleFold(60, 'all');
  fold.addLeg(firstSeqAt(0), 1, 1, 0);
  for (let minute = 1; minute < 2000; minute++) fold.addLeg(firstSeqAt(minute * 60), Number.NaN, Number.NaN, 0);
  const region = newCandleRegion(100_000);
  region.put(1, new Map([[seriesKey(fold), { from: 0, fold }]]));
  assert.deepEqual([fold.length, fold.size, region.peek(1)], [1, 2000, undefined]);
});
