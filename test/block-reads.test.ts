import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { Batch, Reader, StorageAdapter, Writer } from '@swapfold/core/engine';
import { price, swapped, worthConfig } from './support/worth.ts';

/** A store that counts the rows that its writes read, and notes of which tables. */
function counted(storage: StorageAdapter): { storage: StorageAdapter; rows: () => number; tables: string[] } {
  let rows = 0;
  const tables: string[] = [];
  const counting = (writer: Writer): Writer => {
    const note = <B extends Batch>(batch: B): B => {
      rows += batch.length;
      return batch;
    };
    const reads = {
      read: async (scan) => {
        tables.push(scan.table.name);
        return note(await writer.read(scan));
      },
      latest: async (query) => {
        tables.push(query.table.name);
        return note(await writer.latest(query));
      },
      max: async (table, column, where) => {
        tables.push(table.name);
        return writer.max(table, column, where);
      },
      async *stream(scan) {
        tables.push(scan.table.name);
        for await (const piece of writer.stream(scan)) yield note(piece);
      },
    } as Pick<Reader, 'read' | 'latest' | 'stream' | 'max'>;
    return { ...writer, ...reads };
  };
  return {
    storage: { ...storage, write: (change) => storage.write((writer) => change(counting(writer))) },
    rows: () => rows,
    tables,
  };
}

/** A second's swaps of SOL for tokens, each by a wallet of its own. */
const block = (second: number): SwapInput[] =>
  Array.from({ length: 20 }, (_, i) => ({
    tx_hash: `${second}-${i}`,
    swap_index: 0,
    tx_index: i,
    block_time: 1_735_689_600 + second,
    wallet: `wallet-${second}-${i}`,
    token_in: 'SOL',
    token_out: `token-${second}-${i}`,
    token_amount_in: 1 + i,
    token_amount_out: 1000,
  }));

for (const [market, rows] of Object.entries({
  'that says no values': block,
  'that says values': (second: number) =>
    block(second).map((swap) => ({ ...swap, usd_amount_in: 200 * Number(swap.token_amount_in) })),
}))
  test(`a block of a market ${market} reads as many rows after fifty blocks as after five`, async () => {
    const { storage, rows: read } = counted(memory());
    const dex = await Swapfold.open({ storage, config: worthConfig });
    const reads: number[] = [];
    for (let second = 0; second < 50; second++) {
      const before = read();
      const { added, rejects } = await dex.ingest(rows(second));
      assert.equal(added, 20, JSON.stringify(rejects[0]));
      reads.push(read() - before);
    }
    assert.ok(reads[49]! <= reads[5]!, `rows that each block reads: ${reads.join(', ')}`);
    await dex.close();
  });

test('a refresh of a store without reference prices, transfers and horizon reads none of them, and the native price once', async () => {
  const { storage, tables } = counted(memory());
  const dex = await Swapfold.open({ storage, config: worthConfig });
  for (let second = 0; second < 3; second++) {
    await dex.ingest(block(second));
    tables.length = 0;
    await dex.refresh();
    const times = (name: string): number => tables.filter((table) => table === name).length;
    assert.deepEqual(['reference_prices', 'transfers', 'native_prices', 'meta'].map(times), [0, 0, 1, 1]);
  }
  await dex.close();
});

/** The swaps of a second in which every wallet buys the same token. */
const bought = (second: number): SwapInput[] => block(second).map((swap) => ({ ...swap, token_out: 'HOT' }));

test('a refresh reads the balances of what was traded once, and those of tokens that are new to it', async () => {
  const { storage, tables } = counted(memory());
  const dex = await Swapfold.open({ storage, config: worthConfig });
  for (let second = 0; second < 4; second++) {
    await dex.ingest(bought(second));
    tables.length = 0;
    await dex.refresh({ scope: 'traded' });
    // The first one folds everything, the second caches the holders.
    if (second > 1) assert.equal(tables.filter((table) => table === 'balances').length, 2);
  }
  const fresh = await Swapfold.open({ storage: memory(), config: worthConfig });
  await fresh.ingest([0, 1, 2, 3].flatMap(bought));
  await fresh.refresh();
  const [market, whole] = await Promise.all(
    [dex, fresh].map(
      async ({ tokens }) => (await tokens.get({ token: 'HOT', options: { include_market: true } })).market,
    ),
  );
  assert.equal(market?.holders, 80);
  assert.deepEqual(market, whole);
  await Promise.all([dex.close(), fresh.close()]);
});

test('the first reference price of a store counts in the refresh that follows', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: worthConfig });
  await dex.ingest(block(0));
  await dex.refresh();
  const token = 'token-0-0';
  const priceOf = async (): Promise<number | null> => (await dex.tokens.get({ token })).market?.price ?? null;
  assert.equal(await priceOf(), null);
  await dex.prices.upsert([{ token: 'SOL', time: 1_735_689_600, usd_price: 200 }]);
  await dex.refresh();
  // One SOL for 1,000 tokens.
  assert.equal(await priceOf(), 0.2);
  await dex.close();
});

test('a refresh takes a reference price that came without a swap, and what a transfer has moved since', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { ...worthConfig, clock: 'wall' } });
  const now = Math.floor(Date.now() / 1000) - 600;
  const bought = { ...swapped(now - 100, [100, 'USDC'], [1, 'SOL']), wallet: 'W' };
  const other = { ...swapped(now - 95, [110, 'USDC'], [1, 'MSOL']), wallet: 'W' };
  await dex.ingest([bought, other, { ...swapped(now - 90, [50, 'USDC'], [10, 'X']), wallet: 'W' }]);
  await dex.refresh();
  const priceOf = async (token: string): Promise<number | null | undefined> =>
    (await dex.tokens.get({ token, options: { include_market: true } })).market?.price;
  assert.deepEqual([await priceOf('SOL'), await priceOf('MSOL')], [100, 110]);
  await dex.prices.upsert([price('SOL', now, 120), price('MSOL', now, 130), price('MSOL', now + 5, 140)]);
  await dex.refresh({ asOf: now + 2, scope: 'traded' });
  assert.equal(await priceOf('MSOL'), 130);
  await dex.refresh({ scope: 'traded' });
  assert.deepEqual([await priceOf('SOL'), await priceOf('MSOL')], [120, 140]);
  await dex.transfers.ingest([
    { tx_hash: 'out', transfer_index: 0, block_time: now + 10, from: 'W', to: 'V', token: 'X', token_amount: 10 },
  ]);
  await dex.ingest([{ ...swapped(now + 20, [10, 'USDC'], [1, 'Y']), wallet: 'W' }]);
  await dex.refresh({ scope: 'traded' });
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
});
