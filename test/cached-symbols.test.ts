import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

const config = { address_format: 'any', quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }] } as const;

/** A swap of 10 USD for five of a token, named or not. */
function buy(block_time: number, token_out: string, token_symbol_out?: string): SwapInput {
  return {
    tx_hash: `0x${block_time}`,
    swap_index: 0,
    block_slot: block_time,
    block_time,
    wallet: 'W',
    token_in: 'USD',
    token_out,
    token_amount_in: 10,
    token_amount_out: 5,
    ...(token_symbol_out === undefined ? {} : { token_symbol_out }),
  };
}

async function symbols(dex: Swapfold): Promise<Record<string, string | null>> {
  const { tokens } = await dex.portfolios.get({ wallet: 'W' });
  return Object.fromEntries(tokens.map(({ token, symbol }) => [token, symbol]));
}

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: a token goes by the name that its newest swap with a name gives it, however it was kept`, async () => {
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config });
      const plain = await Swapfold.open({ storage: memory(), config });
      const write = async (swaps: readonly SwapInput[], expected: Record<string, string | null>): Promise<void> => {
        for (const store of [dex, plain]) await store.ingest([...swaps]);
        assert.deepEqual(await symbols(dex), expected);
        assert.deepEqual(await symbols(dex), expected, 'asked before');
        assert.deepEqual(await symbols(plain), expected);
      };
      await write([buy(100, 'A', 'AYE'), buy(200, 'B')], { A: 'AYE', B: null });
      await write([buy(300, 'A'), buy(400, 'B', 'BEE')], { A: 'AYE', B: 'BEE' });
      await write([buy(500, 'A', 'ACE'), buy(600, 'A'), buy(700, 'C')], { A: 'ACE', B: 'BEE', C: null });
      // Late ones: before a name, and after it.
      await write([buy(350, 'B', 'OLD'), buy(650, 'A', 'NEW')], { A: 'NEW', B: 'BEE', C: null });
      for (const store of [dex, plain]) await store.tokens.upsert([{ address: 'B', symbol: 'REG' }]);
      assert.deepEqual(await symbols(dex), { A: 'NEW', B: 'REG', C: null });
      for (const store of [dex, plain]) await store.rollback({ from_block_slot: 600 });
      assert.deepEqual(await symbols(dex), { A: 'ACE', B: 'REG' });
      await dex.close();
      await plain.close();
    });
  });
}
