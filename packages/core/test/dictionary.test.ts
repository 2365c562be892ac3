import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Dictionary } from '../src/ingest/dictionary.ts';
import { memory } from '../src/memory/memory.ts';
import { newBatch } from '../src/records/columns.ts';
import { textsTable } from '../src/records/tables.ts';
import type { Reader } from '../src/storage/adapter.ts';

const TEXTS = 1000;

test('texts that were looked for are read ahead once looks have taken as long, and those of others are still looked for', async () => {
  const storage = memory();
  await storage.open({ tables: [textsTable] });
  const stored = newBatch(textsTable, TEXTS);
  for (let id = 0; id < TEXTS; id++) {
    stored.columns.id[id] = id;
    stored.columns.text[id] = `text ${id}`;
  }
  await storage.write((writer) => writer.append(textsTable, stored));
  await storage.snapshot(async (reader) => {
    let looks = 0;
    const slow = {
      ...reader,
      read: async (scan: never) => {
        looks++;
        await sleep(20);
        return reader.read(scan);
      },
    } as Reader;
    const dictionary = new Dictionary();
    await dictionary.restart(reader);
    assert.equal(dictionary.isWorthReading(), false);
    assert.equal(await dictionary.findOne(slow, 'text 7'), 7);
    assert.equal(dictionary.isWorthReading(), true);
    assert.equal(dictionary.isWorthReading(), false, 'the reading has begun: it is not begun twice');
    await dictionary.readAll(slow);
    assert.equal(dictionary.isWorthReading(), false);
    assert.deepEqual([...(await dictionary.find(slow, ['text 999', 'text 0']))], [999, 0]);
    await dictionary.load(slow, [1, 998]);
    assert.equal(dictionary.textOf(998), 'text 998');
    assert.equal(looks, 1);
    assert.equal(await dictionary.findOne(slow, 'nowhere'), -1);
    assert.equal(looks, 2);
  });
});

test('what is being read of a store whose texts are replaced is not remembered', async () => {
  const storage = memory();
  await storage.open({ tables: [textsTable] });
  const old = { length: 1, columns: { id: Int32Array.of(0), text: ['old'] } };
  await storage.write((writer) => writer.append(textsTable, old));
  await storage.snapshot(async (reader) => {
    const dictionary = new Dictionary();
    await dictionary.restart(reader);
    const replaced = {
      ...reader,
      async *stream(scan: never) {
        for await (const rows of reader.stream(scan)) {
          dictionary.drop();
          yield rows;
        }
      },
    } as Reader;
    await dictionary.readAll(replaced);
    assert.throws(() => dictionary.textOf(0), /was not loaded/);
  });
});
