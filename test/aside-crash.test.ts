import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { allAnswers } from './support/answers.ts';
import { asideMarket, ROWS } from './support/aside-market.ts';
import { bundled } from './support/bundle.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { kill, type Running, random, start, untilTold } from './support/killable.ts';
import { cases, isWhole } from './support/whole.ts';

/** `SWAPFOLD_KILLS=200 node --import tsx --test test/aside-crash.test.ts` kills more often. */
const KILLS = Number(process.env.SWAPFOLD_KILLS ?? cases(60, 2));
const SEED = Number(process.env.SWAPFOLD_SEED ?? 1);
const program = await bundled('test/support/aside-child.ts');
const { swaps, config } = asideMarket(3 * KILLS);

/** Milliseconds within which profiles are written aside, and count. */
const WITHIN = { aside: 120, ending: 25 };

/** Kills a process while it stores its n-th refresh: which line was its last one. */
async function killInRefresh(running: Running, next: () => number): Promise<'aside' | 'ending' | 'other'> {
  const line = next() < 0.5 ? 'aside' : 'ending';
  for (let n = next() < 0.5 ? 1 : 2; n > 0; n--) await untilTold(running, line, 5000);
  await new Promise((resolve) => setTimeout(resolve, next() * WITHIN[line]));
  await kill(running);
  const last = running
    .text()
    .split('\n')
    .findLast((one) => /^(aside|ending)$/.test(one));
  return (last as 'aside' | 'ending' | undefined) ?? 'other';
}

/** Opens what a killed process left, which has all that the process said it had stored, in whole pieces, and the profiles of one refresh. */
async function assertWhole(folder: string, stored: number, where: string): Promise<number> {
  const dex = await Swapfold.open({ storage: engines.duckdb!(folder), config });
  const { count } = await dex.swaps.list({ limit: 1 });
  assert.ok(count >= stored && count <= stored + ROWS, `${where}: ${count} swaps of ${stored} that were stored`);
  assert.equal(count % ROWS, 0, `${where}: ${count} swaps are no whole pieces`);
  const { differences } = await dex.verify();
  assert.deepEqual(differences, [], where);
  await dex.close();
  assert.deepEqual(readdirSync(folder), ['store-0.duckdb'], `${where}: nothing else is left`);
  return count;
}

test(`a DuckDB process that is killed ${KILLS} times while it stores profiles aside leaves what one undisturbed import gives (seed ${SEED})`, (t) =>
  withFolder(async (folder) => {
    const next = random(SEED);
    const counts = { aside: 0, ending: 0, other: 0 };
    let stored = 0;
    for (let n = 0; n < KILLS; n++) {
      const running = await start(program, folder, String(3 * KILLS));
      counts[await killInRefresh(running, next)]++;
      const said = [...running.text().matchAll(/^stored (\d+)\n/gm)].at(-1)?.[1];
      stored = await assertWhole(folder, Number(said ?? stored), `kill ${n}`);
    }
    t.diagnostic(`killed as profiles were written aside or read: ${JSON.stringify(counts)}`);
    assert.ok(counts.aside + counts.ending >= KILLS * 0.8, JSON.stringify(counts));
    const [storage, undisturbed] = [engines.duckdb!(folder), engines.duckdb!(folder, 1)];
    const dex = await Swapfold.open({ storage, config });
    const whole = await Swapfold.open({ storage: undisturbed, config });
    await dex.ingest(swaps);
    await whole.ingest(swaps);
    await dex.refresh({ beside: true });
    await whole.refresh();
    assert.deepEqual(firstDifferences(await dumpStore(dex, storage), await dumpStore(whole, undisturbed)), []);
    // They follow from the tables, and cost as much as all else.
    if (isWhole) assert.ok((await allAnswers(dex)) === (await allAnswers(whole)), 'the answers differ');
    await dex.close();
    await whole.close();
  }));
