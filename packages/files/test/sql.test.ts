import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import type { FileReject } from '../src/batches.ts';
import { readSqlParts, type SqlOptions } from '../src/read-sql.ts';

const path = await temporaryFolder(after);

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

/** The swaps of a SELECT without what is missing, and the rows that could not be read. */
async function read(files: readonly string[], options: SqlOptions) {
  const found: { swaps: Record<string, unknown>[]; rejects: FileReject[]; passed: [string, number][] } = {
    swaps: [],
    rejects: [],
    passed: [],
  };
  for await (const part of readSqlParts(files, options)) {
    for await (const batch of part.batches())
      for (const swap of columnsToObjects(batch))
        found.swaps.push(Object.fromEntries(Object.entries(swap).filter(([, value]) => value !== null)));
    found.rejects.push(...part.rejects);
    found.passed.push(...part.passed);
    await part.drop();
  }
  return found;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SwapfoldError && error.code === 'invalid-input', String(error));
  return error.message;
}

const select = `select hash as tx_hash, 0 as swap_index, strptime(datum, '%d.%m.%Y %H:%M:%S') as block_time, wer as wallet,
  'A' as token_in, 'B' as token_out, replace(gab, ',', '.') as token_amount_in, bekam as token_amount_out from input`;
const german = 'hash;datum;wer;gab;bekam\nh1;17.03.2024 08:54:52;W;1,5;2\nh2;17.03.2024 08:54:53;W;0,25;many\n';
const first = {
  tx_hash: 'h1',
  swap_index: 0,
  block_time: 1710665692,
  wallet: 'W',
  token_in: 'A',
  token_out: 'B',
  token_amount_in: 1.5,
  token_amount_out: 2,
};

test('decimal commas and days before months are read with a SELECT, and what it cannot cast is rejected', async () => {
  const found = await read([file('german.csv', german)], { sql: select });
  assert.deepEqual(found.swaps, [first]);
  assert.deepEqual(found.rejects, [{ row: 2, field: 'token_amount_out', reason: 'is not a number: "many"' }]);
});

test('files of several formats are one input by the names of their columns, joined with another file', async () => {
  const csv = file('a.csv', 'id,at,who\n1,1710665692,W\n');
  const packed = file('b.ndjson.gz', gzipSync('{"who":"V","id":"2","at":1710665693,"more":{"x":1}}\n'));
  const parquet = path('c.parquet');
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`copy (select '3' as id, 'U' as who, 1710665694 as "at") to '${parquet}' (format parquet)`);
  connection.closeSync();
  const prices = file('prices.csv', 'id,gave,got\n1,1.5,2\n2,3,4\n3,5,6\n');
  const sql = `select id as tx_hash, 0 as swap_index, "at"::varchar as block_time, who as wallet, getvariable('in') as token_in,
    'B' as token_out, gave as token_amount_in, got as token_amount_out, "more.x" as protocol
    from input join read_csv('${prices}', all_varchar = true) using (id) order by id`;
  const { swaps } = await read([csv, packed, parquet], { sql: sql.replace('"at"::varchar', '"at"'), set: { in: 'A' } });
  assert.deepEqual(
    swaps.map(({ tx_hash, wallet, token_in, token_amount_in, protocol }) => [
      tx_hash,
      wallet,
      token_in,
      token_amount_in,
      protocol,
    ]),
    [
      ['1', 'W', 'A', 1.5, undefined],
      ['2', 'V', 'A', 3, '1'],
      ['3', 'U', 'A', 5, undefined],
    ],
  );
});

test('a row that is left out says why: refused by the SELECT, or passed over', async () => {
  const sql =
    `${select.replace('0 as swap_index', "case when wer = 'X' then refused('is unknown') else '0' end as swap_index")}`.replace(
      ' from input',
      ", case when wer = 'Y' then 'a transfer' end as passed from input",
    );
  const rows = `${german.split('\n').slice(0, 2).join('\n')}\nh3;17.03.2024 08:54:52;X;1;2\nh4;17.03.2024 08:54:52;Y;1;2\n`;
  const found = await read([file('reasons.csv', rows)], { sql });
  assert.deepEqual(found.rejects, [{ row: 2, field: 'swap_index', reason: 'is unknown' }]);
  assert.deepEqual(found.passed, [['a transfer', 1]]);
  assert.deepEqual(found.swaps, [first]);
});

test('the longest list of a document holds the rows, if it is by far; records chooses', async () => {
  const row = { hash: 'h1', datum: '17.03.2024 08:54:52', wer: 'W', gab: '1,5', bekam: 2 };
  const twenty = Array.from({ length: 20 }, (_, i) => ({ ...row, hash: `h${i}` }));
  const far = file('far.json', JSON.stringify({ meta: [{ a: 1 }], data: { rows: twenty } }));
  assert.equal((await read([far], { sql: select })).swaps.length, 20);
  const near = file('near.json', JSON.stringify({ a: twenty, b: { c: twenty.slice(0, 5) } }));
  assert.match(
    await refusal(read([near], { sql: select })),
    /near\.json has several lists: .*a \(20\), b\.c \(5\).*Say which holds the rows with the option records a\./,
  );
  assert.equal((await read([near], { sql: select, records: 'b.c[]' })).swaps.length, 5);
  assert.match(await refusal(read([near], { sql: select, records: 'x' })), /near\.json has no list "x"\. It has: /);
});

const refused: readonly (readonly [title: string, sql: string, message: RegExp])[] = [
  ['two statements', `${select}; select 1`, /it must be one SELECT, not 2 statements/],
  ['COPY', `copy (select 1) to 'x.csv'`, /it must be a SELECT: it may read, and write nothing/],
  ['CREATE', 'create table t as select 1', /it must be a SELECT/],
  ['ATTACH', `attach 'x.db'`, /it must be a SELECT/],
  ['SET', `set memory_limit = '1GB'`, /it must be a SELECT/],
  ['INSTALL', 'install httpfs', /it must be a SELECT/],
  ['no SQL', 'selec 1', /syntax error/],
  ['a column that is not there', 'select nothing from input', /"nothing" not found/],
  [
    'a column of no field',
    select.replace('as wallet', 'as walet'),
    /its column "walet" is no field of a swap\. Did you mean "wallet"\?/,
  ],
  ['a field too few', select.replace("'A' as token_in,", ''), /it gives no "token_in", which every swap needs/],
  ['a parameter', select.replace("'A'", '?'), /it has a parameter/],
];
for (const [title, sql, message] of refused) {
  test(`sql with ${title} is refused, and nothing is written`, async () => {
    const input = file('input.csv', german);
    const before = readdirSync(path('.')).length;
    assert.match(await refusal(read([input], { sql })), message);
    assert.equal(readdirSync(path('.')).length, before);
  });
}

test('a damaged row of a CSV file is rejected, and the SELECT gets the others', async () => {
  const from = file('damaged.csv', `${german.split('\n').slice(0, 2).join('\n')}\nh9;too;few\n`);
  const found = await read([from], { sql: select });
  assert.deepEqual(found.swaps, [first]);
  assert.deepEqual(found.rejects, [{ row: 2, field: '', reason: 'has 3 columns where the header has 5', file: from }]);
});

test('a name that DuckDB has not found is told with the columns of the file, one with a dot in quotes', async () => {
  const from = file('nested.json', '[{"hash": "h1", "data": {"amount0": "5", "amount1": "7"}}]');
  const dotted = await refusal(
    read([from], { sql: 'select hash as tx_hash, data.amount1 as token_amount_out from input' }),
  );
  assert.match(
    dotted,
    /Referenced table "data" not found! .* written in quotes: "data\.amount0"\. The file has: "hash", "data\.amount0", "data\.amount1"\./,
  );
  const unknown = await refusal(read([from], { sql: 'select amount1 as token_amount_out from input' }));
  assert.match(
    unknown,
    /Referenced column "amount1" not found in FROM clause! The file has: "hash", "data\.amount0", /,
  );
  const other = await refusal(read([from], { sql: 'select log.amount1 as token_amount_out from input' }));
  assert.match(other, /Referenced table "log" not found!$/);
});

test('a file of another machine that cannot be fetched is refused with the words of DuckDB', async () => {
  const message = await refusal(read(['http://127.0.0.1:9/swaps.csv'], { sql: select }));
  assert.match(message, /^The option sql: /);
});
