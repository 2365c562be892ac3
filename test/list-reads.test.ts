import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { smallMarket } from './support/market.ts';

const { swaps, config } = smallMarket({ seed: 5, swaps: 300, wallets: 20, tokens: 8, days: 3 });

/** Notes what each snapshot is taken for. */
function noted(storage: StorageAdapter): { storage: StorageAdapter; uses: string[] } {
  const uses: string[] = [];
  const snapshot: StorageAdapter['snapshot'] = (read, use = 'scan') => {
    uses.push(use);
    return storage.snapshot(read, use);
  };
  return { storage: { ...storage, snapshot }, uses };
}

for (const list of ['swaps', 'trades'] as const) {
  test(`a page of ${list} of a token is a scan only where its rows have to be counted`, async () => {
    const { storage, uses } = noted(memory());
    const dex = await Swapfold.open({ storage, config });
    await dex.ingest(swaps.slice(0, 250));
    const token = swaps[0]!.token_out;
    const usesOf = async (ask: () => Promise<unknown>): Promise<string[]> => {
      uses.length = 0;
      await ask();
      return [...uses];
    };
    const page = () => dex[list].list({ token, limit: 2 });
    assert.deepEqual(await usesOf(page), ['scan']);
    assert.deepEqual(await usesOf(page), ['point']);
    // New swaps continue the count.
    await dex.ingest(swaps.slice(250));
    assert.deepEqual(await usesOf(page), ['point']);
    const asOf = Number(swaps[100]!.block_time);
    assert.deepEqual(await usesOf(() => dex.at(asOf)[list].list({ token, limit: 2 })), ['scan']);
    assert.deepEqual(await usesOf(() => dex[list].list({ token, wallet: swaps[0]!.wallet, limit: 2 })), ['scan']);
    assert.deepEqual(await usesOf(() => dex[list].list({ wallet: swaps[0]!.wallet, limit: 2 })), ['point']);
    // A late one has the rows counted again.
    const late = { ...swaps[0]!, tx_hash: 'late', swap_index: 0, block_time: Number(swaps[0]!.block_time) + 1 };
    await dex.ingest([late]);
    assert.deepEqual(await usesOf(page), ['scan']);
    const plain = await Swapfold.open({ storage: memory(), config });
    await plain.ingest([...swaps, late]);
    assert.deepEqual(await page(), await plain[list].list({ token, limit: 2 }));
    await plain.close();
    await dex.close();
  });
}
