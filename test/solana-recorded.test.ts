import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Source, Swapfold } from '@swapfold/core';
import type { GivenSwap } from '@swapfold/core/host';
import { recordedSource, solanaSource } from '@swapfold/solana';
import { key } from '../packages/solana/test/support/transaction.ts';
import { engines, withFolder } from './support/engines.ts';
import { StandInNode } from './support/solana-node.ts';
import { type Recorded, type RecordedSwap, recordedFile, recordedTransactions } from './support/solana-transactions.ts';

const skip = recordedFile === undefined && 'the recorded transactions are not beside the project';
const recorded = recordedTransactions();

/** Whether two numbers are the same to one part in a thousand million. */
const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** What a wallet gave or got of a token in all hops of a transaction. */
const sum = (rows: readonly GivenSwap[], token: string, side: 'in' | 'out'): number =>
  rows.filter((row) => row[`token_${side}`] === token).reduce((total, row) => total + row[`token_amount_${side}`], 0);

function checkSwap(rows: readonly GivenSwap[], swap: RecordedSwap, name: string): void {
  const own = rows.filter(({ wallet }) => wallet === swap.wallet);
  const least = typeof swap.amount_in === 'number' ? swap.amount_in : swap.amount_in[0];
  assert.ok(
    isClose(sum(own, swap.token_in, 'in'), least),
    `${name}: gave ${sum(own, swap.token_in, 'in')}, not ${least}`,
  );
  assert.ok(
    isClose(sum(own, swap.token_out, 'out'), swap.amount_out),
    `${name}: got ${sum(own, swap.token_out, 'out')}`,
  );
  if (swap.hops === undefined) return;
  const protocols = [...own].sort((a, b) => a.swap_index - b.swap_index).map(({ protocol }) => protocol);
  assert.equal(protocols.length, swap.hops.length, name);
  for (const [i, hop] of swap.hops.entries()) if (hop !== null) assert.equal(protocols[i], hop, name);
}

async function checkStore(source: Source, engine: string): Promise<void> {
  await withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'solana' } });
    const result = await dex.follow(source);
    assert.equal(result.rejected + result.conflicting + result.duplicate, 0);
    const { data } = await dex.swaps.list({ limit: 100 });
    for (const { raw, name, swaps } of recorded) {
      const rows = data.filter(({ tx_hash }) => tx_hash === raw.transaction.signatures[0]);
      check(rows, { name, swaps });
    }
    await dex.close();
  });
}

function check(rows: readonly GivenSwap[], { name, swaps }: Pick<Recorded, 'name' | 'swaps'>): void {
  if (swaps === null) return;
  const wallets = [...new Set(rows.map(({ wallet }) => wallet))].sort();
  assert.deepEqual(wallets, [...new Set(swaps.map(({ wallet }) => wallet))].sort(), name);
  for (const swap of swaps) checkSwap(rows, swap, name);
}

async function* lines(): AsyncIterable<unknown> {
  for (const line of readFileSync(recordedFile!, 'utf8').trim().split('\n')) yield JSON.parse(line);
}

/** The recorded transactions in blocks of a few, with slots between that have none. */
function inBlocks() {
  const slots = [...recorded].sort((a, b) => a.raw.slot - b.raw.slot);
  return slots.map(({ raw }, i) => ({
    slot: 1000 + 2 * i,
    blockhash: key(`block ${i}`),
    previousBlockhash: key(`block ${i - 1}`),
    parentSlot: 1000 + 2 * (i - 1),
    blockTime: raw.blockTime ?? null,
    transactions: [raw],
  }));
}

for (const engine of ['sqlite', 'duckdb']) {
  test(
    `on ${engine}, from a file: each recorded transaction exchanged what its balances say, the others nothing`,
    { skip },
    () => checkStore(recordedSource({ name: 'recorded', records: lines }), engine),
  );

  test(`on ${engine}, from a node that refuses now and then: the same`, { skip }, async () => {
    const node = await StandInNode.start(inBlocks());
    let calls = 0;
    node.fault = () => (calls++ % 5 === 2 ? { status: 429, retryAfter: '0' } : undefined);
    const source = solanaSource({ url: node.url, from_slot: 1000, to_slot: 'latest', onNotice: () => undefined });
    await checkStore(source, engine);
    await node.stop();
  });
}
