import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { memory, Swapfold } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { importFiles } from '../src/import/import-files.ts';
import type { ImportFilesOptions } from '../src/import/options.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-unindexed-'));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
function file(name: string, content: string): string {
  const path = join(folder, `${made++}-${name}`);
  writeFileSync(path, content);
  return path;
}

const config = { preset: 'ethereum' } as const;
const [wallet, usdc, pepe] = [
  '0x9b202019923f39d384537f577678c892ef4b9d7f',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0x6982508145454ce325ddbe47a25d4ec3d2311933',
];
const hash = `0x${'ab'.repeat(32)}`;
const head = 'tx_hash,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
const row = (given: string, got: string): string => `${hash},1760000000,${wallet},${usdc},${pepe},${given},${got}`;
/** Two swaps of one transaction. */
const two = `${head}\n${row('100', '1000')}\n${row('50', '500')}\n`;
/** The low 31 bits of what `sha256sum` gives for wallet, tokens and amounts, a line each. */
const indexes = { 100: 1336174842, 50: 1288043674 };

const engines = {
  memory: () => memory(),
  sqlite: () => sqlite(join(folder, `${made++}.db`)),
  duckdb: () => duckdb(join(folder, `${made++}.duckdb`)),
};

async function dry(paths: readonly string[], options: ImportFilesOptions = {}) {
  const { counts, rejects, unindexed } = await importFiles({ config: parseConfig(config) }, paths, options);
  return { added: counts.added ?? 0, rejects: rejects.map(({ reason }) => reason), unindexed };
}

for (const [name, storage] of Object.entries(engines)) {
  describe(`rows with a hash and without an index, on ${name}`, () => {
    const opened = async (work: (dex: Swapfold, store: (path: string) => Promise<number[]>) => Promise<void>) => {
      const dex = await Swapfold.open({ storage: storage(), config });
      try {
        await work(dex, async (path) => {
          const { counts, unindexed, same } = await importFiles(dex, path);
          return [counts.added!, counts.duplicate!, unindexed, same];
        });
      } finally {
        await dex.close();
      }
    };

    test('both swaps of a transaction are stored with the hash of what they are', async () => {
      await opened(async (dex, store) => {
        assert.deepEqual(await store(file('two.csv', two)), [2, 0, 2, 0]);
        const { data } = await dex.swaps.list({});
        const found = data.map(({ token_amount_in, swap_index }) => [token_amount_in, swap_index]);
        assert.deepEqual(
          new Map(found as [number, number][]),
          new Map([
            [100, indexes[100]],
            [50, indexes[50]],
          ]),
        );
      });
    });

    test('the same swaps in another file, format and writing are duplicates', async () => {
      await opened(async (_, store) => {
        assert.deepEqual(await store(file('two.csv', two)), [2, 0, 2, 0]);
        const floats = `${head},remark\n${row('50.0', '5e2')},x\n${row('100.00', '1000.0').replace(pepe, `0x${pepe.slice(2).toUpperCase()}`)},x\n`;
        assert.deepEqual(await store(file('floats.csv', floats)), [0, 2, 2, 0]);
        const lines = [100, 50].map((given) =>
          JSON.stringify({
            ...{ tx_hash: hash.slice(2), block_time: '2025-10-09T08:53:20Z', wallet, token_in: usdc, token_out: pepe },
            ...{ token_amount_in: given, token_amount_out: given * 10 },
          }),
        );
        assert.deepEqual(await store(file('lines.ndjson', lines.join('\n'))), [0, 2, 2, 0]);
        const path = file('typed.parquet', '');
        const db = await (await DuckDBInstance.create(':memory:')).connect();
        await db.run(
          `copy (select '${hash}' as tx_hash, 1760000000 as block_time, '${wallet}' as wallet, '${usdc}' as token_in, '${pepe}' as token_out, x::double as token_amount_in, (x * 10)::double as token_amount_out from unnest([100, 50, 25]) t(x)) to '${path}' (format parquet)`,
        );
        assert.deepEqual(await store(path), [1, 2, 3, 0]);
      });
    });
  });
}

test('a row without an index beside others with one gets one of its own, and a wrong index is a fault', async () => {
  const mixed = `${head},swap_index\n${row('100', '1000')},7\n${row('50', '500')},\n${row('25', '250')},seven\n`;
  const found = await dry([file('mixed.csv', mixed)]);
  assert.deepEqual([found.added, found.unindexed], [2, 1]);
  assert.match(found.rejects.join(), /^is not a number: "seven"$/);
});

test('a record of JSON whose index comes first after a thousand others keeps it', async () => {
  const record = {
    tx_hash: hash,
    block_time: 1760000000,
    wallet,
    token_in: usdc,
    token_out: pepe,
    token_amount_out: 1,
  };
  const lines = Array.from({ length: 1001 }, (_, i) => JSON.stringify({ ...record, token_amount_in: i + 1 }));
  const path = file(
    'late.ndjson',
    [...lines, JSON.stringify({ ...record, token_amount_in: 5000, swap_index: 3 })].join('\n'),
  );
  assert.deepEqual(await dry([path]), { added: 1002, rejects: [], unindexed: 1001 });
  const indexes: number[] = [];
  for await (const { batch } of readSwapFile(path)) indexes.push(...(batch.columns.swap_index as Float64Array));
  assert.equal(indexes[1001], 3);
});

test('a typed Parquet file with an index in some rows alone is read whole', async () => {
  const path = file('nulls.parquet', '');
  const db = await (await DuckDBInstance.create(':memory:')).connect();
  await db.run(
    `copy (select '${hash}' as tx_hash, if(x = 50, null, 9) as swap_index, 1760000000 as block_time, '${wallet}' as wallet, '${usdc}' as token_in, '${pepe}' as token_out, x::double as token_amount_in, (x * 10)::double as token_amount_out from unnest([100, 50]) t(x)) to '${path}' (format parquet)`,
  );
  assert.deepEqual(await dry([path]), { added: 2, rejects: [], unindexed: 1 });
});

test('a SELECT that gives no index gets one, and a row without a hash is rejected all the same', async () => {
  const path = file('other.csv', `hash,who,gave\n${hash},${wallet},1\n,${wallet},2\n`);
  const sql = `select hash as tx_hash, 1760000000 as block_time, who as wallet, '${usdc}' as token_in, '${pepe}' as token_out, gave as token_amount_in, 1 as token_amount_out from input`;
  const found = await dry([path], { sql });
  assert.deepEqual([found.added, found.unindexed, found.rejects.length], [1, 1, 1]);
});

test('with rowIds a row without hash and index keeps the id that its content had before', async () => {
  const content = `${head}\n${row('100', '1000')}\n${row('50', '500').replace(hash, '')}\n`;
  const dex = await Swapfold.open({ storage: memory(), config });
  const { counts, unindexed } = await importFiles(dex, file('half.csv', content), { rowIds: true });
  assert.deepEqual([counts.added, unindexed], [2, 1]);
  const bare = content.split('\n').map((line) => line.split(',').slice(1).join(','));
  const again = await importFiles(dex, file('bare.csv', [bare[0], bare[2], ''].join('\n')), { rowIds: true });
  assert.deepEqual([again.counts.duplicate, again.unindexed], [1, 0]);
  await dex.close();
});

test('a file with a column of nearly that name is refused, and says which', async () => {
  const path = file('near.csv', `${head},swap_idx\n${row('100', '1000')},3\n`);
  await assert.rejects(dry([path]), /no column "swap_index".*map COLUMN=swap_index\. Did you mean "swap_idx"\?/);
  assert.deepEqual(await dry([path], { map: { swap_idx: 'swap_index' } }), { added: 1, rejects: [], unindexed: 0 });
});
