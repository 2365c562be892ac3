import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { columnsToObjects, SwapfoldError } from '@swapfold/core';
import type { FileReject } from '../src/batches.ts';
import { builtInPresets } from '../src/built-in.ts';
import type { RowFileOptions } from '../src/options.ts';
import { parsePreset } from '../src/presets.ts';
import { batchesOfParts, readParts } from '../src/read-swap-file.ts';
import { rowKinds } from '../src/row-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'swapfold-transfer-presets-'));
after(() => rmSync(folder, { recursive: true }));

let made = 0;
function file(suffix: string, content: string): string {
  const path = join(folder, `${made++}${suffix}`);
  writeFileSync(path, content);
  return path;
}

interface Read {
  transfers: object[];
  rejects: FileReject[];
  passed: Record<string, number>;
  preset: string;
}

async function read(path: string, options: RowFileOptions = {}): Promise<Read> {
  const all: Read = { transfers: [], rejects: [], passed: {}, preset: '' };
  const parts = readParts(path, options, rowKinds.transfers);
  for await (const { batch, rejects, passed, preset } of batchesOfParts(parts)) {
    for (const row of columnsToObjects(batch))
      all.transfers.push(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)));
    all.rejects.push(...rejects);
    for (const [reason, count] of passed) all.passed[reason] = (all.passed[reason] ?? 0) + count;
    all.preset = preset;
  }
  return all;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SwapfoldError, String(error));
  return error.message;
}

const evmAddress = (last: string): string => `0x${last.padStart(40, '0')}`;
const [usdc, weth, poison, first, second, none] = ['a1', 'b1', 'd1', 'f1', 'f2', '0'].map(evmAddress) as [
  ...[string, string, string, string, string, string],
];

const sent = { block_time: 1710665692, tx_hash: '0xaa01', block_slot: 19450001, includes_swaps: 1 };
const sold = { ...sent, token: usdc, token_amount: 1250.5, from: first, to: second };
const minted = { ...sent, token: weth, token_amount: 2.5, from: none, to: first };

const onSolana = { block_time: 1710665692, tx_hash: 'TxOne', token: 'MintWif', token_amount: 120.5 };
const wif = { ...onSolana, from: 'Trader1', to: 'Trader2', includes_swaps: 1 };
const more = { ...wif, block_time: 1710665693, tx_hash: 'TxTwo', token_amount: 48 };
const { from: _, ...mint } = { ...more, to: 'Trader1' };

/** What each fixture has, worked out by hand: without a value as a cost. */
const fixtures: readonly (readonly [name: string, transfers: readonly object[], passed?: Record<string, number>])[] = [
  [
    'dune-evm.csv',
    [
      { ...sold, tx_index: 14 },
      { ...minted, tx_index: 14 },
    ],
    { 'token_standard is erc721': 1, 'of another chain: polygon': 1 },
  ],
  [
    'dune-solana.csv',
    [
      { ...wif, block_slot: 254000001 },
      { ...mint, block_slot: 254000002 },
    ],
  ],
  [
    'etherscan.csv',
    [
      sold,
      minted,
      {
        ...sent,
        ...{ block_time: 1710665704, tx_hash: '0xaa02', block_slot: 19450002 },
        ...{ token: poison, token_amount: 0, from: second, to: first },
      },
    ],
  ],
  ['etherscan--token.csv', [sold]],
  [
    'solscan.csv',
    [
      wif,
      mint,
      {
        ...{ ...more, token: 'So11111111111111111111111111111111111111112', token_amount: 1.25 },
        ...{ from: 'Trader2', to: 'Trader1' },
      },
      {
        ...{ block_time: 1710665694, tx_hash: 'TxThree', token: 'MintWif', token_amount: 0.5, from: 'Trader1' },
        includes_swaps: 1,
      },
    ],
    { 'Action is "CREATE_ACCOUNT"': 1 },
  ],
  ['solscan--api.json', [{ ...wif, block_slot: 254000001 }], { 'activity_type is "ACTIVITY_SPL_CREATE_ACCOUNT"': 1 }],
  [
    '../cielo.json',
    // 764846856 is of the SHA-256 of its index, token, sender, recipient and amount, line by line.
    [1, 2].map(() => ({
      ...{ block_time: 1710665693, block_slot: 254000002, tx_hash: 'TxTwo', transfer_index: 764846856 },
      ...{ token: 'MintWif', token_amount: 48, from: 'Trader1', to: 'Trader2' },
    })),
    { 'tx_type is "swap"': 1, 'tx_type is "lp"': 1 },
  ],
];

const sorted = (row: object): object => Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)));
const path = (name: string): string => fileURLToPath(new URL(`presets/transfers/${name}`, import.meta.url));
const presetOf = (name: string): string => name.replace(/^.*\/|(--\w+)?\.\w+$/g, '');

const given: Readonly<Record<string, RowFileOptions>> = {
  'dune-evm.csv': { chain: 'ethereum' },
  'etherscan--token.csv': { set: { token: usdc } },
};

for (const [name, transfers, passed = {}] of fixtures) {
  test(`${name} is read by its columns alone, and its transfers are those written by hand`, async () => {
    const found = await read(path(name), given[name]);
    assert.equal(found.preset, presetOf(name));
    assert.deepEqual(found.transfers.map(sorted), transfers.map(sorted));
    assert.deepEqual(found.passed, passed);
    const faults = found.rejects.map(({ row, field }) => [row, field]);
    assert.deepEqual(faults, name === 'dune-evm.csv' ? [[4, 'token_amount']] : []);
  });
}

test('every preset of transfers is built in, has a fixture, and maps no value to a cost', () => {
  const all = builtInPresets.filter(({ rows }) => rows === 'transfers');
  const files = readdirSync(new URL('../src/presets/transfers', import.meta.url));
  assert.deepEqual(files.map((name) => name.replace(/\.sql$/, '')).sort(), all.map(({ name }) => name).sort());
  assert.deepEqual([...new Set(fixtures.map(([name]) => presetOf(name)))].sort(), all.map(({ name }) => name).sort());
  for (const { select, value, layout, name } of all) {
    assert.ok(value.length > 0 && layout.length > 10, name);
    assert.equal(
      select.some(([field]) => field === 'cost_usd'),
      false,
      name,
    );
  }
});

/** The value that each row has in its source, USD. */
const values: Readonly<Record<string, readonly (number | undefined)[]>> = {
  'dune-evm.csv': [1250.5, 9000],
  'dune-solana.csv': [231.25, 93],
  'etherscan.csv': [1250.5, 9000, undefined],
  'solscan.csv': [231.25, 93, 231.25, 0.9],
  'solscan--api.json': [231.25],
  '../cielo.json': [93, 93],
};
for (const [name, costs] of Object.entries(values)) {
  test(`with valueArrivals the values of ${name} are costs`, async () => {
    const { transfers } = await read(path(name), { ...given[name], valueArrivals: true });
    assert.deepEqual(
      transfers.map((row) => (row as { cost_usd?: number }).cost_usd),
      costs,
    );
  });
}

test('valueArrivals is refused where a file has no column of values', async () => {
  assert.match(
    await refusal(read(path('etherscan--token.csv'), { ...given['etherscan--token.csv'], valueArrivals: true })),
    /etherscan--token\.csv has no column that says what a transfer was worth, which the option valueArrivals needs\. It has: "Txhash"/,
  );
  const own = file('.csv', 'tx_hash,block_time,token,token_amount,to\nh,1710665692,T,1,W\n');
  assert.match(
    await refusal(read(own, { valueArrivals: true })),
    /Swapfold's own columns, of which cost_usd is what a transfer cost: the option valueArrivals is for presets\. .* option map COLUMN=cost_usd/,
  );
});

test('own columns need no index, sender or recipient, and name what is missing', async () => {
  const rows = [
    'tx_hash,block_time,token,token_amount,from,to,cost_usd,kind,includes_swaps,transfer_index',
    'h,1710665692.5,T,1.5,V,W,20,airdrop,true,7',
    'h,2024-03-17 08:54:52,T,1,,W,,,0,',
    'h,1710665692,T,many,V,W,,,,',
    'h,1710665692,T,1,V,W,,,perhaps,',
  ];
  const { transfers, rejects, preset } = await read(file('.csv', `${rows.join('\n')}\n`));
  assert.equal(preset, 'swapfold');
  assert.deepEqual(transfers, [
    {
      ...{ tx_hash: 'h', block_time: 1710665692.5, token: 'T', token_amount: 1.5, from: 'V', to: 'W', cost_usd: 20 },
      ...{ kind: 'airdrop', includes_swaps: 1, transfer_index: 7 },
    },
    { tx_hash: 'h', block_time: 1710665692, token: 'T', token_amount: 1, to: 'W', includes_swaps: 0 },
  ]);
  assert.deepEqual(rejects, [
    { row: 3, field: 'token_amount', reason: 'is not a number: "many"' },
    { row: 4, field: 'includes_swaps', reason: 'must be true or false, not "perhaps"' },
  ]);
  assert.match(
    await refusal(read(file('.csv', 'tx_hash,block_time,tokens,amount\nh,1,T,1\n'))),
    /has no columns "token" \(did you mean its "tokens"\?\), "token_amount"/,
  );
});

test('rows without a hash get one with rowIds, of what they say, and no index', async () => {
  const path = file('.csv', 'block_time,token,token_amount,to\n1710665692,T,1,W\n1710665692,T,2,W\n');
  const { transfers } = await read(path, { rowIds: true });
  const hashes = transfers.map((row) => (row as { tx_hash: string }).tx_hash);
  assert.ok(hashes.every((hash) => /^row:[0-9a-f]{64}$/.test(hash)));
  assert.notEqual(hashes[0], hashes[1]);
  assert.ok(transfers.every((row) => !Object.hasOwn(row, 'transfer_index')));
});

test('a file of other rows says what it is and how it is imported', async () => {
  const swaps = fileURLToPath(new URL('presets/dune-solana.csv', import.meta.url));
  assert.match(
    await refusal(read(swaps)),
    /dune-solana\.csv has the columns of swaps, of the preset dune-solana: import it with the option kind swaps\./,
  );
  assert.match(
    await refusal(batchesOfParts(readParts(path('solscan.csv'), {})).next()),
    /solscan\.csv has the columns of transfers, of the preset solscan: import it with the option kind transfers\./,
  );
  assert.match(
    await refusal(read(path('solscan.csv'), { presets: ['helius'] })),
    /The preset helius is of swaps: give it with the option kind swaps, or one of transfers\./,
  );
});

test('amounts of tokens_solana.transfers without decimals are refused, and taken with them', async () => {
  const rows = (columns: string, ...values: readonly string[]): string =>
    [`block_time,tx_id,token_mint_address,from_owner,to_owner,amount${columns}`, ...values]
      .map((row, i) => (i === 0 ? row : `1710665692,h,T,V,W,${row}`))
      .join('\n');
  const amounts = async (text: string, options: RowFileOptions = {}) => {
    const { transfers, rejects } = await read(file('.csv', `${text}\n`), options);
    return [
      ...transfers.map((row) => (row as { token_amount: number }).token_amount),
      ...rejects.map((one) => one.reason),
    ];
  };
  assert.match(
    await refusal(amounts(rows('', '1500000'))),
    /the preset dune-solana needs the option set decimals=VALUE: how many decimals the token of the file has/,
  );
  assert.deepEqual(await amounts(rows('', '1500000'), { set: { decimals: '6' } }), [1.5]);
  assert.deepEqual(await amounts(rows(',decimals', '1500000,6', '1500000,')), [
    1.5,
    'has no decimals: they must be a whole number from 0 to 255, not NaN',
  ]);
});

test("a preset of one's own says that its rows are transfers, and lacks what every transfer needs by name", () => {
  const text = (rows: string, ...fields: readonly string[]): string =>
    [`-- name: mine`, `-- rows: ${rows}`, 'select', ...fields.map((field) => `  x as ${field},`), 'from input'].join(
      '\n',
    );
  const needed = ['tx_hash', 'block_time', 'token', 'token_amount'];
  const mine = parsePreset(text('transfers', ...needed, '"from"', 'to'), 'it');
  assert.deepEqual([mine.rows, mine.select.at(-2)], ['transfers', ['from', 'x']]);
  assert.throws(() => parsePreset(text('transfers', ...needed.slice(1)), 'it'), {
    code: 'invalid-config',
    message: /it: "tx_hash" is missing: every transfer needs it\./,
  });
  assert.throws(() => parsePreset(text('transfers', ...needed, 'wallet'), 'it'), {
    message: /it: "wallet" is no field of a transfer\./,
  });
  assert.throws(() => parsePreset(text('transfer', ...needed), 'it'), {
    message: /it: "rows": expected swaps or transfers, not "transfer"\. Did you mean "transfers"\?/,
  });
});
