import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type Api, Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { A, buy, exchange, fixtureConfig, type Row, sell } from './support/fixture.ts';

/** Swaps of one transaction each, named by the place of their row: `t0`, `t1`. */
function swapsOf(rows: readonly Row[]): SwapInput[] {
  return rows.map((row, i) => ({ wallet: 'W', tx_hash: `t${i}`, swap_index: 0, block_slot: i, ...row }) as SwapInput);
}

const rows = swapsOf([
  buy(A - 120, 'T', 10, 100, { pool: 'p' }),
  buy(A - 110, 'T', 1, 99, { pool: 'q' }),
  sell(A - 100, 'T', 2, 24, { pool: 'p', wallet: 'V' }),
  buy(A - 90, 'T', 1, 50),
  exchange(A - 60, [2, 'T'], [4, 'U'], { pool: 'p', usd_amount_in: 32 }),
  // A swap of a token for itself is listed and counts nowhere else.
  exchange(A - 50, [1, 'T'], [1, 'T'], { pool: 'p' }),
  exchange(A - 40, [1, 'U'], [1, 'U'], { pool: 'itself' }),
]);

/** On every engine, a store that was fed the rows in two batches, of which the first comes last. */
function onEngines(title: string, check: (dex: Swapfold) => Promise<void>): void {
  for (const [engine, open] of Object.entries(engines))
    test(`${engine}: ${title}`, () =>
      withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: open(folder), config: fixtureConfig });
        await dex.ingest(rows.slice(3));
        await dex.ingest(rows.slice(0, 3));
        await check(dex);
        assert.deepEqual((await dex.verify()).differences, []);
        await dex.close();
      }));
}

const hashesOf = async (dex: Pick<Api, 'swaps'>, request: object): Promise<string> => {
  const { count, data } = await dex.swaps.list(request);
  assert.equal(count, data.length);
  return data.map(({ tx_hash }) => tx_hash).join(' ');
};

onEngines('swaps are listed by pool, beside wallet and token', async (dex) => {
  assert.equal(await hashesOf(dex, { pool: 'p' }), 't5 t4 t2 t0');
  assert.equal(await hashesOf(dex, { pool: 'q' }), 't1');
  assert.equal(await hashesOf(dex, { pool: 'p', token: 'T' }), 't5 t4 t2 t0');
  assert.equal(await hashesOf(dex, { pool: 'p', token: 'USDC' }), 't2 t0');
  assert.equal(await hashesOf(dex, { pool: 'p', token: 'U' }), 't4');
  assert.equal(await hashesOf(dex, { pool: 'itself', token: 'U' }), 't6');
  assert.equal(await hashesOf(dex, { pool: 'p', wallet: 'W' }), 't5 t4 t0');
  assert.equal(await hashesOf(dex, { pool: 'p', wallet: 'V', token: 'T' }), 't2');
  assert.equal(await hashesOf(dex, { pool: 'q', wallet: 'V' }), '');
});

onEngines('a pool that is unknown, or the address of a token, has no swaps', async (dex) => {
  assert.deepEqual(await dex.swaps.list({ pool: 'nowhere' }), { count: 0, data: [] });
  assert.deepEqual(await dex.swaps.list({ pool: 'T' }), { count: 0, data: [] });
  assert.deepEqual(await dex.swaps.list({ pool: 'nowhere', wallet: 'W' }), { count: 0, data: [] });
});

onEngines('a list by pool is paged, counted, and follows late swaps, rollbacks and instants', async (dex) => {
  const first = await dex.swaps.list({ pool: 'p', limit: 3 });
  assert.deepEqual([first.count, first.data.map((swap) => swap.tx_hash)], [4, ['t5', 't4', 't2']]);
  const { cursor } = first;
  assert.ok(cursor);
  // The newest of them after the cursor was made: the page goes on where it ended.
  await dex.ingest(swapsOf([buy(A, 'T', 1, 20, { pool: 'p', tx_hash: 'new', block_slot: 9 })]));
  const rest = await dex.swaps.list({ pool: 'p', limit: 3, cursor });
  assert.deepEqual([rest.count, rest.cursor, rest.data.map((swap) => swap.tx_hash)], [5, undefined, ['t0']]);
  await dex.ingest(swapsOf([buy(A - 115, 'T', 1, 20, { pool: 'p', tx_hash: 'late', block_slot: 0 })]));
  assert.equal(await hashesOf(dex, { pool: 'p' }), 'new t5 t4 t2 late t0');
  await assert.rejects(dex.swaps.list({ pool: 'q', limit: 3, cursor }), { code: 'invalid-cursor' });
  assert.equal(await hashesOf(dex.at(A - 100), { pool: 'p' }), 't2 late t0');
  await dex.rollback({ from_block_slot: 5 });
  assert.equal(await hashesOf(dex, { pool: 'p' }), 't4 t2 late t0');
  assert.equal(await hashesOf(dex, { pool: 'itself' }), '');
});

/** Candles of a minute as [seconds from A, open, high, low, close, volume, count]. */
const candlesOf = async (dex: Pick<Api, 'prices'>, request: object): Promise<number[][]> => {
  const found = await dex.prices.candles({ interval: 60, ...request });
  return found.map((c) => [c.timestamp - A, c.open, c.high, c.low, c.close, c.volume, c.count]);
};

onEngines('a pool has candles of its own prints, and a token those of all its pools', async (dex) => {
  const inP = [
    [-120, 10, 12, 10, 12, 124, 2],
    // 2 T for 4 U, worth 32 USD.
    [-60, 16, 16, 16, 16, 32, 1],
  ];
  assert.deepEqual(await candlesOf(dex, { token: 'T', pool: 'p' }), inP);
  assert.deepEqual(await candlesOf(dex, { token: 'T', pool: 'p', from: new Date((A - 120) * 1000) }), inP);
  assert.deepEqual(await candlesOf(dex, { token: 'T', pool: 'p', count: 1 }), inP.slice(1));
  const until = { from: new Date((A - 120) * 1000), to: new Date((A - 60) * 1000) };
  assert.deepEqual(await candlesOf(dex, { token: 'T', pool: 'p', ...until }), inP.slice(0, 1));
  assert.deepEqual(await candlesOf(dex, { token: 'T', pool: 'q' }), [[-120, 99, 99, 99, 99, 99, 1]]);
  assert.deepEqual(await candlesOf(dex, { token: 'U', pool: 'p' }), [[-60, 8, 8, 8, 8, 32, 1]]);
  assert.deepEqual(await candlesOf(dex, { token: 'USDC', pool: 'p' }), [[-120, 1, 1, 1, 1, 124, 2]]);
  assert.deepEqual(await candlesOf(dex, { token: 'T' }), [
    [-120, 10, 99, 10, 50, 273, 4],
    [-60, 16, 16, 16, 16, 32, 1],
  ]);
});

onEngines('a pool alone stands for the first by address of its tokens that are no quote tokens', async (dex) => {
  assert.deepEqual(await candlesOf(dex, { pool: 'p' }), await candlesOf(dex, { pool: 'p', token: 'T' }));
  await dex.ingest(
    swapsOf([
      exchange(A, [1, 'USDC'], [5, 'Z'], { pool: 'first', tx_hash: 'x0' }),
      exchange(A, [2, 'USDC'], [1, 'SOL'], { pool: 'quotes', tx_hash: 'x1' }),
      exchange(A, [4, 'Z'], [1, 'B'], { pool: 'tokens', tx_hash: 'x2', usd_amount_in: 6 }),
      exchange(A + 60, [1, 'USDC'], [4, 'A'], { pool: 'tokens', tx_hash: 'x3' }),
    ]),
  );
  // Z against USDC; SOL sorts before USDC; of A, B and Z the first, from when on it is there.
  assert.deepEqual(await candlesOf(dex, { pool: 'first' }), [[0, 0.2, 0.2, 0.2, 0.2, 1, 1]]);
  assert.deepEqual(await candlesOf(dex, { pool: 'quotes' }), [[0, 2, 2, 2, 2, 2, 1]]);
  assert.deepEqual(await candlesOf(dex, { pool: 'tokens' }), [[60, 0.25, 0.25, 0.25, 0.25, 1, 1]]);
  assert.deepEqual(await candlesOf(dex.at(A), { pool: 'tokens' }), [[0, 6, 6, 6, 6, 6, 1]]);
});

onEngines('a pool that is unknown, or exchanged nothing for another token, has no candles', async (dex) => {
  for (const request of [
    { pool: 'nowhere' },
    { pool: 'T' },
    { pool: 'itself' },
    { pool: 'itself', token: 'U' },
    { pool: 'nowhere', token: 'T' },
    { pool: 'q', token: 'U' },
    { pool: 'p', token: 'unknown' },
  ])
    assert.deepEqual(await candlesOf(dex, request), [], JSON.stringify(request));
});

onEngines('the value of a swap in a pool is that of the whole market', async (dex) => {
  await dex.ingest(
    swapsOf([
      exchange(A, [50, 'USDC'], [1, 'SOL'], { pool: 'other', tx_hash: 'x0' }),
      // 2 SOL at 50 USD for 4 N.
      exchange(A + 1, [2, 'SOL'], [4, 'N'], { pool: 'own', tx_hash: 'x1' }),
    ]),
  );
  assert.deepEqual(await candlesOf(dex, { pool: 'own' }), [[0, 25, 25, 25, 25, 100, 1]]);
});

onEngines('candles of a pool follow late swaps, rollbacks and instants', async (dex) => {
  const of = { pool: 'p', interval: 3600 };
  const last = async (from: Pick<Api, 'prices'> = dex): Promise<unknown> =>
    (await candlesOf(from, of)).map(([, open, high, , close, volume, count]) => [open, high, close, volume, count]);
  assert.deepEqual(await last(), [[10, 16, 16, 156, 3]]);
  await dex.ingest(swapsOf([buy(A - 119, 'T', 1, 20, { pool: 'p', tx_hash: 'late', block_slot: 0 })]));
  assert.deepEqual(await last(), [[10, 20, 16, 176, 4]]);
  assert.deepEqual(await last(dex.at(A - 100)), [[10, 20, 12, 144, 3]]);
  await dex.rollback({ from_block_slot: 2 });
  assert.deepEqual(await last(), [[10, 20, 20, 120, 2]]);
});

onEngines('candles want a token or a pool', async (dex) => {
  await assert.rejects(dex.prices.candles({ interval: 60 }), {
    code: 'invalid-request',
    message: '"token": is required, or "pool".',
  });
});

onEngines('a pool must be 1 to 128 printable characters without spaces', async (dex) => {
  for (const pool of ['', 'a b', 'x'.repeat(129), 'caf\u00e9', 7])
    await assert.rejects(dex.call('swaps.list' as string, { pool }), {
      code: 'invalid-request',
      message: /^"pool": expected 1 to 128 printable ASCII characters without spaces, received /,
    });
});

test('on a chain of EVM addresses a pool is found whatever its case', async () => {
  const [token, other, wallet] = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(40)}`);
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: { preset: 'ethereum' } });
  const row = exchange(A, [1, token!], [2, other!], { wallet: wallet!, pool: '0xABCdef' });
  await dex.ingest(swapsOf([row]));
  assert.equal((await dex.swaps.list({ pool: '0xabcDEF' })).data[0]!.pool, '0xabcdef');
  await dex.close();
});

test('the example of pools in docs/reference/http.md runs as it stands, and prints what it says', () => {
  const root = resolve(import.meta.dirname, '..');
  const section = readFileSync(resolve(root, 'docs/reference/http.md'), 'utf8').split('## Pools\n')[1]!;
  const example = /^```ts\n([\s\S]*?)^```$/m.exec(section)![1]!;
  const printed = execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', example], {
    cwd: root,
    encoding: 'utf8',
  });
  const said = [...example.matchAll(/; \/\/ (.+)$/gm)].map((match) => match[1]!);
  assert.deepEqual(printed.trim().split('\n'), said);
});
