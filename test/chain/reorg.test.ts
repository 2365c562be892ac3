import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import type { Hex } from 'viem';
import { dumpStore, firstDifferences } from '../support/dump.ts';
import { withFolder } from '../support/engines.ts';
import { cases } from '../support/whole.ts';
import { type Anvil, startAnvil } from './anvil.ts';
import type { Transaction } from './contracts.ts';
import { deployExchange, type Exchange } from './exchange.ts';
import { blocksRead, newestBlock, openStore, optionsOf, readOnce, run, swapsOf, watch } from './following.ts';
import { mineBlocks, randomOf, trades } from './traffic.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const traffic = trades(exchange, 3);

/** What takes the place of blocks: nothing, the same transactions in other blocks, or other ones. */
type Branch = 'empty' | 'same' | 'other';

interface RawBlock {
  readonly transactions: readonly Hex[];
}

/** Puts another branch in the place of the last blocks. Shape: the hashes of the blocks that are gone. */
async function reorganise(depth: number, branch: Branch): Promise<void> {
  const head = Number(await chain.call('eth_blockNumber'));
  const gone = Array.from({ length: depth }, (_, i) => `0x${(head - depth + 1 + i).toString(16)}`);
  const before = await chain.batch<RawBlock & { hash: Hex }>(
    gone.map((number) => ['eth_getBlockByNumber', [number, false]]),
  );
  await chain.call('anvil_reorg', depth, await transactionsOf(branch, before));
  const now = await chain.batch<{ hash: Hex }>(gone.map((number) => ['eth_getBlockByNumber', [number, false]]));
  if (branch === 'other')
    for (const [i, { hash }] of now.entries()) assert.notEqual(hash, before[i]!.hash, 'each block is another one');
}

async function transactionsOf(
  branch: Branch,
  before: readonly RawBlock[],
): Promise<readonly (readonly [unknown, number])[]> {
  if (branch === 'empty') return [];
  if (branch === 'other')
    return before.flatMap((_, block) =>
      [0, 1].map(
        () => [{ ...(traffic.next().value as Transaction), gas: '0x989680', gasPrice: '0x77359400' }, block] as const,
      ),
    );
  // In reverse order of blocks, as far as the nonces of their senders allow: the first half of them, a block later.
  const hashes = before.flatMap(({ transactions }, block) => transactions.map((hash) => [hash, block] as const));
  const raw = await chain.batch<Hex>(hashes.map(([hash]) => ['eth_getRawTransactionByHash', [hash]]));
  return hashes.map(([, block], i) => [raw[i]!, Math.min(block + 1, before.length - 1)] as const);
}

/** Holds a store to one that has only seen the final chain, table by table, and its blocks to the chain's. */
async function assertFinal(
  dex: Swapfold,
  storage: StorageAdapter,
  of: Exchange = exchange,
  node: Anvil = chain,
): Promise<void> {
  for (const [number, hash] of await blocksRead(dex)) {
    const block = await node.call<{ hash: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
    assert.equal(hash, block.hash, `block ${number}`);
  }
  await withFolder(async (folder) => {
    const other = sqlite(`${folder}/only-final.db`);
    const only = await openStore(of, other);
    await readOnce(only, optionsOf(of));
    await only.refresh();
    await dex.refresh();
    const strip = (lines: readonly string[]): string[] => lines.filter((line) => !/^token_registry:/.test(line));
    assert.deepEqual(firstDifferences(strip(await dumpStore(dex, storage)), strip(await dumpStore(only, other))), []);
    assert.deepEqual(await swapsOf(dex), await swapsOf(only));
    await only.close();
  });
}

const engines: Readonly<Record<string, (folder: string) => StorageAdapter>> = {
  sqlite: (folder) => sqlite(`${folder}/dex.db`),
  duckdb: (folder) => duckdb(`${folder}/dex.duckdb`),
};

for (const engine of Object.keys(engines))
  test(`on ${engine}, reorganisations of any depth while following and refreshing end as if only the final chain had been seen`, () =>
    withFolder(async (folder) => {
      await mineBlocks(
        chain,
        traffic,
        Array.from({ length: 62 }, (_, i) => (i % 3 === 0 ? 2 : i % 3 === 1 ? 0 : 1)),
      );
      const storage = engines[engine]!(folder);
      const dex = await openStore(exchange, storage);
      const watcher = await watch(dex);
      const following = run(dex, optionsOf(exchange));
      await following.caughtUp(chain);
      const random = randomOf(engine.length);
      const depths = cases(60, 1) === 60 ? Array.from({ length: 60 }, (_, i) => i + 1) : [1, 2, 3, 7, 29, 60];
      for (const [i, depth] of depths.entries()) {
        const branch = (['empty', 'other', 'same'] as const)[i % 3]!;
        const refreshing = random() < 0.5 ? dex.refresh() : Promise.resolve();
        await reorganise(depth, branch);
        if (i % 4 === 3) await reorganise(Math.max(1, depth - 1), 'other');
        if (i % 2 === 1) await mineBlocks(chain, traffic, [2]);
        await following.caughtUp(chain);
        await refreshing;
      }
      await following.stop();
      const listed = await swapsOf(dex);
      await watcher.settled(listed.length);
      assert.deepEqual(watcher.swaps(), listed, 'who applies the messages has what the list says');
      watcher.stop();
      await assertFinal(dex, storage);
      await dex.close();
    }));

test('a reorganisation while the process was down is found at its start, as deep as the place remembers', () =>
  withFolder(async (folder) => {
    for (const depth of [1, 30, 60]) {
      const storage = sqlite(`${folder}/${depth}.db`);
      const dex = await openStore(exchange, storage);
      await readOnce(dex, optionsOf(exchange));
      await dex.close();
      await reorganise(depth, depth === 30 ? 'empty' : 'other');
      if (depth === 60) await mineBlocks(chain, traffic, [3]);
      const again = sqlite(`${folder}/${depth}.db`);
      const next = await openStore(exchange, again);
      const following = run(next, optionsOf(exchange));
      await following.caughtUp(chain);
      await following.stop();
      await assertFinal(next, again);
      await next.close();
    }
  }));

test('with confirmations, blocks that may still change are not read, and a deeper reorganisation is rolled back all the same', async () => {
  const dex = await openStore(exchange);
  const following = run(dex, { ...optionsOf(exchange), confirmations: 3 });
  await mineBlocks(chain, traffic, [1, 1, 1, 1]);
  const readTo = async (number: number): Promise<void> => {
    const { hash } = await chain.call<{ hash: string }>('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
    await following.caughtUp({ call: async () => ({ number: `0x${number.toString(16)}`, hash }) } as unknown as Anvil);
  };
  const head = Number((await newestBlock(chain)).number);
  await readTo(head - 3);
  assert.equal((await blocksRead(dex)).has(head - 2), false);
  await reorganise(2, 'other');
  await readTo(head - 3);
  await reorganise(6, 'other');
  await readTo(head - 3);
  await following.stop();
  const blocks = new Set((await swapsOf(dex)).map(({ block_slot }) => Number(block_slot)));
  assert.ok(Math.max(...blocks) <= head - 3);
  await dex.close();
});

test('a chain that shares no remembered block is refused, and nothing is changed', async () => {
  const dex = await openStore(exchange);
  await readOnce(dex, optionsOf(exchange));
  const before = await swapsOf(dex);
  const other = await startAnvil(['--timestamp', '1600000000']);
  try {
    const strange = await deployExchange(other);
    await mineBlocks(
      other,
      trades(strange, 9),
      Array.from({ length: 200 }, () => 0),
    );
    await assert.rejects(readOnce(dex, { ...optionsOf(exchange), url: other.url }), /another chain of the same id/);
    assert.deepEqual(await swapsOf(dex), before);
  } finally {
    await other.stop();
    await dex.close();
  }
});
