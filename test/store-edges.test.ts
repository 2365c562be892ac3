import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { memory, type OpenOptions, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { backup } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { engines, withFolder } from './support/engines.ts';

const config = { preset: 'solana' } as const;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const wallet = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const other = '8YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const START = 1_735_689_600;

const buy = (tx_hash: string, seconds: number, own: Partial<SwapInput> = {}): SwapInput => ({
  tx_hash,
  swap_index: 0,
  block_time: START + seconds,
  block_slot: seconds + 1,
  wallet,
  token_in: USDC,
  token_out: WIF,
  token_amount_in: 100,
  token_amount_out: 50,
  ...own,
});

const open = (storage: StorageAdapter, own: Partial<OpenOptions> = {}): Promise<Swapfold> =>
  Swapfold.open({ storage, config, ...own });

for (const engine of Object.keys(engines)) {
  test(`${engine}: a copy into a store that had other texts, and was emptied, has the wallets of what was copied`, () =>
    withFolder(async (folder) => {
      const source = await open(engines[engine]!(folder));
      await source.ingest([buy('a', 0, { wallet: other })]);
      const target = await open(engines[engine]!(folder, 1));
      await target.ingest([buy('b', 0)]);
      await target.rollback({ from_block_slot: 0 });
      await target.copyFrom(source);
      await target.ingest([buy('c', 9)]);
      const { data } = await target.swaps.list({});
      assert.deepEqual(
        data.map((swap) => [swap.tx_hash, swap.wallet]),
        [
          ['c', wallet],
          ['a', other],
        ],
      );
      assert.equal((await target.verify()).different, 0);
      await target.close();
      await source.close();
    }));

  test(`${engine}: a copy into a store that is written to meanwhile takes nothing away`, () =>
    withFolder(async (folder) => {
      const source = await open(engines[engine]!(folder));
      await source.ingest([buy('a', 0)]);
      const target = await open(engines[engine]!(folder, 1));
      const [stored, copied] = await Promise.allSettled([target.ingest([buy('b', 0)]), target.copyFrom(source)]);
      assert.equal(stored.status, 'fulfilled');
      if (copied.status === 'rejected') assert.equal(copied.reason.code, 'invalid-input');
      const { data } = await target.swaps.list({});
      assert.deepEqual(data.map(({ tx_hash }) => tx_hash).sort(), copied.status === 'rejected' ? ['b'] : ['a', 'b']);
      await target.close();
      await source.close();
    }));

  for (const way of ['copy', 'bulk import'])
    test(`${engine}: a subscription that begins after a ${way} hears what comes, also if a list is read meanwhile`, () =>
      withFolder(async (folder) => {
        const source = await open(memory());
        await source.ingest([buy('a', 0)]);
        const dex = await open(engines[engine]!(folder));
        if (way === 'copy') await dex.copyFrom(source);
        else await dex.ingest([buy('a', 0)], { bulk: true });
        const subscription = dex.subscribe('swaps');
        await subscription.ready;
        const next = subscription[Symbol.asyncIterator]().next();
        assert.equal((await dex.swaps.list({})).count, 1);
        await dex.ingest([buy('b', 1)]);
        assert.equal((await next).value.data[0].tx_hash, 'b');
        await dex.close();
        await source.close();
      }));

  test(`${engine}: a bulk import of nothing does not wait for the one behind it`, { timeout: 20_000 }, () =>
    withFolder(async (folder) => {
      const dex = await open(engines[engine]!(folder));
      const nothing = dex.ingest([], { bulk: true });
      const swaps = async function* () {
        await nothing;
        yield buy('a', 0);
      };
      assert.equal((await dex.ingest(swaps(), { bulk: true })).added, 1);
      await dex.close();
    }),
  );

  for (const way of ['copy', 'bulk import'])
    test(`${engine}: what waits for a ${way} to end knows the swaps that it brought`, () =>
      withFolder(async (folder) => {
        const swaps = Array.from({ length: 300 }, (_, i) => buy(`tx${i}`, i, i % 2 === 0 ? {} : { wallet: other }));
        const [first, rest] = [swaps.slice(0, 200), swaps.slice(150)];
        const source = await open(memory());
        await source.ingest(first);
        const dex = await open(engines[engine]!(folder));
        let isOver = false;
        const asking = (async () => {
          for (; !isOver; await new Promise(setImmediate)) {
            await dex.swaps.list({ token: WIF });
            await dex.prices.latest({ tokens: [WIF] });
          }
          return `${(await dex.swaps.list({ token: WIF })).count} ${(await dex.prices.latest({ tokens: [WIF] }))[0]?.usd_price}`;
        })();
        const begun = way === 'copy' ? dex.copyFrom(source) : dex.ingest(first, { bulk: true });
        await Promise.resolve();
        const [, { added, duplicate }] = await Promise.all([begun, dex.ingest(rest)]);
        isOver = true;
        assert.deepEqual([added, duplicate], [100, 50]);
        assert.equal(await asking, '300 2');
        assert.equal((await dex.info()).swaps, 300);
        assert.deepEqual((await dex.verify()).differences, []);
        await dex.close();
        await source.close();
      }));

  test(`${engine}: a store that closes while its profiles are refreshed is no failure of them`, () =>
    withFolder(async (folder) => {
      const failures: unknown[] = [];
      for (let number = 0; number < 4; number++) {
        const dex = await open(engines[engine]!(folder, number));
        await dex.ingest(
          Array.from({ length: 1500 }, (_, i) => buy(`tx${i}`, i, i % 2 === 0 ? {} : { wallet: other })),
        );
        const fresh = dex.keepFresh({ every: 0.001, allEvery: 0.001, onError: (error) => failures.push(error) });
        await new Promise((resolve) => setTimeout(resolve, 5 + number * 20));
        await dex.close();
        await fresh;
      }
      assert.deepEqual(failures, []);
    }));

  test(`${engine}: exports whose reader does not go on let all other calls be answered`, { timeout: 60_000 }, () =>
    withFolder(async (folder) => {
      const dex = await open(engines[engine]!(folder));
      await dex.ingest(Array.from({ length: 50 }, (_, i) => buy(`${i}`, i)));
      await dex.refresh();
      const exports = Array.from({ length: 6 }, () => dex.columns('swaps')[Symbol.asyncIterator]());
      for (const rows of exports) assert.equal((await rows.next()).done, false);
      await Promise.all([
        dex.swaps.list({ token: WIF }),
        dex.swaps.list({ wallet }),
        dex.wallets.search({}),
        dex.prices.latest({ tokens: [WIF] }),
        dex.info(),
        dex.ingest([buy('new', 100)]),
        dex.refresh({ beside: true }),
      ]);
      for (const rows of exports) await rows.return?.(undefined);
      await dex.close();
    }),
  );

  test(`${engine}: names and places of sources that no engine gives back unchanged are refused`, () =>
    withFolder(async (folder) => {
      const dex = await open(engines[engine]!(folder));
      async function* read() {
        yield { rows: [], place: 'x\ud800' };
      }
      await assert.rejects(dex.follow({ name: '\ud800', read }), { code: 'invalid-input', message: /lone surrogates/ });
      await assert.rejects(dex.follow({ name: 'mine', read }), {
        code: 'invalid-input',
        message: /"place".*surrogates/,
      });
      await dex.close();
    }));

  test(`${engine}: a time given as text has the bounds of one given as a number`, () =>
    withFolder(async (folder) => {
      const dex = await open(engines[engine]!(folder));
      for (const time of ['1969-12-31T23:59:59Z', '9999-12-31T23:59:59Z', -1, 253_402_300_799]) {
        const { rejects } = await dex.prices.upsert([{ token: USDC, time, usd_price: 1 }]);
        assert.match(rejects[0]?.reason ?? 'taken', /^expected a time from 1970-01-01 to 2242-03-16/, String(time));
      }
      await dex.close();
    }));

  for (const bulk of [false, true])
    test(`${engine}: what "onReject" throws${bulk ? ' in a bulk import' : ''} is thrown once the batch is stored`, () =>
      withFolder(async (folder) => {
        const dex = await open(engines[engine]!(folder));
        const onReject = (): never => {
          throw new Error('mine');
        };
        const rows = [buy('a', 0), buy('b', 1, { wallet: '' })];
        await assert.rejects(dex.ingest(rows, { bulk, onReject }), /mine/);
        assert.equal((await dex.info()).swaps, 1);
        assert.equal((await dex.ingest([buy('c', 2)])).added, 1);
        await dex.close();
      }));
}

for (const [engine, storageOf] of Object.entries({ sqlite, duckdb })) {
  test(`${engine}: an hour that the horizon cuts is not in v_candles_1h`, () =>
    withFolder(async (folder) => {
      const storage = storageOf(join(folder, 'store'));
      const dex = await open(storage);
      await dex.ingest([...Array.from({ length: 5000 }, (_, i) => buy(`${i}`, i)), buy('late', 40 * 86_400)]);
      const stop = new AbortController();
      await assert.rejects(dex.prune({ keep: '31d', signal: stop.signal, onSwaps: () => stop.abort() }), {
        code: 'aborted',
      });
      const { horizon } = await dex.info();
      assert.notEqual(Date.parse(String(horizon)) % 3_600_000, 0, 'the horizon is within an hour');
      const candles = await dex.prices.candles({ token: WIF, interval: 3600, from: new Date(START * 1000) });
      await dex.close();
      const hours = await hoursOf(engine, join(folder, 'store'));
      assert.deepEqual(hours, [START + 40 * 86_400]);
      assert.deepEqual(
        candles.filter(({ volume }) => volume > 0).map(({ timestamp }) => timestamp),
        hours,
      );
    }));

  test(`${engine}: a "keep" at fault makes no file, and no store is made to be copied`, () =>
    withFolder(async (folder) => {
      const path = join(folder, 'none');
      await assert.rejects(open(storageOf(path), { keep: '5d' }), { code: 'invalid-config' });
      assert.equal(existsSync(path), false);
      await assert.rejects(backup(storageOf(path), join(folder, 'copy')), {
        code: 'invalid-input',
        message: /no store/,
      });
      assert.equal(existsSync(join(folder, 'copy')), false);
    }));
}

async function hoursOf(engine: string, path: string): Promise<number[]> {
  if (engine === 'sqlite') {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(path, { readonly: true });
    const rows = database
      .prepare('select distinct unixepoch(timestamp) as at from v_candles_1h where token = ?')
      .all(WIF);
    database.close();
    return (rows as { at: number }[]).map(({ at }) => at);
  }
  const instance = await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const rows = await connection.runAndReadAll(
    `select distinct epoch(timestamp)::double from v_candles_1h where token = '${WIF}'`,
  );
  connection.closeSync();
  instance.closeSync();
  return rows.getRows().map(([at]) => at as number);
}

test('duckdb: a bulk import that fails as it begins leaves room for the next', async () => {
  const instance = await DuckDBInstance.create(':memory:');
  let left = Number.POSITIVE_INFINITY;
  const given = {
    connect: async () => {
      if (left-- <= 0) throw new Error('IO Error: No space left on device');
      return instance.connect();
    },
  };
  const dex = await open(duckdb(given as unknown as DuckDBInstance));
  await dex.info();
  left = 1;
  await assert.rejects(dex.ingest([buy('a', 0)], { bulk: true }), { code: 'disk-full' });
  left = Number.POSITIVE_INFINITY;
  assert.equal((await dex.ingest([buy('a', 0)], { bulk: true })).added, 1);
  await dex.close();
});

test('a store whose storage fails to close ends what follows it', { timeout: 10_000 }, async () => {
  const storage = memory();
  const failing: StorageAdapter = {
    ...storage,
    close: async () => {
      await storage.close();
      throw new Error('the disk is gone');
    },
  };
  const dex = await open(failing);
  const fresh = dex.keepFresh();
  await assert.rejects(dex.close(), /the disk is gone/);
  await fresh.catch(() => undefined);
});
