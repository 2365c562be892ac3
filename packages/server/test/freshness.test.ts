import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import { serve } from '../src/index.ts';
import { lagOf } from '../src/probe.ts';
import { CAT, KEY, START, swaps, U, USDC } from './service.ts';

const HOUR = 3600;

/** Cat swaps once more, an hour after the last swap of the store, which is at START + 9000. */
const later: SwapInput = {
  tx_hash: 'later',
  swap_index: 0,
  block_time: START + 9000 + HOUR,
  block_slot: 5000,
  wallet: CAT,
  token_in: U,
  token_amount_in: 1000,
  token_out: USDC,
  token_amount_out: 10,
};

async function openStore(): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: memory(), config: { api_keys: [KEY], clock: 'chain' } });
  await dex.ingest([...swaps]);
  return dex;
}

async function agesOf(dex: Swapfold): Promise<ReturnType<typeof lagOf>> {
  return lagOf(await dex.status(), START + 9000 + 2 * HOUR);
}

test('the age of the profiles is that of the oldest: a refresh of what was traded leaves it, one of all does not', async () => {
  const dex = await openStore();
  assert.deepEqual(
    [(await agesOf(dex)).profiles_age_seconds, (await agesOf(dex)).full_refresh_age_seconds],
    [null, null],
  );
  await dex.refresh();
  assert.equal((await agesOf(dex)).profiles_age_seconds, 2 * HOUR);
  await dex.ingest([later]);
  await dex.refresh({ scope: 'traded' });
  const { profiles_as_of, all_profiles_as_of } = await dex.status();
  assert.deepEqual([profiles_as_of, all_profiles_as_of], [START + 9000 + HOUR, START + 9000]);
  const { lag_seconds, profiles_age_seconds } = await agesOf(dex);
  assert.deepEqual([lag_seconds, profiles_age_seconds], [HOUR, 2 * HOUR]);
  await dex.refresh({ beside: true });
  assert.equal((await agesOf(dex)).profiles_age_seconds, HOUR);
  await dex.close();
});

test('a refresh of what was traded is one of all where there were no profiles, and as of an earlier instant', async () => {
  const dex = await openStore();
  await dex.refresh({ scope: 'traded', beside: true });
  assert.equal((await dex.status()).all_profiles_as_of, START + 9000);
  await dex.refresh({ scope: 'traded', asOf: START + 8000 });
  assert.equal((await dex.status()).all_profiles_as_of, START + 8000);
  await dex.close();
});

test('when all were refreshed is by the clock of the machine; metrics have both ages', async () => {
  const dex = await openStore();
  const before = Math.floor(Date.now() / 1000);
  await dex.refresh();
  const { all_refreshed_at } = await dex.status();
  assert.ok(all_refreshed_at! >= before && all_refreshed_at! <= Date.now() / 1000);
  await dex.ingest([later]);
  await dex.refresh({ scope: 'traded' });
  assert.equal((await dex.status()).all_refreshed_at, all_refreshed_at);
  const server = await serve(dex, { port: 0, metrics: { port: 0 } });
  const text = await (await fetch(server.metricsUrl!)).text();
  const value = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)![1]);
  assert.equal(value('swapfold_profiles_age_seconds') - value('swapfold_lag_seconds'), HOUR);
  const since = value('swapfold_full_refresh_age_seconds');
  assert.ok(since >= 0 && since <= Date.now() / 1000 - before);
  await server.close();
  await dex.close();
});
