import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { runMany, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const start = 1_735_732_800; // 2025-01-01T12:00:00Z

const buy = (wallet: string, seconds: number, index: number): SwapInput => ({
  ...{ tx_hash: `${wallet}-${seconds}`, swap_index: 0, block_time: start + seconds, block_slot: 100 + seconds, wallet },
  ...{ tx_index: index, token_in: 'USDC', token_out: 'T', token_amount_in: 100, token_amount_out: 50 },
});

const commands = {
  table: ['buyers', 'TEE'],
  before: ['buyers', 'T', '--before', '2025-01-01T12:00:02Z', '--format', 'csv'],
  json: ['buyers', 'T', '--limit', '2', '--format', 'json'],
  misspelled: ['buyers', 'TEA'],
  negative: ['buyers', 'T', '--limit', '1001'],
} as const;
let answers: Awaited<ReturnType<typeof runMany>>;
const answerTo = (command: keyof typeof commands) => answers[Object.keys(commands).indexOf(command)]!;

before(async () => {
  const dex = await Swapfold.open({
    storage: sqlite(path('dex.db')),
    config: { address_format: 'any', quote_tokens: [{ address: 'USDC', symbol: 'USDC', kind: 'stable' }] },
  });
  await dex.tokens.upsert([
    { address: 'T', symbol: 'TEE', creator_address: 'A', created_at: start, total_supply: 1000 },
  ]);
  await dex.ingest([buy('A', 0, 7), buy('B', 2, 9), buy('C', 90, 1)]);
  await dex.transfers.ingest([
    { tx_hash: 'gift', transfer_index: 0, block_time: start + 5, token: 'T', token_amount: 20, from: 'A', to: 'D' },
  ]);
  // Sold for 30.
  await dex.ingest([
    {
      ...{ tx_hash: 'sell', swap_index: 0, block_time: start + 99, wallet: 'D' },
      ...{ token_in: 'T', token_out: 'USDC', token_amount_in: 10, token_amount_out: 30 },
    },
  ]);
  await dex.refresh();
  await dex.close();
  answers = await runMany(Object.values(commands), { cwd: path('.') });
});

test('buyers stand in chain order with what they were at the launch, and insiders below', () => {
  const { stdout, code } = answerTo('table');
  const [head, , titles, , a, b, c, , listed, , insiders, , d, ...rest] = stdout.trimEnd().split('\n');
  assert.equal(code, 0);
  assert.equal(head, 'launch 2025-01-01T12:00:00Z, slot 100, by created_at; bundles 0, insiders 1');
  assert.match(titles!, /^# {2}wallet +after +slots +bought +supply +held +sold +made +roles$/);
  // The mark is 3: 30 of A are here at 2 each, and 50 of the others.
  assert.match(a!, /^1 {2}A +0s +0 +50 +5\.0% +30 +0 +\$30 +dev$/);
  assert.match(b!, /^2 {2}B +2s +2 +50 +5\.0% +50 +0 +\$50 +sniper$/);
  assert.match(c!, /^3 {2}C +1m 30s +90 +50 +5\.0% +50 +0 +\$50$/);
  assert.equal(listed, '3 of 3 buyers');
  assert.match(insiders!, /^insider +got +steps +held +sold +made$/);
  assert.match(d!, /^D +20 +1 +10 +10 +\$0$/);
  assert.deepEqual(rest, []);
});

test('buyers before a time, and as many as --limit says', () => {
  const [titles, ...rows] = answerTo('before').stdout.trimEnd().split('\n');
  assert.match(titles!, /^rank,wallet,seconds_after,/);
  assert.deepEqual([rows.length, rows[0]!.split(',')[1]], [1, 'A']);
  const { data, count, insiders } = JSON.parse(answerTo('json').stdout);
  assert.deepEqual([data.length, count, insiders.length], [2, 3, 1]);
});

test('a token that nobody knows and a number out of range say what would do', () => {
  assert.match(answerTo('misspelled').stderr, /TEA/);
  assert.match(answerTo('negative').stderr, /1001.*from 1 to 1,?000/);
  assert.deepEqual([answerTo('misspelled').code !== 0, answerTo('negative').code !== 0], [true, true]);
});
