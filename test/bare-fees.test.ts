import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { A, buy, clock, DAY, exchange, fixtureConfig, inTx, type Row, sell } from './support/fixture.ts';

/** The rows as swaps of W, each in a slot of its own time. */
const swapsOf = (rows: readonly Row[]): SwapInput[] =>
  rows.map(
    (row, i) => ({ wallet: 'W', tx_hash: `tx${i}`, swap_index: 0, block_slot: row.block_time, ...row }) as SwapInput,
  );

const roundTrip = (time: number, fee_native: number): Row[] =>
  inTx(`trip-${time}`, buy(time, 'T', 10, 100, { fee_native }), sell(time, 'T', 10, 100, { fee_native }));

/** The native token at 40; a trade that cost a fee of 1, and round trips of 31 days, 2 days and a second ago. */
const rows: readonly Row[] = [
  exchange(A - 40 * DAY, [40, 'USDC'], [1, 'SOL'], { wallet: 'V' }),
  ...roundTrip(A - 31 * DAY, 4),
  exchange(A - 2 * DAY - 5, [40, 'USDC'], [1, 'SOL'], { wallet: 'V' }),
  ...roundTrip(A - 2 * DAY, 0.5),
  buy(A - 9, 'X', 1, 10, { fee_native: 1 }),
  ...roundTrip(A - 1, 0.25),
  clock(A),
];

async function feesOf(dex: Pick<ReturnType<Swapfold['at']>, 'wallets'>, window: string): Promise<readonly unknown[]> {
  const { metrics } = await dex.wallets.get({ wallet: 'W' });
  const of = (metrics as Record<string, Record<string, unknown>>)[window]!;
  return [of.fees_native, of.fees, of.stale_fee_count, of.trade_count];
}

for (const [name, open] of Object.entries(engines)) {
  const inStore = (use: (dex: Swapfold) => Promise<void>) =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: fixtureConfig });
      await use(dex);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    });

  test(`${name}: fees of transactions without a trade are in the windows of their wallet, at any instant`, () =>
    inStore(async (dex) => {
      await dex.ingest(swapsOf(rows));
      await dex.refresh();
      // The price is two days old at the trade and at the last trip: 1.25 of 40, stale.
      assert.deepEqual(await feesOf(dex, '1d'), [1.25, 50, 2, 1]);
      assert.deepEqual(await feesOf(dex, '30d'), [1.75, 70, 2, 1]);
      assert.deepEqual(await feesOf(dex.at(A - 2 * DAY - 10), '30d'), [4, 160, 1, 0]);
      const position = await dex.positions.get({ wallet: 'W', token: 'X', options: { include_metrics: ['30d'] } });
      assert.equal(position.metrics?.['30d']?.fees_native, 1);
      const { value, terms, trades } = await dex.wallets.explain({ wallet: 'W', metric: 'fees', window: '30d' });
      assert.equal(value, 70);
      assert.deepEqual(
        terms.map((term) => [term.name, term.value]),
        [
          ['fees', 40],
          ['unpriced_fees', 0],
          ['bare_fees', 30],
          ['bare_unpriced_fees', 0],
        ],
      );
      assert.deepEqual(
        trades.map(({ part }) => part),
        [40],
      );
    }));

  test(`${name}: a fee leaves its window as time goes on, though nothing of its wallet is new`, () =>
    inStore(async (dex) => {
      await dex.ingest(swapsOf(rows));
      await dex.refresh();
      await dex.ingest(swapsOf([clock(A + 28 * DAY - 1)]).map((swap) => ({ ...swap, tx_hash: 'later' })));
      await dex.refresh();
      assert.deepEqual(await feesOf(dex, '30d'), [1.75, 70, 2, 1]);
      await dex.ingest(swapsOf([clock(A + 28 * DAY)]).map((swap) => ({ ...swap, tx_hash: 'now' })));
      await dex.refresh();
      // The trip of two days before A is exactly 30 days old.
      assert.deepEqual(await feesOf(dex, '30d'), [1.25, 50, 2, 1]);
    }));

  test(`${name}: late native prices, a rollback and the horizon leave the fees of what is there`, () =>
    inStore(async (dex) => {
      const all = swapsOf(rows);
      const [price, late] = [all[3]!, all.filter((_, i) => i !== 3)];
      await dex.ingest(late);
      await dex.refresh();
      // The price of 40 days ago, stale for each.
      assert.deepEqual(await feesOf(dex, '30d'), [1.75, 70, 3, 1]);
      await dex.ingest([{ ...price, token_amount_in: 80 }]);
      await dex.refresh({ scope: 'traded' });
      assert.deepEqual(await feesOf(dex, '30d'), [1.75, 140, 2, 1]);
      await dex.rollback({ from_block_slot: A - 1 });
      await dex.refresh();
      assert.deepEqual(await feesOf(dex, '30d'), [1.5, 120, 1, 1]);
      await dex.prune({ before: A - 32 * DAY });
      await dex.refresh();
      assert.deepEqual(await feesOf(dex, '30d'), [1.5, 120, 1, 1]);
    }));
}

test('rows of two batches that make a trade of such a transaction leave its fee to the trade alone', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: fixtureConfig });
  await dex.ingest(swapsOf(rows));
  const trip = { tx_hash: `trip-${A - 1}`, swap_index: 2, block_slot: A - 1, wallet: 'W' };
  await dex.ingest([{ ...buy(A - 1, 'T', 3, 30, { fee_native: 0.25 }), ...trip } as SwapInput]);
  await dex.refresh();
  assert.deepEqual(await feesOf(dex, '1d'), [1.25, 50, 2, 2]);
  assert.deepEqual((await dex.verify()).differences, []);
  await dex.close();
});
