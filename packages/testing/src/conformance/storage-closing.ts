import assert from 'node:assert/strict';
import { SwapfoldError } from '@swapfold/core';
import { samples } from './storage-predicates.ts';
import { type StorageSuite, samplesBatch, samplesTable, suiteSchema, withStore } from './storage-test.ts';

const isClosed = (error: unknown): boolean => error instanceof SwapfoldError && error.code === 'closed';

export function testClosing(suite: StorageSuite): void {
  suite.test('a closed store refuses every call, and closing again does nothing', () =>
    withStore(suite, async (store) => {
      await store.close();
      await store.close();
      await assert.rejects(
        store.snapshot(async () => undefined),
        isClosed,
      );
      await assert.rejects(
        store.write(async () => undefined),
        isClosed,
      );
      await assert.rejects(store.tables(), isClosed);
      await assert.rejects(store.open(suiteSchema), isClosed);
    }),
  );

  suite.test('close waits for the reads and writes that run', () =>
    withStore(suite, async (store) => {
      const ended: string[] = [];
      const writing = store.write(async (writer) => {
        await writer.append(samplesTable, samplesBatch(samples));
        assert.equal(await writer.count(samplesTable), 8);
        ended.push('write');
      });
      const reading = store.snapshot(async (reader) => {
        await reader.count(samplesTable);
        await reader.count(samplesTable);
        ended.push('read');
      });
      await Promise.all([store.close().then(() => ended.push('close')), store.close()]);
      assert.equal(ended.at(-1), 'close');
      assert.deepEqual(ended.slice(0, 2).sort(), ['read', 'write']);
      await Promise.all([writing, reading]);
    }),
  );

  suite.test('close inside a write or a snapshot is refused instead of waiting for itself', () =>
    withStore(suite, async (store) => {
      await store.write(async () => assert.rejects(store.close(), /close was called inside/));
      await store.snapshot(async () => assert.rejects(store.close(), /close was called inside/));
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), 0);
    }),
  );

  suite.test('a store that was never opened closes', async () => {
    const { adapter, dispose } = await suite.open();
    await adapter.close();
    await dispose();
  });
}
