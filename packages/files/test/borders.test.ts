import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import { temporaryFolder } from '../../cli/test/run-cli.ts';
import { isWithoutColumns } from '../src/fields.ts';
import type { SwapFileOptions } from '../src/options.ts';
import { readRecords } from '../src/read-records.ts';
import { readSqlParts } from '../src/read-sql.ts';
import { isWhole, readParts } from '../src/read-swap-file.ts';

const path = await temporaryFolder(after);

function file(name: string, content: string | Uint8Array): string {
  mkdirSync(dirname(path(name)), { recursive: true });
  writeFileSync(path(name), content);
  return path(name);
}

async function read(from: string, options: SwapFileOptions = {}) {
  const found = { swaps: [] as Record<string, unknown>[], rejects: 0, rows: 0, passed: [] as [string, number][] };
  for await (const part of readParts(from, options)) {
    // Its rows come again, for an engine that does not read files.
    if (isWhole(part)) continue;
    for await (const batch of part.batches()) found.swaps.push(...columnsToObjects(batch));
    found.rejects += part.rejects.length;
    found.rows += part.rows;
    found.passed.push(...part.passed);
    await part.drop();
  }
  return found;
}

const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => assert.fail('it was taken'),
    (error: unknown) => {
      assert.ok(error instanceof SwapfoldError && error.code === 'invalid-input', String(error));
      return error.message;
    },
  );

async function run(sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

const columns = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
const own = (hash: string, rest = ''): string => `${hash},0,1710665692,W,A,B,1.5,2${rest}\n`;

const hashes = (swaps: readonly Record<string, unknown>[]) => swaps.map(({ tx_hash }) => tx_hash);

/** A file that DuckDB has packed with zstd. */
async function packed(name: string, hashes: readonly string[]): Promise<Buffer> {
  const plain = file(`${name}.plain`, `${columns}\n${hashes.map((hash) => own(hash)).join('')}`);
  await run(
    `copy (select * from read_csv('${plain}', all_varchar = true)) to '${path(name)}' (format csv, compression zstd, header true)`,
  );
  return readFileSync(path(name));
}

test('a zstd file that is cut off is refused, however much of it is there, and its rows are not taken for whole', async () => {
  const whole = await packed(
    'whole.csv.zst',
    Array.from({ length: 500 }, (_, i) => `hash${i}`),
  );
  assert.equal((await read(path('whole.csv.zst'))).swaps.length, 500);
  for (const length of [whole.length - 1, whole.length - 4, Math.floor(whole.length / 2), 20, 6])
    assert.match(await refusal(read(file('cut.csv.zst', whole.subarray(0, length)))), /cut\.csv\.zst: .* cut off/);
});

test('a zstd file of several frames is read to its end, and what is no content is passed over', async () => {
  const first = await packed('one.csv.zst', ['a', 'b']);
  const plain = file('more.plain', `${own('c')}${own('d')}`);
  await run(
    `copy (select * from read_csv('${plain}', all_varchar = true, header = false)) to '${path('more.zst')}' (format csv, compression zstd, header false)`,
  );
  // A frame without content: its number, the length of what it holds, and that.
  const empty = Buffer.from('502a4d1803000000616263', 'hex');
  const joined = file('joined.csv.zst', Buffer.concat([first, empty, readFileSync(path('more.zst'))]));
  assert.deepEqual(
    (await read(joined)).swaps.map(({ tx_hash }) => tx_hash),
    ['a', 'b', 'c', 'd'],
  );
});

test('a side is read in any case and beside spaces, as the rule of rows that are swaps is', async () => {
  const trade = (txType: string): string =>
    JSON.stringify({
      ...{ signature: `Sig${txType}`, mint: 'Mint', traderPublicKey: 'W', txType, tokenAmount: 1000 },
      ...{ solAmount: 1.5, timestamp: 1710665693000 },
    });
  const { swaps } = await read(file('pump.ndjson', ['buy', 'BUY', ' Buy ', 'Sell'].map(trade).join('\n')));
  assert.deepEqual(
    swaps.map(({ token_out, token_amount_in }) => [token_out === 'Mint', token_amount_in]),
    [
      [true, 1.5],
      [true, 1.5],
      [true, 1.5],
      [false, 1000],
    ],
  );
  const indexes = swaps.slice(0, 3).map(({ swap_index }) => swap_index);
  assert.deepEqual(new Set(indexes).size, 1, 'one trade has one index, however its side is written');
});

test('trades against another token than the quote are not given its address', async () => {
  const header = 'Txn Hash,UnixTimestamp,Action,Token Amount (Out),Token Amount (In),Maker';
  const rows = [
    '0xaa01,1710665692,Buy,2.5 WETH,"1,000 LINK",0x01',
    '0xaa02,1710665693, buy,"9,000 USDC","1,000 LINK",0x01',
    '0xaa03,1710665694,Sell,500 LINK,1.25 WETH,0x01',
    '0xaa04,1710665695,Add,7 DAI,7 LINK,0x01',
  ];
  const mixed = file('mixed.csv', `${header}\n${rows.join('\n')}\n`);
  const set = { token: '0x0a', quote: '0x0b' };
  assert.match(
    await refusal(read(mixed, { set })),
    /trades against USDC and WETH, .*the option set quote_symbol=SYMBOL/,
  );
  const found = await read(mixed, { set: { ...set, quote_symbol: 'WETH' } });
  assert.deepEqual(
    found.swaps.map(({ tx_hash, token_in, token_symbol_in }) => [tx_hash, token_in, token_symbol_in]),
    [
      ['0xaa01', '0x0b', 'WETH'],
      ['0xaa03', '0x0a', 'LINK'],
    ],
  );
  assert.deepEqual(found.passed, [
    ['against USDC', 1],
    ['Action is "Add"', 1],
  ]);
  assert.equal((await read(file('one.csv', `${header}\n${rows[0]}\n${rows[3]}\n`), { set })).swaps.length, 1);
});

test('an empty page of an answer is a file without rows; what merely lacks the columns is refused', async () => {
  for (const page of ['{"data":[]}', '{"data":{"swaps":[]},"links":{"next":null}}', '[]'])
    assert.deepEqual(await read(file('page.json', page)), { swaps: [], rejects: 0, rows: 0, passed: [] }, page);
  assert.match(await refusal(read(file('other.json', '{"data":{"pools":3}}'))), /has no columns/);
  assert.match(await refusal(read(file('full.json', '{"data":[{"x":1}],"more":[]}'))), /has no columns/);
});

test('a partition of nulls is null, in a file and for a SELECT of one', async () => {
  const from = file('protocol=__HIVE_DEFAULT_PARTITION__/part.csv', `${columns}\n${own('h')}`);
  assert.equal((await read(from)).swaps[0]!.protocol ?? null, null);
  const sql = `select ${columns}, coalesce(protocol, 'none') as protocol from input`;
  for await (const part of readSqlParts([from], { sql })) {
    for await (const batch of part.batches()) assert.equal([...columnsToObjects(batch)][0]!.protocol, 'none');
    await part.drop();
  }
});

test('rows that a SELECT cannot have are rejected once, also where a file is read again with care', async () => {
  const first = file('quote.csv', `${columns}\n${own('a')}b"c,0,1710665692,W,A,"B"x,1,2\n`);
  const second = file('short.csv', `${columns}\n${own('d')}e,0\n`);
  let [rows, rejects] = [0, 0];
  for await (const part of readSqlParts([first, second], { sql: `select ${columns} from input` })) {
    rows += part.rows;
    rejects += part.rejects.length;
    await part.drop();
  }
  assert.equal(rows, 4);
  assert.ok(rejects <= 2, `${rejects} rejects of two rows at fault`);
});

test('a number that is none rejects its row of a Parquet file of tokens, and bytes that are a text are that text', async () => {
  await run(
    `copy (select 'A' as address, 'dog'::blob as symbol, 5.0::double as liquidity union all by name select 'B' as address, 'cat'::blob as symbol, 'nan'::double as liquidity union all by name select 'C' as address, null::blob as symbol, '-inf'::double as liquidity) to '${path('tokens.parquet')}' (format parquet)`,
  );
  const fields = { address: 'text', symbol: 'text', liquidity: 'number' } as const;
  const found = { records: [] as unknown[], reasons: [] as string[] };
  for await (const { records, rejects } of readRecords(path('tokens.parquet'), { fields, needed: ['address'] })) {
    found.records.push(...records);
    found.reasons.push(...rejects.map(({ field, reason }) => `${field} ${reason}`));
  }
  assert.deepEqual(found.records, [{ address: 'A', symbol: 'dog', liquidity: 5 }]);
  assert.equal(found.reasons.length, 2);
  for (const reason of found.reasons) assert.match(reason, /^liquidity is (not a number|out of the range)/);
});

test('a name with the signs of a pattern is that of one file, however its rows are read', async () => {
  const parquet = (name: string, hash: string): Promise<void> =>
    run(
      `copy (select '${hash}' as tx_hash, 0 as swap_index, 1710665692 as block_time, 'W' as wallet, 'A' as token_in, 'B' as token_out, 1.5::double as token_amount_in, 2.0::double as token_amount_out) to '${path(name)}' (format parquet)`,
    );
  await parquet('swaps1.parquet', 'other');
  await parquet('swaps[1].parquet', 'mine');
  assert.deepEqual(hashes((await read(path('swaps[1].parquet'))).swaps), ['mine']);
  for await (const part of readSqlParts([path('swaps[1].parquet')], { sql: `select ${columns} from input` })) {
    for await (const batch of part.batches()) assert.deepEqual(hashes([...columnsToObjects(batch)]), ['mine']);
    await part.drop();
  }
  await packed('z1.csv.zst', ['other']);
  const empty = Buffer.from('502a4d1803000000616263', 'hex');
  file('z[1].csv.zst', Buffer.concat([await packed('mine.csv.zst', ['mine']), empty]));
  assert.deepEqual(hashes((await read(path('z[1].csv.zst'))).swaps), ['mine']);
});

test('a zstd file may begin with a frame that holds nothing', async () => {
  const empty = Buffer.from('5f2a4d1803000000616263', 'hex');
  const from = file('skip.csv.zst', Buffer.concat([empty, await packed('begun.csv.zst', ['a'])]));
  assert.equal((await read(from)).swaps.length, 1);
});

test('nested columns of a Parquet file are named by all their keys', async () => {
  await run(
    `copy (select {'hash': 'h1', 'index': 0, 'at': {'time': 1710665692}} as tx, 'W' as wallet, {'in': {'token': 'A', 'amount': 1.5::decimal(18, 3)}, 'out': {'token': 'B', 'amount': 2::decimal(18, 3)}} as legs) to '${path('nested.parquet')}' (format parquet)`,
  );
  const map = {
    ...{ 'tx.hash': 'tx_hash', 'tx.index': 'swap_index', 'tx.at.time': 'block_time', 'legs.in.token': 'token_in' },
    ...{ 'legs.out.token': 'token_out', 'legs.in.amount': 'token_amount_in', 'legs.out.amount': 'token_amount_out' },
  };
  const [swap] = (await read(path('nested.parquet'), { map })).swaps;
  assert.deepEqual([swap!.tx_hash, swap!.token_in, swap!.token_amount_in], ['h1', 'A', 1.5]);
});

test('presets take the numbers of typed Parquet files, and what no preset can read is refused in words', async () => {
  const common = `to_timestamp(1710665692) as "attributes.block_timestamp", '0xaa' as "attributes.tx_hash", '0x01' as "attributes.tx_from_address", '0x0a' as "attributes.from_token_address", '0x0b' as "attributes.to_token_address"`;
  await run(
    `copy (select 'buy' as "attributes.kind", ${common}, 1.5::double as "attributes.from_token_amount", 250.0::double as "attributes.to_token_amount") to '${path('gecko.parquet')}' (format parquet)`,
  );
  const [gecko] = (await read(path('gecko.parquet'), { presets: ['geckoterminal'] })).swaps;
  assert.deepEqual([gecko!.token_amount_in, gecko!.token_amount_out], [1.5, 250]);
  await run(
    `copy (select 'Swap' as "eventType", '0xbb' as "transactionHash", 3 as "logIndex", 1710665692 as timestamp, '0x01' as maker, '0x0a' as "token0Address", '0x0b' as "token1Address", 'Sell' as "eventDisplayType", 'token0' as "quoteToken", 4.5::double as "data.amountNonLiquidityToken", 9.0::double as "data.priceUsdTotal", 2.0::double as "token0SwapValueUsd", 3.0::double as "token1SwapValueUsd") to '${path('codex.parquet')}' (format parquet)`,
  );
  const [codex] = (await read(path('codex.parquet'), { presets: ['codex'] })).swaps;
  assert.deepEqual([codex!.token_in, codex!.token_amount_in, codex!.token_amount_out], ['0x0a', 4.5, 3]);
  await run(`copy (select 7 as file_row_number, 'h' as tx_hash) to '${path('numbered.parquet')}' (format parquet)`);
  assert.match(await refusal(read(path('numbered.parquet'), { presets: ['swapfold'] })), /numbered\.parquet/);
});

test('a text that a SELECT refuses rejects its row with the reason, and is not stored', async () => {
  const from = file('refused.csv', `${columns}\n${own('a')}${own('b')}`);
  const sql = `select ${columns}, if(tx_hash = 'a', refused('has a bad symbol'), 'SYM') as token_symbol_in from input; -- all of them`;
  for await (const part of readSqlParts([from], { sql })) {
    assert.deepEqual(
      part.rejects.map(({ row, field, reason }) => [row, field, reason]),
      [[1, 'token_symbol_in', 'has a bad symbol']],
    );
    for await (const batch of part.batches()) assert.equal([...columnsToObjects(batch)][0]!.token_symbol_in, 'SYM');
    await part.drop();
  }
});

test('an index without a name, as pandas writes it, is no hindrance to a SELECT', async () => {
  const from = file('pandas.csv', `,${columns}\n0,${own('a')}1,${own('b')}`);
  let swaps = 0;
  for await (const part of readSqlParts([from], { sql: `select ${columns} from input where column0 = '1'` })) {
    swaps += part.rows;
    await part.drop();
  }
  assert.equal(swaps, 1);
});

test('rows that cannot be read are named by their own file and row, however many files a SELECT has', async () => {
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => own(`h${from + i}`)).join('');
  const first = file('care1.csv', `${columns}\n${rows(0, 3)}`);
  const second = file('care2.csv', `${columns}\n${rows(3, 4)}x,0\n${rows(4, 6)}y,0\n`);
  for await (const part of readSqlParts([first, second], { sql: `select ${columns} from input` })) {
    assert.deepEqual(
      part.rejects.map(({ file, row }) => [file, row]),
      [
        [second, 2],
        [second, 5],
      ],
    );
    await part.drop();
  }
});

test('a signer whose account is the only one that sold has sold', async () => {
  const trade = {
    Block: { Time: '2024-03-17T08:54:52Z' },
    Transaction: { Signature: 's1', Signer: 'W', Result: { Success: true } },
    Trade: {
      ...{ Index: '0', Buy: { Amount: '1.5', Currency: { MintAddress: 'SOL' } } },
      Sell: { Amount: '300', Currency: { MintAddress: 'T' }, Account: { Address: 'W' } },
    },
  };
  const answer = JSON.stringify({ data: { Solana: { DEXTrades: [trade] } } });
  const [swap] = (await read(file('bitquery.json', answer), { presets: ['bitquery-graphql'] })).swaps;
  assert.deepEqual([swap!.token_in, swap!.token_amount_in, swap!.token_out], ['SOL', 1.5, 'T']);
});

test('an object that is null in the first thousand records counts in those that have it', async () => {
  const amount = { rawTokenAmount: { tokenAmount: '5000000', decimals: 6 } };
  const helius = (i: number, swap: object) =>
    JSON.stringify({
      ...{ signature: `sig${i}`, timestamp: 1710665692 + i, type: 'SWAP', feePayer: 'W', events: { swap } },
    });
  const sells = Array.from({ length: 1001 }, (_, i) =>
    helius(i, {
      ...{ nativeInput: null, nativeOutput: { account: 'W', amount: '1500000000' } },
      ...{ tokenInputs: [{ mint: 'M', ...amount }], tokenOutputs: [] },
    }),
  );
  const buy = helius(2000, {
    ...{ nativeInput: { account: 'W', amount: '1500000000' }, nativeOutput: null },
    ...{ tokenInputs: [], tokenOutputs: [{ mint: 'M', ...amount }] },
  });
  const none = helius(2001, {});
  const found = await read(file('helius.ndjson', [...sells, buy, none].join('\n')), { presets: ['helius'] });
  const [bought, nothing] = found.swaps.slice(-2);
  assert.deepEqual([bought!.token_amount_in, bought!.token_amount_out], [1.5, 5]);
  // A store says of it that the amount is missing.
  assert.ok(Number.isNaN(nothing!.token_amount_in ?? Number.NaN));
  assert.deepEqual([found.swaps.length, found.rejects], [1003, 0]);
});

test('the bytes of an address are 0x..., those of a name the text that they are', async () => {
  const bytes = `from_hex('${'ab'.repeat(20)}')`;
  await run(
    `copy (select ${bytes} as address, 'twenty letters a name'[:20]::blob as name union all select ${bytes}, from_hex('ff')) to '${path('bytes.parquet')}' (format parquet)`,
  );
  const fields = { address: 'hex', name: 'text' } as const;
  const batches = [];
  for await (const batch of readRecords(path('bytes.parquet'), { fields, needed: ['address'] })) batches.push(batch);
  assert.deepEqual(
    batches.map(({ records, rejects }) => ({ records, rejects })),
    [
      {
        records: [{ address: `0x${'ab'.repeat(20)}`, name: 'twenty letters a nam' }],
        rejects: [{ row: 2, field: 'name', reason: 'must be a text, not bytes' }],
      },
    ],
  );
});

test('a list of JSON or Parquet is handed on as it is, and an object without a key is one', async () => {
  const lists = [['x;y', ' z '], ['one'], ['', 'a']];
  const lines = file(
    'lists.ndjson',
    `${lists.map((labels, i) => JSON.stringify({ address: `A${i}`, labels })).join('\n')}\n{}\n`,
  );
  await run(
    `copy (from read_json('${lines}') where address is not null) to '${path('lists.parquet')}' (format parquet)`,
  );
  const fields = { address: 'text', labels: 'list' } as const;
  for (const [from, rest] of [
    [lines, [{}]],
    [path('lists.parquet'), []],
  ] as const) {
    const found: unknown[] = [];
    for await (const { records } of readRecords(from, { fields, needed: ['address'] })) found.push(...records);
    assert.deepEqual(found, [...lists.map((labels, i) => ({ address: `A${i}`, labels })), ...rest]);
  }
});

test('a date of a Parquet file of tokens is its first second', async () => {
  await run(
    `copy (select 'A' as address, date '2024-01-05' as created) to '${path('dated.parquet')}' (format parquet)`,
  );
  const fields = { address: 'text', created: 'time' } as const;
  for await (const { records } of readRecords(path('dated.parquet'), { fields, needed: ['address'] }))
    assert.deepEqual(records, [{ address: 'A', created: 1704412800 }]);
});

test('what can be read only once is sent to standard input', async () => {
  assert.match(await refusal(read('/dev/null')), /pipe or a device, .* standard input, and name -/);
});

const record = (hash: string, more: object = {}): string =>
  JSON.stringify({
    ...{ tx_hash: hash, swap_index: 0, block_time: 1710665692, wallet: 'W', token_in: 'A', token_out: 'B' },
    ...{ token_amount_in: 1.5, token_amount_out: 2, ...more },
  });

test('half of a character in a text rejects its row, and the rows around it are read, also by a SELECT', async () => {
  const from = file(
    'half.ndjson',
    [record('h1'), record('h2', { token_symbol_in: 'a\ud83d' }), record('h3')].join('\n'),
  );
  const { swaps, rejects } = await read(from);
  assert.deepEqual([hashes(swaps), rejects], [['h1', 'h3'], 1]);
  for await (const part of readSqlParts([from], { sql: 'select * from input' })) {
    assert.deepEqual(
      part.rejects.map(({ row, reason }) => [row, /lone surrogates/.test(reason)]),
      [[2, true]],
    );
    assert.equal(part.rows, 3);
    await part.drop();
  }
});

test('columns whose names differ by case alone are read each as what it is named to hold', async () => {
  const csv = file('case.csv', `A,a,${columns.replace('wallet,token_in,', '')}\nW1,T1,h1,0,1710665692,B,1.5,2\n`);
  const [swap] = (await read(csv, { map: { A: 'wallet', a: 'token_in' } })).swaps;
  assert.deepEqual([swap!.wallet, swap!.token_in], ['W1', 'T1']);
  const upper = file('upper.csv', `WALLET,${columns.replace('token_in,', '')}\nT1,h1,0,1710665692,W1,B,1.5,2\n`);
  const [other] = (await read(upper, { map: { WALLET: 'token_in' } })).swaps;
  assert.deepEqual([other!.wallet, other!.token_in], ['W1', 'T1']);
  const json = file('pool.ndjson', record('h1', { Pool: 'raydium' }));
  const [third] = (await read(json, { map: { Pool: 'protocol' } })).swaps;
  assert.equal(third!.protocol, 'raydium');
});

test('a file without the columns, of any format, is closed', async () => {
  const open = (): number => readdirSync('/proc/self/fd').length;
  const files = [
    file('none.csv', 'foo,bar\n1,2\n'),
    file('none.ndjson', '{"foo":1}\n'),
    file('none.json', '[{"foo":1},{"foo":2}]'),
  ];
  // The first one opens what stays open: DuckDB.
  for (const from of files) await refusal(read(from));
  const before = open();
  for (let i = 0; i < 5; i++)
    for (const from of files) {
      await refusal(read(from));
      const records = readRecords(from, { fields: { address: 'text' }, needed: ['address'] });
      await refusal(records.next());
    }
  assert.equal(open(), before);
});

test('a constant of a preset is asked for where the file does not have the column, as CSV and as JSON', async () => {
  const trade = { signature: 's', mint: 'M', traderPublicKey: 'W', txType: 'buy', tokenAmount: 5, solAmount: 1 };
  const from = file('pump.ndjson', `${JSON.stringify(trade)}\n`);
  assert.match(await refusal(read(from, { presets: ['pumpportal'] })), /needs the option set time=VALUE/);
});

test('an empty file is one without the columns, for an import of a folder to pass over', async () => {
  for (const from of [file('empty.csv', ''), file('blank.csv', '\n\n')]) {
    const error = await read(from).catch((thrown: unknown) => thrown);
    assert.ok(isWithoutColumns(error), String(error));
  }
});

test('a SELECT says why rows are passed over by a text, not by true or false', async () => {
  const from = file('passed.csv', `${columns}\n${own('h1')}`);
  const parts = readSqlParts([from], { sql: "select *, tx_hash = 'x' as passed from input" });
  assert.match(await refusal(parts.next()), /"passed" must be a text, .* not BOOLEAN/);
});

test('empty lines before a header do not hide its delimiter, and a name of a member of objects is no format', async () => {
  const semicolons = `\n\n${columns}\n${own('h1')}`.replaceAll(',', ';');
  for (const name of ['led.csv', 'led.constructor'])
    assert.deepEqual(hashes((await read(file(name, semicolons))).swaps), ['h1']);
});
