import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { memory, Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { type ImportFilesOptions, type ImportStep, importFiles } from '../src/index.ts';
import { joinSmall } from '../src/join-small.ts';
import { rowKinds } from '../src/row-kinds.ts';

const path = await temporaryFolder(after);
const config = { address_format: 'any', quote_tokens: [{ address: 'S', symbol: 'SOL', kind: 'native' }] } as const;
const header = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';

const swap = (hash: string, time: number, amount: number | string = 1): string =>
  `${hash},0,${1_700_000_000 + time},W,S,T,${amount},5`;

function file(name: string, content: string | Buffer): string {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
  return path(name);
}

const csv = (name: string, ...rows: readonly string[]): string => file(name, `${[header, ...rows].join('\n')}\n`);

const storages = {
  memory: () => memory(),
  duckdb: (name: string) => duckdb(path(`${name}.duckdb`)),
  sqlite: (name: string) => sqlite(path(`${name}.db`)),
} as const;
const engines = ['duckdb', 'sqlite'] as const;

/** An import into an empty store: its summary, its steps and the store. */
async function imported(
  storage: ReturnType<(typeof storages)[keyof typeof storages]>,
  inputs: string | readonly string[],
  options: ImportFilesOptions = {},
) {
  const dex = await Swapfold.open({ storage, config });
  const importing = importFiles(dex, inputs, options);
  const steps: ImportStep[] = [];
  for await (const step of importing) steps.push(step);
  return { dex, steps, summary: await importing };
}

for (const engine of ['duckdb', 'sqlite'] as const)
  test(`${engine}: three hundred files of one row go into an empty store`, async () => {
    const files = Array.from({ length: 300 }, (_, i) => csv(`${engine}-${i}.csv`, swap(`h${i}`, i, i + 1)));
    const storage = engine === 'duckdb' ? duckdb(path('many.duckdb')) : sqlite(path('many.db'));
    const { dex, steps, summary } = await imported(storage, files);
    try {
      assert.deepEqual(
        steps.flatMap((step) => (step.kind === 'end' ? [[step.file, step.rows]] : [])),
        files.map((name) => [name, 1]),
        'each file is said with its rows, in order',
      );
      const { counts } = summary;
      assert.deepEqual(counts, { added: 300, duplicate: 0, conflicting: 0 });
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

for (const engine of engines)
  test(`${engine}: of three hundred files, faults and conflicts name their own file and row`, async () => {
    // Each tenth file has a fault of its own, in row 2 behind a good row; those that are no files of swaps have none.
    const name = (i: number): string => `${engine}-mixed/${String(i).padStart(3, '0')}.csv`;
    const expected: [number, number, string][] = [];
    for (let i = 0; i < 300; i++) {
      const good = swap(`h${i}`, i);
      if (i === 35) file(name(i), '');
      else if (i === 45) file(name(i), 'a,b\n1,2\n');
      else if (i === 55) file(name(i), `${[header, good].join('\n').replaceAll(',', ';')}\n`);
      else if (i === 65) file(name(i), `${header},pool\n${good},P\n`);
      else if (i === 75) csv(name(i));
      else if (i === 85) file(name(i), `${header}\r\n\r\n${good}\r\n`);
      else if (i % 10 !== 0) csv(name(i), good);
      else {
        const kind = (i / 10) % 5;
        const second = [
          'too,short',
          swap(`x${i}`, i, 'many'),
          swap(`x${i}`, i, -1),
          swap('h1', 1, 9),
          swap(`x${i}`, i).slice(0, -1),
        ][kind]!;
        file(name(i), `${header}\n${good}\n${second}${kind === 4 ? '' : '\n'}`);
        if (kind !== 3) expected.push([i, 2, ['', 'token_amount_in', 'token_amount_in', '', ''][kind]!]);
      }
    }
    const rejectsPath = path(`${engine}-mixed.ndjson`);
    const { dex, summary } = await imported(storages[engine](`${engine}-mixed`), path(`${engine}-mixed`), {
      rejects: rejectsPath,
    });
    try {
      // 300 less the empty file, that of other columns and that without rows; h1 of file 1 is contradicted by the six of kind 3.
      assert.deepEqual(summary.counts, { added: 297, duplicate: 0, conflicting: 6 });
      assert.equal(summary.rows, 297 + 30);
      assert.equal(summary.files, 298);
      assert.deepEqual(
        summary.passed_files.map((passed) => passed.file),
        [path(name(35)), path(name(45))],
      );
      const placed = (rows: readonly { file: string; row: number; field: string }[]) =>
        rows.map((row) => `${row.file} ${row.row} ${row.field}`).toSorted();
      const wanted = expected.map(([i, row, field]) => ({ file: path(name(i)), row, field }));
      assert.equal(wanted.length, 24);
      assert.deepEqual(placed(summary.rejects), placed(wanted));
      const lines = readFileSync(rejectsPath, 'utf8').trim().split('\n');
      assert.deepEqual(placed(lines.map((line) => JSON.parse(line))), placed(wanted));
      assert.deepEqual(
        placed(summary.conflicts),
        placed([30, 80, 130, 180, 230, 280].map((i) => ({ file: path(name(i)), row: 2, field: 'tx_hash' }))),
      );
    } finally {
      await dex.close();
    }
  });

test('files that are read together give what each gives by itself', async () => {
  const files = [
    csv('alike/a.csv', swap('a', 0), swap('b', 1)),
    file('alike/b.csv.gz', gzipSync(`${header}\n"c",0,1700000002,W,S,T,"1","5"\n`)),
    file('alike/c.csv', `\ufeff${header}\n${swap('d', 3)}\n\n${swap('e', 4, 'x"y')}\n${swap('f', 5)}\n`),
    file('alike/d.csv', `${header}\n${swap('l', 5)}\n${swap('g', 6)}`),
    file('alike/e.csv', Buffer.from(`${header}\n${swap('h\xff', 7)}\n${swap('i', 8)}\n`, 'latin1')),
    csv('alike/f.csv', swap('j', 9, 'null'), swap('k', 10, 'Infinity')),
  ];
  const shown = async (options: ImportFilesOptions) => {
    const { dex, steps, summary } = await imported(memory(), files, options);
    const { data } = await dex.swaps.list({ limit: 100 });
    await dex.close();
    const { counts, rows, rejects, rejected } = summary;
    const said = steps.filter(({ kind }) => kind === 'file' || kind === 'end');
    return { counts, rows, rejects, rejected, said, data: data.map(({ tx_hash }) => tx_hash) };
  };
  // A transaction of one row holds no two files.
  const [together, apart] = [await shown({}), await shown({ batchRows: 1 })];
  assert.deepEqual(together, apart);
  assert.deepEqual(together.data, ['i', 'l', 'f', 'd', 'c', 'b', 'a']);
  assert.equal(together.rows, 12);
  assert.deepEqual(
    together.rejects.map(({ file: of, row }) => [files.indexOf(of), row]),
    [
      [2, 2],
      [3, 2],
      [4, 1],
      [5, 1],
      [5, 2],
    ],
  );
});

test('a quote that is never closed stops the import at its file, and the files before it are stored', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  const files = [
    csv('quote/a.csv', swap('a', 0)),
    csv('quote/b.csv', swap('b', 1)),
    csv('quote/c.csv', `"${swap('c', 2)}`),
    csv('quote/d.csv', swap('d', 3)),
  ];
  await assert.rejects(importFiles(dex, files), {
    code: 'invalid-input',
    message: /^c\.csv: a quote that opens in row 1/,
  });
  assert.equal((await dex.info()).swaps, 2);
  await dex.close();
});

test('folders that name a value each, files of presets, and one file given twice are read as they are by themselves', async () => {
  const short = header.replace(',block_time', '');
  const files = [
    file('parts/block_time=1700000000/a.csv', `${short}\na,0,W,S,T,1,5\n`),
    file('parts/block_time=1700000000/b.csv', `${short}\nb,0,W,S,T,1,5\n`),
    file('parts/block_time=1700000060/c.csv', `${short}\nc,0,W,S,T,1,5\n`),
  ];
  const { dex, summary } = await imported(memory(), [...files, files[2]!, files[2]!]);
  assert.deepEqual(summary.counts, { added: 3, duplicate: 2, conflicting: 0 });
  const { data } = await dex.swaps.list({ limit: 10 });
  assert.deepEqual(data.map(({ tx_hash, block_time }) => [tx_hash, block_time]).toSorted(), [
    ['a', 1_700_000_000],
    ['b', 1_700_000_000],
    ['c', 1_700_000_060],
  ]);
  await dex.close();
});

test('the first file with a time without a zone is named, of files that are read together', async () => {
  const at = (hash: string, time: string): string => `${hash},0,${time},W,S,T,1,5`;
  const files = [
    csv('zones/a.csv', at('a', '2024-01-05T00:00:00Z')),
    csv('zones/b.csv', 'too,short', at('b', '2024-01-05 00:01:00')),
    csv('zones/c.csv', at('c', '2024-01-05 00:02:00')),
  ];
  const { dex, steps } = await imported(memory(), files);
  assert.deepEqual(
    steps.filter(({ kind }) => kind === 'zoneless').map((step) => 'file' in step && step.file),
    [files[1]],
  );
  await dex.close();
});

test('transfers that stand once in each of two files are one, and those that stand twice in one file are two', async () => {
  const row = 'h1,1700000000,T,5,V,W';
  const head = 'tx_hash,block_time,token,token_amount,from,to';
  const once = ['moves/a.csv', 'moves/b.csv'].map((name) => file(name, `${head}\n${row}\n`));
  const first = await imported(memory(), once, { kind: 'transfers' });
  assert.deepEqual(first.summary.counts, { added: 1, duplicate: 1, conflicting: 0 });
  const twice = await imported(memory(), file('moves/c.csv', `${head}\n${row}\n${row}\n`), { kind: 'transfers' });
  assert.deepEqual(twice.summary.counts, { added: 2, duplicate: 0, conflicting: 0 });
  for (const { dex } of [first, twice]) await dex.close();
});

test('files of one header are one part: until another header, a greater file, 256 files or a whole transaction', async () => {
  const one = (name: string): string => csv(`join/${name}.csv`, swap(name, 0), swap(`${name}2`, 1));
  const many = Array.from({ length: 300 }, (_, i) => one(`n${i}`));
  const other = file('join/other.csv', `${header},pool\n${swap('o', 0)},P\n`);
  const great = csv('join/great.csv', ...Array.from({ length: 20_000 }, (_, i) => swap(`${i}`.padStart(60, 'g'), i)));
  const [a, b, c] = many as [string, string, string];
  const cases: readonly [readonly string[], number, number?][] = [
    [many, 256],
    [[a, b, other, c], 2],
    [[a, b, great, c], 2],
    [[a, b, path('join/missing.csv')], 2],
    [[a, b, c], 2, 5],
    [[a, b, c], 3, 6],
    [[a, other], 0],
    [[great, a, b], 0],
    [[a], 0],
  ];
  for (const [paths, count, batchRows] of cases) {
    const part = await joinSmall(paths, { batchRows }, rowKinds.swaps);
    assert.equal(part?.joined?.length ?? 0, count, `${paths.slice(0, 4)} ${batchRows}`);
    assert.equal(part?.rows ?? 0, 2 * count);
    await part?.drop();
  }
});
