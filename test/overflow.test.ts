import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { createRandom, pick } from '../packages/testing/src/conformance/random.ts';
import { questionsAbout } from './support/answers-by-name.ts';
import { engines, withFolder } from './support/engines.ts';

const SEED = 14;
const usdc = 'usdc';
const config = {
  address_format: 'any' as const,
  quote_tokens: [
    { address: usdc, kind: 'stable' as const, symbol: 'USDC' },
    { address: 'sol', kind: 'native' as const, symbol: 'SOL' },
  ],
};
const sizes = [0, 5e-324, 1e-300, 1e-90, 0.5, 1, 1e6, 1e90, 1e100, 1e154, 1e200, 2e200, 1e300, Number.MAX_VALUE];

function hugeSwaps(count: number): SwapInput[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, (_, i) => {
    const sides =
      random() < 0.5
        ? [usdc, pick(random, ['a', 'b', 'sol'])]
        : [pick(random, ['a', 'b']), pick(random, [usdc, 'sol'])];
    return {
      tx_hash: `tx-${i}`,
      swap_index: 0,
      block_time: 1_700_000_000 + i * 40,
      wallet: pick(random, ['w', 'v']),
      token_in: sides[0]!,
      token_out: sides[1]!,
      token_amount_in: pick(random, sizes),
      token_amount_out: pick(random, sizes),
      ...(random() < 0.3 ? { usd_amount_in: pick(random, sizes) } : {}),
      ...(random() < 0.3 ? { token_price_out: pick(random, sizes) } : {}),
      ...(random() < 0.2 ? { post_token_balance_out: pick(random, sizes) } : {}),
    };
  });
}

/** Paths of an answer at which a number is not finite. */
function notFinite(value: unknown, path: string): string[] {
  if (typeof value === 'number') return Number.isFinite(value) ? [] : [`${path} = ${value}`];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => notFinite(held, `${path}.${key}`));
}

test('no answer holds a number that is not finite, however large and small the amounts, on every engine alike', (t) =>
  withFolder(async (folder) => {
    t.diagnostic(`seed ${SEED}`);
    const swaps = hugeSwaps(200);
    const answers: string[] = [];
    for (const [engine, open] of Object.entries(engines)) {
      const dex = await Swapfold.open({ storage: open(folder), config });
      const { rejects } = await dex.ingest(swaps);
      const large = rejects.filter(({ reason }) => /1e\+?200/.test(reason));
      assert.ok(large.length > 20, `${large.length} rows rejected`);
      await dex.tokens.upsert([{ address: 'a', total_supply: 1e200, circulating_supply: 1e200, liquidity: 1e200 }]);
      await dex.refresh();
      const lines: string[] = [];
      for (const [operation, request] of questionsAbout(['a', 'b', 'sol', usdc], ['w', 'v'])) {
        const answer = await dex.call(operation, request);
        assert.deepEqual(notFinite(answer, operation), [], engine);
        lines.push(JSON.stringify(answer).replace(/"synced_at":"[^"]*"/g, ''));
      }
      answers.push(lines.join('\n'));
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }
    assert.ok(
      answers.every((answer) => answer === answers[0]),
      'the engines differ',
    );
  }));
