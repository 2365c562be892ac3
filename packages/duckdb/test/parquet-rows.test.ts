import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import type { DictionaryColumn } from '@swapfold/core/host';
import { openParquet } from '../src/index.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-parquet-'));
after(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

async function parquet(query: string): Promise<string> {
  const path = join(folder, `${made++}.parquet`);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`copy (${query}) to '${path}' (format parquet, row_group_size 2048)`);
  connection.closeSync();
  instance.closeSync();
  return path;
}

async function opened(path: string) {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const close = (): void => {
    connection.closeSync();
    instance.closeSync();
  };
  return { rows: openParquet(path, connection), close };
}

function textsOf({ dictionary, ids }: DictionaryColumn): (string | null)[] {
  return Array.from(ids, (id) => (id < 0 ? null : dictionary[id]!));
}

test('columns of any rows of a Parquet file come as they stand there, across its row groups', async () => {
  const path = await parquet(
    `select case when i % 3 = 0 then null when i % 3 = 1 then '' else 'w' || (i % 100) end as who, 't' || i as hash,
      case when i % 5 = 0 then null else i * 0.5 end as half, (9007199254740000 + i)::bigint as large, (i % 7)::float as small
    from range(5000) r(i)`,
  );
  const { rows, close } = await opened(path);
  try {
    const read = await rows.read(
      [
        { name: 'who', kind: 'text' },
        { name: 'hash', kind: 'unique' },
        { name: 'half', kind: 'number' },
        { name: 'large', kind: 'number' },
        { name: 'small', kind: 'number' },
      ],
      1000,
      4500,
    );
    const numbers = Array.from({ length: 3500 }, (_, i) => 1000 + i);
    const [who, hash, half, large, small] = read!;
    assert.deepEqual(
      textsOf(who as DictionaryColumn),
      numbers.map((i) => (i % 3 === 2 ? `w${i % 100}` : null)),
    );
    assert.deepEqual(
      hash,
      numbers.map((i) => `t${i}`),
    );
    const expected = (value: (i: number) => number): Float64Array => Float64Array.from(numbers, value);
    assert.deepEqual(
      half,
      expected((i) => (i % 5 === 0 ? Number.NaN : i / 2)),
    );
    assert.deepEqual(
      large,
      expected((i) => Number(9007199254740000n + BigInt(i))),
    );
    assert.deepEqual(
      small,
      expected((i) => i % 7),
    );
  } finally {
    close();
  }
});

test('rows with a number that is not finite are not given, and those beside them are', async () => {
  const path = await parquet(
    `select case i when 7 then 'NaN'::double when 12 then 'Infinity'::double else i end as x, null::varchar as nothing from range(20) r(i)`,
  );
  const { rows, close } = await opened(path);
  try {
    const columns = [
      { name: 'x', kind: 'number' },
      { name: 'nothing', kind: 'text' },
    ] as const;
    assert.equal(await rows.read(columns, 0, 8), undefined);
    assert.equal(await rows.read(columns, 8, 13), undefined);
    const [x, nothing] = (await rows.read(columns, 8, 12))!;
    assert.deepEqual(x, Float64Array.of(8, 9, 10, 11));
    assert.deepEqual(textsOf(nothing as DictionaryColumn), [null, null, null, null]);
  } finally {
    close();
  }
});
