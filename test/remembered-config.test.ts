import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConfigInput, type ErrorDetail, Swapfold } from '@swapfold/core';
import { compare, type StorageAdapter } from '@swapfold/core/engine';
import { parseConfig } from '@swapfold/core/host';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { metaTable } from '../packages/core/src/records/tables.ts';
import { engines, withFolder } from './support/engines.ts';

const wallet = `0x${'ab'.repeat(20)}`;
const token = `0x${'cd'.repeat(20)}`;
const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const key = 'nobody-may-read-this';
const rule = {
  label: 'busy',
  rule: 'any trade',
  filter: { 'metrics.30d.trade_count': { $gte: 1 } },
  rationale: 'a test',
};
const config = {
  preset: 'ethereum',
  dust_usd: 0.5,
  clock: 'wall',
  labels: { wallets: [rule] },
  api_keys: [key],
} satisfies ConfigInput;
/** What a store made with it remembers. */
const own = { ...parseConfig(config), api_keys: [] };

const swap = {
  tx_hash: '0x1',
  swap_index: 0,
  // By the wall clock, that of the configuration, within its rule's window.
  block_time: Math.floor(Date.now() / 1000) - 3600,
  wallet,
  token_in: usdc,
  token_out: token,
  token_amount_in: 100,
  token_amount_out: 50,
};

/** Sets what the store says of its configuration, or takes it away. */
async function setStored(storage: StorageAdapter, text: string | undefined): Promise<void> {
  await storage.open({ tables: [metaTable] });
  await storage.write(async (writer) => {
    await writer.remove(metaTable, compare('name', 'eq', 'config'));
    if (text !== undefined) await writer.append(metaTable, { length: 1, columns: { name: ['config'], value: [text] } });
  });
  await storage.close();
}

for (const engine of ['sqlite', 'duckdb'] as const) {
  const fileOf = (folder: string): string => join(folder, engine === 'sqlite' ? 'store-0.db' : 'store-0.duckdb');
  const writing = (folder: string): StorageAdapter => engines[engine]!(folder);
  const reading = (folder: string): StorageAdapter =>
    (engine === 'sqlite' ? sqlite : duckdb)({ path: fileOf(folder), read_only: true });
  const opened = async (storage: StorageAdapter, given?: ConfigInput) => {
    const differences: ErrorDetail[] = [];
    const dex = await Swapfold.open({
      storage,
      config: given,
      onDifference: (difference) => differences.push(difference),
    });
    const { config: used } = dex;
    await dex.close();
    return { used, differences };
  };
  const withMade = (use: (folder: string) => Promise<void>): Promise<void> =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: writing(folder), config });
      await dex.ingest([swap]);
      await dex.refresh();
      await dex.close();
      await use(folder);
    });

  test(`${engine}: a store that is opened without a configuration has its own, by every handle, and all but the keys`, () =>
    withMade(async (folder) => {
      const bytes = readFileSync(fileOf(folder));
      assert.ok(!bytes.includes(key), 'the key is in the file');
      const reader = await Swapfold.open({ storage: reading(folder) });
      assert.deepEqual(reader.config, own);
      const { data } = await reader.wallets.search({ filter: { labels: 'busy' } });
      assert.deepEqual(
        data.map(({ wallet_address }) => wallet_address),
        [wallet],
      );
      await reader.close();
      assert.deepEqual(readFileSync(fileOf(folder)), bytes, 'a read-only open has written');
      const writer = await Swapfold.open({ storage: writing(folder) });
      assert.deepEqual(writer.config, own);
      const later = { ...swap, tx_hash: '0x2', wallet: wallet.toUpperCase().replace('0X', '0x') };
      assert.equal((await writer.ingest([later])).added, 1);
      assert.equal((await writer.swaps.list({ wallet })).count, 2);
      await writer.close();
    }));

  // Both engines store the settings, and give them to a handle that only reads; what differs is compared before the engine is asked.
  if (engine === 'duckdb') continue;
  test(`${engine}: a configuration of keys alone leaves the store its own`, () =>
    withMade(async (folder) => {
      for (const storage of [reading(folder), writing(folder)]) {
        const { used, differences } = await opened(storage, { api_keys: ['another-key'] });
        assert.deepEqual(used, { ...own, api_keys: ['another-key'] });
        assert.deepEqual(differences, []);
      }
      assert.deepEqual((await opened(reading(folder))).used, own);
    }));

  test(`${engine}: fields that nothing stored depends on are compared, count for the handle, and are remembered by one that writes`, () =>
    withMade(async (folder) => {
      const { clock: _, ...rest } = config;
      const other = { ...rest, chain: 'sepolia' };
      const expected = [
        { path: 'chain', message: 'the store has "ethereum", the configuration "sepolia"' },
        // The seconds of a block are those of the chain.
        {
          path: 'launch',
          message:
            'the store has {"sniper_seconds":5,"sniper_blocks":1,"bundle_wallets":4,..., the configuration {"sniper_seconds":5,"sniper_blocks":1,"bundle_wallets":4,...',
        },
        { path: 'clock', message: 'the store has "wall", the configuration "chain"' },
      ];
      const asked = await opened(reading(folder), other);
      assert.deepEqual(asked.differences, expected);
      assert.equal(asked.used.chain, 'sepolia');
      assert.deepEqual((await opened(reading(folder))).used, own, 'a read-only handle has changed what is remembered');
      assert.deepEqual((await opened(writing(folder), other)).differences, expected);
      const { used } = await opened(reading(folder));
      assert.deepEqual([used.chain, used.clock], ['sepolia', 'chain']);
    }));

  test(`${engine}: a configuration that the numbers depend on is refused with both values, and remembered once it has folded them`, () =>
    withMade(async (folder) => {
      const other = { ...config, dust_usd: 25 };
      for (const storage of [reading(folder), writing(folder)])
        await assert.rejects(opened(storage, other), {
          code: 'store-mismatch',
          details: [{ path: 'dust_usd', message: 'the store has 0.5, the configuration 25' }],
        });
      assert.deepEqual((await opened(reading(folder))).used, own);
      const refolding = await Swapfold.open({ storage: writing(folder), config: other, onMismatch: 'refold' });
      await refolding.close();
      assert.equal((await opened(reading(folder))).used.dust_usd, 25);
    }));

  test(`${engine}: a store of a version that remembered none takes what it is opened with, and remembers it`, () =>
    withMade(async (folder) => {
      await setStored(writing(folder), undefined);
      for (const storage of [reading(folder), writing(folder)])
        await assert.rejects(opened(storage), {
          code: 'store-mismatch',
          message:
            /"address_format": the store has "evm", the configuration "solana".*it was folded with, which it does not remember/,
        });
      assert.deepEqual((await opened(reading(folder), config)).used, parseConfig(config));
      await opened(writing(folder), config);
      assert.deepEqual((await opened(reading(folder))).used, own);
    }));

  test(`${engine}: a store that remembers a field of a later version is refused, naming the field`, () =>
    withMade(async (folder) => {
      await setStored(writing(folder), JSON.stringify({ ...own, shiny: 1 }));
      for (const given of [undefined, config])
        await assert.rejects(opened(reading(folder), given), {
          code: 'newer-schema',
          message: /"shiny": unknown field/,
        });
    }));

  test(`${engine}: a copy remembers the configuration, also of a store that did not`, () =>
    withMade(async (folder) => {
      await setStored(writing(folder), undefined);
      const source = await Swapfold.open({ storage: reading(folder), config });
      const target = await Swapfold.open({ storage: engines[engine]!(folder, 1), config });
      await target.copyFrom(source);
      await source.close();
      await target.close();
      assert.deepEqual((await opened(engines[engine]!(folder, 1))).used, own);
    }));
}
