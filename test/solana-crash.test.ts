import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { solanaSource } from '@swapfold/solana';
import { bundled } from './support/bundle.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { kill, random, start, untilTold } from './support/killable.ts';
import { branchOf, chainOf } from './support/solana-chain.ts';
import { StandInNode } from './support/solana-node.ts';
import { isWhole } from './support/whole.ts';

/** How often the process is killed; `SWAPFOLD_KILLS=100 node --import tsx --test test/solana-crash.test.ts` is the whole proof. */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? 2);
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const FROM = 9000;
const isAll = isWhole || process.env.SWAPFOLD_KILLS !== undefined;
const config = { preset: 'solana' } as const;
const program = await bundled('test/support/solana-child.ts');

for (const engine of isAll ? ['sqlite', 'duckdb'] : ['sqlite'])
  test(`on ${engine}: a process that follows a node through forks and is killed ${KILLS} times leaves what one import of the last chain gives (seed ${SEED})`, () =>
    withFolder(async (folder) => {
      const next = random(SEED);
      let chain = chainOf({ from: FROM, slots: 8, swaps: 5, next });
      const node = await StandInNode.start(chain);
      for (let kills = 0; kills < KILLS; kills++) {
        const child = await start(program, engine, folder, node.url, JSON.stringify({ from_slot: FROM }));
        const depth = next() < 0.4 ? 1 + Math.floor(next() * 12) : 0;
        chain = branchOf(chain, Math.max(FROM, chain.at(-1)!.slot - depth), { slots: depth + 6, swaps: 5, next });
        node.give(chain);
        const isInWrite = next() < 0.7;
        if (isInWrite) await untilTold(child, 'write', 2000);
        await new Promise((resolve) => setTimeout(resolve, next() * (isInWrite ? 15 : 100)));
        await kill(child);
      }
      const to_slot = chain.at(-1)!.slot;
      const of = { url: node.url, from_slot: FROM, to_slot, poll_ms: 5, onNotice: () => undefined };
      const [storage, undisturbed] = [engines[engine]!(folder), engines[engine]!(folder, 1)];
      const dex = await Swapfold.open({ storage, config });
      const whole = await Swapfold.open({ storage: undisturbed, config });
      await dex.follow(solanaSource(of));
      await whole.follow(solanaSource(of));
      const swaps = chain.reduce((all, { transactions }) => all + transactions.length, 0);
      assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps);
      await dex.refresh();
      await whole.refresh();
      assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(whole, undisturbed)), []);
      await dex.close();
      await whole.close();
      await node.stop();
    }));
