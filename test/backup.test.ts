import assert from 'node:assert/strict';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { memory, Swapfold, SwapfoldError } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { backup } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { allAnswers } from './support/answers.ts';
import { withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases, isWhole } from './support/whole.ts';

const files: Readonly<Record<string, (path: string) => StorageAdapter>> = { sqlite, duckdb };
const readOnly: Readonly<Record<string, (path: string) => StorageAdapter>> = {
  sqlite: (path) => sqlite({ path, read_only: true }),
  duckdb: (path) => duckdb({ path, read_only: true }),
};

/** Swaps of one commit. */
const BATCH = 30;
const CLIENTS = cases(64, 16);

/** Milliseconds that a client thinks before it asks again: without them the test costs what a minute of load does. */
const THINKS = cases(100, 1000);
const { swaps, config } = smallMarket({ seed: 71, swaps: 240, wallets: 20, tokens: 8 });
const token = swaps[0]!.token_out;

/** Asks without a pause until `isOver`; any answer will do, an error will not. */
async function ask(dex: Swapfold, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await dex.prices.latest({ tokens: [token] });
    await dex.swaps.list({ limit: 5 });
    await dex.wallets.search({ limit: 5 });
    await setTimeout(THINKS);
  }
}

for (const engine of Object.keys(files)) {
  test(`${engine}: a copy made while ${CLIENTS} clients ask and swaps arrive is the store as it was at one commit`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: files[engine]!(join(folder, 'store')), config });
      await dex.ingest(swaps.slice(0, BATCH));
      await dex.refresh();
      let isOver = false;
      const clients = Array.from({ length: CLIENTS }, () => ask(dex, () => isOver));
      const copies: string[] = [];
      for (let at = BATCH; at < swaps.length; at += BATCH) {
        const writing = dex.ingest(swaps.slice(at, at + BATCH));
        if (at % (3 * BATCH) !== 0) {
          await writing;
          continue;
        }
        const path = join(folder, `copy-${copies.length}`);
        const [copied] = await Promise.all([dex.backup(path), writing, dex.refresh()]);
        assert.equal(copied.path, path);
        copies.push(path);
      }
      isOver = true;
      await Promise.all(clients);
      await dex.close();

      assert.equal(copies.length, 2);
      for (const path of copies) {
        const copy = await Swapfold.open({ storage: files[engine]!(path), config });
        const { count } = await copy.swaps.list({ limit: 1 });
        assert.equal(count % BATCH, 0, `${count} swaps are not whole commits`);
        const { different } = await copy.verify();
        assert.equal(different, 0);
        if (!isWhole && path !== copies.at(-1)) {
          await copy.close();
          continue;
        }
        await copy.refresh();
        const fresh = await Swapfold.open({ storage: memory(), config });
        await fresh.ingest(swaps.slice(0, count));
        await fresh.refresh();
        assert.ok((await allAnswers(copy)) === (await allAnswers(fresh)), 'the answers differ');
        await copy.close();
      }
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes('partial')),
        [],
      );
    }));

  test(`${engine}: a closed store is copied whatever its configuration, and the copy is the same file to whoever opens it`, () =>
    withFolder(async (folder) => {
      const [path, copy] = [join(folder, 'store'), join(folder, 'copy')];
      const dex = await Swapfold.open({ storage: files[engine]!(path), config });
      await dex.ingest(swaps.slice(0, BATCH));
      await dex.refresh();
      const expected = await allAnswers(dex);
      await dex.close();
      await backup(readOnly[engine]!(path), copy);
      const again = await Swapfold.open({ storage: readOnly[engine]!(copy), config });
      assert.ok((await allAnswers(again)) === expected, 'the answers differ');
      await again.close();
    }));

  test(`${engine}: a copy is refused if a file, or the log of one, stands in its place, or its folder is missing`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: files[engine]!(join(folder, 'store')), config });
      const taken = join(folder, 'taken');
      for (const name of ['taken', 'left-wal', 'gone.wal']) writeFileSync(join(folder, name), 'mine');
      for (const [path, said] of [
        [taken, /exists already/],
        [join(folder, 'left'), /left-wal" exists already/],
        [join(folder, 'gone'), /gone\.wal" exists already/],
        [join(folder, 'nowhere', 'copy'), /There is no folder/],
        ['', /Give the path/],
      ] as const)
        await assert.rejects(dex.backup(path), (error: SwapfoldError) => {
          assert.equal(error.code, 'invalid-input');
          assert.match(error.message, said);
          return true;
        });
      assert.equal(existsSync(join(folder, 'taken.partial')), false);
      await dex.close();
    }));

  test(`${engine}: a copy that is aborted leaves no file, and the store goes on`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: files[engine]!(join(folder, 'store')), config });
      await dex.ingest(swaps);
      const controller = new AbortController();
      const copying = dex.backup(join(folder, 'copy'), { signal: controller.signal });
      controller.abort();
      await assert.rejects(copying, { code: 'aborted' });
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.startsWith('copy')),
        [],
      );
      assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps.length);
      await dex.backup(join(folder, 'copy'));
      await dex.close();
    }));
}

test('a store in memory is no file to copy, and says what would do', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await assert.rejects(dex.backup('copy'), (error) => {
    assert.ok(error instanceof SwapfoldError);
    assert.equal(error.code, 'unsupported-by-engine');
    assert.match(error.message, /copyFrom/);
    return true;
  });
});
