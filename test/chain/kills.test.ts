import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { bundled } from '../support/bundle.ts';
import { dumpStore, firstDifferences } from '../support/dump.ts';
import { withFolder } from '../support/engines.ts';
import { cases } from '../support/whole.ts';
import { startAnvil } from './anvil.ts';
import { deployExchange } from './exchange.ts';
import { configOf, openStore, optionsOf, readOnce, run } from './following.ts';
import { mineBlocks, randomOf, trades } from './traffic.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const traffic = trades(exchange, 21);
// Every token, below all reorganisations: what a store knows of a token stays when its only swaps are rolled back.
await mineBlocks(chain, traffic, [40, 0, 0, 0, 0, 0]);
const program = await bundled('test/chain/follow-child.ts');

for (const [engine, storageOf] of Object.entries({ sqlite, duckdb })) {
  const kills = cases(50, 3);
  test(`${engine}: killed ${kills} times while it follows blocks and reorganisations, a store ends as one that has seen only the final chain`, (t) =>
    withFolder(async (folder) => {
      const path = join(folder, engine);
      const random = randomOf(kills + engine.length);
      let killed = 0;
      for (let i = 0; i < kills; i++) {
        const args = [program, engine, path, JSON.stringify(configOf(exchange)), JSON.stringify(optionsOf(exchange))];
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = once(child, 'exit');
        await once(child.stdout, 'data');
        const isOver = sleep(random() * 120).then(() => child.kill('SIGKILL'));
        for (let n = 0; n < 3; n++) {
          await mineBlocks(chain, traffic, [2]);
          if (random() < 0.4) await chain.call('anvil_reorg', 1 + Math.floor(random() * 4), []);
        }
        await isOver;
        const [, signal] = (await ended) as [number | null, string | null];
        if (signal === 'SIGKILL') killed++;
      }
      t.diagnostic(`${killed} of ${kills} processes were killed while they followed`);
      assert.equal(killed, kills);
      const storage = storageOf(path);
      const dex = await openStore(exchange, storage);
      const following = run(dex, optionsOf(exchange));
      await following.caughtUp(chain);
      await following.stop();
      const other = storageOf(join(folder, `only-${engine}`));
      const only = await openStore(exchange, other);
      await readOnce(only, optionsOf(exchange));
      for (const each of [dex, only]) await each.refresh();
      assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(only, other)), []);
      await dex.close();
      await only.close();
    }));
}
