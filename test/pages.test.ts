import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PagedName, Swapfold, type Trade } from '@swapfold/core';
import { serve } from '@swapfold/server';
import { createClient } from '../packages/client/src/index.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';

const { swaps, config } = smallMarket({ swaps: 300, wallets: 20, tokens: 20, seed: 7 });
const lists: readonly PagedName[] = [
  'swaps.list',
  'trades.list',
  'tokens.search',
  'wallets.search',
  'positions.search',
];

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: the pages of every list hold each item once, in process as by the client`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest(swaps);
      await dex.refresh();
      await using server = await serve(dex, { port: 0, keys: ['a-key-for-the-test'] });
      const client = createClient({ url: server.url, chain: dex.config.chain, key: 'a-key-for-the-test' });
      for (const name of lists) {
        const items: unknown[] = [];
        let pages = 0;
        let count = 0;
        for await (const page of dex.pages(name, { limit: 5 })) {
          assert.ok(page.data.length <= 5);
          items.push(...page.data);
          ({ count } = page);
          pages++;
        }
        assert.equal(pages, Math.max(1, Math.ceil(count / 5)), name);
        assert.equal(items.length, count, name);
        assert.equal(new Set(items.map((item) => JSON.stringify(item))).size, count, name);
        assert.deepEqual(await all(dex.items(name, { limit: 7 })), items, name);
        const sent = await all(client.items(name, { limit: 100 }));
        assert.deepEqual(sent, JSON.parse(JSON.stringify(items)), name);
      }
    }));
}

test('pages begin at the cursor of the request, end with their consumer, and know the types of their items', async () =>
  withFolder(async (folder) => {
    await using dex = await Swapfold.open({ storage: engines.sqlite!(folder), config });
    await dex.ingest(swaps);
    const first = await dex.trades.list({ limit: 3 });
    const rest = dex.items('trades.list', { limit: 3, cursor: first.cursor! });
    const { value } = await rest.next();
    const trade: Trade | undefined = value ?? undefined;
    assert.deepEqual(trade, (await dex.trades.list({ limit: 4 })).data[3]);
    await rest.return();
    assert.equal((await rest.next()).done, true);
    // @ts-expect-error: no list
    await assert.rejects(all(dex.items('prices.latest', { tokens: [] })));
    const aborted = dex.pages('trades.list', {}, { signal: AbortSignal.abort() });
    await assert.rejects(aborted.next(), { code: 'aborted' });
  }));

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
