import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { SwapfoldError } from '@swapfold/core';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { readSwapSql } from '../src/read-sql.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const path = await temporaryFolder(after);

function file(name: string, content: string | Uint8Array): string {
  writeFileSync(path(name), content);
  return path(name);
}

async function hashes(from: string): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const { batch } of readSwapFile(from)) all.push(...(batch.columns.tx_hash as unknown as unknown[]));
  return all;
}

const swap = {
  ...{ tx_hash: 'h1', swap_index: 0, block_time: 1704412823, wallet: 'W' },
  ...{ token_in: 'A', token_out: 'B', token_amount_in: 1, token_amount_out: 2 },
};
const csv = `${Object.keys(swap).join()}\n${Object.values(swap).join()}\n`;
const line = `${JSON.stringify(swap)}\n`;

const readable: readonly (readonly [what: string, name: string, content: string | Uint8Array])[] = [
  ['CSV that a browser has unpacked and still calls .gz', 'unpacked.csv.gz', csv],
  ['CSV named .zst', 'plain.csv.zst', csv],
  ['CSV named .json', 'rows.json', csv],
  ['CSV with tabs named .ndjson', 'tabs.ndjson', csv.replaceAll(',', '\t')],
  ['CSV named .parquet', 'rows.parquet', csv],
  ['CSV named .arrow', 'rows.arrow', csv],
  ['NDJSON named .csv', 'lines.csv', line],
  ['a JSON document named .csv, with a mark of UTF-8', 'document.csv', `\ufeff[\n${line}]`],
  ['JSON named .parquet', 'lines.parquet', line],
  ['gzip named .csv', 'packed.csv', gzipSync(csv)],
  ['packed NDJSON named .csv.gz', 'packed.csv.gz', gzipSync(line)],
];

for (const [what, name, content] of readable)
  test(`the content tells what a file is, not its name: ${what}`, async () => {
    assert.deepEqual(await hashes(file(name, content)), ['h1']);
  });

test('NDJSON that begins with a line of a log stays NDJSON', async () => {
  const from = file('log.ndjson', `started, at 10:00\n${line}`);
  const found: unknown[] = [];
  for await (const { batch, rejects } of readSwapFile(from)) found.push(batch.length, rejects.length);
  assert.deepEqual(found, [1, 1]);
});

const utf16 = (text: string, isBig: boolean): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return isBig ? bytes.swap16() : bytes;
};
const zip = (name: string): Buffer =>
  Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(26), Buffer.from(name)]);
const ole = Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]), Buffer.alloc(100)]);
const sqlite = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)]);

const refused: readonly (readonly [what: string, name: string, content: string | Uint8Array, message: RegExp])[] = [
  ['SQLite', 'store.csv', sqlite, /store\.csv is a SQLite database: write its table as CSV/],
  ['SQLite named .parquet', 'store.parquet', sqlite, /is a SQLite database/],
  ['SQLite that is packed', 'store.csv.gz', gzipSync(sqlite), /is a SQLite database/],
  [
    'DuckDB',
    'store.json',
    Buffer.concat([Buffer.alloc(8, 7), Buffer.from('DUCK'), Buffer.alloc(60)]),
    /is a DuckDB database/,
  ],
  ['xlsx', 'sheet.csv', zip('[Content_Types].xml'), /is an Excel file \(\.xlsx\): save the sheet as CSV/],
  ['xlsx of another program', 'other.csv', zip('xl/workbook.xml'), /is an Excel file \(\.xlsx\)/],
  ['xls', 'old.csv', ole, /is an Excel file \(\.xls\): save the sheet as CSV/],
  ['a zip of CSV', 'swaps.zip.csv', zip('swaps.csv'), /is a zip file: unpack it/],
  ['UTF-16 without a mark', 'le.csv', utf16(csv, false), /is UTF-16 text: save it as UTF-8/],
  ['UTF-16 of the other order', 'be.json', utf16(line, true), /is UTF-16 text: save it as UTF-8/],
  ['bytes of 0', 'zero.csv', `${csv.slice(0, 30)}\0`, /is no text: it has a byte of 0/],
  ['xz', 'swaps.csv.xz', Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0, 1]), /packed with xz/],
  ['HTML', 'page.csv', '<!doctype HTML>\n<html>', /is a page of HTML, maybe of a login/],
  [
    'rows beside columns',
    'table.json',
    '{"columns": ["a"], "rows": [[1], [2]]}',
    /rows as lists of values, in "rows".*as CSV.* jq -c '\.columns .*' table\.json > rows\.ndjson/,
  ],
  ['rows beside described columns', 'typed.json', '{"columns": [{"name": "a"}], "rows": [[1]]}', /in "rows"/],
  ['the split form of pandas', 'split.json', '{"columns": ["a"], "index": [0], "data": [[1]]}', /in "data"/],
];

for (const [what, name, content, message] of refused)
  test(`a file that is none of swaps is named for what it is: ${what}`, async () => {
    const from = file(name, content);
    const isNamed = (error: unknown): boolean => {
      assert.ok(error instanceof SwapfoldError && error.code === 'invalid-input', String(error));
      assert.match(error.message, message);
      return true;
    };
    await assert.rejects(hashes(from), isNamed);
    // A SELECT may read JSON of any shape.
    if (!name.endsWith('.json'))
      await assert.rejects(readSwapSql([from], { sql: 'select * from input' }).next(), isNamed);
  });
