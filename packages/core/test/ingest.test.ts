import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';

/** 2024-01-05, Unix seconds. */
const T = 1_704_412_800;

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const wallet = 'Wa11et1111111111111111111111111111111111111';
const token = 'Token11111111111111111111111111111111111111';

function swap(fields: Partial<Record<keyof SwapInput, unknown>> = {}): SwapInput {
  return {
    tx_hash: 'tx1',
    swap_index: 0,
    block_time: T + 1000,
    wallet,
    token_in: USDC,
    token_out: token,
    token_amount_in: 10,
    token_amount_out: 5,
    ...fields,
  } as SwapInput;
}

/** One field at fault each: what is sent, the field that is named, what the reason says. */
const rejected: readonly (readonly [title: string, fields: Record<string, unknown>, field: string, reason: RegExp])[] =
  [
    ['a missing transaction', { tx_hash: null }, 'tx_hash', /missing/],
    ['a transaction that is no text', { tx_hash: 5 }, 'tx_hash', /characters, not 5$/],
    ['a transaction with a space', { tx_hash: 'a b' }, 'tx_hash', /without spaces/],
    ['a missing wallet', { wallet: undefined }, 'wallet', /missing/],
    [
      'a wallet of another chain',
      { wallet: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2' },
      'wallet',
      /format "solana"/,
    ],
    ['a token of 31 characters', { token_out: '1'.repeat(31) }, 'token_out', /format "solana"/],
    ['a missing amount', { token_amount_in: null }, 'token_amount_in', /missing/],
    ['a negative amount', { token_amount_in: -1 }, 'token_amount_in', /not negative, not -1/],
    ['an infinite amount', { token_amount_out: Number.POSITIVE_INFINITY }, 'token_amount_out', /finite/],
    [
      'an amount that is NaN',
      { token_amount_out: Number.NaN },
      'token_amount_out',
      /finite and not negative, not NaN$/,
    ],
    ['an amount as text', { token_amount_out: '5' }, 'token_amount_out', /a number that is .*, not "5"$/],
    ['an amount as a bigint', { token_amount_out: 5n }, 'token_amount_out', /a number that is .*, not 5n$/],
    ['a protocol that is no text', { protocol: 7 }, 'protocol', /^must be a text .*, not 7$/],
    ['a wallet that is no text', { wallet: 7 }, 'wallet', /format "solana": 7$/],
    ['a negative price', { token_price_in: -0.5 }, 'token_price_in', /not negative/],
    [
      'a price whose product with its amount is above 1e200',
      { token_price_in: 1e195, token_amount_in: 1e10 },
      'token_price_in',
      /times the amount/,
    ],
    ['a negative USD value', { usd_amount_out: -3 }, 'usd_amount_out', /not negative/],
    ['an infinite USD value', { usd_amount_out: Number.POSITIVE_INFINITY }, 'usd_amount_out', /finite/],
    ['a negative balance', { post_token_balance_in: -1 }, 'post_token_balance_in', /not negative/],
    ['a missing block time', { block_time: null }, 'block_time', /missing/],
    ['a block time in milliseconds', { block_time: 1704412823000 }, 'block_time', /Unix seconds/],
    [
      'a block time as text',
      { block_time: '2025-01-01T00:00:00Z' },
      'block_time',
      /Unix seconds .*, not "2025-01-01T00:00:00Z"$/,
    ],
    ['a negative swap index', { swap_index: -1 }, 'swap_index', /from 0/],
    ['a fractional slot', { block_slot: 1.5 }, 'block_slot', /from 0/],
    [
      'a slot beyond whole numbers',
      { block_slot: 2 ** 60 },
      'block_slot',
      /from 0 to 9007199254740991, not 1152921504606847000$/,
    ],
    [
      'a swap index that is too large',
      { swap_index: 2 ** 40 },
      'swap_index',
      /from 0 to 2147483647, not 1099511627776$/,
    ],
  ];

for (const [title, fields, field, reason] of rejected) {
  test(`${title} rejects the row, names ${field}, and stores the others`, async () => {
    const dex = await Swapfold.open({ storage: memory() });
    const result = await dex.ingest([swap({ tx_hash: 'before' }), swap(fields), swap({ tx_hash: 'after' })]);
    assert.deepEqual([result.added, result.rejected], [2, 1]);
    assert.equal(result.rejects[0]?.row, 1);
    assert.equal(result.rejects[0]?.field, field);
    assert.match(result.rejects[0]?.reason ?? '', reason);
  });
}

test('a row that is no object says what it is', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  const { rejects } = await dex.ingest([null, 1, 'x', {}] as unknown as SwapInput[]);
  assert.deepEqual(
    rejects.map(({ field, reason }) => `${field} ${reason}`),
    [
      'tx_hash is missing: the row is null, not an object',
      'tx_hash is missing: the row is 1, not an object',
      'tx_hash is missing: the row is "x", not an object',
      'tx_hash is missing',
    ],
  );
});

test('a swap that is known changes nothing, in the same batch and later', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  assert.equal((await dex.ingest([swap(), swap()])).duplicate, 1);
  const again = await dex.ingest([swap()]);
  assert.deepEqual([again.added, again.duplicate, again.conflicting], [0, 1, 0]);
});

const conflicts: readonly (readonly [title: string, fields: Record<string, unknown>, reason: RegExp])[] = [
  ['another amount under a known identity', { token_amount_in: 11 }, /"token_amount_in" differs/],
  ['a symbol where there was none', { token_symbol_in: 'USDC' }, /"token_symbol_in" differs/],
  [
    'another time for a known transaction',
    { block_time: T + 2000, swap_index: 1 },
    new RegExp(`"block_time" is ${T + 2000} where the transaction has ${T + 1000}`),
  ],
  ['a slot for a transaction that has none', { block_slot: 5, swap_index: 1 }, /"block_slot" is 5/],
  ['another index for a known transaction', { tx_index: 5, swap_index: 1 }, /"tx_index" is 5/],
];

for (const [title, fields, reason] of conflicts) {
  for (const when of ['in one batch', 'in two batches'] as const) {
    test(`${title} is a conflict ${when}: the first row stays`, async () => {
      const dex = await Swapfold.open({ storage: memory() });
      const rows = [swap(), swap(fields)];
      if (when === 'in two batches') await dex.ingest([rows.shift()!]);
      const result = await dex.ingest(rows);
      assert.equal(result.conflicting, 1);
      assert.match(result.conflicts[0]?.reason ?? '', reason);
      const { count, data } = await dex.swaps.list();
      assert.equal(count, 1);
      assert.equal(data[0]?.token_amount_in, 10);
      assert.equal(data[0]?.block_time, T + 1000);
    });
  }
}

test('a rejected row sets nothing for its transaction', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  const result = await dex.ingest([swap({ block_time: T + 1, token_amount_in: -1 }), swap({ swap_index: 1 })]);
  assert.deepEqual([result.added, result.rejected, result.conflicting], [1, 1, 0]);
});

test('arrays, iterables, async iterables of swaps and of arrays, and column batches all go in', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => swap({ tx_hash: `tx${i}`, block_time: T + 1000 + i }));
  async function* slowly(): AsyncIterable<SwapInput | SwapInput[]> {
    yield rows[0]!;
    yield rows.slice(1, 4);
    for (const row of rows.slice(4)) yield row;
  }
  const columns = {
    length: 1,
    columns: {
      tx_hash: ['x'],
      swap_index: Int32Array.of(0),
      block_time: Float64Array.of(T + 5),
      wallet: [wallet],
      token_in: [USDC],
      token_out: { dictionary: [token], ids: Int32Array.of(0) },
      token_amount_in: Float64Array.of(1),
      token_amount_out: Float64Array.of(1),
    },
  };
  for (const [source, added] of [
    [rows, 25],
    [new Set(rows), 25],
    [slowly(), 25],
    [columns, 1],
    [[columns], 1],
    [[rows.slice(0, 5), rows.slice(5)], 25],
    [[], 0],
  ] as const) {
    const dex = await Swapfold.open({ storage: memory() });
    assert.equal((await dex.ingest(source as SwapInput[], { batchSize: 7 })).added, added);
  }
});

test('rows of a stream are counted over its batches', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  const rows = Array.from({ length: 20 }, (_, i) => swap({ tx_hash: `tx${i}`, token_amount_in: i === 17 ? -1 : 1 }));
  assert.equal((await dex.ingest(new Set(rows), { batchSize: 5 })).rejects[0]?.row, 17);
});

const unreadable: readonly (readonly [title: string, source: unknown, message: RegExp])[] = [
  ['nothing', undefined, /Expected an array, an iterable or a column batch/],
  ['a number', 7, /received 7/],
  ['a column batch without a wallet', { length: 0, columns: { tx_hash: [] } }, /no column "wallet"/],
  [
    'a column batch with an unknown column',
    columnBatch({ walet: [] }),
    /Unknown column "walet". Did you mean "wallet"\?/,
  ],
  [
    'a column batch with columns of two lengths',
    columnBatch({ wallet: [wallet] }),
    /"wallet" has 1 rows where the batch has 0/,
  ],
];

function columnBatch(changed: object): object {
  const none = {
    tx_hash: [],
    swap_index: [],
    block_time: [],
    wallet: [],
    token_in: [],
    token_out: [],
    token_amount_in: [],
    token_amount_out: [],
  };
  return { length: 0, columns: { ...none, ...changed } };
}

for (const [title, source, message] of unreadable) {
  test(`${title} as the source is an error that says what would do`, async () => {
    const dex = await Swapfold.open({ storage: memory() });
    await assert.rejects(
      dex.ingest(source as SwapInput[]),
      (error: unknown) =>
        error instanceof SwapfoldError && error.code === 'invalid-input' && message.test(error.message),
    );
  });
}

test('a registry row at fault is told with its field, and the others are stored', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  const result = await dex.tokens.upsert([
    { address: token, symbol: 'T' },
    { address: 'nope' },
    { address: token, symbl: 'X' } as never,
    { address: token, verified: 'yes' as never },
    { address: token, created_at: 'soon' },
  ]);
  assert.deepEqual([result.upserted, result.rejected], [1, 4]);
  assert.deepEqual(
    result.rejects.map(({ row, field }) => [row, field]),
    [
      [1, 'address'],
      [2, 'symbl'],
      [3, 'verified'],
      [4, 'created_at'],
    ],
  );
  assert.match(result.rejects[1]!.reason, /Did you mean "symbol"/);
});

test('an upsert keeps the fields it does not name, and null clears one', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.tokens.upsert([
    { address: token, symbol: 'T', name: 'Token', total_supply: 100, created_at: '2024-01-05T00:00:00Z' },
  ]);
  await dex.tokens.upsert([{ address: token, name: null, liquidity: 5 }]);
  await dex.refresh();
  const profile = await dex.tokens.get({ token });
  assert.equal(profile.metadata?.symbol, 'T');
  assert.equal(profile.metadata?.name, null);
  assert.equal(profile.metadata?.created_at, '2024-01-05T00:00:00Z');
  assert.equal(profile.market?.total_supply, 100);
  assert.equal(profile.market?.liquidity, 5);
});

test('known swaps that lie far apart among others are told from new ones', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  const stored = Array.from({ length: 12_000 }, (_, i) => swap({ tx_hash: `tx${i}`, block_time: T + 1000 + i * 10 }));
  await dex.ingest(stored);
  const some = stored.filter((_, i) => i % 120 === 0);
  const other = { ...some[50]!, token_amount_in: 11 };
  const result = await dex.ingest([...some.with(50, other), swap({ tx_hash: 'new', block_time: T + 1005 })]);
  assert.deepEqual([result.added, result.duplicate, result.conflicting], [1, 99, 1]);
  assert.equal(result.conflicts[0]?.tx_hash, 'tx6000');
});

test('a transaction is known at another time than the batch has', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([swap(), swap({ tx_hash: 'tx2', block_time: T + 2000 })]);
  const result = await dex.ingest([swap({ tx_hash: 'tx2', block_time: T + 2000 }), swap({ block_time: T + 2001 })]);
  assert.deepEqual([result.added, result.duplicate, result.conflicting], [0, 1, 1]);
  assert.match(
    result.conflicts[0]!.reason,
    new RegExp(`"block_time" is ${T + 2001} where the transaction has ${T + 1000}`),
  );
});

test('swaps of one second stand in chain order however they came, in a batch that is ordered by time', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([
    swap({ tx_hash: 'a', block_time: T + 999 }),
    swap({ tx_hash: 'd', tx_index: 2 }),
    swap({ tx_hash: 'c', tx_index: 1, swap_index: 1 }),
    swap({ tx_hash: 'c', tx_index: 1 }),
    swap({ tx_hash: 'b', tx_index: 1 }),
    swap({ tx_hash: 'e', block_time: T + 1001 }),
  ]);
  const { data } = await dex.swaps.list();
  assert.deepEqual(
    data.map((row) => `${row.tx_hash}${row.swap_index}`),
    ['e0', 'd0', 'c1', 'c0', 'b0', 'a0'],
  );
});
