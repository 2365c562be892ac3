import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Source, Swapfold } from '@swapfold/core';
import { recordedSource, solanaSource } from '@swapfold/solana';
import { key } from '../packages/solana/test/support/transaction.ts';
import { engines, withFolder } from './support/engines.ts';
import { StandInNode } from './support/solana-node.ts';
import { faultsOf, recordedTransactions } from './support/solana-transactions.ts';

const recorded = recordedTransactions();

async function checkStore(source: Source, engine: string): Promise<void> {
  await withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'solana' } });
    const result = await dex.follow(source);
    assert.equal(result.rejected + result.conflicting + result.duplicate, 0);
    const { data, count } = await dex.swaps.list({ limit: 100 });
    assert.equal(data.length, count);
    const wrong = recorded.flatMap((one) => {
      const rows = data.filter(({ tx_hash }) => tx_hash === one.raw.transaction.signatures[0]);
      return faultsOf(rows, one).map((fault) => `${one.name} (${one.kind}): ${fault}`);
    });
    assert.deepEqual(wrong, []);
    await dex.close();
  });
}

async function* answers(): AsyncIterable<unknown> {
  for (const { raw } of recorded) yield raw;
}

/** The recorded transactions in blocks of one, with slots between that have none. */
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
  test(`on ${engine}, from a file: each recorded transaction exchanged what its balances say, the others nothing`, () =>
    checkStore(recordedSource({ name: 'recorded', records: answers }), engine));

  test(`on ${engine}, from a node that refuses now and then: the same`, async () => {
    const node = await StandInNode.start(inBlocks());
    let calls = 0;
    node.fault = () => (calls++ % 5 === 2 ? { status: 429, retryAfter: '0' } : undefined);
    const source = solanaSource({ url: node.url, from_slot: 1000, to_slot: 'latest', onNotice: () => undefined });
    await checkStore(source, engine);
    await node.stop();
  });
}
