import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsToObjects, Swapfold, SwapfoldError } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { generateMarket } from '@swapfold/testing';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';
import { DAY, swapped, T, worthConfig } from './support/worth.ts';

const market = generateMarket({ seed: 91, swaps: isWhole ? 1500 : 600 });
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const { config } = market;

/**
 * Calls `during` once, at the first read that follows `begin`, and lets the read wait for it; and `beforeEnd` once, when the profiles are
 * written and do not count yet, on engines that write them aside.
 */
function interrupted(storage: StorageAdapter): {
  readonly storage: StorageAdapter;
  during: (() => Promise<void>) | undefined;
  beforeEnd: (() => Promise<void>) | undefined;
} {
  const held: ReturnType<typeof interrupted> = {
    during: undefined,
    beforeEnd: undefined,
    storage: new Proxy(storage, {
      get(target, name) {
        const own = Reflect.get(target, name);
        if (name === 'writeAside' && own !== undefined) return aside;
        if (name !== 'snapshot') return typeof own === 'function' ? own.bind(target) : own;
        return (read: Parameters<StorageAdapter['snapshot']>[0], use: 'point' | 'scan') =>
          target.snapshot(async (reader) => {
            if (use !== 'scan' || held.during === undefined) return read(reader);
            const { during } = held;
            held.during = undefined;
            // The first read fixes the state of the snapshot.
            const version = reader.max.bind(reader);
            let isFirst = true;
            return read({
              ...bound(reader),
              async max(table, column, where) {
                const answer = await version(table, column, where);
                if (isFirst) {
                  isFirst = false;
                  await outside(during);
                }
                return answer;
              },
            });
          }, use);
      },
    }),
  };
  const aside: NonNullable<StorageAdapter['writeAside']> = (tables, work) =>
    storage.writeAside!(tables, (writer, end) =>
      work(writer, {
        async write(last) {
          const { beforeEnd } = held;
          held.beforeEnd = undefined;
          if (beforeEnd !== undefined) await outside(beforeEnd);
          return end.write(last);
        },
      }),
    );
  return held;
}

/** The methods of a reader as an object of its own. */
function bound<T extends object>(reader: T): T {
  const names = ['read', 'stream', 'latest', 'count', 'max', 'version', 'findDamage'] as const;
  const of = reader as Record<string, unknown>;
  return Object.fromEntries(
    names.flatMap((name) => (typeof of[name] === 'function' ? [[name, (of[name] as () => unknown).bind(reader)]] : [])),
  ) as T;
}

let outside: <R>(run: () => Promise<R>) => Promise<R> = (run) => run();

/** All profiles but for when they were made. */
async function profilesOf(dex: Swapfold): Promise<string> {
  const answers = [];
  for (const kind of ['tokens', 'wallets', 'positions'] as const) {
    let cursor: string | undefined;
    do {
      const page = await (dex[kind] as Swapfold['wallets']).search({ limit: 100, ...(cursor ? { cursor } : {}) });
      answers.push(...page.data);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
  }
  return JSON.stringify(answers, (key, value) => (key === 'synced_at' ? undefined : value));
}

for (const engine of isWhole ? Object.keys(engines) : ['duckdb'])
  test(`on ${engine}, what is ingested while a refresh folds stays dirty, and the next refresh leaves what one import gives`, () =>
    withFolder(async (folder) => {
      const { AsyncResource } = await import('node:async_hooks');
      const resource = new AsyncResource('beside');
      outside = (run) => resource.runInAsyncScope(run);
      const held = interrupted(engines[engine]!(folder));
      const dex = await Swapfold.open({ storage: held.storage, config });
      const late = swaps.filter((_, i) => i % 7 === 3);
      const early = swaps.filter((_, i) => i % 7 !== 3 && i < 400);
      const rest = swaps.filter((_, i) => i % 7 !== 3 && i >= 400);
      await dex.ingest(early);
      await dex.refresh({ beside: true });
      const whole = await Swapfold.open({ storage: engines[engine]!(folder, 1), config });
      await whole.ingest(early);
      await whole.refresh();
      assert.equal(await profilesOf(dex), await profilesOf(whole), 'a refresh beside nothing is a refresh');
      let wasHeld = false;
      held.during = async () => {
        wasHeld = true;
        await dex.ingest([...late, ...rest.slice(0, 50)]);
        await dex.tokens.upsert(market.tokens().slice(0, 20));
      };
      await dex.ingest(rest.slice(50, 70));
      await dex.refresh({ scope: 'traded', beside: true });
      assert.ok(wasHeld, 'something came while it folded');
      const [first, last] = [rest.slice(70, -20), rest.slice(-20)];
      await dex.ingest(first);
      let isAside = false;
      held.beforeEnd = async () => {
        isAside = true;
        await dex.ingest(last);
        await dex.tokens.upsert(market.tokens().slice(20));
      };
      await dex.refresh({ beside: true });
      assert.equal(isAside, engine === 'duckdb', 'something came while it was stored');
      if (!isAside) {
        await dex.ingest(last);
        await dex.tokens.upsert(market.tokens().slice(20));
      }
      await dex.refresh({ beside: true });
      await whole.ingest([...late, ...rest]);
      await whole.tokens.upsert(market.tokens());
      await whole.refresh();
      assert.equal(await profilesOf(dex), await profilesOf(whole));
      const { differences } = await dex.verify();
      assert.deepEqual(differences, []);
      await dex.close();
      await whole.close();
    }));

test('a DuckDB store that closes while profiles are written aside keeps those of before, and what was dirty', () =>
  withFolder(async (folder) => {
    const held = interrupted(engines.duckdb!(folder));
    const dex = await Swapfold.open({ storage: held.storage, config });
    await dex.ingest(swaps.slice(0, 100));
    await dex.refresh();
    const before = await profilesOf(dex);
    await dex.ingest(swaps.slice(100, 300));
    let closing: Promise<void> | undefined;
    held.beforeEnd = async () => {
      closing = dex.close();
    };
    await assert.rejects(dex.refresh({ beside: true }), { code: 'closed' });
    await closing;
    const again = await Swapfold.open({ storage: engines.duckdb!(folder), config });
    assert.equal(await profilesOf(again), before);
    await again.refresh({ beside: true });
    assert.deepEqual((await again.verify()).differences, []);
    await again.close();
  }));

test('a refresh that is aborted while it folds leaves what was dirty dirty', () =>
  withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    await dex.ingest(swaps.slice(0, 500));
    const stop = new AbortController();
    const refreshing = dex.refresh({ beside: true, signal: stop.signal });
    stop.abort();
    await assert.rejects(refreshing, (error) => error instanceof SwapfoldError && error.code === 'aborted');
    await assert.rejects(dex.wallets.search({}), /refresh/);
    await dex.refresh({ scope: 'traded', beside: true });
    const whole = await Swapfold.open({ storage: engines.sqlite!(folder, 1), config });
    await whole.ingest(swaps.slice(0, 500));
    await whole.refresh();
    assert.equal(await profilesOf(dex), await profilesOf(whole));
    await dex.close();
    await whole.close();
  }));

test('keepFresh refreshes after swaps come, tells of it, and ends with the store', () =>
  withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    const told: string[] = [];
    let heard: (value: unknown) => void = () => undefined;
    const refreshed = new Promise((resolve) => {
      heard = resolve;
    });
    const fresh = dex.keepFresh({
      every: 0.01,
      allEvery: 0,
      onRefresh(_, { scope }) {
        told.push(scope);
        heard(scope);
      },
    });
    await dex.ingest(swaps.slice(0, 500));
    await refreshed;
    assert.deepEqual(told, ['traded']);
    assert.ok((await dex.wallets.search({})).count > 0);
    await dex.close();
    await fresh;
    for (const [options, message] of [
      [{ every: -1 }, /"every": expected seconds from 0/],
      [{ evry: 1 }, /Did you mean "every"/],
    ] as const)
      await assert.rejects(async () => {
        const other = await Swapfold.open({ storage: engines.memory!(folder), config });
        await other.keepFresh(options as object).finally(() => other.close());
      }, message);
  }));

test('keepFresh waits for a source that has more already, and refreshes once it has caught up, however long new swaps would wait', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const seen: string[] = [];
  let heard: (value: unknown) => void = () => undefined;
  const refreshed = new Promise((resolve) => {
    heard = resolve;
  });
  const stopping = new AbortController();
  const fresh = dex.keepFresh({
    every: 0.001,
    allEvery: 0,
    signal: stopping.signal,
    onRefresh() {
      seen.push('refresh');
      heard(undefined);
    },
  });
  const source = {
    name: 'a history',
    async *read() {
      for (let i = 0; i < 10; i++) yield { rows: swaps.slice(50 * i, 50 * (i + 1)), place: String(i), more: i < 9 };
    },
  };
  await dex.follow(source, { onItem: () => seen.push('item') });
  await refreshed;
  assert.deepEqual(seen, [...Array<string>(10).fill('item'), 'refresh']);
  stopping.abort();
  await fresh;
  await dex.close();
});

test('keepFresh lets all profiles age with a swap that a refresh of what was traded has seen', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  const first = swapped(T, [100, 'USDC'], [10, 'A'], { block_slot: 1 });
  const later = swapped(T + 2 * DAY, [100, 'USDC'], [10, 'B'], { wallet: 'V', block_slot: 2 });
  let hasCome = false;
  let heard: (value: unknown) => void = () => undefined;
  const aged = new Promise((resolve) => {
    heard = resolve;
  });
  const volume = async (): Promise<number> => {
    const { metrics } = await dex.wallets.get({ wallet: 'W', options: { include_metrics: ['1d'] } });
    return metrics!['1d']!.volume!;
  };
  await dex.ingest([first]);
  await dex.refresh();
  assert.equal(await volume(), 100);
  const stopping = new AbortController();
  const fresh = dex.keepFresh({
    every: 0.001,
    allEvery: 0.5,
    signal: stopping.signal,
    onRefresh(_, { scope }) {
      if (scope === 'all' && hasCome) heard(undefined);
    },
  });
  await dex.ingest([later]);
  hasCome = true;
  await aged;
  assert.equal(await volume(), 0);
  stopping.abort();
  await fresh;
  await dex.close();
});
