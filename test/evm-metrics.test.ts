import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { ManagedChain } from './support/evm-managed.ts';

test('what a source can not read is counted in the metrics of the server while it follows, block by block', async () => {
  const chain = new ManagedChain({ first: 1000, made: null, head: 1002 });
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'ethereum' } });
  const server = await serve(dex, { port: 0, keys: ['key-of-the-tests'], metrics: { port: 0 } });
  const stop = new AbortController();
  const said: string[] = [];
  const source = chain.source({ name: 'v4', onNotice: (message) => said.push(message) });
  const following = dex.follow(source, { signal: stop.signal });
  const counted = async (reason: string): Promise<number> => {
    const lines = (await (await fetch(server.metricsUrl!)).text()).split('\n');
    const name = `swapfold_source_undecoded{source="v4",reason="${reason}"} `;
    return Number(lines.find((line) => line.startsWith(name))?.slice(name.length));
  };
  const becomes = async (reason: string, count: number): Promise<void> => {
    const end = Date.now() + 30_000;
    let value = await counted(reason);
    while (value !== count) {
      assert.ok(Date.now() < end, `${reason} is ${value}, not ${count}`);
      await pause(20);
      value = await counted(reason);
    }
  };
  // One swap of the unknown pool in each block: 1000 to 1002, while its event is searched for.
  await becomes('searched_pools', 3);
  // The node does not have the event, so that the swaps of two blocks more are of a pool without one.
  const end = Date.now() + 30_000;
  while (!said.some((message) => /gives no Initialize event/.test(message)) && Date.now() < end) await pause(20);
  chain.head = 1004;
  await becomes('no_initialize', 2);
  chain.head = 1009;
  await becomes('no_initialize', 7);
  stop.abort();
  await assert.rejects(following, { code: 'aborted' });
  await server.close();
  await dex.close();
});
