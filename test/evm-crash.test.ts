import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { bundled } from './support/bundle.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { EvmChain, FACTORY, type Fault, serveChain } from './support/evm-node.ts';
import { kill, random, start, untilTold } from './support/killable.ts';
import { isWhole } from './support/whole.ts';

/** How often the process is killed; `SWAPFOLD_KILLS=200 node --import tsx --test test/evm-crash.test.ts` is the whole proof. */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? 3);
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const FROM = 100;
const isAll = isWhole || process.env.SWAPFOLD_KILLS !== undefined;
const config = { preset: 'ethereum' } as const;
const program = await bundled('test/support/evm-child.ts');

/** A node of which each answer fails in one of its ways, as a number from 0 to 1 says. */
function failing(next: () => number): Fault {
  return ({ method, usual }) => {
    const way = Math.floor(next() * 20);
    if (way === 0) return new Error('server is busy');
    if (method === 'eth_getLogs' && way === 1) return [];
    if (method === 'eth_getLogs' && way === 2) return (usual as unknown[]).slice(0, 3);
    if (method === 'eth_getLogs' && way === 3) return new Error('invalid block range');
    if (method === 'eth_getBlockReceipts' && way === 4) return [];
    if (method === 'eth_call' && way === 5) return '0x';
    return usual;
  };
}

for (const engine of isAll ? ['sqlite', 'duckdb'] : ['sqlite'])
  test(`on ${engine}: a process that follows a node that fails at random, through forks, and is killed ${KILLS} times leaves what one import from a good node gives (seed ${SEED})`, () =>
    withFolder(async (folder) => {
      const next = random(SEED);
      const chain = new EvmChain(FROM + 200);
      const node = await serveChain(chain, failing(random(SEED + 1)));
      for (let kills = 0; kills < KILLS; kills++) {
        const child = await start(program, engine, folder, node.url, FACTORY, String(FROM));
        const isInWrite = next() < 0.7;
        if (isInWrite) await untilTold(child, 'write', 5000);
        await new Promise((resolve) => setTimeout(resolve, next() * (isInWrite ? 30 : 200)));
        if (next() < 0.4) chain.fork(chain.head - Math.floor(next() * 12), chain.head + 10);
        else chain.head += 10;
        await new Promise((resolve) => setTimeout(resolve, next() * 50));
        await kill(child);
      }
      const to_block = chain.head;
      const good = await serveChain(chain, ({ usual }) => usual);
      const of = { factories: [FACTORY], from_block: FROM, to_block, poll_ms: 5, onNotice: () => undefined };
      const [storage, undisturbed] = [engines[engine]!(folder), engines[engine]!(folder, 1)];
      const dex = await Swapfold.open({ storage, config });
      const whole = await Swapfold.open({ storage: undisturbed, config });
      // The chain has grown, so that what was read of a branch that is gone is found.
      await dex.follow(evmSource({ ...of, url: node.url }));
      await whole.follow(evmSource({ ...of, url: good.url }));
      const blocks = Array.from({ length: to_block - FROM + 1 }, (_, i) => FROM + i);
      const swaps = blocks.reduce((all, number) => all + EvmChain.swapsIn(number), 0);
      assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps);
      await dex.refresh();
      await whole.refresh();
      assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(whole, undisturbed)), []);
      await dex.close();
      await whole.close();
      node.stop();
      good.stop();
    }));
