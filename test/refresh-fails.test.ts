import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { smallMarket } from './support/market.ts';

const { swaps, config } = smallMarket({ seed: 5, swaps: 60, wallets: 20, tokens: 8, days: 2 });

/** Profiles are refreshed a millisecond after swaps, and never all of them. */
const soon = { every: 0.001, allEvery: 0 };

/** Storage whose writes fail while `isBroken`. */
function breakable(): { storage: StorageAdapter; isBroken: boolean } {
  const storage = memory();
  const state: ReturnType<typeof breakable> = {
    isBroken: false,
    storage: {
      ...storage,
      write: (...args: Parameters<StorageAdapter['write']>) =>
        state.isBroken ? Promise.reject(new Error('the disk is gone')) : storage.write(...args),
    } as StorageAdapter,
  };
  return state;
}

test('a refresh of keepFresh that fails is a warning of the process where nobody asked for errors', async () => {
  const state = breakable();
  const dex = await Swapfold.open({ storage: state.storage, config });
  await dex.ingest(swaps);
  state.isBroken = true;
  const warned = once(process, 'warning');
  const fresh = dex.keepFresh(soon);
  const [warning] = (await warned) as [Error];
  assert.equal(warning.name, 'SwapfoldWarning');
  assert.match(warning.message, /^Something failed that the store goes on without.*the disk is gone/s);
  await dex.close();
  await fresh;
});

test('a refresh that goes on failing is told once, and again once one has succeeded; onError of keepFresh hears of each', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = performance.now();
  t.mock.method(performance, 'now', () => now);
  const run = async (): Promise<void> => {
    // Work of the store goes on in turns of the event loop.
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const later = async (seconds: number): Promise<void> => {
    await run();
    now += seconds * 1000;
    t.mock.timers.tick(seconds * 1000);
    await run();
  };
  for (const isOwn of [false, true]) {
    const told: unknown[] = [];
    const own: unknown[] = [];
    let refreshed = 0;
    const state = breakable();
    const dex = await Swapfold.open({ storage: state.storage, config, onError: (error) => told.push(error) });
    await dex.ingest(swaps);
    state.isBroken = true;
    const fresh = dex.keepFresh({
      ...soon,
      onRefresh: () => refreshed++,
      ...(isOwn ? { onError: (error) => own.push(error) } : {}),
    });
    const counts = (): number[] => [told.length, own.length, refreshed];
    await later(1);
    assert.deepEqual(counts(), isOwn ? [0, 1, 0] : [1, 0, 0]);
    // It is tried again after half a minute.
    await later(29);
    assert.deepEqual(counts(), isOwn ? [0, 1, 0] : [1, 0, 0]);
    await later(2);
    assert.deepEqual(counts(), isOwn ? [0, 2, 0] : [1, 0, 0]);
    state.isBroken = false;
    await later(31);
    assert.deepEqual(counts(), isOwn ? [0, 2, 1] : [1, 0, 1]);
    const again = swaps.map((swap) => ({ ...swap, tx_hash: `again-${swap.tx_hash}` }));
    assert.equal((await dex.ingest(again)).added, 60);
    state.isBroken = true;
    await later(1);
    assert.deepEqual(counts(), isOwn ? [0, 3, 1] : [2, 0, 1]);
    await dex.close();
    await fresh;
  }
});
