import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { random } from '../../../test/support/killable.ts';
import { chainOf } from '../../../test/support/solana-chain.ts';
import { StandInNode } from '../../../test/support/solana-node.ts';
import { key, SOL } from '../../solana/test/support/transaction.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const FROM = 700;
const chain = chainOf({ from: FROM, slots: 30, swaps: 5, next: random(3) });
const raws = chain.flatMap(({ transactions, slot, blockTime }) =>
  transactions.map((raw) => ({ ...raw, slot, blockTime })),
);
const node = await StandInNode.start(chain);
after(() => node.stop());
const last = String(chain.at(-1)!.slot);

const count = async (db: string): Promise<number> => {
  const { stdout } = await runCli(['info', '--db', path(db), '--format', 'json']);
  return JSON.parse(stdout).swaps;
};

test('import solana stores the swaps of slots from a node, and goes on behind them', async () => {
  const first = await runCli([
    'import',
    'solana',
    node.url,
    '--from-slot',
    String(FROM),
    '--to-slot',
    String(FROM + 10),
    '--db',
    path('node.db'),
  ]);
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stdout, /^Stored \d+ swaps in /);
  const rest = await runCli(['import', 'solana', `solana:${node.url}`, '--db', path('node.db'), '--no-refresh']);
  assert.equal(rest.code, 0, rest.stderr);
  assert.equal(await count('node.db'), raws.length);
});

test('import solana --wallet stores the swaps of a wallet alone', async () => {
  const wallet = key('wallet 1');
  const { code, stderr } = await runCli([
    'import',
    'solana',
    node.url,
    '--wallet',
    wallet,
    '--since',
    '2020-01-01',
    '--db',
    path('wallet.db'),
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(
    await count('wallet.db'),
    raws.filter(({ transaction }) => transaction.message.accountKeys[0] === wallet).length,
  );
});

test('import solana stores recorded blocks and transactions of files, also packed, each swap once', async () => {
  const blocks = chain.map(({ slot: _, ...block }) => `${JSON.stringify(block)}\n`).join('');
  await writeFile(path('blocks.ndjson.gz'), gzipSync(blocks));
  await writeFile(
    path('transactions.ndjson'),
    raws.map((raw) => `${JSON.stringify({ jsonrpc: '2.0', id: 1, result: raw })}\n`).join(''),
  );
  const { code, stdout, stderr } = await runCli([
    'import',
    'solana',
    path('blocks.ndjson.gz'),
    path('transactions.ndjson'),
    '--db',
    path('files.db'),
  ]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, new RegExp(`Stored ${raws.length} swaps in .*\\nStored 0 swaps, `));
  assert.equal(await count('files.db'), raws.length);
});

test('swaps of Dune for the same transactions are the same swaps', async () => {
  const rows = raws.map(({ transaction, slot, blockTime }) => ({
    ...{ block_time: blockTime, block_slot: slot, tx_id: transaction.signatures[0], tx_index: 0 },
    ...{ outer_instruction_index: 0, inner_instruction_index: null, trader_id: transaction.message.accountKeys[0] },
    ...{
      token_bought_mint_address: SOL,
      token_sold_mint_address: key('token 0'),
      token_bought_amount: 1,
      token_sold_amount: 1,
    },
    ...{
      token_bought_symbol: 'SOL',
      token_sold_symbol: null,
      amount_usd: 1,
      project: 'raydium',
      project_program_id: key('program'),
    },
  }));
  await writeFile(path('dune.json'), JSON.stringify({ result: { rows } }));
  const { code, stderr } = await runCli([
    'import',
    'swaps',
    path('dune.json'),
    '--preset',
    'dune-solana',
    '--db',
    path('files.db'),
  ]);
  assert.equal(code, 0, stderr);
  assert.equal(await count('files.db'), raws.length);
});

test('follow solana:URL follows until it is stopped', async () => {
  const { child, ended } = startCli([
    'follow',
    `solana:${node.url}`,
    '--from-slot',
    String(FROM),
    '--poll-ms',
    '20',
    '--db',
    path('live.db'),
  ]);
  const isLate = Date.now() + 20_000;
  while (Date.now() < isLate && (node.calls.get('getSlot') ?? 0) < 1000 && child.exitCode === null) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if ((await count('live.db').catch(() => 0)) === raws.length) break;
  }
  child.kill('SIGINT');
  const { code, stdout } = await ended;
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^${raws.length} added, 0 duplicate`));
});

const wrong: readonly (readonly [string, readonly string[], RegExp])[] = [
  [
    'an address that is none',
    ['import', 'solana', 'http://127.0.0.1:1', '--wallet', '0x12'],
    /"wallets\.0" of solanaSource: expected an address of 32 bytes in base 58, received "0x12"/,
  ],
  ['a file that is not there', ['import', 'solana', path('none.ndjson')], /none\.ndjson/],
  [
    'a time that is none',
    ['import', 'solana', 'http://127.0.0.1:1', '--since', 'soon'],
    /Give a date such as 2025-01-01 or a Unix second/,
  ],
  [
    'a node that is none',
    ['follow', 'solana:ws://node'],
    /solana:ws:\/\/node is no address of a node: give http:\/\/ or https:\/\//,
  ],
];
for (const [name, args, message] of wrong)
  test(`wrong: ${name}`, async () => {
    const { code, stderr } = await runCli([...args, '--db', path('wrong.db')]);
    assert.notEqual(code, 0);
    assert.match(stderr, message);
  });

test('a line that is no answer of a node is named', async () => {
  await writeFile(path('bad.ndjson'), `${JSON.stringify(raws[0])}\n{"a":1}\n`);
  const { code, stderr } = await runCli(['import', 'solana', path('bad.ndjson'), '--db', path('bad.db')]);
  assert.notEqual(code, 0);
  assert.match(
    stderr,
    /Record 2 is no answer of a node: expected a result of getBlock with "blockhash" and "transactions"/,
  );
  await writeFile(path('worse.ndjson'), '{"a":\n');
  assert.match(
    (await runCli(['import', 'solana', path('worse.ndjson'), '--db', path('bad.db')])).stderr,
    /worse\.ndjson, line 1: no JSON/,
  );
});

test('a recorded file whose packing is cut off is refused', async () => {
  await writeFile(path('packed.zst'), Buffer.from('28b52ffd', 'hex'));
  const { stderr } = await runCli(['import', 'solana', path('packed.zst'), '--db', path('bad.db')]);
  assert.match(stderr, /packed\.zst: the zstd stream is cut off/);
});

test('a store of another chain refuses Solana', async () => {
  await writeFile(path('eth.json'), '{ "preset": "ethereum" }');
  const { code, stderr } = await runCli([
    'import',
    'solana',
    node.url,
    '--to-slot',
    last,
    '--db',
    path('eth.db'),
    '--config',
    path('eth.json'),
  ]);
  assert.notEqual(code, 0);
  assert.match(stderr, /The store is of chain "ethereum"/);
});
