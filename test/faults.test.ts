import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import Database from 'better-sqlite3';
import { allAnswers } from './support/answers.ts';
import { bundled } from './support/bundle.ts';
import { engines, withFolder } from './support/engines.ts';
import { diskSwaps } from './support/fault-market.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

const { swaps, config } = smallMarket({
  seed: 52,
  swaps: cases(1500, 600),
  wallets: cases(50, 20),
  tokens: cases(15, 8),
});
const files = { sqlite: 'store-0.db', duckdb: 'store-0.duckdb' } as const;
const engineNames = ['sqlite', 'duckdb'] as const;
const root = join(import.meta.dirname, '..');
const program = await bundled('test/support/fault-child.ts');

const open = (engine: string, folder: string): Promise<Swapfold> =>
  Swapfold.open({ storage: engines[engine]!(folder), config });
const countOf = async (dex: Swapfold): Promise<number> => (await dex.swaps.list({ limit: 1 })).count;

/** Runs a program of the tests with a file system of its own at `folder`, of which nothing is left when it ends. */
function spawnWithOwnDisk(folder: string, size: string, args: readonly string[]): ChildProcess {
  const script = `mount -t tmpfs -o size=${size} tmpfs "$0" && exec "$@"`;
  return spawn('unshare', ['-m', '-r', 'sh', '-c', script, folder, process.execPath, program, ...args, folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** What is missing for a disk of a test's own, or `false`. */
function lackOfOwnDisk(): string | false {
  const { error, status } = spawnSync('unshare', ['-m', '-r', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']);
  if (error !== undefined) return 'unshare (util-linux) is not installed';
  return status === 0 ? false : 'this system lets no process mount a file system of its own (unshare -m -r)';
}

const noOwnDisk = lackOfOwnDisk();

interface Failure {
  readonly code: string;
  readonly message: string;
}

interface Told {
  readonly error: Failure;
  readonly stored: number;
  readonly counted: number;
  readonly differentAfter: number;
  readonly reopened: number;
  readonly errors: readonly Failure[];
  readonly counts: readonly number[];
  readonly countedNew: number;
  readonly writing: Failure;
  readonly made: Failure;
  readonly reading: Failure;
}

async function onOwnDisk(action: string, engine: string): Promise<Told> {
  return withFolder(async (folder) => {
    const child = spawnWithOwnDisk(folder, '24m', [action, engine]);
    const [out, err] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
    assert.equal(err, '');
    return JSON.parse(out);
  });
}

for (const engine of engineNames) {
  test(`${engine}: a full disk undoes the batch, leaves what was stored to be read, and goes on when there is room`, {
    skip: noOwnDisk,
  }, async () => {
    const { error, stored, counted, differentAfter, reopened } = await onOwnDisk('full', engine);
    assert.equal(error.code, 'disk-full');
    assert.match(error.message, new RegExp(`^There is no room to write to ".*store\\.${engine}"\\.$`));
    assert.ok(stored > 0 && stored < diskSwaps, String(stored));
    assert.equal(counted, stored);
    assert.equal(differentAfter, 0);
    assert.equal(reopened, diskSwaps);
  });

  test(`${engine}: a store that is opened or made on a full disk is refused as disk-full, and is whole when there is room`, {
    skip: noOwnDisk,
  }, async () => {
    const { errors, counts, differentAfter, countedNew } = await onOwnDisk('full-at-open', engine);
    for (const { code, message } of errors) assert.match(code, /^(none|disk-full)$/, message);
    assert.ok(errors.some(({ code }) => code === 'disk-full'));
    assert.deepEqual(counts, [...counts.slice(1).map(() => 500), 600]);
    assert.deepEqual([differentAfter, countedNew], [0, 100]);
  });

  test(`${engine}: a store on a disk that is mounted read-only, or one to be made there, is refused as read-only`, {
    skip: noOwnDisk,
  }, async () => {
    const { writing, made, reading } = await onOwnDisk('read-only', engine);
    for (const error of [writing, made]) assert.equal(error.code, 'read-only', error.message);
    assert.match(
      writing.message,
      /store\.\w+" (cannot be opened, or a file beside it|or its folder cannot be written)/,
    );
    // SQLite needs a file beside the store to read it; DuckDB does not.
    assert.equal(reading.code, engine === 'sqlite' ? 'read-only' : 'none', reading.message);
  });

  test(`${engine}: a store that cannot open its files is refused as too-many-files, and nothing is lost when there are too many later`, () =>
    withFolder(async (folder) => {
      const child = spawnSync(
        'sh',
        ['-c', 'ulimit -n 250 && exec "$0" "$@"', process.execPath, program, 'files', engine, folder],
        {
          cwd: root,
          encoding: 'utf8',
        },
      );
      assert.equal(child.stderr, '');
      const { opening, ingest, lists, counted, differentAfter } = JSON.parse(child.stdout);
      assert.equal(opening.code, 'too-many-files', opening.message);
      for (const { code, message } of [ingest, lists]) assert.match(code, /^(none|too-many-files)$/, message);
      assert.ok([ingest, lists].some(({ code }) => code === 'too-many-files'));
      assert.equal(counted, 300);
      assert.equal(differentAfter, 0);
    }));

  test(`${engine}: a file that lost a page or more of its end is refused as damaged, with its name`, () =>
    withFolder(async (folder) => {
      const dex = await open(engine, folder);
      await dex.ingest(swaps);
      await dex.refresh();
      await dex.close();
      const whole = join(folder, files[engine]);
      const { size } = statSync(whole);
      for (const length of [150, 5000, Math.floor(size / 3), Math.floor(size / 2), size - 4096]) {
        const other = join(folder, `cut-${length}`);
        mkdirSync(other);
        copyFileSync(whole, join(other, files[engine]));
        truncateSync(join(other, files[engine]), length);
        const error = await open(engine, other).then(
          async (cut) => {
            try {
              await allAnswers(cut);
              return { code: 'none', message: `cut to ${length} of ${size} bytes, it answered` };
            } catch (thrown) {
              return thrown as { code: string; message: string };
            } finally {
              await cut.close().catch(() => undefined);
            }
          },
          (thrown) => thrown as { code: string; message: string },
        );
        assert.equal(error.code, 'store-damaged', error.message);
        assert.match(error.message, new RegExp(`cut-${length}/${files[engine]}" is damaged: `));
      }
    }));

  test(`${engine}: a second writer is refused, in this process and in another, and let in when the first is killed`, () =>
    withFolder(async (folder) => {
      const first = await open(engine, folder);
      await assert.rejects(open(engine, folder), { code: 'store-locked' });
      await first.ingest(swaps.slice(0, 100));
      await first.close();
      const holder = await startHolder(engine, folder);
      await assert.rejects(open(engine, folder), { code: 'store-locked', message: /another process/ });
      holder.kill('SIGKILL');
      await once(holder, 'exit');
      const dex = await open(engine, folder);
      assert.equal(await countOf(dex), 100);
      await dex.close();
      assert.deepEqual(readdirSync(folder), [files[engine]]);
    }));

  test(`${engine}: an adapter that is open already is refused, and the store that has it goes on`, () =>
    withFolder(async (folder) => {
      const storage = engines[engine]!(folder);
      const dex = await Swapfold.open({ storage, config });
      await assert.rejects(Swapfold.open({ storage, config }), { code: 'store-locked', message: /open already/ });
      await dex.ingest(swaps.slice(0, 50));
      assert.equal(await countOf(dex), 50);
      await dex.close();
      await assert.rejects(Swapfold.open({ storage, config }), {
        code: 'closed',
        message: /was closed with its store/,
      });
    }));

  test(`${engine}: a folder given as the file of a store is named as one, and so is a missing file that is to be read`, () =>
    withFolder(async (folder) => {
      const make = engine === 'sqlite' ? sqlite : duckdb;
      await assert.rejects(Swapfold.open({ storage: make(folder), config }), {
        code: 'foreign-store',
        message: `"${folder}" is a folder, not a file.`,
      });
      const path = join(folder, 'none');
      await assert.rejects(Swapfold.open({ storage: make({ path, read_only: true }), config }), {
        code: 'read-only',
        message: /^There is no file ".*none"/,
      });
      assert.deepEqual(readdirSync(folder), []);
    }));
}

test('duckdb: a handle that writes and one that only reads are refused beside each other, whichever came first', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.duckdb');
    const writer = await Swapfold.open({ storage: duckdb(path), config });
    const reads = { path, read_only: true };
    await assert.rejects(Swapfold.open({ storage: duckdb(reads), config }), {
      code: 'store-locked',
      message: /once to write and once to read only/,
    });
    await writer.ingest(swaps.slice(0, 50));
    assert.equal(await countOf(writer), 50);
    await writer.close();
    const reader = await Swapfold.open({ storage: duckdb(reads), config });
    await assert.rejects(Swapfold.open({ storage: duckdb(path), config }), {
      code: 'store-locked',
      message: /open for reading only in this process/,
    });
    assert.equal(await countOf(reader), 50);
    await reader.close();
  }));

for (const engine of engineNames) {
  for (const change of ['deleted', 'replaced'] as const) {
    test(`${engine}: a store whose file is ${change} stores nothing more, and no answer is of another file`, () =>
      withFolder(async (folder) => {
        const other = await open(engine, folder);
        await other.ingest(swaps.slice(0, 500));
        await other.refresh();
        await other.close();
        const path = join(folder, files[engine]);
        renameSync(path, `${path}.other`);
        const dex = await open(engine, folder);
        await dex.ingest(swaps.slice(0, 300));
        await dex.refresh();
        if (change === 'deleted') rmSync(path);
        else renameSync(`${path}.other`, path);
        // More at once than there are connections yet.
        const asked = [1, 2, 3, 4, 5].map(() => countOf(dex));
        const errors: string[] = [];
        for (const answer of await Promise.allSettled(asked)) {
          if (answer.status === 'fulfilled') assert.equal(answer.value, 300);
          else errors.push(answer.reason.code);
        }
        const profiles = await dex.wallets
          .search({ filter: { wallet_address: { $eq: 'none' } } })
          .catch((error) => error);
        if (profiles instanceof Error) errors.push((profiles as Error & Failure).code);
        assert.ok(engine === 'duckdb' || errors.length > 0);
        assert.deepEqual([...new Set(errors)], errors.length === 0 ? [] : ['store-taken']);
        for (const write of [() => dex.ingest(swaps.slice(300)), () => dex.refresh()])
          await assert.rejects(write(), { code: 'store-taken' });
        await dex.close();
        // Its log is of no use to the other file.
        for (const log of ['.wal', '-wal', '-shm']) rmSync(`${path}${log}`, { force: true });
        if (change === 'deleted') return assert.equal(existsSync(path), false);
        const after = await open(engine, folder);
        assert.equal(await countOf(after), 500);
        await after.close();
      }));
  }
}

/** A process that has the store open. */
async function startHolder(engine: string, folder: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, 'hold', engine, folder], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

test('sqlite: a second process reads beside the writer, sees its commits as they come, and cannot write', () =>
  withFolder(async (folder) => {
    const writer = await open('sqlite', folder);
    const half = swaps.length / 2;
    await writer.ingest(swaps.slice(0, half));
    await writer.refresh();
    const storage = sqlite({ path: join(folder, files.sqlite), read_only: true });
    const reader = await Swapfold.open({ storage, config });
    assert.ok((await allAnswers(reader)) === (await allAnswers(writer)), 'the answers differ');
    await writer.ingest(swaps.slice(half));
    await writer.refresh();
    assert.ok((await allAnswers(reader)) === (await allAnswers(writer)), 'the answers differ after more swaps');
    assert.equal((await reader.verify()).different, 0);
    for (const write of [
      () => reader.ingest(swaps),
      () => reader.refresh(),
      () => reader.rebuild(),
      () => reader.rollback({ from_block_slot: 1 }),
    ])
      await assert.rejects(write(), { code: 'read-only', message: 'The sqlite store was opened for reading only.' });
    await writer.close();
    assert.equal(await countOf(reader), swaps.length);
    await reader.close();
  }));

for (const [engine, store] of [
  ['sqlite', sqlite],
  ['duckdb', duckdb],
] as const) {
  test(`${engine}: a store to be read that is not there, or would have to be folded again, is refused and not made`, () =>
    withFolder(async (folder) => {
      const path = join(folder, files[engine]);
      await assert.rejects(Swapfold.open({ storage: store({ path, read_only: true }), config }), (error: Failure) =>
        ['read-only', 'store-failed'].includes(error.code),
      );
      assert.deepEqual(readdirSync(folder), []);
      await (await open(engine, folder)).close();
      const before = readFileSync(path);
      const opening = Swapfold.open({
        storage: store({ path, read_only: true }),
        config: { ...config, labels: { mode: 'replace' } },
      });
      await assert.rejects(opening, { code: 'store-mismatch', message: /"labels\.wallets": removed / });
      const refolding = Swapfold.open({
        storage: store({ path, read_only: true }),
        config: { ...config, labels: { mode: 'replace' } },
        onMismatch: 'refold',
      });
      await assert.rejects(refolding, { code: 'read-only', message: /has to be made, or folded again/ });
      assert.deepEqual(readFileSync(path), before);
    }));
}

test('sqlite: a limit on the size of the file undoes the batch and keeps the store', () =>
  withFolder(async (folder) => {
    const handle = new Database(join(folder, files.sqlite));
    const dex = await Swapfold.open({ storage: sqlite(handle), config });
    await dex.ingest(swaps.slice(0, 200));
    handle.pragma(`max_page_count = ${Number(handle.pragma('page_count', { simple: true })) + 4}`);
    await assert.rejects(dex.ingest(swaps.slice(200)), { code: 'disk-full' });
    assert.equal(await countOf(dex), 200);
    handle.pragma('max_page_count = 4294967294');
    await dex.ingest(swaps);
    await dex.refresh();
    const whole = await Swapfold.open({ storage: memory(), config });
    await whole.ingest(swaps);
    await whole.refresh();
    assert.ok((await allAnswers(dex)) === (await allAnswers(whole)), 'the answers differ');
    await dex.close();
    handle.close();
  }));

for (const engine of engineNames) {
  test(`${engine}: a text in the place of the store is refused as foreign and stays as it was`, () =>
    withFolder(async (folder) => {
      const path = join(folder, files[engine]);
      writeFileSync(path, 'to whom it may concern\n'.repeat(500));
      await assert.rejects(open(engine, folder), { code: 'foreign-store' });
      assert.equal(readFileSync(path, 'utf8'), 'to whom it may concern\n'.repeat(500));
      assert.deepEqual(readdirSync(folder), [files[engine]]);
    }));
}
