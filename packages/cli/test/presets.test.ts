import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import { readSwapFile, type SwapFileOptions } from '../src/files/read-swap-file.ts';
import type { FileReject } from '../src/files/table-builder.ts';
import { builtInPresets } from '../src/presets/built-in.ts';
import { parsePreset } from '../src/presets/parse-preset.ts';
import type { Preset } from '../src/presets/preset.ts';
import { composedIndex } from '../src/presets/swap-index.ts';

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
        ...{ block_slot: 19450000, swap_index: 77, protocol: 'uniswap_v3', pool },
        ...{ token_symbol_in: 'USDC', token_symbol_out: 'WETH', usd_amount_in: 9000, usd_amount_out: 9000 },
      },
      {
        block_time: 1710665704,
        block_slot: 19450001,
        tx_hash: '0xaa02',
        swap_index: 5,
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
        ...{ swap_index: 77, protocol: 'uniswap_v3', pool, usd_amount_in: 9000, usd_amount_out: 9000 },
        ...{ token_symbol_in: 'USDC', token_symbol_out: 'WETH' },
      },
      {
        block_time: 1710665704,
        tx_hash: '0xaa03',
        swap_index: 5,
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
];

const sorted = (swap: object): object => Object.fromEntries(Object.entries(swap).sort(([a], [b]) => (a < b ? -1 : 1)));

for (const [name, swaps, passed = {}] of fixtures) {
  test(`presets/${name} is read by its columns alone, and its swaps are those written by hand`, async () => {
    const found = await read(fileURLToPath(new URL(`presets/${name}`, import.meta.url)));
    assert.equal(found.preset, name.replace(/\.\w+$/, ''));
    assert.deepEqual(found.rejects, []);
    assert.deepEqual((found.swaps as object[]).map(sorted), swaps.map(sorted));
    assert.deepEqual(found.passed, passed);
  });
}

test('every built-in preset has a fixture, and a preset of the same data under another name is taken', () => {
  assert.deepEqual(
    fixtures.map(([name]) => name.replace(/\.\w+$/, '')).sort(),
    builtInPresets.map(({ name }) => name).sort(),
  );
  for (const preset of builtInPresets) {
    const mine = { ...(JSON.parse(JSON.stringify(preset)) as Preset), name: 'mine' };
    assert.deepEqual(parsePreset(mine, 'it'), mine);
  }
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
  test(`outer ${outer} and inner ${inner} make ${expected}`, () => {
    const index = composedIndex(outer, inner);
    if (typeof expected === 'number') assert.equal(index, expected);
    else assert.match(String(index), expected);
  });
}

const own = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';

test('a file with the columns of two presets is refused with both names, and read with the one that is said', async () => {
  const mine = parsePreset(
    {
      name: 'mine',
      fields: {
        tx_hash: 'id',
        swap_index: 'n',
        block_time: 'at',
        wallet: 'who',
        token_in: 'from',
        token_out: 'to',
        token_amount_in: 'gave',
        token_amount_out: 'got',
      },
    },
    'it',
  );
  const theirs = { ...mine, name: 'theirs', fields: { ...mine.fields, wallet: 'owner' } };
  const path = file('.csv', 'id,n,at,who,owner,from,to,gave,got\nh,0,1710665692,W,V,A,B,1,2\n');
  assert.match(
    await refusal(read(path, { presets: [mine, theirs] })),
    /columns of several presets: mine, theirs\. .*--preset mine/,
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
  assert.match(
    await refusal(read(file('.csv', 'tx_hsh,time,wallet\n1,2,3\n'))),
    /has no columns "token_in", "token_out", "token_amount_in", "token_amount_out", "block_time", "tx_hash" \(did you mean its "tx_hsh"\?\), "swap_index"\. It has: "tx_hsh", "time", "wallet"\./,
  );
});

test('--map names a column for a field of a preset', async () => {
  const header =
    'block_time,tx_hash,log,tx_from,token_bought_address,token_sold_address,token_bought_amount,token_sold_amount,taker';
  const path = file('.csv', `${header}\n1710665692,0xaa01,7,${trader},${weth},${usdc},2,3,${pool}\n`);
  const { swaps } = await read(path, { presets: ['dune-evm'], map: { log: 'swap_index', taker: 'wallet' } });
  assert.deepEqual(
    [(swaps[0] as Record<string, unknown>).swap_index, (swaps[0] as Record<string, unknown>).wallet],
    [7, pool],
  );
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
      '2 amount0 is not a number: "many"',
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
  const mine: Preset = {
    ...builtInPresets[0]!,
    name: 'mine',
    records: ['data.rows[].row'],
    fields: Object.fromEntries(Object.keys(row).map((name) => [name, name])),
  };
  const answer = { data: { rows: [{ row }, { row: { ...row, swap_index: 1 } }] } };
  const texts = {
    'an answer a line': `${JSON.stringify(answer)}\n`,
    'a document': JSON.stringify(answer, null, 2),
    'an array': JSON.stringify([row, { ...row, swap_index: 1 }]),
    'objects of several lines': [row, { ...row, swap_index: 1 }].map((one) => JSON.stringify(one, null, 1)).join('\n'),
    'an object a line': [row, { ...row, swap_index: 1 }].map((one) => JSON.stringify(one)).join('\n'),
  };
  for (const [title, text] of Object.entries(texts)) {
    const { swaps, rejects } = await read(file('.json', text), { presets: [mine] });
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

const faults: readonly (readonly [
  title: string,
  change: (preset: Record<string, unknown>) => unknown,
  message: RegExp,
])[] = [
  ['that is no object', () => 5, /^it: .*received 5/],
  ['with an unknown key', (preset) => ({ ...preset, feilds: {} }), /"feilds": unknown key\. Did you mean "fields"\?/],
  [
    'without a field that swaps need',
    ({ fields, ...preset }) => ({ ...preset, fields: { ...(fields as object), wallet: undefined } }),
    /"fields\.wallet"/,
  ],
  [
    'with a field of no swap',
    ({ fields, ...preset }) => ({ ...preset, fields: { ...(fields as object), walet: 'x' } }),
    /"fields\.walet": no field of a swap\. Did you mean "wallet"\?/,
  ],
  [
    'with an index for a wallet',
    ({ fields, ...preset }) => ({ ...preset, fields: { ...(fields as object), wallet: { outer: 'a', inner: 'b' } } }),
    /"fields\.wallet": only "swap_index" is made so/,
  ],
  [
    'with a source of no kind',
    ({ fields, ...preset }) => ({ ...preset, fields: { ...(fields as object), wallet: { form: 1 } } }),
    /"fields\.wallet": expected a column, or an object with one of column, value, join/,
  ],
  [
    'with a path of no array',
    (preset) => ({ ...preset, records: ['data.rows'] }),
    /"records\.0": expected a path such as "data\[\]\.attributes" \(received "data\.rows"\)/,
  ],
  [
    'with the name of a built-in one',
    (preset) => ({ ...preset, name: 'birdeye' }),
    /"name": "birdeye" is the name of a preset that comes with Swapfold/,
  ],
  [
    'with decimals that are none',
    ({ fields, ...preset }) => ({
      ...preset,
      fields: { ...(fields as object), token_amount_in: { column: 'a', decimals: -1 } },
    }),
    /"fields\.token_amount_in\.decimals": .*-1/,
  ],
];
for (const [title, change, message] of faults) {
  test(`a preset ${title} is refused with its place and what would do`, () => {
    const good = { ...(JSON.parse(JSON.stringify(builtInPresets[0])) as Record<string, unknown>), name: 'mine' };
    assert.throws(
      () => parsePreset(change(good), 'it'),
      (error: unknown) => {
        assert.ok(error instanceof SwapfoldError && error.code === 'invalid-config');
        assert.match(error.message, message);
        return true;
      },
    );
  });
}
