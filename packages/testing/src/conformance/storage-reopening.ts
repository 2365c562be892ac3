import assert from 'node:assert/strict';
import { compare, defineTable, everything, NO_ID, newBatch, type StorageAdapter } from '@swapfold/core/engine';
import { samples } from './storage-predicates.ts';
import {
  eventsTable,
  numbersOf,
  rowsOf,
  type Sample,
  type StorageSuite,
  samplesBatch,
  samplesTable,
  suiteSchema,
} from './storage-test.ts';

/** The samples as a later version has them. */
const widerTable = defineTable({
  ...samplesTable,
  columns: { ...samplesTable.columns, place: 'id', time: 'long', share: 'double', note: 'text' },
  added: ['place', 'time', 'share', 'note'],
});

const all = [1, 2, 3, 4, 5, 6, 7, 8];

export function testReopening(suite: StorageSuite): void {
  suite.test('open makes a new store, and finds one that is open already', async () => {
    const { adapter, dispose } = await suite.open();
    assert.equal(await adapter.open(suiteSchema), 'created');
    await adapter.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
    assert.equal(await adapter.open(suiteSchema), 'existing');
    assert.deepEqual(await adapter.snapshot((reader) => numbersOf(reader)), all);
    await adapter.close();
    await dispose();
  });

  suite.test('open adds a table that is missing and leaves the columns of one that is there', async () => {
    const { adapter, dispose } = await suite.open();
    await adapter.open({ tables: [samplesTable] });
    await adapter.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
    const wider = { ...samplesTable, columns: { ...samplesTable.columns, extra: 'double' } } as const;
    assert.equal(await adapter.open({ tables: [wider, eventsTable] }), 'existing');
    assert.deepEqual((await adapter.tables()).get('samples'), Object.keys(samplesTable.columns));
    assert.deepEqual((await adapter.tables()).get('events'), Object.keys(eventsTable.columns));
    assert.deepEqual(await adapter.snapshot((reader) => numbersOf(reader)), all);
    await adapter.close();
    await dispose();
  });

  suite.test(
    'added columns are empty in the rows before, filled in those after, undone with their write, and no damage',
    async () => {
      const { adapter, reopen, dispose } = await suite.open();
      await adapter.open(suiteSchema);
      await adapter.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
      await assert.rejects(
        adapter.write(async (writer) => {
          await writer.addColumns(widerTable);
          throw new Error('undo');
        }),
        /undo/,
      );
      assert.deepEqual((await adapter.tables()).get('samples'), Object.keys(samplesTable.columns));
      await adapter.write((writer) => writer.addColumns(widerTable));
      const [head] = samples;
      const row = samplesBatch([[9, ...head!.slice(1)] as unknown as Sample]);
      const extra = { place: Int32Array.of(7), time: Float64Array.of(3), share: Float64Array.of(0.5), note: ['n'] };
      await adapter.write((writer) => writer.append(widerTable, { length: 1, columns: { ...row.columns, ...extra } }));
      await checkWider(adapter);
      await adapter.close();
      const again = reopen ? await reopen() : undefined;
      if (again) {
        await again.open({ tables: [widerTable, eventsTable] });
        await checkWider(again);
        await again.close();
      }
      await dispose();
    },
  );

  suite.test('what was written is there after closing and opening again, and so three times', async () => {
    const { adapter, reopen, dispose } = await suite.open();
    await adapter.open(suiteSchema);
    await adapter.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
    await adapter.close();
    for (let round = 1; reopen && round <= 3; round++) {
      const again = await reopen();
      await repeat(again, round);
      await again.close();
    }
    await dispose();
  });

  suite.test('columns are appended by name where the store has them in another order', async () => {
    const { adapter, reopen, dispose } = await suite.open();
    await adapter.open(suiteSchema);
    await adapter.close();
    const again = reopen ? await reopen() : undefined;
    if (again) {
      const { labels, text, amount, whole, code, number } = samplesTable.columns;
      const turned = { ...samplesTable, columns: { labels, text, amount, whole, code, number } };
      await again.open({ tables: [turned, eventsTable] });
      const batch = samplesBatch(samples);
      await again.write((writer) => writer.append(turned, batch));
      const read = await again.snapshot((reader) => reader.read({ table: turned, columns: ['text', 'whole'] }));
      assert.deepEqual(read.columns.text, batch.columns.text);
      assert.deepEqual(read.columns.whole, batch.columns.whole);
      await again.close();
    }
    await dispose();
  });

  suite.test('a write that was undone before closing is not there after', async () => {
    const { adapter, reopen, dispose } = await suite.open();
    await adapter.open(suiteSchema);
    await adapter.write((writer) => writer.append(samplesTable, samplesBatch(samples)));
    const undone = adapter.write(async (writer) => {
      await writer.remove(samplesTable, everything);
      throw new Error('undo');
    });
    await assert.rejects(undone, /undo/);
    await adapter.close();
    const again = reopen ? await reopen() : undefined;
    if (again) {
      await again.open(suiteSchema);
      assert.deepEqual(await again.snapshot((reader) => numbersOf(reader)), all);
      await again.close();
    }
    await dispose();
  });
}

/** The samples without what was added, and row 9 with it. */
async function checkWider(store: StorageAdapter): Promise<void> {
  await store.snapshot(async (reader) => {
    const columns = ['number', 'place', 'time', 'share', 'note'] as const;
    const order = [{ column: 'number', direction: 'asc' }] as const;
    const rows = rowsOf(await reader.read({ table: widerTable, columns, order }), columns);
    const empty = all.map((number) => [number, NO_ID, Number.NaN, Number.NaN, null]);
    assert.deepEqual(rows, [...empty, [9, 7, 3, 0.5, 'n']]);
    const [, code] = samples[0]!;
    const byIndex = await reader.read({
      table: widerTable,
      columns: ['number', 'note'],
      where: compare('code', 'eq', code),
    });
    assert.equal(byIndex.length, samples.filter((row) => row[1] === code).length + 1);
    assert.ok(byIndex.columns.note.includes('n'));
    assert.deepEqual((await reader.findDamage?.([widerTable]))?.found ?? [], []);
  });
}

async function repeat(store: StorageAdapter, round: number): Promise<void> {
  assert.equal(await store.open(suiteSchema), 'existing');
  assert.deepEqual((await store.tables()).get('samples'), Object.keys(samplesTable.columns));
  await store.snapshot(async (reader) => {
    assert.deepEqual(await numbersOf(reader), all);
    assert.deepEqual(await numbersOf(reader, compare('text', 'gt', 'app')), [1, 6, 7]);
    assert.equal(await reader.count(eventsTable), (round - 1) * 3);
  });
  const events = newBatch(eventsTable, 3);
  for (let i = 0; i < 3; i++) events.columns.seq[i] = round * 10 + i;
  await store.write((writer) => writer.append(eventsTable, events));
}
