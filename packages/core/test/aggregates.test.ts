import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { countAggregates } from '../src/ledger/aggregates.ts';

type Row = readonly [
  tx: number,
  token_in: number,
  token_out: number,
  token_amount_in: number,
  token_amount_out: number,
];

const columnsOf = (rows: readonly Row[]) => ({
  tx: rows.map(([tx]) => tx),
  token_in: rows.map(([, token]) => token),
  token_out: rows.map(([, , token]) => token),
  token_amount_in: rows.map(([, , , amount]) => amount),
  token_amount_out: rows.map(([, , , , amount]) => amount),
});
const [A, B, C] = [1, 2, 3];

for (const [what, rows, count] of [
  [
    'of two pools of one pair',
    [
      [0, A, B, 40, 4],
      [0, A, B, 60, 6],
      [0, A, B, 100, 10],
    ],
    1,
  ],
  [
    'of a route over a third token, whatever its place',
    [
      [0, A, C, 100, 10],
      [0, A, B, 100, 7],
      [0, B, C, 7, 10],
    ],
    1,
  ],
  [
    'up to the rounding of sums',
    [
      [0, A, B, 0.1, 1],
      [0, A, B, 0.2, 2],
      [0, A, B, 0.3, 3],
    ],
    1,
  ],
  [
    'of none: the route leaves something of the token between',
    [
      [0, A, C, 100, 10],
      [0, A, B, 100, 7],
      [0, B, C, 6, 10],
    ],
    0,
  ],
  [
    'of none: the token between, of which the route leaves something, comes before what it is sold for',
    [
      [0, A, B, 100, 7],
      [0, B, C, 6, 10],
      [0, A, C, 100, 10],
    ],
    0,
  ],
  [
    'of none: it gave more than the others',
    [
      [0, A, B, 40, 4],
      [0, A, B, 60, 6],
      [0, A, B, 101, 10],
    ],
    0,
  ],
  [
    'of one other, which is an equal swap',
    [
      [0, A, B, 40, 4],
      [0, A, B, 40, 4],
    ],
    0,
  ],
  [
    'of none: three equal swaps',
    [
      [0, A, B, 40, 4],
      [0, A, B, 40, 4],
      [0, A, B, 40, 4],
    ],
    0,
  ],
  [
    'of another transaction',
    [
      [0, A, B, 40, 4],
      [0, A, B, 60, 6],
      [1, A, B, 100, 10],
    ],
    0,
  ],
] as const satisfies readonly (readonly [string, readonly Row[], number])[])
  test(`a swap that is the sum of the others counts once: ${what}`, () =>
    assert.equal(countAggregates(columnsOf(rows), rows.length), count));

test('an aggregate is told by the batch that completes its transaction, and stored', async () => {
  const swap = (swap_index: number, token_amount_in: number, token_amount_out: number): SwapInput => ({
    ...{ tx_hash: 't', swap_index, block_time: 1_710_665_692, wallet: 'W', token_in: 'A', token_out: 'B' },
    ...{ token_amount_in, token_amount_out },
  });
  const dex = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
  const pools = await dex.ingest([swap(0, 40, 4), swap(1, 60, 6)]);
  const aggregator = await dex.ingest([swap(2, 100, 10)]);
  assert.deepEqual([pools.aggregates, aggregator.aggregates, aggregator.added], [undefined, 1, 1]);
  assert.equal((await dex.swaps.list({})).data.length, 3);
  await dex.close();
});
