import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { memory, type SwapColumns, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { parseConfig, type SortableSource } from '@swapfold/core/host';
import { type ImportFilesOptions, type ImportStep, importFiles } from '@swapfold/files';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { cases, isWhole } from './support/whole.ts';

const SWAPS = cases(1200, 216);
const BATCH = SWAPS / 6;

/** Swaps of which many share a second, with fractions, log indexes and repeats; without an index of their transactions, so that these order them. */
const { swaps, config } = smallMarket({ seed: 77, swaps: SWAPS, wallets: 30, tokens: 10, withUsd: false });
const inOrder = swaps.map(({ tx_index: _, ...swap }, i): SwapInput => {
  const time = Math.floor(swap.block_time / 1800) * 1800;
  return {
    ...swap,
    ...(i % 3 === 0 && { log_index: (i * 7919) % 60 }),
    block_slot: Math.floor(time / 7200),
    block_time: i % 4 === 0 ? time + 0.25 : time,
  };
});
const json = (rows: readonly SwapInput[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

function csv(rows: readonly SwapInput[]): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))] as (keyof SwapInput)[];
  return [names.join(), ...rows.map((row) => names.map((name) => row[name] ?? '').join())]
    .map((line) => `${line}\n`)
    .join('');
}

/** The rows in so many slices of time, the newest slice first. */
function backwards<T>(rows: readonly T[], slices: number): T[][] {
  const at = (i: number): number => Math.floor((rows.length * i) / slices);
  return Array.from({ length: slices }, (_, i) => rows.slice(at(i), at(i + 1))).reverse();
}

/** Writes the same rows in other orders; gives the files of each, by what they are. */
async function arrangements(folder: string): Promise<Readonly<Record<string, readonly string[]>>> {
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  };
  const newestFirst = inOrder.toReversed();
  const slices = backwards(inOrder, 20).flat();
  const parquet = join(folder, 'slices.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(
    `copy (from read_json('${write('slices.ndjson', json(slices))}')) to '${parquet}' (format parquet, row_group_size 100)`,
  );
  connection.closeSync();
  return {
    'newest first, CSV': [write('newest.csv', csv(newestFirst))],
    'newest first, gzip NDJSON': [write('newest.ndjson.gz', gzipSync(json(newestFirst)))],
    'twenty slices, Parquet': [parquet],
    'three files in order, the newest first': backwards(inOrder, 3).map((rows, i) =>
      i === 1 ? write(`file-${i}.ndjson`, json(rows)) : write(`file-${i}.csv`, csv(rows)),
    ),
    'thirty pages, the newest first': backwards(inOrder, 30).map((rows, i) =>
      write(`page-${i}.json`, JSON.stringify(rows)),
    ),
    'the same file twice': [join(folder, 'newest.csv'), join(folder, 'newest.csv')],
  };
}

/** What an import of files says, and what the store holds then. */
async function dumpOf(storage: StorageAdapter, files: readonly string[]) {
  const dex = await Swapfold.open({ storage, config: config as never });
  // Into an empty store DuckDB would load all in one step.
  await dex.ingest(inOrder.slice(200, 201));
  const steps: ImportStep[] = [];
  const importing = importFiles(dex, files, { batchRows: BATCH });
  for await (const step of importing) steps.push(step);
  await dex.refresh();
  assert.deepEqual((await dex.verify()).differences, []);
  const dump = await dumpStore(dex, storage);
  await dex.close();
  const { counts, unordered } = await importing;
  return { dump, steps, counts, unordered };
}

for (const engine of Object.keys(engines))
  test(`${engine}: files that go back in time leave the store that the same rows in order leave`, async () => {
    await withFolder(async (folder) => {
      const path = join(folder, 'in-order.ndjson');
      writeFileSync(path, json(inOrder));
      let number = 0;
      const into = (files: readonly string[]) => dumpOf(engines[engine]!(folder, number++), files);
      const expected = await into([path]);
      assert.deepEqual(expected.counts, { added: SWAPS - 1, duplicate: 1, conflicting: 0 });
      assert.ok(
        expected.steps.every(({ kind }) => kind !== 'folding'),
        'rows in order are stored as they are read',
      );
      for (const [name, files] of Object.entries(await arrangements(folder))) {
        // The rows that an engine gets are those of the others.
        if (engine !== 'memory' && !isWhole && name !== 'twenty slices, Parquet') continue;
        const { dump, steps, counts, unordered } = await into(files);
        assert.deepEqual(firstDifferences(dump, expected.dump), [], name);
        assert.deepEqual(counts, { ...expected.counts, duplicate: files[0] === files[1] ? SWAPS + 1 : 1 }, name);
        assert.equal(unordered, expected.unordered, name);
        const folded = steps.findLast((step) => step.kind === 'folding');
        assert.deepEqual([folded?.rows, folded?.fraction], [SWAPS * (files[0] === files[1] ? 2 : 1), 1], name);
      }
    });
  });

/** The batches that an import hands to a store that stores batch by batch. */
async function batchesOf(files: readonly string[], options: ImportFilesOptions = {}): Promise<readonly SwapColumns[]> {
  const batches: SwapColumns[] = [];
  const store = {
    config: parseConfig(config),
    info: async () => ({ swaps: 0 }),
    async ingest(source: SortableSource) {
      for await (const batch of source.inTimeOrder()) batches.push(batch as SwapColumns);
      return { added: 0, duplicate: 0, conflicting: 0 };
    },
  };
  await importFiles(store as unknown as Swapfold, files, { batchRows: BATCH, ...options });
  return batches;
}

test('a batch begins behind the one before it, and rows of one second stay as they were read', async () => {
  await withFolder(async (folder) => {
    const rows = backwards(inOrder, 20).flat();
    writeFileSync(join(folder, 'slices.csv'), csv(rows));
    const batches = await batchesOf([join(folder, 'slices.csv')]);
    assert.equal(batches.length, 6);
    const read = batches.flatMap(({ columns }) =>
      Array.from(
        columns.tx_hash as string[],
        (hash, i) => `${hash} ${columns.swap_index![i]} ${columns.block_time[i]}`,
      ),
    );
    const expected = rows.toSorted((a, b) => Math.floor(a.block_time) - Math.floor(b.block_time));
    assert.deepEqual(
      read,
      expected.map((row) => `${row.tx_hash} ${row.swap_index} ${row.block_time}`),
    );
  });
});

const row = (tx_hash: string, block_time: number, o: Partial<SwapInput> = {}): SwapInput => ({
  ...{ tx_hash, swap_index: 0, block_time: 1_700_000_000 + block_time, wallet: 'W' },
  ...{ token_in: 'S', token_out: 'T', token_amount_in: 1, token_amount_out: 5, ...o },
});
const any = { address_format: 'any', quote_tokens: [{ address: 'S', symbol: 'SOL', kind: 'native' }] } as const;

test('rows that are left out, and conflicts, name their own file and row; of rows that contradict each other the first one read counts', async () => {
  await withFolder(async (folder) => {
    const path = (name: string): string => join(folder, name);
    // b has two times: the later one is read first. d comes again with another amount, and e with a first row that is refused.
    writeFileSync(
      path('new.csv'),
      `${csv([row('a', 90), row('b', 80), row('d', 70), row('e', 60, { token_amount_in: -1 })])}too,short\n`,
    );
    writeFileSync(
      path('old.ndjson'),
      json([row('b', 10), row('c', 20), row('d', 70, { token_amount_out: 6 }), row('e', 5)]),
    );
    writeFileSync(path('old.ndjson'), '{}\n', { flag: 'a' });
    const files = [path('new.csv'), path('old.ndjson')];
    const dex = await Swapfold.open({ storage: memory(), config: any });
    const { rejects, conflicts, counts, rows } = await importFiles(dex, files, {
      batchRows: 2,
      rejects: path('left-out.ndjson'),
    });
    const placed = (found: typeof rejects) => found.map(({ file, row }) => [files.indexOf(file), row]).toSorted();
    assert.deepEqual(placed(rejects), [
      [0, 4],
      [0, 5],
      [1, 5],
    ]);
    assert.deepEqual(placed(conflicts), [
      [1, 1],
      [1, 3],
    ]);
    assert.deepEqual([counts, rows], [{ added: 5, duplicate: 0, conflicting: 2 }, 10]);
    const { data } = await dex.swaps.list({ limit: 10 });
    assert.deepEqual(
      data.map((swap) => [swap.tx_hash, swap.block_time - 1_700_000_000, swap.token_amount_out]),
      [
        ['a', 90, 5],
        ['b', 80, 5],
        ['d', 70, 5],
        ['c', 20, 5],
        ['e', 5, 5],
      ],
    );
    await dex.close();
  });
});

test('rows without a hash, and files of other columns, are sorted, too', async () => {
  await withFolder(async (folder) => {
    const path = (name: string): string => join(folder, name);
    const without = ({ tx_hash: _, ...rest }: SwapInput) => rest as SwapInput;
    const rows = Array.from({ length: 9 }, (_, i) => without(row('', 90 - i, { token_amount_in: i + 1 })));
    writeFileSync(path('a.csv'), csv(rows.slice(0, 5)));
    writeFileSync(path('b.csv'), csv(rows.slice(5).map((one) => ({ ...one, protocol: 'P' }))));
    const stored = async (batchRows: number, files: readonly string[]) => {
      const dex = await Swapfold.open({ storage: memory(), config: any });
      const { counts } = await importFiles(dex, files, { batchRows, rowIds: true });
      const { data } = await dex.swaps.list({ limit: 10 });
      await dex.close();
      return { counts, data };
    };
    const sorted = await stored(2, [path('a.csv'), path('b.csv')]);
    assert.equal(sorted.counts.added, 9);
    assert.deepEqual(sorted, await stored(100, [path('b.csv'), path('a.csv')]));
  });
});

test('an import that is stopped while it reads files of several parts stores nothing, and counts nothing', async () => {
  await withFolder(async (folder) => {
    const files = backwards(inOrder, 5).map((rows, i) => {
      writeFileSync(join(folder, `${i}.json`), JSON.stringify(rows));
      return join(folder, `${i}.json`);
    });
    const dex = await Swapfold.open({ storage: memory(), config: config as never });
    const importing = importFiles(dex, files, { batchRows: BATCH });
    const read: ImportStep[] = [];
    for await (const step of importing) {
      read.push(step);
      if (step.kind === 'reading') break;
    }
    assert.deepEqual(
      read.map(({ kind }) => kind),
      ['reading'],
    );
    await assert.rejects(importing, { code: 'aborted' });
    assert.deepEqual([importing.summary.rows, (await dex.info()).swaps], [0, 0]);
    await dex.close();
  });
});

test('a sorted import that is stopped has stored the oldest swaps, and the next one goes on', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'newest.csv');
    writeFileSync(path, csv(inOrder.toReversed()));
    const dex = await Swapfold.open({ storage: memory(), config: config as never });
    const importing = importFiles(dex, path, { batchRows: BATCH });
    for await (const step of importing) if (step.kind === 'folding') break;
    await assert.rejects(importing, { code: 'aborted' });
    const { added } = importing.summary.counts;
    const { swaps: stored, last_swap_at: last } = await dex.info();
    assert.equal(stored, added);
    assert.ok(stored >= BATCH && stored < SWAPS, `${stored} swaps`);
    assert.equal(last, Math.floor(inOrder[stored - 1]!.block_time));
    const { counts } = await importFiles(dex, path, { batchRows: BATCH });
    assert.deepEqual(counts, { added: SWAPS - stored, duplicate: stored, conflicting: 0 });
    await dex.close();
  });
});

test('a stream and a kept order are stored as they come', async () => {
  await withFolder(async (folder) => {
    const path = join(folder, 'newest.csv');
    const content = csv(inOrder.toReversed());
    writeFileSync(path, content);
    async function* chunks(): AsyncGenerator<Buffer> {
      yield Buffer.from(content);
    }
    for (const [inputs, options] of [
      [{ name: 'feed', chunks: chunks() }, {}],
      [path, { keepOrder: true }],
    ] as const) {
      const dex = await Swapfold.open({ storage: memory(), config: config as never });
      const kinds = new Set<string>();
      for await (const { kind } of importFiles(dex, inputs, { batchRows: BATCH, ...options })) kinds.add(kind);
      assert.deepEqual([...kinds], ['file', 'rows', 'end']);
      assert.equal((await dex.info()).swaps, SWAPS);
      await dex.close();
    }
  });
});
