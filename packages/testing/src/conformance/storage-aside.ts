import assert from 'node:assert/strict';
import { compare, newBatch, type StorageAdapter } from '@swapfold/core/engine';
import { samples } from './storage-predicates.ts';
import { eventsTable, numbersOf, type StorageSuite, samplesBatch, samplesTable, withStore } from './storage-test.ts';

const all = [1, 2, 3, 4, 5, 6, 7, 8];

/** Of engines whose transactions write beside each other. */
export function testAside(suite: StorageSuite): void {
  suite.test('a write aside is seen once it has ended in its turn, and other tables are written meanwhile', () =>
    withStore(suite, async (store) => {
      if (store.writeAside === undefined) return;
      const given = await store.writeAside([samplesTable], async (writer, end) => {
        await writer.append(samplesTable, samplesBatch(samples));
        await writer.remove(samplesTable, compare('number', 'gt', 6));
        assert.deepEqual(await numbersOf(writer), all.slice(0, 6));
        await store.write((other) => other.append(eventsTable, newBatch(eventsTable, 1)));
        assert.deepEqual([await eventsOf(store), await writer.count(eventsTable)], [1, 0], 'it has the older state');
        assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), []);
        let release = (): void => undefined;
        let before: Promise<void> | undefined;
        await new Promise<void>((begun) => {
          before = store.write(() => {
            begun();
            return new Promise((resolve) => (release = resolve));
          });
        });
        let isEnding = false;
        const ended = end.write(async (own) => {
          isEnding = true;
          await own.remove(samplesTable, compare('number', 'eq', 1));
          return 'given';
        });
        await store.snapshot((reader) => reader.count(samplesTable));
        assert.equal(isEnding, false, 'it waits for the write before it');
        release();
        await before;
        return ended;
      });
      assert.equal(given, 'given');
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [2, 3, 4, 5, 6]);
      await store.write((writer) => writer.remove(samplesTable, compare('number', 'eq', 2)));
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [3, 4, 5, 6]);
    }),
  );

  suite.test('a write aside that throws, before its end or in it, or that has no end, changes nothing', () =>
    withStore(suite, async (store) => {
      if (store.writeAside === undefined) return;
      const fails = async (): Promise<never> => {
        throw new Error('the own one');
      };
      for (const isEnded of [false, true])
        await assert.rejects(
          store.writeAside([samplesTable], async (writer, end) => {
            await writer.append(samplesTable, samplesBatch(samples));
            return isEnded ? end.write(fails) : fails();
          }),
          /the own one/,
        );
      await store.writeAside([samplesTable], (writer) => writer.append(samplesTable, samplesBatch(samples)));
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), []);
      await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), all);
    }),
  );
}

function eventsOf(store: StorageAdapter): Promise<number> {
  return store.snapshot((reader) => reader.count(eventsTable));
}
