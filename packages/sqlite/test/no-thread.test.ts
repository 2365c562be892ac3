import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import threads from 'node:worker_threads';
import { defineTable } from '@swapfold/core/engine';
import Database from 'better-sqlite3';
import { withFolder } from '../../../test/support/engines.ts';
import { createCheckpoints, LOG_BYTES } from '../src/checkpoints.ts';
import { sqlite } from '../src/index.ts';
import { createThreads } from '../src/threads.ts';

const { Worker } = threads;

/** While `use` runs, threads are those of `Fake`. */
async function withWorker(Fake: unknown, use: () => Promise<void>): Promise<void> {
  threads.Worker = Fake as typeof Worker;
  syncBuiltinESMExports();
  try {
    await use();
  } finally {
    threads.Worker = Worker;
    syncBuiltinESMExports();
  }
}

/** The ways in which a thread can't run, and what each says of itself. */
const kinds: Readonly<Record<string, { readonly fake: unknown; readonly says: RegExp }>> = {
  'where a container has no more processes': {
    fake: class {
      constructor() {
        throw new Error('Worker initialization failure: EAGAIN');
      }
    },
    says: /EAGAIN/,
  },
  'whose file is not beside the bundle': {
    fake: class extends Worker {
      constructor() {
        super(join(import.meta.dirname, 'no-such-thread.js'));
      }
    },
    says: /Cannot find module .*no-such-thread/,
  },
  'that throws before it does anything': {
    fake: class extends Worker {
      constructor() {
        super('throw new Error("no native module here")', { eval: true });
      }
    },
    says: /no native module here/,
  },
  'that ends at once': {
    fake: class extends Worker {
      constructor() {
        super('process.exit(0)', { eval: true });
      }
    },
    says: /ended/,
  },
};

const table = defineTable({
  name: 'things',
  columns: { id: 'id', name: 'text' },
  key: ['id'],
  indexes: [],
  derived: false,
});

/** Rows whose commit leaves more in the log than may stay there. */
const ROWS = 2500;
const text = 'x'.repeat(4000);
const rowsFrom = (first: number) => ({
  length: ROWS,
  columns: {
    id: Int32Array.from({ length: ROWS }, (_, i) => first + i),
    name: Array.from({ length: ROWS }, () => text),
  },
});

for (const [kind, { fake, says }] of Object.entries(kinds))
  test(`with a thread ${kind}, a store writes, moves its log and reads on the thread that calls, and says so once`, () =>
    withFolder((folder) =>
      withWorker(fake, async () => {
        const path = join(folder, 'dex.db');
        const told: unknown[] = [];
        const store = sqlite({ path, threads_from_mb: 0 });
        await store.open({ tables: [table], onError: (error) => told.push(error) });
        let largest = 0;
        for (let i = 0; i < 6; i++) {
          await store.write((writer) => writer.append(table, rowsFrom(i * ROWS)));
          largest = Math.max(largest, statSync(`${path}-wal`).size);
        }
        // Ten megabytes each: a log that nobody moves has sixty by now.
        assert.ok(largest < 3 * LOG_BYTES, `${largest} bytes`);
        assert.equal(await store.snapshot((reader) => reader.count(table), 'scan'), 6 * ROWS);
        let streamed = 0;
        await store.snapshot(async (reader) => {
          for await (const { length } of reader.stream({ table, columns: ['id'] })) streamed += length;
        }, 'scan');
        assert.equal(streamed, 6 * ROWS);
        await store.close();
        assert.equal(told.length, 1);
        assert.match(String(told[0]), says);
        assert.match(String(told[0]), /No thread can run beside the store ".*dex\.db"/);
      }),
    ));

test('a store that only writes finds out at its first large commit that no thread runs, and the commit stands', () =>
  withFolder((folder) =>
    withWorker(kinds['that throws before it does anything']!.fake, async () => {
      const path = join(folder, 'dex.db');
      const told: unknown[] = [];
      const store = sqlite(path);
      await store.open({ tables: [table], onError: (error) => told.push(error) });
      for (let i = 0; i < 6; i++) await store.write((writer) => writer.append(table, rowsFrom(i * ROWS)));
      assert.equal(await store.snapshot((reader) => reader.count(table)), 6 * ROWS);
      assert.ok(statSync(`${path}-wal`).size < 3 * LOG_BYTES);
      await store.close();
      assert.equal(told.length, 1);
    }),
  ));

test('a log that cannot be moved is told once, and tried again after each commit', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'dex.db');
    writeFileSync(`${path}-wal`, new Uint8Array(LOG_BYTES + 1));
    const told: unknown[] = [];
    let tries = 0;
    let isBroken = true;
    const handle = {
      open: true,
      pragma() {
        tries++;
        if (isBroken) throw new Error('disk I/O error');
      },
    };
    const noThread = createThreads(
      path,
      () => undefined,
      () => {
        throw new Error('none');
      },
    );
    const tell = (error: unknown): unknown => told.push(error);
    const checkpoints = createCheckpoints({ path, timeout: 1000, threads: noThread, handle, tell });
    for (let i = 0; i < 3; i++) checkpoints.committed();
    assert.deepEqual([tries, told.map(String)], [3, ['Error: disk I/O error']]);
    isBroken = false;
    checkpoints.committed();
    isBroken = true;
    checkpoints.committed();
    assert.deepEqual([tries, told.length], [5, 2]);
    await checkpoints.close();
    checkpoints.committed();
    assert.equal(tries, 5);
  }));

test('a thread that dies while a write has an open cursor on the connection ends nothing', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'dex.db');
    const store = sqlite(path);
    const told: unknown[] = [];
    await store.open({ tables: [table], onError: (error) => told.push(error) });
    const { fake } = kinds['that throws before it does anything']!;
    await withWorker(fake, async () => {
      await store.write((writer) => writer.append(table, rowsFrom(0)));
      await store.write(async (writer) => {
        for await (const { length } of writer.stream({ table, columns: ['id'] })) {
          assert.ok(length > 0);
          while (told.length === 0) await new Promise(setImmediate);
        }
      });
    });
    assert.equal(await store.snapshot((reader) => reader.count(table)), ROWS);
    await store.close();
    const handle = new Database(path);
    assert.equal((handle.prepare('select count(*) as n from things').get() as { n: number }).n, ROWS);
    handle.close();
  }));
