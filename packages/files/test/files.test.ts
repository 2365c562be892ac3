import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, SwapfoldError, type SwapInput } from '@swapfold/core';
import { generateMarket, writeSwapsCsv, writeSwapsNdjson } from '@swapfold/testing';
import { parse } from 'csv-parse/sync';
import type { FileReject } from '../src/batches.ts';
import { CsvScanner } from '../src/csv-scanner.ts';
import type { SwapFileOptions } from '../src/options.ts';
import { type RecordOptions, readRecords } from '../src/read-records.ts';
import { numberOf, readSwapFile } from '../src/read-swap-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-files-'));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
/** A new file of this content; the name ends in `suffix`. */
function file(suffix: string, content: string | Uint8Array): string {
  const path = join(folder, `${made++}${suffix}`);
  writeFileSync(path, content);
  return path;
}

/** A Parquet file of a DuckDB query. */
async function parquet(query: string, options = ''): Promise<string> {
  const path = join(folder, `${made++}.parquet`);
  const connection = await (await DuckDBInstance.create()).connect();
  await connection.run(`COPY (${query}) TO '${path}' (FORMAT parquet${options})`);
  connection.closeSync();
  return path;
}

interface Read {
  swaps: SwapInput[];
  numbers: number[];
  rejects: FileReject[];
  batches: number;
}

async function read(path: string, options: SwapFileOptions = {}): Promise<Read> {
  const all: Read = { swaps: [], numbers: [], rejects: [], batches: 0 };
  for await (const { batch, rejects } of readSwapFile(path, options)) {
    assert.ok(batch.length === 0 || batch.file === path);
    for (const swap of columnsToObjects(batch)) all.swaps.push(normal(swap));
    for (let row = 0; row < batch.length; row++) all.numbers.push(numberOf(batch, row));
    all.rejects.push(...rejects);
    all.batches++;
  }
  return all;
}

/** Without missing values, in one order: an absent column and a missing value are the same. */
function normal(swap: SwapInput): SwapInput {
  const entries = Object.entries(swap).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as unknown as SwapInput;
}

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => assert.fail('it was read'),
    (error: unknown) => error,
  );
  assert.ok(error instanceof SwapfoldError, String(error));
  assert.equal(error.code, 'invalid-input');
  return error.message;
}

const header = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
const good = 'h1,0,1704412823,W,A,B,1.5,2';
const swap = {
  tx_hash: 'h1',
  swap_index: 0,
  block_time: 1704412823,
  wallet: 'W',
  token_in: 'A',
  token_out: 'B',
  token_amount_in: 1.5,
  token_amount_out: 2,
} as const;

test('CSV, NDJSON, both packed, and Parquet of one market give the swaps that were written, in batches of the size asked for', async () => {
  const market = generateMarket({ seed: 11, swaps: 5000 });
  const expected = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)].map(normal));
  const csv = join(folder, 'market.csv');
  const ndjson = join(folder, 'market.ndjson');
  writeSwapsCsv(market.swaps(), csv);
  writeSwapsNdjson(market.swaps(), ndjson);
  const query = `SELECT * FROM read_csv('${csv}', sample_size = -1)`;
  const paths = [
    csv,
    ndjson,
    file('.csv.gz', gzipSync(readFileSync(csv))),
    file('.ndjson.gz', gzipSync(readFileSync(ndjson))),
    await parquet(query),
    await parquet(query, ', ROW_GROUP_SIZE 2048'),
    await parquet(query, ', COMPRESSION zstd, PARQUET_VERSION v2'),
    await parquet(query, ', COMPRESSION gzip'),
    await parquet(query, ', COMPRESSION uncompressed'),
  ];
  for (const path of paths) {
    const found = await read(path, { batchRows: 700 });
    assert.deepEqual(found.rejects, [], path);
    assert.deepEqual(found.swaps, expected, path);
    assert.deepEqual(
      found.numbers,
      expected.map((_, i) => i + 1),
      path,
    );
    assert.equal(found.batches, 8, path);
  }
});

test('texts with commas, quotes, line ends and other scripts come through every format unchanged', async () => {
  const symbols = [
    'a,b',
    'say "hi"',
    'two\nlines',
    'windows\r\nline',
    '猫🚀é',
    '""',
    ' spaced ',
    "o'clock",
    '\\n',
    '{"a":1}',
  ];
  const rows = symbols.map((symbol, i) => ({ ...swap, tx_hash: `h${i}`, token_symbol_in: symbol }));
  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
  const csv = file(
    '.csv',
    [
      `${header},token_symbol_in`,
      ...rows.map((row) =>
        Object.values(row)
          .map((v) => quoted(String(v)))
          .join(','),
      ),
    ].join('\n'),
  );
  const ndjson = file('.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  const expected = rows.map(normal);
  for (const path of [
    csv,
    ndjson,
    await parquet(`SELECT * FROM read_json('${ndjson}', format = 'newline_delimited')`),
  ]) {
    const found = await read(path);
    assert.deepEqual(found.rejects, []);
    assert.deepEqual(found.swaps, expected, path);
  }
});

const headers: readonly (readonly [title: string, content: string | Uint8Array, suffix?: string])[] = [
  ['a byte order mark before the header is skipped', `\ufeff${header}\n${good}\n`],
  ['lines may end in CR LF', `${header}\r\n${good}\r\n`],
  ['the last line needs no end', `${header}\n${good}`],
  ['empty lines are no rows', `\n${header}\n\n${good}\n\n\n`],
  ['columns of no field are ignored', `${header},colour\n${good},red\n`],
  ['header names may have spaces around them', `${header.replaceAll(',', ' , ')}\n${good}\n`],
  ['numbers may have spaces around them', `${header}\n${good.replace('1.5', ' 1.5 ')}\n`],
  ['header and values may be quoted', `${header.replaceAll(/\w+/g, '"$&"')}\n${good.replaceAll(/[\w.]+/g, '"$&"')}\n`],
  ['tabs separate where the header has tabs', `${header}\n${good}\n`.replaceAll(',', '\t'), '.tsv'],
  ['semicolons separate where the header has semicolons', `${header}\n${good}\n`.replaceAll(',', ';')],
  ['a file without an extension is told by its content: CSV', `${header}\n${good}\n`, ''],
  ['a file without an extension is told by its content: NDJSON', JSON.stringify(swap), ''],
  ['a file without an extension is told by its content: packed CSV', gzipSync(`${header}\n${good}\n`), ''],
  ['a file of another extension is told by its content: packed NDJSON', gzipSync(JSON.stringify(swap)), '.data'],
  ['a packed file is read as packed where its name does not say so', gzipSync(`${header}\n${good}\n`), '.csv'],
  [
    'a gzip file of several members is read to its end',
    Buffer.concat([gzipSync(`${header}\n`), gzipSync(`${good}\n`)]),
    '.csv.gz',
  ],
  [
    'CSV has missing values as Dune and databases write them: nothing, <nil>, \\N, and null of a number',
    `${header},usd_amount_in,usd_amount_out,block_slot,token_symbol_in,token_symbol_out,protocol\n${good},<nil>,null,NULL,<nil>,\\N,\n`,
  ],
  ['NDJSON lines may end in CR LF, and blank lines are no rows', `\n${JSON.stringify(swap)}\r\n  \n`, '.ndjson'],
  ['NDJSON may begin with a byte order mark', `\ufeff${JSON.stringify(swap)}`, '.jsonl'],
  ['NDJSON numbers may be texts', JSON.stringify({ ...swap, token_amount_in: '1.5', swap_index: '0' }), '.ndjson'],
  [
    'NDJSON null, empty text and absent keys are missing values',
    JSON.stringify({ ...swap, protocol: null, token_symbol_in: '' }),
    '.ndjson',
  ],
];
for (const [title, content, suffix = '.csv'] of headers) {
  test(title, async () => {
    const found = await read(file(suffix, content));
    assert.deepEqual(found, { swaps: [normal(swap)], numbers: [1], rejects: [], batches: 1 });
  });
}

test('a Parquet file without an extension is told by its content', async () => {
  const path = await parquet(
    `SELECT 'h1' tx_hash, 0 swap_index, 1704412823 block_time, 'W' wallet, 'A' token_in, 'B' token_out, 1.5 token_amount_in, 2 token_amount_out`,
  );
  assert.deepEqual((await read(file('', readFileSync(path)))).swaps, [normal(swap)]);
});

const times: readonly (readonly [text: string, seconds: number])[] = [
  ['1704412823', 1704412823],
  ['1704412823.9', 1704412823.9],
  ['1704412823000', 1704412823],
  ['1704412823999', 1704412823.999],
  ['99999999999', 99999999999],
  ['100000000000', 100000000],
  ['2024-01-05T00:00:23Z', 1704412823],
  ['2024-01-05T01:00:23+01:00', 1704412823],
  ['2024-01-05 00:00:23.750Z', 1704412823.75],
  ['0', 0],
  ['1704412823999999', 1704412823.999999],
  ['2024-01-05 00:00:23', 1704412823],
  ['2024-01-05T00:00:23', 1704412823],
  ['2024-01-05 00:00:23.999', 1704412823.999],
  ['2024-01-05 00:00:23.000 UTC', 1704412823],
  ['2024-01-05 00:00:23 UTC', 1704412823],
  ['2024-01-05 00:00:23+00:00', 1704412823],
  ['2024-01-05 00:00:23+00', 1704412823],
  ['2024-01-04 18:30:23.5-0530', 1704412823.5],
];
for (const [text, seconds] of times) {
  test(`block_time ${text} is ${seconds} seconds in CSV and NDJSON`, async () => {
    assert.equal(
      (await read(file('.csv', `${header}\n${good.replace('1704412823', text)}`))).swaps[0]!.block_time,
      seconds,
    );
    for (const value of [text, Number(text)].filter((value) => !Number.isNaN(value))) {
      assert.equal(
        (await read(file('.ndjson', JSON.stringify({ ...swap, block_time: value })))).swaps[0]!.block_time,
        seconds,
      );
    }
  });
}

for (const type of ['BIGINT', 'INTEGER', 'DOUBLE', 'UBIGINT', 'DECIMAL(18, 3)']) {
  test(`a Parquet block_time of type ${type} is read as seconds`, async () => {
    const path = await parquet(
      `SELECT 'h1' tx_hash, 0 swap_index, 1704412823::${type} block_time, 'W' wallet, 'A' token_in, 'B' token_out, 1.5 token_amount_in, 2 token_amount_out`,
    );
    assert.deepEqual((await read(path)).swaps, [normal(swap)]);
  });
}

for (const type of ['TIMESTAMP', 'TIMESTAMPTZ', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS']) {
  test(`a Parquet block_time of type ${type} is read as its instant`, async () => {
    const zone = type === 'TIMESTAMPTZ' ? '+00' : '';
    const path = await parquet(
      `SELECT 'h1' tx_hash, 0 swap_index, '2024-01-05 00:00:23${zone}'::${type} block_time, 'W' wallet, 'A' token_in, 'B' token_out, 1.5 token_amount_in, 2 token_amount_out`,
    );
    assert.deepEqual((await read(path)).swaps, [normal(swap)]);
  });
}

test('a mapped column is read under our name, in every format, and hides a column of that name', async () => {
  const csv = file('.csv', `${header.replace('block_time', 'when')},block_time\n${good},7`);
  const { block_time, ...rest } = swap;
  const ndjson = file('.ndjson', JSON.stringify({ ...rest, when: block_time, block_time: 7 }));
  const pq = await parquet(`SELECT * FROM read_json('${ndjson}')`);
  for (const path of [csv, ndjson, pq])
    assert.deepEqual((await read(path, { map: { when: 'block_time' } })).swaps, [normal(swap)], path);
});

const mapFaults: readonly (readonly [title: string, map: Record<string, string>, message: RegExp])[] = [
  [
    'an unknown field is refused with the nearest name',
    { wallet: 'walet' },
    /Unknown field "walet" in the option map wallet=walet\. Did you mean "wallet"\?/,
  ],
  [
    'a missing column is refused with the columns found',
    { owner: 'wallet' },
    /has no column "owner", which the option map owner=wallet names\. It has: "tx_hash", "swap_index"/,
  ],
  [
    'a field that is named twice is refused',
    { wallet: 'wallet', token_in: 'wallet' },
    /names the field "wallet" twice: for "wallet" and for "token_in"/,
  ],
];
for (const [title, map, message] of mapFaults) {
  test(`in a map, ${title}, whatever the format`, async () => {
    const ndjson = file('.ndjson', JSON.stringify(swap));
    for (const path of [
      file('.csv', `${header}\n${good}`),
      ndjson,
      await parquet(`SELECT * FROM read_json('${ndjson}')`),
    ]) {
      assert.match(await refusal(read(path, { map })), message);
    }
  });
}

test('a missing needed column is refused with its name, the columns found and a mapping that would do, whatever the format', async () => {
  const { block_time, ...rest } = swap;
  const ndjson = file('.ndjson', JSON.stringify({ ...rest, blocktime: block_time }));
  for (const path of [
    file('.csv', `${header.replace('block_time', 'blocktime')}\n${good}`),
    ndjson,
    await parquet(`SELECT * FROM read_json('${ndjson}')`),
  ]) {
    const message = await refusal(read(path));
    assert.match(
      message,
      /has no column "block_time"\. It has: .*"blocktime".*with the option map COLUMN=block_time\. Did you mean "blocktime"\?/,
    );
  }
});

test('a missing tx_hash is refused with a hint at rowIds', async () => {
  assert.match(
    await refusal(read(file('.csv', `${header.slice(8)}\n${good.slice(3)}`))),
    /no column "tx_hash".*the option rowIds/,
  );
});

test('a needed column that stands twice is refused', async () => {
  assert.match(await refusal(read(file('.csv', `${header},wallet\n${good},V`))), /has the column "wallet" twice/);
});

test('a time in nanoseconds reaches whoever refuses it as it stands', async () => {
  const batches = [];
  for await (const { batch } of readSwapFile(
    file('.csv', `${header}\n${good.replace('1704412823', '1704412823000000000')}`),
  ))
    batches.push([...(batch.columns.block_time as Float64Array)]);
  assert.deepEqual(batches, [[1704412823000000000]]);
});

const csvRejects: readonly (readonly [title: string, row: string, field: string, reason: RegExp])[] = [
  ['with a column too few', 'h1,0,1704412823,W,A,B,1.5', '', /has 7 columns where the header has 8/],
  ['with a column too many', `${good},9`, '', /has 9 columns where the header has 8/],
  ['with a thousands separator', good.replace('1.5', '"1,000"'), 'token_amount_in', /is not a number: "1,000"/],
  ['with NaN', good.replace('1.5', 'NaN'), 'token_amount_in', /is not a number: "NaN"/],
  ['with inf', good.replace('1.5', 'inf'), 'token_amount_in', /is not a number: "inf"/],
  ['with Infinity', good.replace('1.5', '-Infinity'), 'token_amount_in', /is not a number/],
  ['with a hexadecimal number', good.replace('1.5', '0x10'), 'token_amount_in', /is not a number: "0x10"/],
  ['with a number and a unit', good.replace('1.5', '1.5 SOL'), 'token_amount_in', /is not a number: "1\.5 SOL"/],
  [
    'with a number beyond doubles',
    good.replace('1.5', '1e999'),
    'token_amount_in',
    /is out of the range of numbers: "1e999"/,
  ],
  ['with two points in a number', good.replace('1.5', '1.5.5'), 'token_amount_in', /is not a number/],
  ['with a lone sign', good.replace('1.5', '-'), 'token_amount_in', /is not a number: "-"/],
  ['with a word as swap_index', good.replace(',0,', ',first,'), 'swap_index', /is not a number: "first"/],
  ['with a day that does not exist', good.replace('1704412823', '2023-02-30T00:00:00Z'), 'block_time', /RFC 3339/],
  ['without a transaction hash', good.replace('h1', ''), 'tx_hash', /is missing/],
  [
    'with a quote inside unquoted text',
    good.replace('W', 'W"x"'),
    '',
    /has a quote inside the unquoted text of field 4/,
  ],
  ['with text after a closing quote', good.replace('W', '"W"x'), '', /has text after the closing quote of field 4/],
];
for (const [title, row, field, reason] of csvRejects) {
  test(`a CSV row ${title} is rejected, and the rows around it are read`, async () => {
    const found = await read(file('.csv', [header, good, row, good].join('\n')));
    assert.deepEqual(found.numbers, [1, 3]);
    assert.equal(found.rejects.length, 1);
    assert.deepEqual([found.rejects[0]!.row, found.rejects[0]!.field], [2, field]);
    assert.match(found.rejects[0]!.reason, reason);
    assert.deepEqual(found.swaps, [normal(swap), normal(swap)]);
  });
}

test('a CSV row that is not UTF-8 is rejected', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${header}\n${good}\n`),
    Buffer.from(good.replace('W', '\u00e9'), 'latin1'),
  ]);
  assert.deepEqual((await read(file('.csv', bytes))).rejects, [{ row: 2, field: '', reason: 'is not UTF-8' }]);
});

test('an empty number or text is missing, not 0, and no reject of the reader', async () => {
  const found = await read(file('.csv', `${header}\nh1,0,1704412823,,A,B,,2`));
  const { wallet: _, token_amount_in: __, ...rest } = swap;
  assert.deepEqual(found.swaps, [normal(rest as SwapInput)]);
});

const jsonRejects: readonly (readonly [title: string, line: string, field: string, reason: RegExp])[] = [
  ['that is cut off', '{"tx_hash": "h1", "swap_', '', /is not JSON/],
  ['that is an array', '[1, 2]', '', /must be a JSON object, not \[1,2\]/],
  ['that is a number', '17', '', /must be a JSON object, not 17/],
  [
    'with a word as amount',
    JSON.stringify({ ...swap, token_amount_in: 'many' }),
    'token_amount_in',
    /is not a number: "many"/,
  ],
  [
    'with a boolean as amount',
    JSON.stringify({ ...swap, token_amount_in: true }),
    'token_amount_in',
    /must be a number, not true/,
  ],
  ['with a number as wallet', JSON.stringify({ ...swap, wallet: 5 }), 'wallet', /must be a text, not 5/],
  ['with an object as time', JSON.stringify({ ...swap, block_time: {} }), 'block_time', /must be a number, not \{\}/],
  ['with a number beyond doubles', JSON.stringify(swap).replace('1.5', '1e999'), 'token_amount_in', /out of the range/],
  ['without a transaction hash', JSON.stringify({ ...swap, tx_hash: null }), 'tx_hash', /is missing/],
];
for (const [title, line, field, reason] of jsonRejects) {
  test(`an NDJSON line ${title} is rejected, and the lines around it are read`, async () => {
    const found = await read(file('.ndjson', [JSON.stringify(swap), line, '', JSON.stringify(swap)].join('\n')));
    assert.deepEqual(found.numbers, [1, 3]);
    assert.deepEqual([found.rejects.length, found.rejects[0]!.row, found.rejects[0]!.field], [1, 2, field]);
    assert.match(found.rejects[0]!.reason, reason);
  });
}

test('Parquet values that are no finite numbers are rejected with row and field', async () => {
  const path = await parquet(
    `SELECT 'h' || i tx_hash, 0 swap_index, 1704412823 block_time, 'W' wallet, 'A' token_in, 'B' token_out, 2 token_amount_out,
     CASE i WHEN 1 THEN 'NaN'::DOUBLE WHEN 2 THEN 'Infinity'::DOUBLE WHEN 3 THEN NULL ELSE 1.5 END token_amount_in FROM range(5) t(i)`,
  );
  const found = await read(path);
  assert.deepEqual(found.numbers, [1, 4, 5]);
  assert.equal(found.swaps[1]!.token_amount_in, undefined);
  assert.deepEqual(
    found.rejects.map(({ row, field }) => [row, field]),
    [
      [2, 'token_amount_in'],
      [3, 'token_amount_in'],
    ],
  );
});

test('a file of nothing but bad rows gives its rejects', async () => {
  const found = await read(file('.csv', `${header}\n1\n2\n3\n`), { batchRows: 2 });
  assert.deepEqual([found.swaps.length, found.rejects.length], [0, 3]);
});

test('a file of a header alone has no rows and is no error', async () => {
  assert.deepEqual(await read(file('.csv', `${header}\n`)), { swaps: [], numbers: [], rejects: [], batches: 0 });
  const empty = await parquet(
    `SELECT '' tx_hash, 0 swap_index, 0 block_time, '' wallet, '' token_in, '' token_out, 0 token_amount_in, 0 token_amount_out WHERE false`,
  );
  assert.deepEqual((await read(empty)).swaps, []);
});

const packed = gzipSync(`${header}\n${`${good}\n`.repeat(5000)}`);
const brokenFiles: readonly (readonly [
  title: string,
  suffix: string,
  content: string | Uint8Array,
  message: RegExp,
])[] = [
  ['an empty file', '.csv', '', /\.csv is empty/],
  ['a CSV file of empty lines', '.csv', '\n\n', /\.csv is empty: a CSV file begins with the names/],
  ['an NDJSON file of empty lines', '.ndjson', '\n\n', /\.ndjson is empty/],
  ['a packed empty file', '.csv.gz', gzipSync(''), /is empty/],
  [
    'a quote that is never closed',
    '.csv',
    `${header}\n${good}\n${good.replace('W', '"W')}\n${good}\n`,
    /\.csv: a quote that opens in row 2 is never closed/,
  ],
  [
    'a quote in the header that is never closed',
    '.csv',
    `"${header}\n${good}\n`,
    /a quote that opens in row 1 is never closed/,
  ],
  [
    'a packed file that is cut off',
    '.csv.gz',
    packed.subarray(0, packed.length / 2),
    /\.csv\.gz: the gzip stream is cut off after \d+ unpacked bytes/,
  ],
  [
    'a packed file with damaged bytes',
    '.csv.gz',
    Buffer.concat([packed.subarray(0, 40), Buffer.alloc(200, 0xff), packed.subarray(240)]),
    /the gzip stream is damaged \(.+\) after/,
  ],
  ['a file that is named .parquet and is none', '.parquet', `PAR\0${good}`, /is not a Parquet file/],
  ['a JSON array that is cut off', '.json', `[${JSON.stringify(swap)},`, /\.json is not JSON: it ends too early/],
  ['a JSON array that is none', '.json', `[${JSON.stringify(swap)} 5]`, /\.json is not JSON: Unexpected/],
  ['UTF-16', '.csv', Buffer.from(`\ufeff${header}`, 'utf16le'), /UTF-16 text: save it as UTF-8/],
  ['a zip file', '.csv', Buffer.from('PK\u0003\u0004rest'), /a zip file/],
];
for (const [title, suffix, content, message] of brokenFiles) {
  test(`${title} is refused with a sentence that names the file`, async () => {
    const path = file(suffix, content);
    const said = await refusal(read(path));
    assert.match(said, message);
    assert.ok(said.includes(path.split('/').at(-1)!), said);
  });
}

test('a missing file and a folder are refused', async () => {
  assert.match(await refusal(read(join(folder, 'nowhere.csv'))), /Cannot read .*nowhere\.csv: there is no such file/);
  assert.match(await refusal(read(folder)), /is a folder/);
});

test('a Parquet file that is cut off, damaged in its footer, or damaged in a row group is refused with the place', async () => {
  const path = await parquet(
    `SELECT 'h' || i tx_hash, 0 swap_index, 1704412823 block_time, 'W' || i wallet, 'A' token_in, 'B' token_out, i + 0.5 token_amount_in, 2 token_amount_out FROM range(6000) t(i)`,
    ', ROW_GROUP_SIZE 2048',
  );
  const bytes = readFileSync(path);
  assert.match(
    await refusal(read(file('.parquet', bytes.subarray(0, bytes.length - 100)))),
    /is not a whole Parquet file/,
  );
  const footer = Buffer.from(bytes);
  footer.fill(0xff, bytes.length - 60, bytes.length - 8);
  assert.match(await refusal(read(file('.parquet', footer))), /is not a whole Parquet file/);
  const data = Buffer.from(bytes);
  data.fill(0xff, 4, 4000);
  assert.match(await refusal(read(file('.parquet', data))), /row group 1 of 3 \(rows 1 to 2048\) is damaged/);
});

test('a row id is the same in every format and for every way to write the same time, and differs with any field', async () => {
  const { tx_hash: _, swap_index: __, ...content } = { ...swap, token_symbol_in: '猫,"' };
  const ndjson = file('.ndjson', JSON.stringify(content));
  const columns = Object.keys(content);
  const csv = file(
    '.csv',
    `${columns.join()}\n${Object.values(content)
      .map((v) => `"${String(v).replaceAll('"', '""')}"`)
      .join()}`,
  );
  const paths = [
    ndjson,
    csv,
    file('.csv.gz', gzipSync(readFileSync(csv))),
    await parquet(`SELECT * FROM read_json('${ndjson}')`),
    file('.ndjson', JSON.stringify({ ...content, block_time: '2024-01-05T00:00:23Z', usd_amount_in: null })),
    file('.ndjson', JSON.stringify({ ...content, block_time: 1704412823000, colour: 'red' })),
  ];
  const ids = await Promise.all(
    paths.map(async (path) => (await read(path, { rowIds: true })).swaps.map((row) => [row.tx_hash, row.swap_index])),
  );
  // Worked with sha256sum over the fields in their order, a line each.
  for (const found of ids)
    assert.deepEqual(found, [['row:558a67d189128663cdd1dc74402144c33419d8115ea63102745533bdaea01016', 0]]);
  const others = await read(
    file(
      '.ndjson',
      columns
        .map((name) =>
          JSON.stringify({ ...content, [name]: name.includes('token_a') ? 77 : name === 'block_time' ? 5 : 'other' }),
        )
        .join('\n'),
    ),
    { rowIds: true },
  );
  assert.equal(new Set([...others.swaps.map((row) => row.tx_hash), ids[0]![0]![0]]).size, columns.length + 1);
});

test('rows that agree in every field have one row id, and a given hash stays', async () => {
  const { tx_hash: _, swap_index: __, ...content } = swap;
  const found = await read(
    file('.ndjson', [content, content, { ...swap, swap_index: 3 }].map((row) => JSON.stringify(row)).join('\n')),
    { rowIds: true },
  );
  assert.equal(found.swaps[0]!.tx_hash, found.swaps[1]!.tx_hash);
  assert.deepEqual([found.swaps[2]!.tx_hash, found.swaps[2]!.swap_index], ['h1', 3]);
});

test('progress never falls, and ends at the length of the file on disk', async () => {
  const ndjson = file('.ndjson', `${JSON.stringify(swap)}\n`.repeat(20_000));
  for (const path of [file('.csv.gz', packed), ndjson]) {
    const seen: number[] = [];
    for await (const { bytesRead, bytesTotal } of readSwapFile(path, { onProgress: (p) => seen.push(p.bytesRead) })) {
      assert.equal(bytesTotal, readFileSync(path).length);
      assert.ok(bytesRead <= bytesTotal);
    }
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
    assert.equal(seen.at(-1), readFileSync(path).length);
  }
});

test('a reader that stops early leaves no error behind', async () => {
  for await (const { batch } of readSwapFile(file('.csv.gz', packed), { batchRows: 16 })) {
    assert.equal(batch.length, 16);
    break;
  }
});

const tokenOptions: RecordOptions = {
  fields: {
    address: 'text',
    symbol: 'text',
    name: 'text',
    decimals: 'number',
    verified: 'boolean',
    created_at: 'time',
    total_supply: 'number',
    labels: 'list',
  },
  needed: ['address'],
};

test('registry rows are the same objects in every format', async () => {
  const rows = [
    {
      address: 'A',
      symbol: '猫',
      name: 'dog "wif", hat',
      decimals: 6,
      verified: true,
      created_at: '2024-01-05T00:00:23Z',
      total_supply: 1e15,
      labels: ['kol', 'early'],
    },
    {
      address: 'B',
      symbol: null,
      name: null,
      decimals: null,
      verified: false,
      created_at: null,
      total_supply: null,
      labels: null,
    },
  ];
  const ndjson = file('.ndjson', rows.map((row) => JSON.stringify(row)).join('\n'));
  const csv = file(
    '.csv',
    'address,symbol,name,decimals,verified,created_at,total_supply,labels\nA,猫,"dog ""wif"", hat",6,true,1704412823,1e15,kol; early\nB,,,,0,,,\n',
  );
  const expected = rows.map((row) => ({ ...row, created_at: row.created_at === null ? null : 1704412823 }));
  for (const path of [ndjson, csv, await parquet(`SELECT * FROM read_json('${ndjson}')`)]) {
    const found = [];
    for await (const batch of readRecords(path, tokenOptions)) {
      assert.deepEqual(batch.rejects, []);
      found.push(...batch.records);
    }
    assert.deepEqual(found, expected, path);
  }
});

test('a key that an NDJSON record does not have is absent from its object, and null is null', async () => {
  const lines = ['{"address":"A","name":null}', '{"address":"B","symbol":"X"}', '{"address":"C","decimals":""}'];
  const found = [];
  for await (const batch of readRecords(file('.ndjson', lines.join('\n')), { ...tokenOptions, batchRows: 2 }))
    found.push(...batch.records);
  assert.deepEqual(found, [
    { address: 'A', name: null },
    { address: 'B', symbol: 'X' },
    { address: 'C', decimals: null },
  ]);
});

test('a registry file may lack any column but the needed ones, and bad values are rejects', async () => {
  const found = [];
  const rejects = [];
  for await (const batch of readRecords(file('.csv', 'address,verified\nA,yes\nB,TRUE\n'), tokenOptions)) {
    found.push(...batch.records);
    rejects.push(...batch.rejects);
  }
  assert.deepEqual(found, [{ address: 'B', verified: true }]);
  assert.deepEqual(rejects, [{ row: 1, field: 'verified', reason: 'must be true or false, not "yes"' }]);
  const lacking = (async () => {
    for await (const _ of readRecords(file('.csv', 'symbol\nX\n'), tokenOptions));
  })();
  assert.match(await refusal(lacking), /has no column "address"/);
});

/** Small seeded numbers for the two comparisons below. */
function* draws(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

test('a number is the double that JavaScript reads from the same text (100,000 texts, seed 5)', async () => {
  const random = draws(5);
  const next = (): number => random.next().value as number;
  const digits = (n: number): string =>
    Array.from({ length: Math.floor(next() * n) }, () => Math.floor(next() * 10)).join('');
  const texts = Array.from({ length: 100_000 }, () => {
    const sign = ['', '-', '+'][Math.floor(next() * 2.2)];
    const exponent = next() < 0.1 ? `e${Math.floor(next() * 60 - 30)}` : '';
    return `${sign}${digits(20)}${next() < 0.7 ? `.${digits(25)}` : ''}${exponent}`;
  });
  const rows = texts.map((text, i) => `A${i},${text}\n`).join('');
  const found: unknown[] = [];
  for await (const { records, rowNumbers, rejects } of readRecords(
    file('.csv', `address,decimals\n${rows}`),
    tokenOptions,
  )) {
    for (const [i, { decimals }] of records.entries()) found[rowNumbers[i]! - 1] = decimals;
    for (const { row } of rejects) found[row - 1] = 'rejected';
  }
  const expected = texts.map((text) => {
    if (/\d/.test(text.split('e')[0]!)) return Number(text);
    return text === '' ? null : 'rejected';
  });
  assert.ok(expected.filter((one) => one === 'rejected').length > 100);
  for (const [i, text] of texts.entries()) assert.ok(Object.is(found[i], expected[i]), `${text}: ${String(found[i])}`);
});

test('the scanner finds the records that csv-parse finds, however the bytes are cut (2,000 files, seed 6)', () => {
  const random = draws(6);
  const next = (): number => random.next().value as number;
  const pick = (items: readonly string[]): string => items[Math.floor(next() * items.length)]!;
  for (let i = 0; i < 2000; i++) {
    const end = pick(['\n', '\r\n']);
    const field = (): string => {
      const text = Array.from({ length: Math.floor(next() * 5) }, () => pick(['a', 'é', '1', ' ', '猫'])).join('');
      return next() < 0.6 ? text : `"${text}${pick(['', ',', '\n', '\r\n', '""', 'x""y'])}"`;
    };
    const records = Array.from({ length: 1 + Math.floor(next() * 6) }, () =>
      Array.from({ length: 2 + Math.floor(next() * 3) }, field).join(','),
    );
    const text = records.join(end) + (next() < 0.5 ? end : '');
    const expected = parse(text, { relax_column_count: true, record_delimiter: end });
    assert.deepEqual(scan(Buffer.from(text), 1 + Math.floor(next() * 9)), expected, JSON.stringify(text));
  }
});

function scan(bytes: Buffer, piece: number): string[][] {
  const scanner = new CsvScanner(44);
  const records: string[][] = [];
  const drain = (isLast: boolean): void => {
    while (scanner.next(isLast)) {
      assert.equal(scanner.fault, undefined);
      records.push(Array.from({ length: scanner.count }, (_, i) => scanner.text(i)));
    }
  };
  for (let at = 0; at < bytes.length; at += piece) {
    scanner.push(bytes.subarray(at, at + piece));
    drain(false);
  }
  drain(true);
  return records;
}
