import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type IngestResult, memory, Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const wallet = 'Wa11et1111111111111111111111111111111111111';
const token = 'Token11111111111111111111111111111111111111';
const noon = new Date('2025-01-01T12:00:00Z');
const NOON = 1_735_732_800;

function swap(tx: number, fields: object = {}): SwapInput {
  return {
    tx_hash: `tx${tx}`,
    swap_index: 0,
    block_time: NOON + tx,
    wallet,
    token_in: USDC,
    token_out: token,
    token_amount_in: 10,
    token_amount_out: 5,
    ...fields,
  };
}

async function withStore(use: (dex: Swapfold) => Promise<void>): Promise<void> {
  const dex = await Swapfold.open({ storage: memory() });
  try {
    await use(dex);
  } finally {
    await dex.close();
  }
}

test('fields that no swap has are counted by name over all batches, with the nearest field that the row lacks, and the rows are stored', () =>
  withStore(async (dex) => {
    const rows = [
      swap(0, { usd_amount: 10 }),
      swap(1, { usd_amount: 10, walet: 'x', protcol: 'orca' }),
      swap(2, { protcol: 'orca', block_number_of_the_chain: 7 }),
      swap(3),
      swap(4, { usd_amount: null }),
    ];
    const { added, rejected, unknown_fields } = await dex.ingest(new Set(rows), { batchSize: 2 });
    assert.deepEqual([added, rejected], [5, 0]);
    assert.deepEqual(unknown_fields, [
      { field: 'usd_amount', rows: 3, nearest: 'usd_amount_in' },
      // The row has its wallet: that is not what was meant.
      { field: 'walet', rows: 1, nearest: null },
      { field: 'protcol', rows: 2, nearest: 'protocol' },
      { field: 'block_number_of_the_chain', rows: 1, nearest: null },
    ]);
    assert.deepEqual((await dex.ingest(rows.slice(3, 4))).unknown_fields, []);
  }));

test('at most 100 unknown fields are named', () =>
  withStore(async (dex) => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`extra_${i}`, i]));
    const { unknown_fields } = await dex.ingest([swap(0, many), swap(1, many)]);
    assert.equal(unknown_fields.length, 100);
    assert.ok(unknown_fields.every(({ rows }) => rows === 2));
  }));

for (const [title, block_time, reason] of [
  ['milliseconds', NOON * 1000, /not 1735732800000; if these are milliseconds, divide by 1,000$/],
  ['microseconds', NOON * 1e6, /if these are microseconds, divide by 1,000,000$/],
  ['nanoseconds', NOON * 1e9, /if these are nanoseconds, divide by 1,000,000,000$/],
  ['a time before 1970', -1, /not -1$/],
  ['a Date that is no time', new Date('soon'), /not an invalid Date$/],
  ['a Date before 1970', new Date(-1), /not "1969-12-31T23:59:59.999Z"$/],
] as const) {
  test(`${title} as a block time rejects the row, and the reason says what would do`, () =>
    withStore(async (dex) => {
      const { added, rejects } = await dex.ingest([swap(0), swap(1, { block_time })]);
      assert.equal(added, 1);
      assert.equal(rejects[0]?.field, 'block_time');
      assert.match(rejects[0]?.reason ?? '', reason);
    }));
}

test('a Date is a time everywhere: of swaps, registries, ranges, filters, and as-of', () =>
  withStore(async (dex) => {
    const swaps: SwapInput<Date>[] = [
      { ...swap(0), block_time: noon },
      { ...swap(1), block_time: new Date(noon.getTime() + 60_999) },
    ];
    assert.equal((await dex.ingest(swaps)).added, 2);
    const { data } = await dex.swaps.list();
    assert.deepEqual(
      data.map(({ block_time }) => block_time),
      [NOON + 60, NOON],
    );
    await dex.tokens.upsert([{ address: token, created_at: noon }]);
    assert.equal((await dex.refresh({ asOf: new Date('2025-01-01T12:10:00.900Z') })).as_of, NOON + 600);
    assert.equal((await dex.tokens.get({ token })).metadata?.created_at, '2025-01-01T12:00:00Z');

    const from = noon;
    const to = new Date('2025-01-01T12:01:00Z');
    const texts = { from: from.toISOString(), to: to.toISOString() };
    const history = { tokens: [token], interval: 30 };
    assert.deepEqual(
      await dex.prices.history({ ...history, from, to }),
      await dex.prices.history({ ...history, ...texts }),
    );
    const candles = { token, interval: 60 };
    assert.equal((await dex.prices.candles({ ...candles, from, to })).length, 1);
    assert.deepEqual(
      await dex.prices.candles({ ...candles, from, to }),
      await dex.prices.candles({ ...candles, ...texts }),
    );
    await assert.rejects(dex.prices.candles({ ...candles, from: new Date('soon') }), {
      code: 'invalid-request',
      message: '"from": expected an RFC 3339 time such as "2024-01-05T00:00:00Z", received an invalid Date.',
    });

    const traded = async (at: Date, operator: '$lte' | '$gt') =>
      (await dex.wallets.search({ filter: { 'metadata.last_trade_at': { [operator]: at } } })).count;
    const last = new Date('2025-01-01T12:01:00Z');
    assert.deepEqual([await traded(last, '$lte'), await traded(last, '$gt')], [1, 0]);
    assert.equal(await traded(new Date(last.getTime() - 1), '$gt'), 1);
    assert.equal((await dex.wallets.search({ filter: { 'metadata.last_trade_at': last } })).count, 1);
    await assert.rejects(traded(new Date('soon'), '$gt'), { code: 'invalid-filter', message: /an invalid Date/ });

    assert.equal((await dex.at(noon).swaps.list()).count, 1);
    assert.equal((await dex.swaps.list({}, { asOf: noon })).count, 1);
    await assert.rejects(dex.at(new Date('soon')).swaps.list(), { code: 'invalid-range', message: /an invalid Date/ });
  }));

test('requests that differ in a Date are two: a cursor of the one is refused with the other', () =>
  withStore(async (dex) => {
    await dex.ingest([swap(0), swap(1, { wallet: `${wallet.slice(0, -1)}2` })]);
    await dex.refresh();
    const request = (at: Date) => ({ filter: { updated_at: { $gte: at } }, limit: 1 });
    const { cursor } = await dex.wallets.search(request(noon));
    assert.ok(cursor !== undefined);
    assert.equal((await dex.wallets.search({ ...request(noon), cursor })).data.length, 1);
    const text = { filter: { updated_at: { $gte: noon.toISOString() } }, limit: 1 };
    assert.equal((await dex.wallets.search({ ...text, cursor })).data.length, 1);
    await assert.rejects(dex.wallets.search({ ...request(new Date(0)), cursor }), { code: 'invalid-cursor' });
  }));

test('a signal of a wrong type is refused by every call before it does anything', () =>
  withStore(async (dex) => {
    const calls: Readonly<Record<string, (options: { signal: never }) => unknown>> = {
      open: (options) => Swapfold.open({ storage: memory(), ...options }),
      ingest: (options) => dex.ingest([swap(0)], options),
      refresh: (options) => dex.refresh(options),
      rebuild: (options) => dex.rebuild(options),
      rollback: (options) => dex.rollback({ from_block_slot: 0, ...options }),
      copyFrom: (options) => dex.copyFrom(dex, options),
      verify: (options) => dex.verify(options),
      backup: (options) => dex.backup('none', options),
      upsert: (options) => dex.tokens.upsert([], options),
      list: (options) => dex.swaps.list({}, options),
      search: (options) => dex.tokens.search({}, options),
    };
    for (const [wrong, received] of [
      [new AbortController(), 'an AbortController; give its `signal`'],
      [5000, '5000'],
      [null, 'null'],
      [{}, '{}'],
    ] as const) {
      for (const [name, call] of Object.entries(calls)) {
        const expected = { code: 'invalid-input', message: `"signal": expected an AbortSignal, received ${received}.` };
        await assert.rejects(async () => call({ signal: wrong as never }), expected, name);
      }
    }
    assert.equal((await dex.swaps.list()).count, 0);
  }));

/** What `ingest` says was stored where it fails. */
async function failed(ingest: Promise<IngestResult>): Promise<{ error: SwapfoldError; counts: readonly number[] }> {
  const error = await ingest.then(
    () => assert.fail('it worked'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof SwapfoldError, String(error));
  const { added, duplicate, conflicting, rejected } = error.result ?? assert.fail('no result');
  return { error, counts: [added, duplicate, conflicting, rejected] };
}

/** 25 rows, batch by batch of ten: in the first a duplicate, a conflict and a wallet that is none. */
async function* feed(end: () => Promise<void>): AsyncGenerator<SwapInput> {
  yield* [swap(0), swap(0), swap(0, { token_amount_in: 11 }), swap(1, { wallet: 'none' })];
  for (let i = 4; i < 25; i++) yield swap(i);
  await end();
}

test('where the feed fails, the error says what was stored, and keeps what the feed threw', () =>
  withStore(async (dex) => {
    const cause = new TypeError('the feed broke off');
    const broken = async (): Promise<void> => {
      throw cause;
    };
    const { error, counts } = await failed(dex.ingest(feed(broken), { batchSize: 10 }));
    assert.equal(error.code, 'source-failed');
    assert.equal(error.message, 'The source of swaps failed: the feed broke off');
    assert.equal(error.cause, cause);
    assert.deepEqual(counts, [17, 1, 1, 1]);
    assert.equal(error.result?.rejects[0]?.row, 3);
    assert.equal((await dex.swaps.list()).count, 17);
  }));

test('where the call is aborted, the error says what was stored', () =>
  withStore(async (dex) => {
    const controller = new AbortController();
    const aborting = async (): Promise<void> => controller.abort();
    const { error, counts } = await failed(dex.ingest(feed(aborting), { batchSize: 10, signal: controller.signal }));
    assert.equal(error.code, 'aborted');
    assert.deepEqual(counts, [17, 1, 1, 1]);
    assert.equal((await dex.swaps.list()).count, 17);
  }));

test('where an item of the feed is no batch, the error says what was stored, and an ingest inside the feed has a result of its own', () =>
  withStore(async (dex) => {
    const { error, counts } = await failed(dex.ingest([[swap(0)], { length: 1, columns: {} } as never]));
    assert.deepEqual([error.code, counts], ['invalid-input', [1, 0, 0, 0]]);
    async function* nested(): AsyncGenerator<SwapInput[]> {
      yield [swap(1), swap(2)];
      await dex.ingest([[swap(3)], { length: 1, columns: {} } as never]);
    }
    const outer = await failed(dex.ingest(nested()));
    assert.deepEqual([outer.error.code, outer.counts], ['source-failed', [2, 0, 0, 0]]);
    assert.equal((outer.error.cause as SwapfoldError).result?.added, 1);
  }));

test('of two rows of a token in one call, a field that is undefined keeps what the first says', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  const address = 'T'.repeat(44);
  await dex.tokens.upsert([
    { address, symbol: 'X', website: 'https://x.example' },
    { address, name: 'N', symbol: undefined, website: undefined },
  ]);
  await dex.refresh();
  const { metadata } = await dex.tokens.get({ token: address, options: { include_metadata: true } });
  assert.deepEqual([metadata?.symbol, metadata?.name, metadata?.website], ['X', 'N', 'https://x.example']);
  await dex.close();
});

test('a store that has reference prices, or follows a source, is none to copy into', async () => {
  const config = { preset: 'solana' } as const;
  const source = await Swapfold.open({ storage: memory(), config });
  const SOL = 'So11111111111111111111111111111111111111112';
  for (const fill of [
    (dex: Swapfold) => dex.prices.upsert([{ token: SOL, time: NOON, usd_price: 99 }]),
    (dex: Swapfold) =>
      dex.follow({
        name: 'a source',
        async *read() {
          yield { rows: [], place: '1' };
        },
      }),
  ]) {
    const target = await Swapfold.open({ storage: memory(), config });
    await fill(target);
    await assert.rejects(target.copyFrom(source), { code: 'invalid-input', message: /reference prices, or follows/ });
    await target.close();
  }
  await source.close();
});

test('what "keep" forgets is none of the progress of an ingest', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' }, keep: '31d' });
  const seen: number[] = [];
  const onSwaps = (done: number): void => void seen.push(done);
  await dex.ingest([swap(1), swap(2)], { onSwaps });
  await dex.ingest([swap(3, { block_time: NOON + 80 * 86_400 })], { onSwaps });
  assert.ok((await dex.info()).horizon !== null);
  assert.deepEqual(seen, []);
  await dex.close();
});
