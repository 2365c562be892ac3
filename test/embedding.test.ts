import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config, market } = smallMarket({ seed: 71, swaps: 600, wallets: cases(30, 20), tokens: cases(12, 8) });
const isAborted = { code: 'aborted', message: 'The call was aborted by its signal.' };
const isClosed = { code: 'closed' };
const [first] = swaps;
const token = first!.token_out;
const wallet = first!.wallet;

async function withStore(engine: string, use: (dex: Swapfold) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
    try {
      await use(dex);
    } finally {
      await dex.close();
    }
  });
}

const countOf = async (dex: Swapfold): Promise<number> => (await dex.swaps.list({ limit: 1 })).count;

/** Every call that takes a signal, by name. */
const calls: Readonly<Record<string, (dex: Swapfold, signal: AbortSignal) => Promise<unknown>>> = {
  ingest: (dex, signal) => dex.ingest(swaps.slice(300), { signal }),
  refresh: (dex, signal) => dex.refresh({ signal }),
  rebuild: (dex, signal) => dex.rebuild({ signal }),
  rollback: (dex, signal) => dex.rollback({ from_block_slot: 0, signal }),
  verify: (dex, signal) => dex.verify({ signal }),
  'tokens.upsert': (dex, signal) => dex.tokens.upsert(market.tokens(), { signal }),
  'wallets.upsert': (dex, signal) => dex.wallets.upsert([{ address: wallet, name: 'w' }], { signal }),
  'tokens.search': (dex, signal) => dex.tokens.search({}, { signal }),
  'tokens.get': (dex, signal) => dex.tokens.get({ token }, { signal }),
  'wallets.search': (dex, signal) => dex.wallets.search({}, { signal }),
  'wallets.get': (dex, signal) => dex.wallets.get({ wallet }, { signal }),
  'wallets.history': (dex, signal) => dex.wallets.history({ wallet, interval: 86_400 }, { signal }),
  'tokens.buyers': (dex, signal) => dex.tokens.buyers({ token }, { signal }),
  'tokens.history': (dex, signal) => dex.tokens.history({ token, interval: 86_400 }, { signal }),
  'swaps.list': (dex, signal) => dex.swaps.list({}, { signal }),
  'trades.list': (dex, signal) => dex.trades.list({}, { signal }),
  'prices.latest': (dex, signal) => dex.prices.latest({ tokens: [token] }, { signal }),
  'prices.stats': (dex, signal) => dex.prices.stats({ tokens: [token] }, { signal }),
  'prices.candles': (dex, signal) => dex.prices.candles({ token, interval: 60 }, { signal }),
  'prices.history': (dex, signal) =>
    dex.prices.history(
      { tokens: [token], from: '2024-12-31T00:00:00Z', to: '2025-01-01T00:00:00Z', interval: 3600 },
      { signal },
    ),
  'portfolios.get': (dex, signal) => dex.portfolios.get({ wallet }, { signal }),
  'at(time).swaps.list': (dex, signal) => dex.at('2024-12-31T00:00:00Z').swaps.list({}, { signal }),
};

// A signal is looked at before the engine is asked.
test('every call refuses a signal that has aborted, with its reason, and changes nothing', () =>
  withStore('memory', async (dex) => {
    await dex.ingest(swaps.slice(0, 300));
    await dex.refresh();
    const reason = new Error('the user went away');
    for (const [name, call] of Object.entries(calls)) {
      const count = await countOf(dex);
      await assert.rejects(call(dex, AbortSignal.abort(reason)), { ...isAborted, cause: reason }, name);
      assert.equal(await countOf(dex), count, name);
      await call(dex, new AbortController().signal).catch((error) => assert.fail(`${name}: ${error}`));
      if (name === 'rollback') {
        assert.equal(await countOf(dex), 0);
        await dex.ingest(swaps);
      }
    }
  }));

for (const engine of Object.keys(engines)) {
  test(`${engine}: an aborted write is undone where it stands, and the next one finds the store as it was`, () =>
    withStore(engine, async (dex) => {
      await dex.ingest(swaps.slice(0, 300));
      await dex.refresh();
      const before = await allAnswers(dex);
      const refreshing = new AbortController();
      const rebuild = dex.rebuild({ signal: refreshing.signal, onSwaps: () => refreshing.abort() });
      await assert.rejects(rebuild, isAborted);
      assert.ok((await allAnswers(dex)) === before, 'the answers differ after an aborted rebuild');
      const rolling = new AbortController();
      const rollback = dex.rollback({ from_block_slot: 0, signal: rolling.signal });
      setImmediate(() => rolling.abort());
      await rollback.then(
        () => dex.ingest(swaps.slice(0, 300)).then(() => dex.refresh()),
        (error) => assert.equal(error.code, 'aborted'),
      );
      assert.ok((await allAnswers(dex)) === before, 'the answers differ after an aborted rollback');
      await dex.ingest(swaps.slice(300));
      const profiles = JSON.stringify((await dex.wallets.search()).data);
      const again = new AbortController();
      await assert.rejects(dex.refresh({ signal: again.signal, onProgress: () => again.abort() }), isAborted);
      assert.equal(JSON.stringify((await dex.wallets.search()).data), profiles);
      await dex.refresh();
      assert.notEqual(JSON.stringify((await dex.wallets.search()).data), profiles);
      assert.equal((await dex.verify()).different, 0);
    }));

  test(`${engine}: an abort between batches keeps those that are stored, closes the source, and undoes the one at hand`, () =>
    withStore(engine, async (dex) => {
      const controller = new AbortController();
      let isSourceClosed = false;
      async function* source(): AsyncGenerator<SwapInput[]> {
        try {
          for (let i = 0; i < 600; i += 100) {
            if (i === 300) controller.abort();
            yield swaps.slice(i, i + 100);
          }
        } finally {
          isSourceClosed = true;
        }
      }
      await assert.rejects(dex.ingest(source(), { signal: controller.signal }), isAborted);
      assert.equal(await countOf(dex), 300);
      await new Promise(setImmediate);
      assert.ok(isSourceClosed);
      assert.equal((await dex.ingest(swaps)).added, 300);
    }));
}

// Turns and queues are those of the store: one engine answers at once, one later.
for (const engine of ['memory', 'duckdb']) {
  test(`${engine}: a source that never answers does not keep an aborted ingest`, () =>
    withStore(engine, async (dex) => {
      const controller = new AbortController();
      async function* silent(): AsyncGenerator<SwapInput[]> {
        yield swaps.slice(0, 100);
        setImmediate(() => controller.abort());
        await new Promise(() => undefined);
      }
      await assert.rejects(dex.ingest(silent(), { signal: controller.signal }), isAborted);
      assert.equal(await countOf(dex), 100);
    }));

  test(`${engine}: an aborted write that waits for its turn leaves the queue, and those around it are made`, () =>
    withStore(engine, async (dex) => {
      const controller = new AbortController();
      const ended: string[] = [];
      const before = dex.ingest(swaps.slice(0, 200)).then(() => ended.push('before'));
      const waiting = dex.ingest(swaps.slice(200, 400), { signal: controller.signal }).catch((error) => {
        ended.push('waiting');
        throw error;
      });
      const after = dex.ingest(swaps.slice(400)).then(() => ended.push('after'));
      controller.abort();
      await assert.rejects(waiting, isAborted);
      assert.deepEqual(ended, ['waiting']);
      await Promise.all([before, after]);
      assert.equal(await countOf(dex), 400);
      await dex.ingest(swaps);
      await dex.refresh();
      assert.equal((await dex.verify()).different, 0);
    }));

  test(`${engine}: writing and closing from inside a running write is refused instead of waiting for itself`, () =>
    withStore(engine, async (dex) => {
      await dex.ingest(swaps.slice(0, 300));
      const nested: Promise<unknown>[] = [];
      const onProgress = (): void => {
        if (nested.length > 0) return;
        for (const call of [dex.ingest(swaps), dex.refresh(), dex.rebuild(), dex.tokens.upsert([]), dex.close()])
          nested.push(
            call.then(
              () => 'it worked',
              (error) => error.code,
            ),
          );
      };
      await dex.refresh({ onProgress });
      assert.deepEqual(await Promise.all(nested), new Array(5).fill('nested-call'));
      assert.equal(await countOf(dex), 300);
    }));

  test(`${engine}: a source and a listener of an ingest may ask and write: no batch is being written then`, () =>
    withStore(engine, async (dex) => {
      const inner: Promise<unknown>[] = [];
      async function* source(): AsyncGenerator<SwapInput[]> {
        yield [{ ...swaps[0]!, wallet: '' }, ...swaps.slice(0, 100)];
        assert.equal(await countOf(dex), 100);
        await dex.refresh();
        assert.equal((await dex.ingest(swaps.slice(100, 150))).added, 50);
        yield swaps.slice(150, 200);
      }
      await dex.ingest(source(), { onReject: () => inner.push(dex.ingest(swaps.slice(500))) });
      assert.equal(inner.length, 1);
      await Promise.all(inner);
      assert.equal(await countOf(dex), 300);
      await dex.refresh();
      assert.equal((await dex.verify()).different, 0);
    }));

  test(`${engine}: close waits for what runs, ends an ingest between batches, and every call after it is refused`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
      const whole = dex.ingest(swaps.slice(0, 100));
      const closing = Promise.all([dex.close(), dex.close()]);
      await closing;
      assert.equal((await whole).added, 100);
      await dex.close();
      for (const [name, call] of Object.entries(calls))
        await assert.rejects(call(dex, new AbortController().signal), isClosed, name);
      await assert.rejects(dex.ingest([]), isClosed);
      async function* none(): AsyncGenerator<SwapInput[]> {}
      await assert.rejects(dex.ingest(none()), isClosed);
    }));
}
