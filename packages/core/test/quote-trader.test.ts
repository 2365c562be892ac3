import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, presets, Swapfold, type SwapInput } from '@swapfold/core';

const config = presets.solana;
const [usdc, sol] = ['USDC', 'SOL'].map((wanted) => {
  return config.quote_tokens.find(({ symbol }) => symbol === wanted)!.address;
}) as [string, string];
const wallet = '5tzFkiKscXHK5ZXCGbXZxdw7gTjjD1mBwuoFbhUvuAi9';

function swap(n: number): SwapInput {
  return {
    ...{ tx_hash: `t${n}`, swap_index: 0, block_time: 1_704_412_800 + n, wallet },
    ...{ token_in: usdc, token_amount_in: 150, token_out: sol, token_amount_out: 1 },
  };
}

test('a wallet that trades quote tokens alone is refreshed after each of its swaps', { timeout: 60_000 }, async () => {
  const [one, whole] = await Promise.all([1, 2].map(() => Swapfold.open({ storage: memory(), config })));
  for (let n = 0; n < 40; n++) {
    await one!.ingest([swap(n)]);
    await one!.refresh();
  }
  await whole!.ingest(Array.from({ length: 40 }, (_, n) => swap(n)));
  await whole!.refresh();
  const profile = async (dex: Swapfold) => {
    const { synced_at, updated_at, ...rest } = (await dex.wallets.get({ wallet }))!;
    return rest;
  };
  assert.deepEqual(await profile(one!), await profile(whole!));
  await Promise.all([one!.close(), whole!.close()]);
});
