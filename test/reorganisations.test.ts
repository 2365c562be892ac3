import assert from 'node:assert/strict';
import { test } from 'node:test';
import { presets, Swapfold, type SwapInput } from '@swapfold/core';
import fc from 'fast-check';
import { checkHistory } from './reorganisations/check.ts';
import { history, tokens, wallets } from './reorganisations/history.ts';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

/** `SWAPFOLD_SEED`, `SWAPFOLD_ROUNDS` and `SWAPFOLD_ENGINE` run others. */
const seed = Number(process.env.SWAPFOLD_SEED ?? 18);
const few: Readonly<Record<string, number>> = { memory: 4, sqlite: 1, duckdb: 1 };

const config = presets.ethereum;
const [usdc, usdt, , coin, other] = tokens as readonly [string, string, string, string, string];
const [ann, ben] = wallets as readonly [string, string];
const DAY = 86_400;
const start = Date.parse('2024-01-01T00:00:00Z') / 1000;
const now = start + 100 * DAY;

/** A swap in a block of its own, whose slot is its time. */
function swap(wallet: string, time: number, token_in: string, token_out: string): SwapInput {
  const tx_hash = `0x${time.toString(16).padStart(64, '0')}`;
  const amounts = { token_amount_in: 100, token_amount_out: 10 };
  return { tx_hash, swap_index: 0, block_time: time, block_slot: time, wallet, token_in, token_out, ...amounts };
}

/** Addresses that a search by `metadata.idle` finds. */
async function idleWallets(dex: Swapfold, idle: { $lt: number } | { $gte: number }): Promise<string[]> {
  const { data } = await dex.wallets.search({ filter: { 'metadata.idle': idle } });
  return data.map((profile) => profile.wallet_address);
}

for (const [engine, open] of Object.entries(engines)) {
  // What a scope decides is the same code on every engine.
  for (const scope of engine === 'memory' ? (['all', 'traded'] as const) : (['traded'] as const)) {
    test(`${engine}, scope ${scope}: an orphan leaves no last trade behind in a wallet that traded 100 days before it`, () =>
      withFolder(async (folder) => {
        const dex = await Swapfold.open({ storage: open(folder), config });
        await dex.ingest([swap(ann, start, usdc, coin), swap(ann, now, usdc, coin)]);
        await dex.refresh();
        await dex.rollback({ from_block_slot: now });
        await dex.ingest([swap(ben, now + 1, usdc, other)]);
        await dex.refresh({ scope });
        assert.equal((await dex.wallets.get({ wallet: ann })).metadata?.last_trade_at, '2024-01-01T00:00:00Z');
        assert.equal((await dex.tokens.get({ token: coin })).metadata?.last_trade_at, '2024-01-01T00:00:00Z');
        assert.deepEqual(await idleWallets(dex, { $lt: 100 * DAY + 1 }), [ben]);
        assert.deepEqual(await idleWallets(dex, { $gte: 100 * DAY + 1 }), [ann]);
        assert.deepEqual((await dex.verify()).differences, []);
        await dex.close();
      }));
  }

  test(`${engine}: a token whose only trade was an orphan has no last trade, though it is swapped as a quote since`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest([swap(ann, now, usdc, usdt)]);
      await dex.refresh();
      assert.equal((await dex.tokens.get({ token: usdt })).metadata?.last_trade_at, '2024-04-10T00:00:00Z');
      await dex.rollback({ from_block_slot: now });
      await dex.ingest([swap(ann, now + 1, coin, usdt)]);
      await dex.refresh();
      const { updated_at, metadata } = await dex.tokens.get({ token: usdt });
      assert.equal(updated_at, '2024-04-10T00:00:01Z');
      assert.equal(metadata?.last_trade_at, null);
      assert.deepEqual((await dex.verify()).differences, []);
      await dex.close();
    }));
}

for (const [engine, open] of Object.entries(engines)) {
  const rounds = Number(process.env.SWAPFOLD_ROUNDS ?? (isWhole ? 1000 : few[engine]));
  if ((process.env.SWAPFOLD_ENGINE ?? engine) !== engine) continue;
  test(`${engine}: after each of ${rounds} random histories with reorganisations every answer is that of a store that never had the orphans (seed ${seed})`, async () => {
    const lives = fc.asyncProperty(history, (lived) =>
      withFolder((folder) => {
        const isLasting = engine !== 'memory';
        return checkHistory(lived, { storage: () => open(folder), isLasting });
      }),
    );
    await fc.assert(lives, { seed, numRuns: rounds, includeErrorInReport: true });
  });
}
