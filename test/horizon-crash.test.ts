import assert from 'node:assert/strict';
import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Swapfold } from '@swapfold/core';
import { bundled } from './support/bundle.ts';
import { engines, withFolder } from './support/engines.ts';
import { dumpTables } from './support/forget.ts';
import { horizonConfig as config, DAY, longMarket } from './support/horizon.ts';
import { kill, random, start, untilTold } from './support/killable.ts';
import { cases } from './support/whole.ts';

const KILLS = cases(50, 3);
const program = await bundled('test/support/forget-child.ts');
const { swaps, prices } = longMarket(9, 600);
const target = Math.floor(swaps.at(-1)!.block_time / DAY - 31) * DAY;

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: a prune whose process is killed goes on where it was, ${KILLS} times`, (t) =>
    withFolder(async (folder) => {
      const whole = join(folder, 'whole');
      mkdirSync(whole);
      const first = await Swapfold.open({ storage: engines[engine]!(whole), config });
      await first.ingest(swaps);
      await first.prices.upsert(prices);
      await first.refresh();
      await first.close();
      const copyOf = (name: string): string => {
        cpSync(whole, join(folder, name), { recursive: true });
        return join(folder, name);
      };
      const finish = async (path: string): Promise<readonly [dump: string, forgotten: number]> => {
        const storage = engines[engine]!(path);
        const dex = await Swapfold.open({ storage, config });
        const { swaps: forgotten } = await dex.prune({ before: target });
        assert.deepEqual((await dex.verify()).differences, []);
        const dump = await dumpTables(storage);
        await dex.close();
        return [dump, forgotten];
      };
      const [expected, all] = await finish(copyOf('undisturbed'));
      const next = random(7);
      let amid = 0;
      for (let i = 0; i < KILLS; i++) {
        const path = copyOf(`killed-${i}`);
        const child = await start(program, engine, path, String(target), '20');
        for (let writes = Math.floor(next() * 8); writes >= 0; writes--) await untilTold(child, 'write', 2000);
        await sleep(next() * 10);
        await kill(child);
        const [dump, forgotten] = await finish(path);
        if (forgotten > 0 && forgotten < all) amid++;
        assert.ok(dump === expected, `kill ${i}: the store differs`);
      }
      t.diagnostic(`${amid} of ${KILLS} kills left a part`);
      assert.ok(amid > 0);
    }));
