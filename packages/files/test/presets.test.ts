import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import type { FileReject } from '../src/batches.ts';
import { builtInPresets } from '../src/built-in.ts';
import { connect, rowsOf } from '../src/duck.ts';
import type { SwapFileOptions } from '../src/options.ts';
import { parsePreset } from '../src/presets.ts';
import { readSwapFile } from '../src/read-swap-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-presets-'));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
function file(suffix: string, content: string): string {
  const path = join(folder, `${made++}${suffix}`);
  writeFileSync(path, content);
  return path;
}

interface Read {
  swaps: unknown[];
  rejects: FileReject[];
  passed: Record<string, number>;
  preset: string;
  isZoneless: boolean;
}

async function read(path: string, options: SwapFileOptions = {}): Promise<Read> {
  const all: Read = { swaps: [], rejects: [], passed: {}, preset: '', isZoneless: false };
  for await (const { batch, rejects, passed, preset, isZoneless } of readSwapFile(path, options)) {
    for (const swap of columnsToObjects(batch))
      all.swaps.push(Object.fromEntries(Object.entries(swap).filter(([, value]) => value !== null)));
    all.rejects.push(...rejects);
    for (const [reason, count] of passed) all.passed[reason] = (all.passed[reason] ?? 0) + count;
    Object.assign(all, { preset, isZoneless });
  }
  return all;
}

async function refusal(work: Promise<unknown>, code = 'invalid-input'): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SwapfoldError, String(error));
  assert.equal(error.code, code);
  return error.message;
}

const evmAddress = (last: string): string => `0x${last.padStart(40, '0')}`;
const [usdc, weth, pool, trader] = ['a1', 'b1', 'c1', 'f1'].map(evmAddress);

/** WIF for SOL of the fixtures of Solana. */
const bought = {
  block_time: 1710665692,
  tx_hash: 'TxOne',
  wallet: 'Trader1',
  token_in: 'MintSol',
  token_out: 'MintWif',
  token_amount_in: 1.25,
  token_amount_out: 120.5,
};
/** WETH for USDC of the fixtures of EVM chains. */
const swapped = {
  block_time: 1710665692,
  tx_hash: '0xaa01',
  wallet: trader,
  token_in: usdc,
  token_out: weth,
  token_amount_in: 9000,
  token_amount_out: 2.5,
};
const SOL = 'So11111111111111111111111111111111111111112';
const symbols = { token_symbol_in: 'SOL', token_symbol_out: 'WIF' };

/** What each fixture has, worked out by hand; the hashes are those of sha256sum. */
const fixtures: readonly (readonly [name: string, swaps: readonly object[], passed?: Record<string, number>])[] = [
  [
    'dune-solana.csv',
    [
      {
        ...bought,
        ...symbols,
        ...{ block_slot: 254000001, tx_index: 14, swap_index: 8192, protocol: 'raydium' },
        ...{ usd_amount_in: 231.25, usd_amount_out: 231.25 },
      },
      {
        block_time: 1710665693,
        block_slot: 254000002,
        tx_hash: 'TxTwo',
        tx_index: 3,
        swap_index: 20484,
        wallet: 'Trader1',
        token_in: 'MintWif',
        token_out: 'MintSol',
        token_amount_in: 48,
        token_amount_out: 0.5,
        token_symbol_out: 'SOL',
        usd_amount_in: 93,
        usd_amount_out: 93,
        protocol: 'orca',
      },
    ],
  ],
  [
    'dune-solana-bots.csv',
    [
      {
        ...bought,
        ...{ tx_index: 14, swap_index: 8193, protocol: 'raydium', usd_amount_in: 231.25, usd_amount_out: 231.25 },
      },
    ],
  ],
  [
    'dune-evm.csv',
    [
      {
        ...swapped,
        ...{ block_slot: 19450000, swap_index: 77, log_index: 77, protocol: 'uniswap_v3', pool },
        ...{ token_symbol_in: 'USDC', token_symbol_out: 'WETH', usd_amount_in: 9000, usd_amount_out: 9000 },
      },
      {
        block_time: 1710665704,
        block_slot: 19450001,
        tx_hash: '0xaa02',
        swap_index: 5,
        log_index: 5,
        wallet: trader,
        token_in: weth,
        token_out: usdc,
        token_amount_in: 1,
        token_amount_out: 3600,
        token_symbol_in: 'WETH',
        protocol: 'curve',
      },
    ],
  ],
  [
    'flipside-solana.csv',
    [
      {
        ...bought,
        ...symbols,
        ...{
          block_slot: 254000001,
          swap_index: 12290,
          protocol: 'jupiter v6',
          usd_amount_in: 231.25,
          usd_amount_out: 230,
        },
      },
      {
        block_time: 1710665693,
        block_slot: 254000002,
        tx_hash: 'TxThree',
        swap_index: 16384,
        wallet: 'Trader2',
        token_in: 'MintWif',
        token_out: 'MintSol',
        token_amount_in: 48,
        token_amount_out: 0.5,
        token_symbol_in: 'WIF',
        token_symbol_out: 'SOL',
        usd_amount_out: 93,
        protocol: 'jupiter v6',
      },
    ],
    { 'succeeded is "FALSE"': 1 },
  ],
  [
    'bitquery-solana.csv',
    [{ ...bought, block_slot: 254000001, tx_index: 14, swap_index: 8193, usd_amount_in: 231.25, usd_amount_out: 230 }],
    { 'Transaction_Result_Success is "0"': 1 },
  ],
  [
    'uniswap-v3-subgraph.json',
    [
      {
        ...swapped,
        ...{ swap_index: 77, log_index: 77, protocol: 'uniswap_v3', pool, usd_amount_in: 9000, usd_amount_out: 9000 },
        ...{ token_symbol_in: 'USDC', token_symbol_out: 'WETH' },
      },
      {
        block_time: 1710665704,
        tx_hash: '0xaa03',
        swap_index: 5,
        log_index: 5,
        wallet: trader,
        token_in: weth,
        token_out: usdc,
        token_amount_in: 1,
        token_amount_out: 3600,
        token_symbol_out: 'USDC',
        protocol: 'uniswap_v3',
        pool,
      },
    ],
    { '__typename is "Mint"': 1, '__typename is "Burn"': 1 },
  ],
  [
    'uniswap-v2-subgraph.json',
    [
      {
        block_time: 1710665692,
        block_slot: 19450000,
        tx_hash: '0xaa01',
        swap_index: 5,
        log_index: 5,
        wallet: trader,
        token_in: weth,
        token_out: usdc,
        token_amount_in: 1,
        token_amount_out: 3600,
        token_symbol_in: 'WETH',
        token_symbol_out: 'USDC',
        usd_amount_in: 3600,
        usd_amount_out: 3600,
        protocol: 'uniswap_v2',
        pool,
      },
    ],
  ],
  [
    'geckoterminal.json',
    [
      {
        ...swapped,
        ...{ block_slot: 19450000, swap_index: 635475955, usd_amount_in: 9000, usd_amount_out: 9000 },
        ...{ token_price_in: 1, token_price_out: 3600 },
      },
    ],
  ],
  [
    'birdeye.json',
    [{ ...bought, ...symbols, swap_index: 1051917549, token_price_in: 185, protocol: 'raydium' }],
    { 'txType is "add"': 1 },
  ],
  [
    'geckoterminal--saved.json',
    [
      {
        ...swapped,
        ...{ block_slot: 19450000, swap_index: 635475955, usd_amount_in: 9000, usd_amount_out: 9000 },
        ...{ token_price_in: 1, token_price_out: 3600 },
      },
    ],
  ],
  [
    'pumpfun.json',
    [
      {
        ...bought,
        ...{ block_slot: 254000001, tx_index: 14, swap_index: 858211417, protocol: 'pump_fun' },
        ...{ token_in: SOL, token_out: 'MintPump', token_amount_out: 34612903.225806 },
      },
      {
        ...{ block_time: 1710665693, block_slot: 254000002, tx_hash: 'TxTwo', tx_index: 3, swap_index: 776815695 },
        ...{ wallet: 'Trader2', token_in: 'MintPump', token_out: SOL, token_amount_in: 1, token_amount_out: 0.5 },
        protocol: 'pump_fun',
      },
    ],
  ],
  [
    'pumpportal.ndjson',
    [
      {
        ...{ block_time: 1710665691, tx_hash: 'TxZero', swap_index: 100747531, wallet: 'Trader1', protocol: 'pump' },
        ...{ token_in: SOL, token_out: 'MintPump', token_amount_in: 1, token_amount_out: 5, pool: 'Curve1' },
      },
      {
        ...bought,
        ...{ swap_index: 1581097807, protocol: 'pump', pool: 'Curve1', token_in: SOL, token_out: 'MintPump' },
        ...{ token_amount_out: 34612903.225806, post_token_balance_out: 34612908.225806 },
      },
      {
        ...{ block_time: 1710665693, tx_hash: 'TxTwo', swap_index: 1224763637, wallet: 'Trader2', protocol: 'pump' },
        ...{ token_in: 'MintPump', token_out: SOL, token_amount_in: 48, token_amount_out: 0.5, pool: 'Curve1' },
        post_token_balance_in: 0,
      },
    ],
  ],
  [
    'moralis.json',
    [
      {
        ...bought,
        ...symbols,
        ...{ block_slot: 254000001, tx_index: 14, swap_index: 1051917549, protocol: 'Raydium AMM v4', pool: 'Pool1' },
        ...{ usd_amount_in: 231.25, usd_amount_out: 230 },
      },
    ],
    { 'transactionType is "addLiquidity"': 1 },
  ],
  [
    'helius.json',
    [
      { ...bought, block_slot: 254000001, swap_index: 0, token_in: SOL, protocol: 'jupiter' },
      {
        ...{ block_time: 1710665694, block_slot: 254000003, tx_hash: 'TxThree', swap_index: 0, wallet: 'Trader2' },
        ...{ token_in: 'MintWif', token_out: 'MintUsdc', token_amount_in: 48, token_amount_out: 93, protocol: 'orca' },
      },
    ],
    { 'type is "TRANSFER"': 1 },
  ],
  [
    'codex.json',
    [
      {
        ...swapped,
        ...{
          block_slot: 19450000,
          tx_index: 4,
          swap_index: 77 * 4096,
          pool,
          usd_amount_in: 9000,
          usd_amount_out: 9000,
        },
      },
      {
        ...{ block_time: 1710665704, block_slot: 19450000, tx_hash: '0xaa02', tx_index: 1, swap_index: 5 * 4096 + 3 },
        ...{ wallet: trader, token_in: weth, token_out: usdc, token_amount_in: 1, token_amount_out: 3600 },
        ...{ pool, usd_amount_in: 3600, usd_amount_out: 3600 },
      },
    ],
    { 'eventType is "Mint"': 1 },
  ],
  [
    'bitquery-graphql.json',
    [
      {
        ...bought,
        ...symbols,
        ...{ block_slot: 254000001, tx_index: 14, swap_index: 8193, usd_amount_in: 231.25, usd_amount_out: 230 },
        ...{ protocol: 'raydium_amm', pool: 'Pool1' },
      },
      {
        ...{ block_time: 1710665693, block_slot: 254000002, tx_hash: 'TxTwo', tx_index: 3, swap_index: 2 },
        ...{ wallet: 'Trader2', token_in: 'MintWif', token_out: 'MintSol', token_amount_in: 48, token_amount_out: 0.5 },
        ...{ token_symbol_in: 'WIF', token_symbol_out: 'SOL', usd_amount_out: 93, protocol: 'orca', pool: 'Pool2' },
      },
    ],
    { 'Transaction.Result.Success is "false"': 1 },
  ],
  [
    'solana-tracker.json',
    [
      {
        ...bought,
        block_time: 1710665692.123,
        ...{ swap_index: 331067797, token_in: SOL, protocol: 'raydium', usd_amount_in: 231.25, usd_amount_out: 231.25 },
      },
      {
        ...{ block_time: 1710665693, tx_hash: 'TxTwo', swap_index: 1800612134, wallet: 'Trader1', protocol: 'orca' },
        ...{ token_in: 'MintWif', token_out: SOL, token_amount_in: 48, token_amount_out: 0.5 },
        ...{ usd_amount_in: 93, usd_amount_out: 93 },
      },
    ],
  ],
  [
    'uniswap-v4-subgraph.json',
    [
      {
        ...swapped,
        ...{ block_slot: 19450000, swap_index: 77, log_index: 77, protocol: 'uniswap_v4' },
        pool: `0x${'c1'.padStart(64, '0')}`,
        ...{ token_out: evmAddress('0'), token_symbol_in: 'USDC', token_symbol_out: 'ETH' },
        ...{ usd_amount_in: 9000, usd_amount_out: 9000 },
      },
    ],
  ],
  [
    'cielo.json',
    [
      {
        ...bought,
        ...symbols,
        ...{ block_slot: 254000001, swap_index: 3, protocol: 'raydium', usd_amount_in: 231.25, usd_amount_out: 231 },
        token_in: SOL,
      },
    ],
    { 'tx_type is "transfer"': 2, 'tx_type is "lp"': 1 },
  ],
  [
    'etherscan-dex.csv',
    [
      {
        ...swapped,
        ...{ block_slot: 19450000, swap_index: 25975701, protocol: 'uniswap v3' },
        ...{ token_symbol_in: 'USDC', token_symbol_out: 'WETH', usd_amount_in: 9000, usd_amount_out: 9000 },
      },
      {
        ...{ block_time: 1710665704, block_slot: 19450001, tx_hash: '0xaa02', swap_index: 257754766, wallet: trader },
        ...{ token_in: weth, token_out: usdc, token_amount_in: 1, token_amount_out: 3600.5, protocol: 'sushiswap' },
        ...{ token_symbol_in: 'WETH', token_symbol_out: 'USDC', usd_amount_in: 3600.5, usd_amount_out: 3600.5 },
      },
    ],
    { 'Action is "Add"': 1 },
  ],
];

/** What is given for the fixtures that do not say it. */
const given: Readonly<Record<string, SwapFileOptions>> = {
  'solana-tracker': { set: { token: 'MintWif' } },
  'etherscan-dex': { set: { token: weth!, quote: usdc! } },
  'uniswap-v4-subgraph': { presets: ['uniswap-v4-subgraph'] },
};

const sorted = (swap: object): object => Object.fromEntries(Object.entries(swap).sort(([a], [b]) => (a < b ? -1 : 1)));

/** Fixtures of one preset differ in what follows two hyphens: `geckoterminal--saved.json`. */
const presetOf = (name: string): string => name.replace(/(--\w+)?\.\w+$/, '');

for (const [name, swaps, passed = {}] of fixtures) {
  test(`presets/${name} is read by its columns alone, and its swaps are those written by hand`, async () => {
    const found = await read(fileURLToPath(new URL(`presets/${name}`, import.meta.url)), given[presetOf(name)]);
    assert.equal(found.preset, presetOf(name));
    assert.deepEqual(found.rejects, []);
    assert.deepEqual((found.swaps as object[]).map(sorted), swaps.map(sorted));
    assert.deepEqual(found.passed, passed);
  });
}

/** The fixture in another form: its text under a new name and in new bytes. */
const forms: readonly (readonly [title: string, suffix: string, pack: (text: Buffer) => Uint8Array])[] = [
  ['gzip', '.gz', (text) => gzipSync(text)],
  ['zstd', '.zst', zstdStored],
  ['lines that end in CR LF', '', (text) => Buffer.from(text.toString('utf8').replaceAll('\n', '\r\n'))],
];
for (const [title, suffix, pack] of forms) {
  test(`every preset reads its fixture as ${title}`, async () => {
    for (const [name, swaps, passed = {}] of fixtures) {
      const text = readFileSync(fileURLToPath(new URL(`presets/${name}`, import.meta.url)));
      const path = join(folder, `${made++}--${name}${suffix}`);
      writeFileSync(path, pack(text));
      const found = await read(path, given[presetOf(name)]);
      assert.equal(found.preset, presetOf(name));
      assert.deepEqual((found.swaps as object[]).map(sorted), swaps.map(sorted), name);
      assert.deepEqual([found.passed, found.rejects], [passed, []], name);
    }
  });
}

/** A zstd frame of blocks that are stored as they are (RFC 8878, 3.1.1): magic number, header with the length in four bytes, blocks. */
function zstdStored(text: Buffer): Uint8Array {
  const head = Buffer.alloc(9);
  head.writeUInt32LE(0xfd2fb528, 0);
  head[4] = 0b1010_0000;
  head.writeUInt32LE(text.length, 5);
  const block = Buffer.alloc(3);
  block.writeUIntLE((text.length << 3) | 1, 0, 3);
  return Buffer.concat([head, block, text]);
}

test('values that folders name are columns of their files', async () => {
  const path = join(folder, 'token_symbol_in=SOL', 'protocol=a%20dex');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'part.csv'), `${own}\nh,0,1710665692,W,A,B,1,2\n`);
  writeFileSync(join(path, 'part.ndjson'), JSON.stringify({ ...bought, swap_index: 0 }));
  for (const name of ['part.csv', 'part.ndjson']) {
    const [swap] = (await read(join(path, name))).swaps as Record<string, unknown>[];
    assert.deepEqual([swap!.token_symbol_in, swap!.protocol], ['SOL', 'a dex'], name);
  }
});

test('a preset that needs a constant says so, and v4 is told from v3 by the id of its pool', async () => {
  const file = (name: string): string => fileURLToPath(new URL(`presets/${name}`, import.meta.url));
  assert.match(
    await refusal(read(file('solana-tracker.json'))),
    /solana-tracker\.json: the preset solana-tracker needs the option set token=VALUE: the address of the token/,
  );
  const { preset, swaps } = await read(file('uniswap-v4-subgraph.json'));
  assert.deepEqual([preset, (swaps[0] as { protocol: string }).protocol], ['uniswap-v3-subgraph', 'uniswap_v4']);
});

test('every preset of the folder is built in, has a fixture, and says where its layout is described', () => {
  const all = builtInPresets.filter(({ rows }) => rows === 'swaps');
  const names = all.map(({ name }) => name).sort();
  const files = readdirSync(new URL('../src/presets', import.meta.url)).filter((file) => file.endsWith('.sql'));
  assert.deepEqual(files.map((file) => file.replace(/\.sql$/, '')).sort(), names);
  assert.deepEqual([...new Set(fixtures.map(([name]) => presetOf(name)))].sort(), names);
  for (const { name, layout } of all) assert.ok(layout.length > 10, name);
});

const places: readonly (readonly [outer: number, inner: number, index: number | RegExp])[] = [
  [0, Number.NaN, 0],
  [0, 0, 1],
  [2, Number.NaN, 8192],
  [2, 7, 8200],
  [1, 4094, 8191],
  [1, 4095, /inner index 4095 is beyond 4094/],
  [524287, 4094, 2147483647],
  [524288, Number.NaN, /outer index 524288 is beyond 2147483647/],
  [-1, 0, /no whole number/],
  [1, 0.5, /no whole number/],
];
for (const [outer, inner, expected] of places) {
  test(`outer ${outer} and inner ${inner} make ${expected}`, async () => {
    const connection = await connect();
    const sql = `select place('${outer}', ${Number.isNaN(inner) ? 'null' : `'${inner}'`})`;
    const [[index]] = (await rowsOf(connection, sql)) as [[string]];
    connection.closeSync();
    if (typeof expected === 'number') assert.equal(index, String(expected));
    else assert.match(index, expected);
  });
}

const own = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';

test('a creation of PumpPortal is what its creator bought, also in a file of creations alone; one without a purchase is passed over', async () => {
  const made = (more: object) =>
    JSON.stringify({
      ...{
        signature: 'A',
        mint: 'Coin',
        traderPublicKey: 'Maker',
        txType: 'create',
        solAmount: 14.81,
        timestamp: 1783800000,
      },
      ...more,
    });
  const lines = [made({ initialBuy: 354710743.77 }), made({ signature: 'B', initialBuy: 0, solAmount: 0 })];
  const { swaps, passed } = await read(file('.ndjson', lines.join('\n')));
  assert.equal(swaps.length, 1);
  const [{ token_in, token_out, token_amount_in, token_amount_out, wallet }] = swaps as [Record<string, unknown>];
  assert.deepEqual(
    { token_in, token_out, token_amount_in, token_amount_out, wallet },
    { token_in: SOL, token_out: 'Coin', token_amount_in: 14.81, token_amount_out: 354710743.77, wallet: 'Maker' },
  );
  assert.deepEqual(passed, { 'txType is create, without a purchase': 1 });
});

test('is_buy of pump.fun may be true, 1 or "TRUE", and a swap is the same one in each', async () => {
  const trade = (is_buy: unknown) => ({
    ...{
      signature: 'A',
      mint: 'Coin',
      sol_amount: 1250000000,
      token_amount: 48000000,
      user: 'W',
      timestamp: 1710665692,
    },
    is_buy,
  });
  const readAs = async (is_buy: unknown) => (await read(file('.json', JSON.stringify([trade(is_buy)])))).swaps;
  const [bought, sold] = [await readAs(true), await readAs(false)] as [
    Record<string, unknown>[],
    Record<string, unknown>[],
  ];
  assert.deepEqual([bought[0]!.token_in, bought[0]!.token_amount_in, bought[0]!.token_amount_out], [SOL, 1.25, 48]);
  assert.deepEqual([sold[0]!.token_in, sold[0]!.token_amount_in, sold[0]!.token_amount_out], ['Coin', 48, 1.25]);
  for (const written of [1, '1', 'TRUE', '1.0']) assert.deepEqual(await readAs(written), bought);
  for (const written of [0, '0', 'False', '0.0']) assert.deepEqual(await readAs(written), sold);
  assert.deepEqual((await read(file('.json', JSON.stringify([trade('maybe')])))).passed, {
    'is_buy is neither true nor false': 1,
  });
});

test('a list of one record that holds an empty list is refused with its columns; an answer with an empty list has no rows', async () => {
  const record = [{ hash: '0xabc', ts: 1700000000, who: '0x1', ids: [] }];
  assert.match(await refusal(read(file('.json', JSON.stringify(record)))), /It has: "hash", "ts", "who", "ids"/);
  assert.deepEqual((await read(file('.json', JSON.stringify({ data: [], page: 3 })))).swaps, []);
});

test('a file with the columns of two presets is refused with both names, and read with the one that is said', async () => {
  const text = `-- name: mine
-- needs: id, n, at, who, from, to, gave, got
select
  id as tx_hash,
  n as swap_index,
  "at" as block_time,
  who as wallet,
  "from" as token_in,
  "to" as token_out,
  gave as token_amount_in,
  got as token_amount_out
from input`;
  const mine = parsePreset(text, 'it');
  const theirs = parsePreset(text.replace('mine', 'theirs').replaceAll('who', 'owner'), 'it');
  const path = file('.csv', 'id,n,at,who,owner,from,to,gave,got\nh,0,1710665692,W,V,A,B,1,2\n');
  assert.match(
    await refusal(read(path, { presets: [mine, theirs] })),
    /columns of several presets: mine, theirs\. .*the option presets mine/,
  );
  assert.equal((await read(path, { presets: [theirs] })).preset, 'theirs');
  assert.match(await refusal(read(path, { presets: ['duneevm'] })), /no preset "duneevm"\. Did you mean "dune-evm"\?/);
  const both = file('.csv', `${own},id,n,at,who,from,to,gave,got\nh,0,1710665692,W,A,B,1,2,i,1,1,1,1,1,1,1\n`);
  assert.equal((await read(both, { presets: ['swapfold', mine] })).preset, 'swapfold');
});

test('all missing columns of the preset that is nearest are named at once, each with the nearest name of the file', async () => {
  const header =
    'block_time,tx_hash,event_index,tx_from,token_bought_address,token_sold_address,token_bought_amount,sold_amount';
  const message = await refusal(read(file('.csv', `${header}\n1,2,3,4,5,6,7,8\n`)));
  assert.match(
    message,
    /lacks the columns "evt_index" \(did you mean its "event_index"\?\), "token_sold_amount" \(did you mean its "sold_amount"\?\) that the preset dune-evm needs/,
  );
  const owner = 'timestamp,signature,who,sold,bought,gave,got';
  const map = {
    who: 'wallet',
    sold: 'token_in',
    bought: 'token_out',
    gave: 'token_amount_in',
    got: 'token_amount_out',
  };
  assert.match(
    await refusal(read(file('.csv', `${owner}\n1,2,3,4,5,6,7\n`), { map })),
    /lacks the column "type" that the preset helius needs, the closest one\. As a file of Swapfold's own columns it lacks "block_time", "tx_hash"\. It has/,
  );
  assert.match(
    await refusal(read(file('.csv', 'tx_hsh,time,wallet\n0xaa,2,3\n'))),
    /has no columns "token_in", "token_out", "token_amount_in", "token_amount_out", "block_time", "tx_hash" \(did you mean its "tx_hsh"\?\)\. It has: "tx_hsh", "time", "wallet"\./,
  );
});

test('map names a column for a field of a preset', async () => {
  const header =
    'block_time,tx_hash,log,tx_from,token_bought_address,token_sold_address,token_bought_amount,token_sold_amount,taker';
  const path = file('.csv', `${header}\n1710665692,0xaa01,7,${trader},${weth},${usdc},2,3,${pool}\n`);
  const { swaps } = await read(path, { presets: ['dune-evm'], map: { log: 'swap_index', taker: 'wallet' } });
  const { swap_index, log_index, wallet: mapped } = swaps[0] as Record<string, unknown>;
  // The preset makes the log index of a column that the file lacks.
  assert.deepEqual([swap_index, log_index ?? null, mapped], [7, null, pool]);
});

test('a row that is no swap is passed over though it cannot be read, and a swap that cannot be is rejected', async () => {
  const swap = {
    __typename: 'Swap',
    transaction: { id: '0x1' },
    timestamp: 1710665692,
    pool: pool,
    token0: usdc,
    token1: weth,
  };
  const rows = [
    { ...swap, origin: trader, amount0: '5', amount1: '5', logIndex: 1 },
    { ...swap, origin: trader, amount0: 'many', amount1: '-1', logIndex: 2 },
    { ...swap, __typename: 'Collect', amount0: 'many', amount1: {}, logIndex: 'x' },
    { ...swap, origin: trader, amount0: '0', amount1: '-1', logIndex: 3 },
    { amount0: 'many' },
  ];
  const found = await read(file('.ndjson', rows.map((row) => JSON.stringify(row)).join('\n')));
  assert.deepEqual(
    found.rejects.map(({ row, field, reason }) => `${row} ${field} ${reason}`),
    [
      '1 token_amount_in and token_amount_out must have opposite signs, not 5 and 5',
      '2 token_amount_in is not a number: "many"',
    ],
  );
  assert.deepEqual(found.passed, { '__typename is "Collect"': 1, '__typename is missing': 1 });
  assert.deepEqual(found.swaps.length, 1);
});

test('one NDJSON line of an answer, a document of several lines, and objects that follow one another give the same swaps', async () => {
  const row = {
    tx_hash: 'h',
    swap_index: 0,
    block_time: 1710665692,
    wallet: 'W',
    token_in: 'A',
    token_out: 'B',
    token_amount_in: 1,
    token_amount_out: 2,
  };
  const answer = { data: { rows: [row, { ...row, swap_index: 1 }] } };
  const texts = {
    'an answer a line': `${JSON.stringify(answer)}\n`,
    'a document': JSON.stringify(answer, null, 2),
    'an array': JSON.stringify([row, { ...row, swap_index: 1 }]),
    'objects of several lines': [row, { ...row, swap_index: 1 }].map((one) => JSON.stringify(one, null, 1)).join('\n'),
    'an object a line': [row, { ...row, swap_index: 1 }].map((one) => JSON.stringify(one)).join('\n'),
  };
  for (const [title, text] of Object.entries(texts)) {
    const { swaps, rejects } = await read(file('.json', text));
    assert.deepEqual(rejects, [], title);
    assert.deepEqual(swaps, [row, { ...row, swap_index: 1 }], title);
  }
});

test('a time without a zone is read as UTC in every format, whatever the zone of the machine, and said', async () => {
  const zone = process.env.TZ;
  process.env.TZ = 'America/New_York';
  try {
    const row = (time: string): string => `${own}\nh,0,${time},W,A,B,1,2\n`;
    assert.equal((await read(file('.csv', row('2024-03-17 08:54:52 UTC')))).isZoneless, false);
    for (const path of [
      file('.csv', row('2024-03-17 08:54:52')),
      await parquet('timestamp'),
      await parquet('timestamp_ns'),
      await parquet('timestamp_s'),
    ]) {
      const { swaps, isZoneless } = await read(path);
      assert.deepEqual([(swaps[0] as { block_time: number }).block_time, isZoneless], [1710665692, true], path);
    }
    assert.equal((await read(await parquet('timestamptz'))).isZoneless, false);
  } finally {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  }
});

/** A Parquet file of one swap with addresses as bytes, text numbers and a time of this type. */
async function parquet(type: string): Promise<string> {
  const path = join(folder, `${made++}.parquet`);
  const connection = await (await DuckDBInstance.create()).connect();
  const time = `'2024-03-17 08:54:52${type === 'timestamptz' ? '+00' : ''}'::${type}`;
  await connection.run(
    `copy (select unhex('aa01') tx_hash, 0 swap_index, ${time} block_time, unhex('${trader!.slice(2)}') wallet, '\\x${usdc!.slice(2)}' token_in,
      encode('${weth}') token_out, '1.5' token_amount_in, 0.3::decimal(38, 18) token_amount_out, '' token_symbol_in) to '${path}' (format parquet)`,
  );
  connection.closeSync();
  return path;
}

test('Parquet bytes and texts of hex become 0x, numbers as texts and decimals the nearest doubles, an empty symbol none', async () => {
  const { swaps } = await read(await parquet('timestamptz'));
  const expected = {
    tx_hash: '0xaa01',
    swap_index: 0,
    block_time: 1710665692,
    wallet: trader,
    token_in: usdc,
    token_out: weth,
  };
  assert.deepEqual(sorted(swaps[0] as object), sorted({ ...expected, token_amount_in: 1.5, token_amount_out: 0.3 }));
});

test('a stream is read piece by piece, and an eager reader hands out what has come', async () => {
  const lines = ['0', '1', '2'].map((index) => `h,${index},1710665692,W,A,B,1,2\n`);
  let handed = 0;
  const chunks = (async function* () {
    yield Buffer.from(`${own}\n${lines[0]}`);
    assert.equal(handed, 1);
    yield Buffer.from(lines[1]!.slice(0, 5));
    yield Buffer.from(lines[1]!.slice(5) + lines[2]!);
    assert.equal(handed, 3);
  })();
  for await (const { batch, bytesTotal } of readSwapFile({ name: 'feed', chunks }, { isEager: true })) {
    handed += batch.length;
    assert.ok(Number.isNaN(bytesTotal));
  }
  assert.equal(handed, 3);
});

const good = `-- name: mine
-- needs: id
select
  id as tx_hash,
  0 as swap_index,
  at_ as block_time,
  who as wallet,
  a as token_in,
  b as token_out,
  x as token_amount_in,
  y as token_amount_out
from input
`;
const faults: readonly (readonly [title: string, text: string, message: RegExp])[] = [
  ['without a name', good.replace('-- name: mine\n', ''), /it has no "-- name: NAME"/],
  ['with an unknown key', good.replace('needs', 'nedes'), /line 2: unknown key "nedes"\. There are name, source/],
  [
    'without a field that swaps need',
    good.replace('  who as wallet,\n', ''),
    /"wallet" is missing: every swap needs it/,
  ],
  ['with a field of no swap', good.replace('as wallet', 'as walet'), /"walet" is no field of a swap/],
  [
    'of another form',
    good.replace('from input', 'from input where x > 0'),
    /line 12: expected "EXPRESSION as FIELD,".*the option sql/,
  ],
];
for (const [title, text, message] of faults) {
  test(`a preset ${title} is refused with its place and what would do`, () => {
    assert.throws(
      () => parsePreset(text, 'it'),
      (error: unknown) => {
        assert.ok(error instanceof SwapfoldError && error.code === 'invalid-config');
        assert.match(error.message, message);
        return true;
      },
    );
  });
}
