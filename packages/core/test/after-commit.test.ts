import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sqlite } from '@swapfold/sqlite';
import { engines, withFolder } from '../../../test/support/engines.ts';
import { smallMarket } from '../../../test/support/market.ts';
import { cases, isWhole } from '../../../test/support/whole.ts';
import type { Kept } from '../src/cache/kept.ts';
import { memory } from '../src/memory/memory.ts';
import type { StorageAdapter } from '../src/storage/adapter.ts';
import { openSession } from '../src/store/open/open-session.ts';
import type { StoreSession } from '../src/store/open/session.ts';
import { Swapfold } from '../src/swapfold.ts';

const { swaps, config, market } = smallMarket({ seed: 3, swaps: 240, wallets: 20, tokens: 8, days: 40 });
const registry = [...market.tokens()];
const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];
const wallets = [...new Set(swaps.map((swap) => swap.wallet))];

/** Each asks for something that a process may keep. */
const questions: readonly ((dex: Swapfold) => Promise<unknown>)[] = [
  (dex) => dex.prices.latest({ tokens }),
  (dex) => dex.prices.stats({ tokens }),
  (dex) => dex.wallets.search({ limit: 50, options: { include_metrics: ['1d'] } }),
  (dex) => dex.tokens.search({ limit: 50 }),
  ...tokens
    .slice(0, 4)
    .flatMap((token) => [
      (dex: Swapfold) => dex.prices.candles({ token, interval: 86_400, count: 10 }),
      (dex: Swapfold) => dex.swaps.list({ token, limit: 2 }),
      (dex: Swapfold) => dex.trades.list({ token, limit: 2 }),
    ]),
  ...wallets.slice(0, 4).map((wallet) => (dex: Swapfold) => dex.portfolios.get({ wallet })),
];

async function answers(dex: Swapfold): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const ask of questions) all.push(await ask(dex));
  return JSON.parse(JSON.stringify(all, (name, value) => (name === 'synced_at' ? undefined : value))) as unknown[];
}

interface Opened {
  readonly session: StoreSession;
  readonly dex: Swapfold;
  readonly told: unknown[];
}

/** A store of which a process keeps all that it may. */
async function openWarm(storage: StorageAdapter): Promise<Opened> {
  const told: unknown[] = [];
  const session = await openSession({ storage, config, onError: (error) => told.push(error) });
  const dex = Reflect.construct(Swapfold, [session]) as Swapfold;
  session.live.watch();
  await dex.tokens.upsert(registry);
  await dex.ingest(swaps.slice(0, 120));
  await dex.refresh();
  for (let i = 0; i < 2; i++) await answers(dex);
  return { session, dex, told };
}

/** The thing throws at its next commit: before it has taken it up, or after. */
function breakOnce(thing: Kept, isAfter: boolean): void {
  const commit = thing.commit.bind(thing);
  thing.commit = (changes) => {
    thing.commit = commit;
    if (isAfter) commit(changes);
    throw new Error('broken');
  };
}

/** What is done with every store: a write that says how many swaps it added, a refresh, and answers after each. */
async function goOn(dex: Swapfold): Promise<unknown[]> {
  const { added } = await dex.ingest(swaps.slice(120, 180));
  const first = await answers(dex);
  const { wallets: folded } = await dex.refresh();
  const second = await answers(dex);
  await dex.ingest(swaps.slice(180));
  await dex.refresh();
  return [added, first, folded > 0, second, await answers(dex)];
}

const names = Object.keys((await openWarm(memory())).session.memory.things);
const opened: Readonly<Record<string, (folder: string) => StorageAdapter>> = {
  memory: engines.memory!,
  sqlite: (folder) => sqlite(`${folder}/after-commit.db`),
};

for (const [engine, storageIn] of Object.entries(opened)) {
  let undisturbed: unknown[] | undefined;
  for (const [i, name] of names.entries()) {
    // All things take up a commit by the same code: SQLite has some of them by default.
    if (engine !== 'memory' && i % cases(1, 4) !== 0) continue;
    test(`${engine}: a write holds and answers are right if "${name}" can't take up its commit`, async () => {
      undisturbed ??= await withFolder(async (folder) => {
        const { dex } = await openWarm(storageIn(folder));
        const expected = await goOn(dex);
        await dex.close();
        return expected;
      });
      // What a thing has taken up by then is the same on every engine.
      for (const isAfter of isWhole || engine === 'memory' ? [false, true] : [false])
        await withFolder(async (folder) => {
          const { session, dex, told } = await openWarm(storageIn(folder));
          breakOnce(session.memory.things[name]!, isAfter);
          assert.deepEqual(await goOn(dex), undisturbed);
          assert.deepEqual(told.map(String), ['Error: broken']);
          await dex.close();
        });
    });
  }

  test(`${engine}: a write holds if a listener to commits, or whoever is told of it, throws`, async () => {
    await withFolder(async (folder) => {
      const { session, dex, told } = await openWarm(storageIn(folder));
      session.memory.onCommit(() => {
        throw new Error('deaf');
      });
      told.push = () => {
        throw new Error('no ear');
      };
      assert.equal((await dex.ingest(swaps.slice(120))).added, swaps.length - 120);
      assert.equal((await dex.swaps.list({ limit: 1 })).count, swaps.length);
      await dex.close();
    });
  });
}
