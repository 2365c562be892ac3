import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { type FoldTask, memory, type RefreshWorker, Swapfold, SwapfoldError } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { refreshedStages } from './support/refresh-apart.ts';
import { cases } from './support/whole.ts';

const { swaps, config } = smallMarket({
  seed: 51,
  swaps: cases(2000, 900),
  wallets: cases(80, 40),
  tokens: cases(25, 15),
  days: 35,
});

/** Another handle of the store, for reading. */
function reader(path: string): Promise<Swapfold> {
  return Swapfold.open({ storage: sqlite({ path, read_only: true }), config });
}

test('a store that 1 and 3 workers have folded is to the bit that of a refresh without, stage by stage', () =>
  withFolder(async (folder) => {
    const expected = await refreshedStages(memory(), { swaps, config });
    for (const count of [1, 3]) {
      const path = join(folder, `${count}.db`);
      const open: Swapfold[] = [];
      const workers = async (stage: number): Promise<readonly RefreshWorker[]> => {
        // The first have the store open before the swaps of the next stages are written.
        if (stage < 2 || open.length === 0) for (let i = 0; i < count; i++) open.push(await reader(path));
        return open.slice(-count);
      };
      const stages = await refreshedStages(sqlite(path), { swaps, config, workers });
      for (const [stage, dump] of stages.entries())
        assert.deepEqual(firstDifferences(dump, expected[stage]!), [], `${count} workers, stage ${stage}`);
      for (const dex of open) await dex.close();
    }
  }));

test('a worker folds a store whose newest blocks were rolled back, to the bit as a refresh without', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const [dex, alone] = [
      await Swapfold.open({ storage: sqlite(path), config }),
      await Swapfold.open({ storage: memory(), config }),
    ];
    const worker = await reader(path);
    const slot = swaps[Math.floor(swaps.length * 0.75)]!.block_slot!;
    for (const one of [dex, alone]) {
      await one.ingest(swaps);
      await one.refresh();
      await one.rollback({ from_block_slot: slot });
    }
    assert.deepEqual(await dex.refresh({ workers: [worker] }), await alone.refresh());
    assert.deepEqual((await dex.verify()).differences, []);
    for (const one of [worker, dex, alone]) await one.close();
  }));

test('a worker that fails, and one of another state of the store, fail the refresh; the store is as it was and goes on', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const storage = sqlite(path);
    const dex = await Swapfold.open({ storage, config });
    await dex.ingest(swaps.slice(0, 600));
    await dex.refresh();
    await dex.ingest(swaps.slice(600, 800));
    const before = await dumpStore(dex, storage);
    const worker = await reader(path);

    const dying: RefreshWorker = {
      async *fold(task, options) {
        for await (const folded of worker.fold(task, options)) {
          yield folded;
          if (folded.kind === 'tokens') throw new Error('It was killed.');
        }
      },
    };
    await assert.rejects(dex.refresh({ workers: [worker, dying] }), /It was killed/);
    const misled: RefreshWorker = {
      fold: (task: FoldTask, options) => worker.fold({ ...task, version: task.version - 1 }, options),
    };
    await assert.rejects(
      dex.refresh({ workers: [worker, misled] }),
      (error: unknown) =>
        error instanceof SwapfoldError &&
        error.code === 'store-failed' &&
        /reads commit \d+ of the store, and the refresh commit \d+/.test(error.message),
    );
    const elsewhere = await Swapfold.open({ storage: sqlite(join(folder, 'other.db')), config });
    await elsewhere.ingest(swaps.slice(0, 10));
    await elsewhere.refresh();
    await elsewhere.ingest(swaps.slice(10, 20));
    await assert.rejects(
      dex.refresh({ workers: [elsewhere] }),
      (error: unknown) =>
        error instanceof SwapfoldError &&
        error.code === 'store-failed' &&
        /reads a store of \d+ transactions, and the refresh has \d+: give it the same store\./.test(error.message),
    );
    await elsewhere.close();
    const abort = new AbortController();
    const onProgress = (): void => abort.abort();
    await assert.rejects(
      dex.refresh({ workers: [worker], signal: abort.signal, onProgress }),
      (error: unknown) => error instanceof SwapfoldError && error.code === 'aborted',
    );
    assert.deepEqual(await dumpStore(dex, storage), before);

    await dex.refresh({ workers: [worker] });
    assert.deepEqual((await dex.verify()).differences, []);
    await worker.close();
    await dex.close();
  }));

test('a worker with another configuration is refused when it opens the store', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'store.db');
    const dex = await Swapfold.open({ storage: sqlite(path), config });
    const labels = { wallets: [{ label: 'rich', rule: 'pnl', filter: { 'metrics.7d.pnl': { $gt: 1e6 } } }] };
    const other = Swapfold.open({ storage: sqlite({ path, read_only: true }), config: { ...config, labels } });
    await assert.rejects(other, (error: unknown) => error instanceof SwapfoldError && error.code === 'store-mismatch');
    await dex.close();
  }));

for (const [engine, open] of [
  ['memory', () => memory()],
  ['duckdb', (folder: string) => duckdb(join(folder, 'store.duckdb'))],
] as const) {
  test(`${engine} says that its store cannot be opened a second time, and what would do`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      const error = (thrown: unknown): boolean =>
        thrown instanceof SwapfoldError &&
        thrown.code === 'unsupported-by-engine' &&
        thrown.message.includes(`a ${engine} store`) &&
        /without workers, or keep it in SQLite or ClickHouse/.test(thrown.message);
      await assert.rejects(dex.refresh({ workers: [dex] }), error);
      await dex.close();
    }));
}
