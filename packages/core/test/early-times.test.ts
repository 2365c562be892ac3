import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, presets, Swapfold, type SwapInput } from '@swapfold/core';
import { inspectSwaps, parseConfig, type Reject } from '@swapfold/core/host';

const FIRST_BLOCK = Date.UTC(2009, 0, 3) / 1000;

const formats = {
  solana: { ...presets.solana, wallet: '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5', hash: 'tx' },
  evm: { ...presets.ethereum, wallet: '0x00000000000000000000000000000000000000a1', hash: '0xab' },
} as const;

function swapAt(format: keyof typeof formats, block_time: number): SwapInput {
  const { quote_tokens, wallet, hash } = formats[format];
  return {
    tx_hash: `${hash}${Math.abs(Math.floor(block_time))}`,
    swap_index: 0,
    block_time,
    wallet,
    token_in: quote_tokens[0].address,
    token_out: quote_tokens[1].address,
    token_amount_in: 100,
    token_amount_out: 50,
  };
}

const early: readonly (readonly [time: number, reason: RegExp])[] = [
  [
    45_368.37,
    /not 45368\.37; if it is a serial day of a spreadsheet, which would be 2024-03-17T08:52:48Z, export times/,
  ],
  [45_368, /which would be 2024-03-17T00:00:00Z/],
  [19_458_273, /from 1230940800 \(2009-01-03, .*not 19458273; if it is the number of a block or slot, give the time/],
  [257_000_000, /the number of a block or slot/],
  [FIRST_BLOCK - 1, /not 1230940799/],
  [0, /not 0$/],
  [-1, /not -1$/],
];

for (const format of ['solana', 'evm'] as const)
  test(`${format}: a block time before 2009 rejects the row, and the reason says what it may be`, async () => {
    const { wallet, hash, ...config } = formats[format];
    const dex = await Swapfold.open({ storage: memory(), config });
    const rows = early.map(([time]) => swapAt(format, time));
    const { added, rejects } = await dex.ingest([swapAt(format, FIRST_BLOCK), ...rows]);
    assert.equal(added, 1);
    assert.equal(rejects.length, early.length);
    for (const [i, { row, field, reason }] of rejects.entries()) {
      assert.deepEqual([row, field], [i + 1, 'block_time']);
      assert.match(reason, early[i]![1]);
    }
    await dex.close();
    const times = early.map(([time]) => time);
    const { tx_hash, ...fields } = swapAt(format, 1);
    const columns = {
      ...Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          typeof value === 'string' ? times.map(() => value) : Float64Array.from(times, () => value as number),
        ]),
      ),
      tx_hash: times.map((_, i) => `${tx_hash}${i}`),
      block_time: Float64Array.from(times),
    };
    const inColumns: Reject[] = [];
    const taken = await inspectSwaps({ length: times.length, columns } as never, parseConfig(config), (reject) =>
      inColumns.push(reject),
    );
    assert.equal(taken, 0);
    assert.deepEqual(
      inColumns.map(({ reason }) => reason),
      rejects.map(({ reason }) => reason),
    );
  });

test('where addresses have no format, any time from 1970 on is one', async () => {
  const config = { ...presets.solana, address_format: 'any' } as const;
  const dex = await Swapfold.open({ storage: memory(), config });
  const { added, rejected } = await dex.ingest([swapAt('solana', 0), swapAt('solana', 45_368)]);
  assert.deepEqual([added, rejected], [2, 0]);
  await dex.close();
});
