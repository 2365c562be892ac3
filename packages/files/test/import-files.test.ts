import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { type ImportStep, importFiles, readSwapFile } from '../src/index.ts';

const path = await temporaryFolder(after);
const config = { address_format: 'any', quote_tokens: [{ address: 'S', symbol: 'SOL', kind: 'native' }] } as const;
const header = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';

const swap = (hash: string, time: number, amount: number | string = 1): string =>
  `${hash},0,${1_700_000_000 + time},W,S,T,${amount},5`;

function csv(name: string, ...rows: readonly string[]): string {
  writeFileSync(path(name), `${[header, ...rows].join('\n')}\n`);
  return path(name);
}

const open = () => Swapfold.open({ storage: memory(), config });

const all = async (importing: AsyncIterable<ImportStep>): Promise<ImportStep[]> => {
  const steps: ImportStep[] = [];
  for await (const step of importing) steps.push(step);
  return steps;
};

test('swaps of files are stored, and the summary says what became of their rows', async () => {
  const dex = await open();
  const files = [csv('one.csv', swap('a', 0), swap('b', 1)), csv('two.csv', swap('b', 1), swap('c', 2))];
  const { counts, rows, files: read, rejected } = await importFiles(dex, files);
  assert.deepEqual(
    { counts, rows, read, rejected },
    {
      counts: { added: 3, duplicate: 1, conflicting: 0 },
      rows: 4,
      read: 2,
      rejected: 0,
    },
  );
  assert.equal((await dex.info()).swaps, 3);
  await dex.close();
});

test('who iterates over an import gets its steps in order, file by file', async () => {
  const dex = await open();
  const file = csv('steps.csv', swap('a', 0), swap('b', 1), swap('c', 2));
  const importing = importFiles(dex, file, { batchRows: 2 });
  const steps = await all(importing);
  assert.deepEqual(
    steps.map((step) => [step.kind, 'rows' in step ? step.rows : 0]),
    [
      ['file', 0],
      ['rows', 2],
      ['rows', 3],
      ['end', 3],
    ],
  );
  assert.deepEqual((await importing).counts, { added: 3, duplicate: 0, conflicting: 0 });
  assert.deepEqual(await all(importing), [], 'an import that has ended has no steps left');
  await dex.close();
});

test('a row that cannot be read and one that the store refuses name their file and row, also in the file of rejects', async () => {
  const dex = await open();
  const first = csv('sound.csv', swap('a', 0));
  const second = csv('faults.csv', swap('b', 1), 'too,short', swap('c', 2, -1), swap('d', 3, 'many'));
  const { rejects, rejected } = await importFiles(dex, [first, second], { rejects: path('left-out.ndjson') });
  const places = rejects.map(({ file, row, field }) => ({ file, row, field }));
  assert.deepEqual(places, [
    { file: second, row: 2, field: '' },
    { file: second, row: 3, field: 'token_amount_in' },
    { file: second, row: 4, field: 'token_amount_in' },
  ]);
  assert.equal(rejected, 3);
  const lines = readFileSync(path('left-out.ndjson'), 'utf8').trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)).map(({ file, row, field }) => ({ file, row, field })),
    places,
  );
  await dex.close();
});

for (const [engine, storage] of [
  ['SQLite', () => sqlite(path('conflict.db'))],
  ['DuckDB', () => duckdb(path('conflict.duckdb'))],
] as const)
  test(`a swap that contradicts one of another file names its file and row (${engine})`, async () => {
    const dex = await Swapfold.open({ storage: storage(), config });
    const files = [csv('first.csv', swap('a', 0), swap('b', 1)), csv('later.csv', swap('c', 2), swap('b', 1, 9))];
    const { counts, conflicts } = await importFiles(dex, files);
    assert.deepEqual(counts, { added: 3, duplicate: 0, conflicting: 1 });
    assert.deepEqual(
      conflicts.map(({ file, row, field }) => ({ file, row, field })),
      [{ file: files[1], row: 2, field: 'tx_hash' }],
    );
    await dex.close();
  });

test('a batch that was read of a file says where its rows are from, so that an ingest names them', async () => {
  const dex = await open();
  const file = csv('batch.csv', swap('a', 0), 'too,short', swap('b', 1, -1));
  for await (const { batch } of readSwapFile(file)) {
    const { rejects } = await dex.ingest(batch);
    assert.deepEqual(
      rejects.map(({ row, from }) => ({ row, from })),
      [{ row: 1, from: { file, row: 3 } }],
    );
  }
  await dex.close();
});

test('a signal ends an import after the batch at hand, of which the summary and the store agree', async () => {
  const dex = await open();
  const file = csv('long.csv', ...Array.from({ length: 50 }, (_, i) => swap(`h${i}`, i)));
  const stop = new AbortController();
  const importing = importFiles(dex, file, { batchRows: 10, signal: stop.signal });
  await assert.rejects(
    async () => {
      for await (const step of importing) if (step.kind === 'rows') stop.abort();
    },
    { code: 'aborted' },
  );
  const { rows, counts } = importing.summary;
  assert.ok(rows >= 10 && rows < 50, `${rows} rows`);
  assert.equal(counts.added, rows);
  assert.equal((await dex.info()).swaps, rows);
  await dex.close();
});

const engines = [
  ['SQLite', (name: string) => sqlite(path(`${name}.db`))],
  ['DuckDB', (name: string) => duckdb(path(`${name}.duckdb`))],
] as const;

for (const [engine, storage] of engines) {
  test(`leaving the loop stops an import: what its summary counts is stored, nothing else, and it can be run again (${engine})`, async () => {
    const dex = await Swapfold.open({ storage: storage('left'), config });
    const files = Array.from({ length: 5 }, (_, file) =>
      csv(`left-${file}.csv`, ...Array.from({ length: 10 }, (_, i) => swap(`h${file}-${i}`, file * 3600 + i))),
    );
    const importing = importFiles(dex, files, { batchRows: 10 });
    for await (const step of importing) if (step.kind === 'rows') break;
    const { counts, rows } = importing.summary;
    const stored = (await dex.info()).swaps;
    assert.ok(rows >= 10 && rows < 50, `${rows} rows`);
    assert.equal(stored, rows);
    assert.deepEqual(counts, { added: rows, duplicate: 0, conflicting: 0 });
    await assert.rejects(importing, { code: 'aborted' });
    assert.equal((await dex.info()).swaps, stored, 'nothing is stored after the loop');
    await importFiles(dex, files);
    assert.equal((await dex.info()).swaps, 50);
    assert.deepEqual((await dex.verify()).differences, []);
    await dex.close();
  });

  test(`a loop learns of a failure also if nobody awaits the import, and once it has failed (${engine})`, async () => {
    const dex = await Swapfold.open({ storage: storage('failed'), config });
    writeFileSync(path('other.csv'), 'a,b\n1,2\n');
    const importing = importFiles(dex, [csv('sound-one.csv', swap('a', 0)), path('other.csv')]);
    const wrong = { code: 'invalid-input', message: /^other\.csv has no columns .*the option map COLUMN=FIELD/ };
    await assert.rejects(all(importing), wrong);
    await assert.rejects(all(importing), wrong, 'a second loop, after the end');
    assert.equal((await dex.info()).swaps, 1);
    await dex.close();
  });
}

test('an error of the loop is the one that is thrown, and the import is stopped all the same', async () => {
  const dex = await open();
  const file = csv('thrown.csv', ...Array.from({ length: 50 }, (_, i) => swap(`h${i}`, i)));
  const importing = importFiles(dex, file, { batchRows: 10 });
  await assert.rejects(async () => {
    for await (const step of importing) if (step.kind === 'rows') throw new Error('of the loop');
  }, /^Error: of the loop$/);
  assert.ok(importing.summary.rows < 50);
  assert.equal((await dex.info()).swaps, importing.summary.rows);
  await dex.close();
});

test('a fault of the options is said in the names of the library', async () => {
  const dex = await open();
  const file = csv('options.csv', swap('a', 0));
  for (const [options, message] of [
    [{ sql: 'select * from input', map: { a: 'wallet' } }, /^The option sql says .* without the option map\.$/],
    [{ sql: 'select * from input', presets: ['dune-evm'] }, /without the option presets\.$/],
    [{ rejects: file }, /^The option rejects .*options\.csv would overwrite a file that the import uses\.$/],
    [{ rejects: path('no/such/folder/x') }, /^Cannot write the file of the option rejects .*x: ENOENT/],
    [{ set: { day: '1' } }, /^The option set day: no SELECT reads/],
  ] as const)
    await assert.rejects(importFiles(dex, file, options), { code: 'invalid-input', message });
  await dex.close();
});

test('a file that cannot be read on fails the import, and what came before it is stored', async () => {
  const dex = await open();
  writeFileSync(path('foreign.csv'), 'a,b\n1,2\n');
  const importing = importFiles(dex, [csv('before.csv', swap('a', 0)), path('foreign.csv')]);
  const steps: ImportStep[] = [];
  await assert.rejects(
    async () => {
      for await (const step of importing) steps.push(step);
    },
    { code: 'invalid-input', message: /^foreign\.csv has no columns/ },
  );
  assert.deepEqual(
    steps.find(({ kind }) => kind === 'stopped'),
    { kind: 'stopped', file: path('foreign.csv') },
  );
  assert.equal(importing.summary.counts.added, 1);
  await dex.close();
});

test('a store is made once there is something to store, and without one the import says what would be', async () => {
  const refused = csv('refused.csv', swap('a', 0, -1));
  let opened = 0;
  const to = {
    config: parseConfig(config),
    open: async () => {
      opened++;
      return Swapfold.open({ storage: sqlite(path('made.db')), config });
    },
  };
  assert.equal((await importFiles(to, refused)).rejected, 1);
  assert.deepEqual([opened, existsSync(path('made.db'))], [0, false]);
  await importFiles(to, [refused, csv('taken.csv', swap('b', 1))]);
  assert.equal(opened, 1);

  const importing = importFiles({ config: to.config }, csv('tried.csv', swap('c', 2), swap('d', 3, -1)));
  const end = (await all(importing)).find(({ kind }) => kind === 'end');
  assert.equal(importing.summary.counts.added, 1);
  assert.deepEqual(end?.kind === 'end' && end.first?.map((one) => (one as { tx_hash: string }).tx_hash), ['c']);
});

test('reference prices and what is known of tokens come the same way', async () => {
  const dex = await open();
  writeFileSync(path('prices.csv'), 'time,usd_price\n1700000000,100\nnever,1\n1700000060,101\n');
  const prices = await importFiles(dex, path('prices.csv'), { kind: 'prices', token: 'SOL' });
  assert.deepEqual(prices.counts, { stored: 2, removed: 0, unchanged: 0, repeated: 0 });
  assert.deepEqual(
    prices.rejects.map(({ file, row, field }) => ({ file, row, field })),
    [{ file: path('prices.csv'), row: 2, field: 'time' }],
  );
  writeFileSync(path('tokens.csv'), 'address,symbol\nT,TEST\n');
  const tokens = await importFiles(dex, path('tokens.csv'), { kind: 'tokens' });
  assert.deepEqual(tokens.counts, { upserted: 1 });
  await dex.close();
});

test('a followed file is stored as it grows, until the signal aborts', async () => {
  const dex = await open();
  const file = csv('growing.csv', swap('a', 0));
  const stop = new AbortController();
  const importing = importFiles(dex, file, { follow: true, signal: stop.signal });
  const seen: number[] = [];
  await assert.rejects(
    async () => {
      for await (const step of importing) {
        if (step.kind !== 'rows') continue;
        seen.push(step.rows);
        if (step.rows === 1) appendFileSync(file, `${swap('b', 1)}\ntoo,short\n${swap('c', 2)}\n`);
        if (importing.summary.counts.added === 3) stop.abort();
      }
    },
    { code: 'aborted' },
  );
  const { counts, rejects } = importing.summary;
  assert.deepEqual(counts, { added: 3, duplicate: 0, conflicting: 0 });
  assert.equal(rejects[0]?.file, file);
  assert.ok(seen.length >= 2);
  await dex.close();
});

test('a followed file of transfers is stored as it grows, and goes on where it was, beside its swaps', async () => {
  const dex = await open();
  const file = path('moving.csv');
  const row = (hash: string, amount: number): string => `${hash},1700000000,T,${amount},V,W\n`;
  writeFileSync(file, `tx_hash,block_time,token,token_amount,from,to\n${row('h1', 5)}`);
  const follow = async (until: number): Promise<{ counts: object; rejects: readonly { file?: string }[] }> => {
    const stop = new AbortController();
    const importing = importFiles(dex, file, { kind: 'transfers', follow: true, signal: stop.signal });
    await assert.rejects(
      async () => {
        for await (const step of importing) {
          if (step.kind !== 'rows') continue;
          if (until > 1 && step.rows === 1) appendFileSync(file, row('h2', -1) + row('h3', 7));
          if (importing.summary.rows >= until) stop.abort();
        }
      },
      { code: 'aborted' },
    );
    return importing.summary;
  };
  const { counts, rejects } = await follow(3);
  assert.deepEqual(counts, { added: 2, duplicate: 0, conflicting: 0 });
  assert.deepEqual(
    rejects.map((reject) => reject.file),
    [file],
  );
  appendFileSync(file, row('h4', 9));
  assert.deepEqual((await follow(1)).counts, { added: 1, duplicate: 0, conflicting: 0 });
  const { data } = await dex.transfers.list({ wallet: 'W' });
  assert.deepEqual(data.map(({ token_amount }) => token_amount).sort(), [5, 7, 9]);
  await dex.close();
});

test('transfers of files are stored, or looked at without a store, and the summary says what became of their rows', async () => {
  const rows = ['h1,1700000000,T,5,V,W', 'h1,1700000000,T,0,V,W', 'h2,1700000001,T,-5,V,W'];
  const files = ['moved.csv', 'again.csv'].map((name) => {
    writeFileSync(path(name), `${['tx_hash,block_time,token,token_amount,from,to', ...rows].join('\n')}\n`);
    return path(name);
  });
  const dex = await open();
  const found = await importFiles(dex, files, { kind: 'transfers' });
  assert.deepEqual(
    [found.kind, found.rows, found.counts, found.passed, found.rejected],
    ['transfers', 6, { added: 1, duplicate: 1, conflicting: 0 }, 2, 2],
  );
  assert.deepEqual(
    found.rejects.map(({ file, row, field }) => [file, row, field]),
    files.map((file) => [file, 3, 'token_amount']),
  );
  const { data } = await dex.transfers.list({ wallet: 'W' });
  assert.deepEqual([data.length, data[0]!.token_amount, data[0]!.from], [1, 5, 'V']);
  await dex.close();
  const steps = await all(importFiles({ config: parseConfig(config) }, files[0]!, { kind: 'transfers' }));
  const end = steps.find((step) => step.kind === 'end');
  assert.deepEqual(end?.kind === 'end' && end.first?.map((row) => (row as { to: string }).to), ['W']);
  await assert.rejects(importFiles({ config: parseConfig(config) }, files[0]!, { kind: 'transfers', follow: true }), {
    code: 'invalid-input',
    message: /Only files of swaps and of transfers can be followed, by their paths, into a store/,
  });
});

test('a last line of CSV without its end is rejected and not stored, and the whole file adds it with all digits', async () => {
  const dex = await open();
  const whole = csv('grows.csv', swap('a', 0), swap('b', 1, 123456));
  const text = readFileSync(whole, 'utf8');
  const cut = path('cut.csv');
  writeFileSync(cut, text.slice(0, text.indexOf('123456') + 3));
  const first = await importFiles(dex, [cut]);
  assert.deepEqual(first.counts, { added: 1, duplicate: 0, conflicting: 0 });
  assert.equal(first.rejected, 1);
  assert.deepEqual([first.rejects[0]!.row, /its line has no end/.test(first.rejects[0]!.reason)], [2, true]);
  assert.deepEqual((await importFiles(dex, [whole])).counts, { added: 1, duplicate: 1, conflicting: 0 });
  const { data } = await dex.swaps.list({ limit: 10 });
  assert.equal(data.find(({ tx_hash }) => tx_hash === 'b')!.token_amount_in, 123456);
});
