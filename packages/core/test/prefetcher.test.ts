import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ProfileCaches } from '../src/cache/profile-caches.ts';
import { QueryCache } from '../src/cache/query-cache.ts';
import { RecentLegs } from '../src/cache/recent-legs.ts';
import type { QueryContext } from '../src/queries/context.ts';
import { Prefetcher } from '../src/queries/prefetcher.ts';

const TOKENS = 3000;
const LEGS = 40_000;

/** A prefetcher of a store of 3,000 tokens. `read`: has them read about, and gives the size of each piece that was. */
function prefetching(legsOfOne: number, legs = LEGS): { cache: QueryCache; read: () => Promise<number[]> } {
  const profiles = { current: () => undefined, clear: () => undefined } as unknown as ProfileCaches;
  const cache = new QueryCache({ candles: 0, prices: 0, legs }, profiles, new Set());
  const idsOf = (table: string): Int32Array =>
    Int32Array.from({ length: table === 'token_profiles' ? TOKENS : 0 }, (_, i) => i);
  const prefetcher = new Prefetcher((ask) =>
    ask({
      cache: cache.view(),
      dictionary: { load: async () => undefined },
      shapes: { tokens: { table: { name: 'token_profiles' } } },
      reader: { read: async ({ table }: { table: { name: string } }) => ({ columns: { id: idsOf(table.name) } }) },
    } as unknown as QueryContext),
  );
  return {
    cache,
    async read() {
      const pieces: number[] = [];
      prefetcher.start(cache.view()!, 'legs', async ({ cache: view }, tokens) => {
        pieces.push(tokens.length);
        for (const token of tokens) {
          const recent = new RecentLegs(0, 1);
          for (let i = 0; i < legsOfOne; i++) recent.add(i, 1, 1);
          view.put('legs', token, recent);
        }
      });
      for (let turns = 0; turns < 20; turns++) await nextTurn();
      return pieces;
    },
  };
}

test('all tokens are read about where there is room, once until the cache is cleared', async () => {
  const { read } = prefetching(0, 100_000);
  assert.deepEqual(await read(), [1024, 1024, 952]);
  assert.deepEqual(await read(), []);
});

test('reading ends when the region has no room for what a token may take', async () => {
  // 8 legs have room for 8, and each token costs 16 beside: 24,576 after the first piece of 1,024, and an eighth of 40,000 has to be free.
  const { read } = prefetching(8);
  assert.deepEqual(await read(), [1024, 1024]);
});

test('nothing is read ahead into a region that caches nothing', async () => {
  assert.deepEqual(await prefetching(0, 0).read(), []);
});
