import assert from 'node:assert/strict';
import { SwapfoldError } from '@swapfold/core';
import { compare, everything, type Reader, type StorageAdapter, type Writer } from '@swapfold/core/engine';
import { samples } from './storage-predicates.ts';
import {
  eventsTable,
  numbersOf,
  type Sample,
  type StorageSuite,
  samplesBatch,
  samplesTable,
  suiteSchema,
  withStore,
} from './storage-test.ts';

const all = [1, 2, 3, 4, 5, 6, 7, 8];

export function testTransactions(suite: StorageSuite): void {
  suite.test('a write sees its own changes; others see them when it has ended', () =>
    withStore(suite, async (store) => {
      await store.write(async (writer) => {
        await writer.append(samplesTable, samplesBatch(samples));
        assert.deepEqual(await numbersOf(writer), all);
        assert.equal(await writer.count(samplesTable), 8);
        assert.equal(await writer.max(samplesTable, 'number'), 8);
        assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), []);
      });
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), all);
    }),
  );

  suite.test('a snapshot keeps its state beside writes that end', () =>
    withStore(suite, async (store) => {
      await fill(store);
      await store.snapshot(async (reader) => {
        assert.deepEqual(await numbersOf(reader), all);
        await store.write(async (writer) => {
          await writer.remove(samplesTable, compare('number', 'lte', 4));
          await writer.append(samplesTable, samplesBatch([row(9)]));
        });
        assert.deepEqual(await numbersOf(reader), all);
        assert.equal(await reader.count(samplesTable), 8);
        await store.write((writer) => writer.recreate(eventsTable));
        assert.deepEqual(await numbersOf(reader), all);
      });
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [5, 6, 7, 8, 9]);
    }),
  );

  suite.test(
    'where states have versions, each commit has its own, and snapshots and writes tell that which they began with',
    () =>
      withStore(suite, async (store) => {
        const versionNow = (): Promise<number | undefined> => store.snapshot(async (reader) => reader.version?.());
        const first = await versionNow();
        if (first === undefined) return;
        await store.snapshot(async (reader) => {
          assert.equal(await reader.version!(), first);
          await store.write(async (writer) => {
            assert.equal(await writer.version!(), first);
            await writer.append(samplesTable, samplesBatch(samples));
            assert.equal(await writer.version!(), first);
          });
          assert.equal(await reader.version!(), first);
        });
        const second = await versionNow();
        assert.notEqual(second, first);
        const undone = store.write(async (writer) => {
          await writer.remove(samplesTable, everything);
          throw new Error('undo');
        });
        await assert.rejects(undone, /undo/);
        assert.equal(await versionNow(), second);
        await store.write((writer) => writer.remove(samplesTable, everything));
        assert.ok(![first, second].includes(await versionNow()));
      }),
  );

  suite.test('a snapshot between two removals has the rows of the second', () =>
    withStore(suite, async (store) => {
      await fill(store);
      await store.write((writer) => writer.remove(samplesTable, compare('number', 'eq', 1)));
      await store.snapshot(async (reader) => {
        assert.equal(await reader.count(samplesTable), 7);
        await store.write((writer) => writer.remove(samplesTable, compare('number', 'eq', 2)));
        assert.deepEqual(await numbersOf(reader), all.slice(1));
      });
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), all.slice(2));
    }),
  );

  suite.test('a write that throws changes nothing, and its error comes through', () =>
    withStore(suite, async (store) => {
      await fill(store);
      const failure = new Error('the caller’s own');
      const changing = store.write(async (writer) => {
        await writer.remove(samplesTable, everything);
        await writer.append(samplesTable, samplesBatch([row(9)]));
        await writer.recreate(eventsTable);
        throw failure;
      });
      await assert.rejects(changing, (error) => error === failure);
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), all);
      await store.write((writer) => writer.append(samplesTable, samplesBatch([row(9)])));
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [...all, 9]);
    }),
  );

  suite.test(
    'a write finds the rows that it adds to a table without any, and the next one those that are committed',
    () =>
      withStore(suite, async (store) => {
        const adding = async (writer: Writer, number: number): Promise<void> => {
          assert.deepEqual(await foundBy(writer), none);
          await writer.remove(samplesTable, everything);
          await writer.append(samplesTable, samplesBatch([row(number)]));
          assert.deepEqual(await foundBy(writer), {
            rows: [number],
            pieces: [number],
            count: 1,
            max: number,
            latest: 1,
          });
        };
        const undone = store.write(async (writer) => {
          await adding(writer, 8);
          throw new Error('undo');
        });
        await assert.rejects(undone, /undo/);
        await store.write((writer) => adding(writer, 9));
        const found = { rows: [9], pieces: [9], count: 1, max: 9, latest: 1 };
        assert.deepEqual(await store.write(foundBy), found);
        assert.deepEqual(await store.snapshot(foundBy), found);
        await store.write((writer) => writer.remove(samplesTable, everything));
        assert.deepEqual(await store.write(foundBy), none);
      }),
  );

  for (const [what, empty] of [
    ['removes', (writer: Writer) => writer.remove(samplesTable, everything)],
    ['drops with their table', (writer: Writer) => writer.recreate(samplesTable)],
  ] as const)
    suite.test(
      `the rows that the first write of a process ${what} are there in the next one if it throws`,
      async () => {
        const { adapter, reopen, dispose } = await suite.open();
        await adapter.open(suiteSchema);
        await fill(adapter);
        if (reopen !== undefined) await adapter.close();
        const store = (await reopen?.()) ?? adapter;
        if (reopen !== undefined) await store.open(suiteSchema);
        const emptying = store.write(async (writer) => {
          await empty(writer);
          assert.deepEqual(await foundBy(writer), none);
          throw new Error('undo');
        });
        await assert.rejects(emptying, /undo/);
        assert.equal((await store.write(foundBy)).count, 8);
        assert.deepEqual(await store.write((writer) => numbersOf(writer)), all);
        await store.close();
        await dispose();
      },
    );

  suite.test('recreate is undone with its write, columns and all', () =>
    withStore(suite, async (store) => {
      await fill(store);
      const changed = { ...samplesTable, columns: { number: 'long', other: 'double' } } as const;
      const changing = store.write(async (writer) => {
        await writer.recreate({ ...changed, indexes: [] });
        throw new Error('undo');
      });
      await assert.rejects(changing, /undo/);
      assert.deepEqual((await store.tables()).get('samples'), Object.keys(samplesTable.columns));
      await store.write((writer) => writer.append(samplesTable, samplesBatch([row(9)])));
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [...all, 9]);
    }),
  );

  suite.test('concurrent writes run one after the other, in the order of the calls', () =>
    withStore(suite, async (store) => {
      const log: string[] = [];
      const changes = [1, 2, 3].map((number) =>
        store.write(async (writer) => {
          log.push(`${number} begins after ${await writer.count(samplesTable)}`);
          await writer.append(samplesTable, samplesBatch([row(number)]));
          log.push(`${number} ends`);
          if (number === 2) throw new Error('undo');
        }),
      );
      const ends = await Promise.allSettled(changes);
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'rejected', 'fulfilled'],
      );
      assert.deepEqual(log, ['1 begins after 0', '1 ends', '2 begins after 1', '2 ends', '3 begins after 1', '3 ends']);
    }),
  );

  suite.test('a write inside a write is refused, and the outer one can go on', () =>
    withStore(suite, async (store) => {
      await store.write(async (writer) => {
        await assert.rejects(
          store.write((inner) => inner.remove(samplesTable, everything)),
          /inside a running write/,
        );
        await writer.append(samplesTable, samplesBatch([row(1)]));
      });
      assert.deepEqual(await store.snapshot((reader) => numbersOf(reader)), [1]);
    }),
  );

  suite.test('a write started inside a write, but awaited after it, is refused all the same', () =>
    withStore(suite, async (store) => {
      let inner: Promise<unknown> = Promise.resolve();
      await store.write(async () => {
        inner = assert.rejects(
          store.write(async () => undefined),
          /inside a running write/,
        );
      });
      await inner;
    }),
  );

  suite.test('snapshots in one another, and more of them than there are connections, do not wait for each other', () =>
    withStore(suite, async (store) => {
      await fill(store);
      const many = Array.from({ length: 20 }, () =>
        store.snapshot(async (outer) => {
          const inner = await store.snapshot((reader) => reader.count(samplesTable));
          return inner + (await outer.count(samplesTable));
        }),
      );
      assert.deepEqual(await Promise.all(many), new Array(20).fill(16));
    }),
  );

  suite.test('a write inside a snapshot runs, and the snapshot does not see it', () =>
    withStore(suite, async (store) => {
      await store.snapshot(async (reader) => {
        assert.equal(await reader.count(samplesTable), 0);
        await fill(store);
        assert.equal(await reader.count(samplesTable), 0);
      });
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), 8);
    }),
  );

  suite.test('reads at once, and streams in one another, answer whole', () =>
    withStore(suite, async (store) => {
      const rows = Array.from({ length: 40_000 }, (_, i) => row(i));
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.snapshot(async (reader) => {
        const counts = await Promise.all([countStreamed(reader), reader.count(samplesTable), countStreamed(reader)]);
        assert.deepEqual(counts, [40_000, 40_000, 40_000]);
        let pieces = 0;
        let streamed = 0;
        for await (const batch of reader.stream({ table: samplesTable, columns: ['number'] })) {
          streamed += batch.length;
          if (pieces++ === 0) assert.equal(await countStreamed(reader), 40_000);
          assert.equal((await numbersOf(reader, compare('number', 'eq', 7))).length, 1);
        }
        assert.equal(streamed, 40_000);
      });
    }),
  );

  suite.test('a stream that the write feeds back into its own table ends with the rows there were', () =>
    withStore(suite, async (store) => {
      const rows = Array.from({ length: 40_000 }, (_, i) => row(i));
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.write(async (writer) => {
        const order = [{ column: 'number', direction: 'asc' }] as const;
        let streamed = 0;
        for await (const batch of writer.stream({ table: samplesTable, columns: ['number'], order })) {
          streamed += batch.length;
          await writer.remove(samplesTable, compare('number', 'eq', batch.columns.number[0]!));
          await writer.append(samplesTable, samplesBatch([row(100_000 + streamed)]));
        }
        assert.equal(streamed, 40_000);
      });
    }),
  );

  suite.test('a stream left early frees its connection', () =>
    withStore(suite, async (store) => {
      const rows = Array.from({ length: 40_000 }, (_, i) => row(i));
      await store.write((writer) => writer.append(samplesTable, samplesBatch(rows)));
      await store.write(async (writer) => {
        for await (const batch of writer.stream({ table: samplesTable, columns: ['number'] })) {
          assert.ok(batch.length > 0);
          break;
        }
        const abandoned = writer.stream({ table: samplesTable, columns: ['number'] })[Symbol.asyncIterator]();
        await abandoned.next();
        await writer.remove(samplesTable, compare('number', 'gte', 10));
        const another = writer.stream({ table: samplesTable, columns: ['number'] })[Symbol.asyncIterator]();
        await another.next();
      });
      assert.equal(await store.snapshot((reader) => reader.count(samplesTable)), 10);
    }),
  );

  suite.test('a reader used after its snapshot, or a writer after its write, is refused', () =>
    withStore(suite, async (store) => {
      const reader = await store.snapshot(async (leaked) => leaked);
      await assert.rejects(reader.count(samplesTable), /after its snapshot or write had ended/);
      const stream = reader.stream({ table: samplesTable, columns: ['number'] })[Symbol.asyncIterator]();
      await assert.rejects(stream.next(), /after its snapshot or write had ended/);
      const writer = await store.write(async (leaked) => leaked);
      await assert.rejects(writer.remove(samplesTable, everything), /after its snapshot or write had ended/);
      await assert.rejects(writer.read({ table: samplesTable, columns: ['number'] }), /after its snapshot or write/);
    }),
  );

  suite.test('a table that the store does not have is a failure of the store', () =>
    withStore(suite, async (store) => {
      const other = { ...samplesTable, name: 'others' } as const;
      const isFailure = (error: unknown): boolean => error instanceof SwapfoldError && error.code === 'store-failed';
      await assert.rejects(
        store.snapshot((reader) => reader.count(other)),
        isFailure,
      );
      await assert.rejects(
        store.write((writer) => writer.append(other, samplesBatch([row(1)]))),
        isFailure,
      );
    }),
  );
}

function row(number: number): Sample {
  return [number, number, number, number / 4, `row ${number}`, null];
}

async function fill(store: StorageAdapter): Promise<void> {
  await store.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
}

async function countStreamed(reader: Reader): Promise<number> {
  let count = 0;
  for await (const batch of reader.stream({ table: samplesTable, columns: ['number', 'text'] })) count += batch.length;
  return count;
}

/** What each way of reading finds in the samples. */
async function foundBy(reader: Reader) {
  const pieces: number[] = [];
  for await (const { columns } of reader.stream({ table: samplesTable, columns: ['number'] }))
    pieces.push(...columns.number);
  const latest = await reader.latest({
    table: samplesTable,
    columns: ['number'],
    key: 'code',
    keys: Int32Array.of(8, 9),
    by: 'number',
    until: 1000,
  });
  return {
    rows: await numbersOf(reader),
    pieces: pieces.sort((a, b) => a - b),
    count: await reader.count(samplesTable),
    max: await reader.max(samplesTable, 'number'),
    latest: latest.length,
  };
}

const none = { rows: [], pieces: [], count: 0, max: null, latest: 0 };
