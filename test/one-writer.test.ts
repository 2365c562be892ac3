import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, readdirSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { bundle } from './support/bundle.ts';
import { withFolder } from './support/engines.ts';
import { tradesOf } from './support/takeover.ts';

const root = join(import.meta.dirname, '..');
const engines: Readonly<Record<string, (path: string) => StorageAdapter>> = { sqlite, duckdb };

let program: string;
let end: () => void = () => undefined;
before(async () => {
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  await new Promise<void>((ready) => {
    void withFolder(async (folder) => {
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
      program = join(folder, 'taker-child.mjs');
      await bundle(join(root, 'test/support/taker-child.ts'), program);
      ready();
      await over;
    });
  });
});
after(() => end());

/** What another process says that opens the store for writing, stores five swaps and closes it. */
function takeOver(engine: string, path: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, [program, engine, path], { cwd: root, encoding: 'utf8' });
  return stdout || stderr;
}

async function hashesIn(storage: StorageAdapter): Promise<string[]> {
  const dex = await Swapfold.open({ storage });
  const { data } = await dex.swaps.list({ limit: 100 });
  await dex.close();
  return data.map(({ tx_hash }) => tx_hash).sort();
}

const hashes = (name: string, count: number): string[] => tradesOf(name, count).map(({ tx_hash }) => tx_hash);

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: a store that is open for writing is locked by whatever symbolic link it is opened`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'store');
      // A link to a file that is yet to be made.
      const link = join(folder, 'link');
      symlinkSync(path, link);
      const dex = await Swapfold.open({ storage: open(link) });
      await dex.ingest(tradesOf('first', 3));
      assert.ok(existsSync(`${path}-lock`) && !existsSync(`${link}-lock`), 'the lock lies beside the file');
      await assert.rejects(Swapfold.open({ storage: open(path) }), { code: 'store-locked' });
      assert.equal(takeOver(engine, path), 'store-locked');
      assert.equal(takeOver(engine, link), 'store-locked');
      await dex.ingest(tradesOf('second', 3));
      await dex.close();
      assert.deepEqual(await hashesIn(open(path)), [...hashes('first', 3), ...hashes('second', 3)]);
    });
  });

  test(`${engine}: a file with a second name is refused, also for reading`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'store');
      await (await Swapfold.open({ storage: open(path) })).close();
      linkSync(path, join(folder, 'other'));
      for (const name of ['store', 'other']) {
        const own = join(folder, name);
        await assert.rejects(Swapfold.open({ storage: open(own) }), { code: 'linked-store' });
        const reading =
          engine === 'sqlite' ? sqlite({ path: own, read_only: true }) : duckdb({ path: own, read_only: true });
        await assert.rejects(Swapfold.open({ storage: reading }), { code: 'linked-store' });
      }
      rmSync(join(folder, 'other'));
      await (await Swapfold.open({ storage: open(path) })).close();
    });
  });

  /** How the lock of a writer gets lost, and whether another process can then take the store over. */
  const ways: readonly {
    readonly sentence: string;
    readonly lose: (path: string) => void;
    readonly isTaken: boolean;
  }[] = [
    {
      sentence: 'its files were copied within the process',
      lose: (path) => {
        const folder = `${path}-copy`;
        for (const name of readdirSync(join(path, '..')))
          if (name.startsWith('store')) copyFileSync(join(path, '..', name), `${folder}-${name}`);
      },
      isTaken: true,
    },
    // DuckDB's own lock is on the store itself.
    { sentence: 'its lock file was deleted', lose: (path) => rmSync(`${path}-lock`), isTaken: engine === 'sqlite' },
    {
      sentence: 'the file was replaced by another',
      lose: (path) => {
        copyFileSync(`${path}.before`, `${path}.new`);
        renameSync(`${path}.new`, path);
      },
      isTaken: false,
    },
  ];
  for (const { sentence, lose, isTaken } of ways) {
    test(`${engine}: a writer stores nothing more after ${sentence}, and what others stored stays`, async () => {
      await withFolder(async (folder) => {
        const path = join(folder, 'store');
        await (await Swapfold.open({ storage: open(path) })).close();
        copyFileSync(path, `${path}.before`);
        const dex = await Swapfold.open({ storage: open(path) });
        await dex.ingest(tradesOf('first', 3));
        lose(path);
        const said = takeOver(engine, path);
        assert.equal(said, isTaken ? 'stored' : 'store-locked');
        await assert.rejects(dex.ingest(tradesOf('late', 3, 100)), { code: 'store-taken' });
        await assert.rejects(dex.refresh(), { code: 'store-taken' });
        await dex.close();
        if (!isTaken) return;
        const found = await hashesIn(open(path));
        assert.deepEqual(found, [...hashes('first', 3), ...hashes('taker', 5)]);
      });
    });
  }

  test(`${engine}: asking for a store that this process has open does not drop its lock`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'store');
      const dex = await Swapfold.open({ storage: open(path) });
      await dex.ingest(tradesOf('first', 3));
      await assert.rejects(Swapfold.open({ storage: open(path) }), { code: 'store-locked' });
      assert.equal(takeOver(engine, path), 'store-locked');
      await dex.ingest(tradesOf('second', 3));
      await dex.close();
      assert.equal(existsSync(`${path}-lock`), false);
      assert.equal(takeOver(engine, path), 'stored');
    });
  });
}

for (const threads_from_mb of [Number.POSITIVE_INFINITY, 0]) {
  test(`sqlite: a closed store is its file alone, with reads on threads from ${threads_from_mb} MB on, beside a reader too`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'store.db');
      for (let start = 0; start < 3; start++) {
        const dex = await Swapfold.open({ storage: sqlite({ path, threads_from_mb }) });
        const reader = await Swapfold.open({ storage: sqlite({ path, read_only: true, threads_from_mb }) });
        await dex.ingest(tradesOf(`start${start}`, 100, start * 100));
        await Promise.all([dex, reader, dex, dex].map((from) => from.swaps.list({ limit: 5 })));
        await dex.close();
        assert.equal(statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0, 0, 'the log is empty');
        const copy = join(folder, `copy-${start}.db`);
        copyFileSync(path, copy);
        const copied = await Swapfold.open({ storage: sqlite(copy) });
        assert.equal((await copied.swaps.list({ limit: 1 })).count, (start + 1) * 100);
        await copied.close();
        await reader.close();
      }
    });
  });
}
