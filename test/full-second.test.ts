import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { compare } from '@swapfold/core/engine';
import { MAX_SWAPS_A_SECOND, seqOf } from '../packages/core/src/records/chain-order.ts';
import { columnsOf } from '../packages/core/src/records/columns.ts';
import { swapsTable } from '../packages/core/src/records/tables.ts';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const TIME = 1_700_000_000;
const [wallet, a, b] = ['w', 'a', 'b'].map((letter) => letter.repeat(40)) as [string, string, string];
const swapAt = (slot: number, block_time = TIME): SwapInput => ({
  tx_hash: `tx-${slot}`,
  swap_index: 0,
  block_time,
  block_slot: slot,
  wallet,
  token_in: a,
  token_out: b,
  token_amount_in: 1,
  token_amount_out: 2,
});
const config = { address_format: 'any' as const };

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: a swap of a full second is a rejected row, and the rest of its batch is stored`, () =>
    withFolder(async (folder) => {
      const storage = open(folder);
      const dex = await Swapfold.open({ storage, config });
      await dex.ingest([swapAt(1)]);
      // As the last of so many swaps as the second takes.
      await storage.write(async (writer) => {
        const rows = await writer.read({ table: swapsTable, columns: columnsOf(swapsTable) });
        await writer.remove(swapsTable, compare('seq', 'eq', rows.columns.seq[0]!));
        rows.columns.seq[0] = seqOf(TIME, MAX_SWAPS_A_SECOND - 2);
        await writer.append(swapsTable, rows);
      });
      const result = await dex.ingest([swapAt(2), swapAt(3), swapAt(4, TIME + 1), swapAt(5)]);
      assert.deepEqual(
        { added: result.added, rejected: result.rejected, rows: result.rejects.map(({ row, field }) => [row, field]) },
        {
          added: 2,
          rejected: 2,
          rows: [
            [1, 'block_time'],
            [3, 'block_time'],
          ],
        },
      );
      assert.match(result.rejects[0]!.reason, /^is 1700000000, a second of which the store has the 524288 swaps/);
      assert.deepEqual(
        (await dex.swaps.list({ limit: 100 })).data.map(({ tx_hash }) => tx_hash),
        ['tx-4', 'tx-2', 'tx-1'],
      );
      await dex.close();
    }));
}

const wholeSecond = async (): Promise<void> => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config });
  const result = await dex.ingest(
    (function* () {
      for (let slot = 0; slot < MAX_SWAPS_A_SECOND + 3; slot++) yield swapAt(slot);
    })(),
  );
  assert.deepEqual([result.added, result.rejected], [MAX_SWAPS_A_SECOND, 3]);
  await dex.close();
};

// Takes a minute; the tests above come as near to the bound.
if (isWhole) test('the 524,289th swap of a second is rejected, whichever batch brings it', wholeSecond);

test('a hash of an EVM chain is one transaction in either spelling, within a batch and after it', async () => {
  const dex = await Swapfold.open({
    storage: engines.memory!(''),
    config: { address_format: 'evm', quote_tokens: [] },
  });
  const address = (digit: string): string => `0x${digit.repeat(40)}`;
  const swap = {
    ...swapAt(1),
    wallet: address('1'),
    token_in: address('2'),
    token_out: address('3'),
    tx_hash: `0x${'ab'.repeat(32)}`,
  };
  const other = { ...swap, tx_hash: `0x${'AB'.repeat(32)}` };
  assert.equal((await dex.ingest([swap, other])).duplicate, 1);
  assert.equal((await dex.ingest([other])).duplicate, 1);
  const { count, data } = await dex.swaps.list({});
  assert.deepEqual([count, data[0]?.tx_hash], [1, swap.tx_hash]);
  await dex.close();
});
