import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { memory, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { connect, rowsOf, sqlText } from '../src/duck.ts';
import { type ImportFilesOptions, type ImportStep, importFiles } from '../src/index.ts';
import { joinSmall } from '../src/join-small.ts';
import { rowKinds } from '../src/row-kinds.ts';

const path = await temporaryFolder(after);
const config = { address_format: 'any', quote_tokens: [{ address: 'S', symbol: 'SOL', kind: 'native' }] } as const;

type Values = Readonly<Record<string, unknown>>;

const swap = (hash: string, time: number, more: Values = {}): Values => ({
  ...{ tx_hash: hash, swap_index: 0, block_time: 1_700_000_000 + time, wallet: 'W' },
  ...{ token_in: 'S', token_out: 'T', token_amount_in: 1, token_amount_out: 5, ...more },
});

function file(name: string, content: string | Buffer): string {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
  return path(name);
}

const ndjson = (name: string, ...rows: readonly (Values | string)[]): string =>
  file(name, rows.map((row) => `${typeof row === 'string' ? row : JSON.stringify(row)}\n`).join(''));

/** Writes rows of some types as Parquet. */
async function parquet(name: string, rows: readonly Values[], types: Readonly<Record<string, string>> = {}) {
  mkdirSync(dirname(path(name)), { recursive: true });
  const typed = { swap_index: 'integer', block_time: 'bigint', token_amount_in: 'double', token_amount_out: 'double' };
  const ofColumn: Readonly<Record<string, string>> = { ...typed, ...types };
  const names = Object.keys(rows[0] ?? swap('none', 0));
  const casts = names.map((column) => `${column}::${ofColumn[column] ?? 'varchar'} as ${column}`);
  const values = rows.map((row) => `(${names.map((column) => literal(row[column])).join(', ')})`);
  const from =
    rows.length === 0
      ? `(select ${names.map((column) => `null as ${column}`).join(', ')} where false)`
      : `(values ${values.join(', ')}) r(${names.join(', ')})`;
  const connection = await connect();
  await rowsOf(connection, `copy (select ${casts.join(', ')} from ${from}) to ${sqlText(path(name))} (format parquet)`);
  connection.closeSync();
  return path(name);
}

const literal = (value: unknown): string => (value === null || value === undefined ? 'null' : sqlText(String(value)));

const storages = {
  duckdb: (name: string) => duckdb(path(`${name}.duckdb`)),
  sqlite: (name: string) => sqlite(path(`${name}.db`)),
} as const;

async function imported(
  storage: ReturnType<typeof memory>,
  inputs: string | readonly string[],
  options: ImportFilesOptions = {},
) {
  const dex = await Swapfold.open({ storage, config });
  const importing = importFiles(dex, inputs, options);
  const steps: ImportStep[] = [];
  for await (const step of importing) steps.push(step);
  return { dex, steps, summary: await importing };
}

/** All that an import says of files, and the hashes that are stored. */
async function shown(files: readonly string[], options: ImportFilesOptions) {
  const { dex, steps, summary } = await imported(memory(), files, options);
  const { data } = await dex.swaps.list({ limit: 100 });
  await dex.close();
  const { counts, rows, rejected, reasons, presets } = summary;
  return {
    ...{ counts, rows, rejected, reasons: [...reasons], presets: [...presets] },
    rejects: summary.rejects.map(({ file: of, row, field, reason }) => [files.indexOf(of), row, field, reason]),
    said: steps.filter(({ kind }) => ['file', 'zoneless', 'end'].includes(kind)),
    data: data.map(({ tx_hash, pool }) => [tx_hash, pool]),
  };
}

for (const engine of ['duckdb', 'sqlite'] as const)
  for (const format of ['ndjson', 'parquet'] as const)
    test(`${engine}: three hundred ${format} files of one row go into an empty store`, async () => {
      const files: string[] = [];
      for (let i = 0; i < 300; i++) {
        const name = `${engine}/${String(i).padStart(3, '0')}.${format}`;
        const row = swap(`h${i}`, i, { token_amount_in: i + 1 });
        files.push(format === 'ndjson' ? ndjson(name, row) : await parquet(name, [row]));
      }
      const { dex, steps, summary } = await imported(storages[engine](format), files);
      try {
        assert.deepEqual(
          steps.flatMap((step) => (step.kind === 'end' ? [[step.file, step.rows]] : [])),
          files.map((name) => [name, 1]),
        );
        assert.deepEqual(summary.counts, { added: 300, duplicate: 0, conflicting: 0 });
        const { data } = await dex.swaps.list({ limit: 3 });
        assert.deepEqual(
          data.map(({ tx_hash, token_amount_in }) => [tx_hash, token_amount_in]),
          [
            ['h299', 300],
            ['h298', 299],
            ['h297', 298],
          ],
        );
      } finally {
        await dex.close();
      }
    });

test('JSON files that are read together give what each gives by itself', async () => {
  const files = [
    ndjson('json/a.ndjson', swap('a', 0, { pool: 'P' }), swap('b', 1, { pool: null })),
    file('json/b.ndjson.gz', gzipSync(`${JSON.stringify(swap('c', 2))}\n`)),
    file(
      'json/c.json',
      JSON.stringify([swap('d', 3), swap('e', 4, { token_amount_in: 'many' }), swap('f', 5)], null, 2),
    ),
    ndjson('json/d.ndjson', swap('g', 6, { mine: 'an unused column' }), '', '{"tx_hash": "cut', '[1, 2]', swap('h', 7)),
    file('json/e.ndjson', `\ufeff${JSON.stringify(swap('i', 8))}`),
    file(
      'json/f.ndjson',
      Buffer.from(`${JSON.stringify(swap('j\xff', 9))}\n${JSON.stringify(swap('k', 10))}\n`, 'latin1'),
    ),
    ndjson(
      'json/g.ndjson',
      swap('l', 11, { wallet: 7 }),
      swap('m', 12),
      swap('n', 13, { block_time: '2024-01-05 00:00:00' }),
    ),
    ndjson('json/h.ndjson', swap('o', 14), swap('p', 15, { token_amount_in: -1 })),
  ];
  // A transaction of one row holds no two files.
  const [together, apart] = [await shown(files, {}), await shown(files, { batchRows: 1 })];
  assert.deepEqual(together, apart);
  assert.deepEqual(together.data.map(([hash]) => hash).toSorted(), [
    'a',
    'b',
    'c',
    'd',
    'f',
    'g',
    'h',
    'i',
    'k',
    'm',
    'n',
    'o',
  ]);
  assert.deepEqual(
    together.data.find(([hash]) => hash === 'a'),
    ['a', 'P'],
  );
  assert.equal(together.rows, 18);
  assert.deepEqual(
    together.rejects.map(([of, row, field]) => [of, row, field]),
    [
      [2, 2, 'token_amount_in'],
      [3, 2, ''],
      [3, 3, ''],
      [5, 1, ''],
      [6, 1, 'wallet'],
      [7, 2, 'token_amount_in'],
    ],
  );
});

test('JSON files of a preset are read together, with the rows that it passes over', async () => {
  const trade = (hash: string, more: Values = {}): Values => ({
    ...{ signature: hash, mint: 'Mint', traderPublicKey: 'Trader', txType: 'buy', tokenAmount: 10, solAmount: 1 },
    ...{ timestamp: 1_710_665_692, ...more },
  });
  const files = [
    ndjson('preset/a.ndjson', trade('a'), trade('b', { txType: 'migrate' })),
    ndjson('preset/b.ndjson', trade('c', { solAmount: 'many' }), trade('d', { pool: 'pump', newTokenBalance: 4 })),
    ndjson('preset/c.ndjson', trade('e'), '{', trade('f')),
  ];
  const [together, apart] = [await shown(files, {}), await shown(files, { batchRows: 1 })];
  assert.deepEqual(together, apart);
  assert.deepEqual(together.data.map(([hash]) => hash).toSorted(), ['a', 'd', 'e', 'f']);
  assert.deepEqual([together.reasons, together.presets], [[['txType is "migrate"', 1]], ['pumpportal']]);
  assert.deepEqual(
    together.rejects.map(([of, row]) => [of, row]),
    [
      [1, 1],
      [2, 2],
    ],
  );
});

test('Parquet files that are read together give what each gives by itself', async () => {
  const files = [
    await parquet('parquet/a.parquet', [swap('a', 0), swap('b', 1)]),
    await parquet('parquet/b [1].parquet', [swap('c', 2), swap('d', 3, { token_amount_in: 'nan' }), swap('e', 4)]),
    await parquet('parquet/c.parquet', []),
    await parquet('parquet/d.parquet', [swap('f', 5, { token_amount_in: -1 }), swap('g', 6)]),
    await parquet('parquet/e.parquet', [swap('h', 7, { pool: 'P' })]),
    await parquet('parquet/f.parquet', [swap('i', 8, { block_time: '2024-01-05 00:00:00' })], {
      block_time: 'timestamp',
    }),
    await parquet('parquet/g.parquet', [swap('j', 9, { block_time: '2024-01-05 00:00:01' })], {
      block_time: 'timestamp',
    }),
    await parquet('parquet/h.parquet', [swap('k', 10)]),
  ];
  const all = [...files, files[7]!];
  const [together, apart] = [await shown(all, {}), await shown(all, { batchRows: 1 })];
  assert.deepEqual(together, apart);
  assert.deepEqual(together.data.map(([hash]) => hash).toSorted(), ['a', 'b', 'c', 'e', 'g', 'h', 'i', 'j', 'k']);
  assert.deepEqual(together.counts, { added: 9, duplicate: 1, conflicting: 0 });
  assert.deepEqual(
    together.rejects.map(([of, row, field]) => [of, row, field]),
    [
      [1, 2, 'token_amount_in'],
      [3, 1, 'token_amount_in'],
    ],
  );
});

test('a damaged Parquet file stops the import at its name, and the files before it are stored', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  const files = [
    ...[await parquet('damaged/a.parquet', [swap('a', 0)]), await parquet('damaged/b.parquet', [swap('b', 1)])],
    ...[file('damaged/c.parquet', 'PAR1 and no more'), await parquet('damaged/d.parquet', [swap('d', 3)])],
  ];
  await assert.rejects(importFiles(dex, files), {
    code: 'invalid-input',
    message: /^c\.parquet is not a whole Parquet/,
  });
  assert.equal((await dex.info()).swaps, 2);
  await dex.close();
});

test('files of one form are one part: JSON that becomes rows in one way, Parquet of one schema', async () => {
  const json = ['a', 'b', 'c'].map((name) => ndjson(`form/${name}.ndjson`, swap(name, 0), swap(`${name}2`, 1)));
  const own = await Promise.all(
    ['a', 'b', 'c'].map((name) => parquet(`form/${name}.parquet`, [swap(name, 0), swap(`${name}2`, 1)])),
  );
  const [a, b, c] = json as [string, string, string];
  const [x, y, z] = own as [string, string, string];
  const optional = ndjson('form/optional.ndjson', swap('o', 0, { pool: 'P' }), swap('o2', 1, { extra: 1 }));
  const within = file('form/within.json', JSON.stringify({ data: { items: [swap('w', 0), swap('w2', 1)] } }));
  const foreign = ndjson('form/foreign.ndjson', { a: 1 });
  const wider = await parquet('form/wider.parquet', [swap('v', 0, { pool: 'P' })]);
  const cases: readonly [readonly string[], number, number?][] = [
    [[a, b, c], 3],
    [[a, optional, c], 3],
    [[a, b, within, c], 2],
    [[a, b, foreign, c], 2],
    [[foreign, a, b], 0],
    [[a, b, x, y], 2],
    [[a, b, c], 2, 5],
    [[x, y, z], 3],
    [[x, y, wider, z], 2],
    [[wider, x], 0],
    [[x, y, z], 2, 5],
    [[x, a], 0],
  ];
  for (const [paths, count, batchRows] of cases) {
    const part = await joinSmall(paths, { batchRows }, rowKinds.swaps);
    assert.equal(part?.joined?.length ?? 0, count, `${paths} ${batchRows}`);
    assert.equal(part?.rows ?? 0, 2 * count);
    await part?.drop();
  }
});
