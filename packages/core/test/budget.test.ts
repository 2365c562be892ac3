import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { smallMarket } from '../../../test/support/market.ts';
import { budgetOf } from '../src/cache/budget.ts';
import { memory } from '../src/memory/memory.ts';
import { openSession } from '../src/store/open/open-session.ts';
import type { StoreSession } from '../src/store/open/session.ts';
import { Swapfold } from '../src/swapfold.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../../docs/internals/questions.md'), 'utf8');
const { swaps, config, market } = smallMarket({ seed: 5, swaps: 3000, wallets: 200, tokens: 100, days: 40 });

/** Texts take so much, however small the budget is. */
const TEXTS = 28_000_000;

interface Used {
  readonly session: StoreSession;
  readonly dex: Swapfold;
}

/** A store of which everything that may be kept has been asked for. */
async function used(bytes: number | undefined): Promise<Used> {
  const session = await openSession({ storage: memory(), config, memory: bytes });
  const dex = Reflect.construct(Swapfold, [session]) as Swapfold;
  session.live.watch();
  await dex.tokens.upsert([...market.tokens()]);
  const tokens = [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))];
  for (const from of [0, 1000, 2000]) {
    await dex.ingest(swaps.slice(from, from + 1000));
    await dex.refresh();
    for (let i = 0; i < 2; i++) {
      await dex.wallets.search({ filter: { labels: { $in: ['of the registry'] } } }).catch(() => undefined);
      await dex.wallets.search();
      await dex.positions.search({ limit: 1 });
      await dex.prices.stats({ tokens });
      for (const token of tokens) {
        await dex.prices.candles({ token, interval: 3600, count: 300 });
        await dex.swaps.list({ token, limit: 1 });
        await dex.trades.list({ token, limit: 1 });
      }
      for (const { wallet } of swaps.slice(0, 20)) await dex.portfolios.get({ wallet });
    }
  }
  return { session, dex };
}

test('each thing that a process keeps has a part of the budget, and a row in docs/internals/questions.md that says which', async () => {
  const session = await openSession({ storage: memory(), config });
  const { profiles: half, ...budget } = budgetOf(256);
  const rows = [...page.matchAll(/^\| `([a-z]+)` \| (\d+) \|/gm)].map(([, name, part]) => [name!, Number(part)]);
  assert.deepEqual(Object.fromEntries(rows), { profiles: half, ...budget });
  assert.deepEqual(Object.keys(session.memory.things).sort(), rows.map(([name]) => name).sort());
  assert.equal(half, 128);
  assert.equal(
    Object.values(budget).reduce((sum, part) => sum + part, half),
    256,
  );
  await session.storage.close();
});

for (const bytes of [0, 100_000, 4_000_000, 64_000_000])
  test(`of a budget of ${bytes} bytes each thing takes its part at most, and all of them together no more`, async () => {
    const { session, dex } = await used(bytes);
    const budget: Readonly<Record<string, number>> = {
      ...budgetOf(bytes),
      texts: Math.max(TEXTS, budgetOf(bytes).texts),
    };
    let sum = 0;
    for (const [name, thing] of Object.entries(session.memory.things)) {
      assert.ok(thing.bytes <= budget[name]!, `${name}: ${thing.bytes} of ${budget[name]} bytes`);
      sum += name === 'texts' ? Math.max(0, thing.bytes - TEXTS) : thing.bytes;
    }
    assert.ok(sum <= bytes, `${sum} bytes`);
    await dex.close();
  });

test('with room for all of it, everything is kept, and says that it takes bytes', async () => {
  const { session, dex } = await used(undefined);
  const without = Object.entries(session.memory.things).filter(([, { bytes }]) => bytes === 0);
  assert.deepEqual(
    without.map(([name]) => name),
    [],
  );
  await dex.close();
  for (const [name, { bytes }] of Object.entries(session.memory.things))
    if (name !== 'state') assert.equal(bytes, 0, `${name} after the close`);
});
