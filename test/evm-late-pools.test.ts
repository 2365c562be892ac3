import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { KNOWN, ManagedChain, UNKNOWN } from './support/evm-managed.ts';

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, `Waited for a minute until ${what}.`);
    await pause(10);
  }
}

/** Blocks of the swaps of a pool that a store has, in order. */
async function blocksOf(dex: Swapfold, pool: string): Promise<readonly number[]> {
  const { data } = await dex.swaps.list({ limit: 100 });
  return data.flatMap((row) => (row.pool === pool ? row.block_slot! : [])).sort((a, b) => a - b);
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

for (const engine of ['sqlite', 'duckdb'])
  test(`on ${engine}, a pool whose event takes hundreds of questions stops nobody, and none of its swaps is lost over a restart`, async () => {
    await withFolder(async (folder) => {
      // From block 999 back to block 3, ten at a time, are a hundred questions.
      const chain = new ManagedChain({ first: 1000, made: 3, head: 1005 });
      chain.searchable = 50;
      const open = () => Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'ethereum' } });
      const first = await open();
      const said: string[] = [];
      const stop = new AbortController();
      const source = chain.source({ onNotice: (message) => said.push(message) });
      const following = first.follow(source, { signal: stop.signal });
      await until('the known pool is read', async () => (await blocksOf(first, KNOWN)).length === 6);
      await until('half of the blocks are searched', () => chain.searched.length === 50);
      chain.head = 1010;
      await until('it goes on meanwhile', async () => (await blocksOf(first, KNOWN)).length === 11);
      assert.deepEqual(await blocksOf(first, UNKNOWN), []);
      assert.equal(source.undecoded.searched_pools, 11);
      assert.equal(source.undecoded.no_initialize, 0);
      assert.ok(
        said.some((text) => /Initialize event is searched for from block \d+ back.*Following goes on/.test(text)),
        said.join('\n'),
      );
      assert.ok(
        said.some((text) => /Searched for the Initialize event .* down to block/.test(text)),
        said.join('\n'),
      );
      stop.abort();
      await assert.rejects(following, { code: 'aborted' });
      await first.close();

      const before = chain.searched.length;
      chain.searchable = Number.POSITIVE_INFINITY;
      chain.head = 1012;
      const second = await open();
      const again = chain.source({ to_block: 1012, onNotice: (message) => said.push(message) });
      await second.follow(again);
      assert.deepEqual(await blocksOf(second, KNOWN), range(1000, 1012));
      assert.deepEqual(await blocksOf(second, UNKNOWN), range(1000, 1012));
      assert.equal(again.undecoded.searched_pools, 0);
      // What was searched before the restart is not searched again, but for the range that was on its way.
      const lowest = Math.min(...chain.searched.slice(0, before).map(([from]) => from));
      assert.ok(
        chain.searched.slice(before).every(([, to]) => to < lowest + 20),
        JSON.stringify(chain.searched),
      );

      const asked = chain.searched.length;
      chain.head = 1014;
      await second.follow(chain.source({ to_block: 1014 }));
      assert.deepEqual(await blocksOf(second, UNKNOWN), range(1000, 1014));
      assert.equal(chain.searched.length, asked, 'a pool that was found is not searched again');
      await second.close();
    });
  });

test('a pool whose event the node does not have any more is searched once, over a restart', async () => {
  await withFolder(async (folder) => {
    const chain = new ManagedChain({ first: 1000, made: null, head: 1002 });
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config: { preset: 'ethereum' } });
    const said: string[] = [];
    await dex.follow(chain.source({ to_block: 1002, onNotice: (message) => said.push(message) }));
    assert.ok(
      said.some((text) => /gives no Initialize event of pool .* in blocks 0 to 1000/.test(text)),
      said.join('\n'),
    );
    const asked = chain.searched.length;
    chain.head = 1005;
    const source = chain.source({ to_block: 1005 });
    await dex.follow(source);
    assert.equal(chain.searched.length, asked);
    assert.equal(source.undecoded.no_initialize, 3);
    assert.deepEqual(await blocksOf(dex, KNOWN), range(1000, 1005));
    await dex.close();
  });
});

test('a reorganisation while a pool is searched for takes its swaps of the other branch alone', async () => {
  await withFolder(async (folder) => {
    const chain = new ManagedChain({ first: 1000, made: 3, head: 1005 });
    chain.searchable = 50;
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config: { preset: 'ethereum' } });
    const stop = new AbortController();
    const source = chain.source();
    const following = dex.follow(source, { signal: stop.signal });
    await until('the blocks are read', async () => (await blocksOf(dex, KNOWN)).length === 6);
    [chain.fork, chain.head] = [1003, 1007];
    await until('the branch is read', async () => (await blocksOf(dex, KNOWN)).length === 8);
    stop.abort();
    await assert.rejects(following, { code: 'aborted' });
    chain.searchable = Number.POSITIVE_INFINITY;
    await dex.follow(chain.source({ to_block: 1007 }));
    assert.deepEqual(await blocksOf(dex, UNKNOWN), range(1000, 1007));
    await dex.close();
  });
});

test('a pool that is found in a few questions is read with the others, in the order of the chain', async () => {
  await withFolder(async (folder) => {
    const chain = new ManagedChain({ first: 1000, made: 950, head: 1002 });
    const dex = await Swapfold.open({ storage: engines.sqlite!(folder), config: { preset: 'ethereum' } });
    const { place } = await dex.follow(chain.source({ to_block: 1002 }));
    assert.deepEqual(await blocksOf(dex, UNKNOWN), range(1000, 1002));
    assert.equal((JSON.parse(place!) as { pools?: unknown }).pools, undefined);
    await dex.close();
  });
});
