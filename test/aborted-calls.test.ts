import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { withFolder } from './support/engines.ts';

const signal = AbortSignal.abort();
const [token, wallet] = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
];
const swap = {
  ...{ tx_hash: 'a', swap_index: 0, block_time: 1_704_412_000, wallet, token_in: token, token_amount_in: 100 },
  ...{ token_out: 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', token_amount_out: 1000 },
};

/** Reads all that there is. */
async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

const calls: Readonly<Record<string, (dex: Swapfold, folder: string) => Promise<unknown>>> = {
  ingest: (dex) => dex.ingest([{ ...swap, tx_hash: 'b' }], { signal }),
  'tokens.upsert': (dex) => dex.tokens.upsert([{ address: token, name: 'A' }], { signal }),
  'wallets.upsert': (dex) => dex.wallets.upsert([{ address: wallet, name: 'B' }], { signal }),
  'prices.upsert': (dex) => dex.prices.upsert([{ token, time: 1_704_412_000, usd_price: 1 }], { signal }),
  refresh: (dex) => dex.refresh({ signal }),
  'refresh beside writes': (dex) => dex.refresh({ beside: true, signal }),
  rebuild: (dex) => dex.rebuild({ signal }),
  rollback: (dex) => dex.rollback({ from_block_slot: 1, signal }),
  prune: (dex) => dex.prune({ keep: '31d', signal }),
  verify: (dex) => dex.verify({ signal }),
  backup: (dex, folder) => dex.backup(join(folder, 'copy'), { signal }),
  follow: (dex) => dex.follow({ name: 'list', read: async function* () {} }, { signal }),
  sources: (dex) => dex.sources({ signal }),
  status: (dex) => dex.status({ signal }),
  info: (dex) => dex.info({ signal }),
  call: (dex) => dex.call('prices.latest', { tokens: [token] }, { signal }),
  'wallets.search': (dex) => dex.wallets.search({}, { signal }),
  'positions.get as of a time': (dex) => dex.at(1_704_412_000).positions.get({ wallet, token }, { signal }),
  pages: (dex) => all(dex.pages('swaps.list', {}, { signal })),
  items: (dex) => all(dex.items('swaps.list', {}, { signal })),
  columns: (dex) => all(dex.columns('trades', { signal })),
  export: (dex) => all(dex.export('trades', { format: 'csv', signal })),
};

for (const [engine, storageOf] of Object.entries({ memory: () => memory(), sqlite })) {
  test(`${engine}: a call whose signal has aborted before rejects with \`aborted\`, and changes nothing`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: storageOf(join(folder, 'store')) });
      await dex.ingest([swap]);
      const before = await dex.info();
      for (const [name, call] of Object.entries(calls)) {
        // A store in memory has no file to be copied.
        if (engine === 'memory' && name === 'backup') continue;
        await assert.rejects(async () => call(dex, folder), { code: 'aborted' }, name);
      }
      assert.deepEqual(await dex.info(), before);
      assert.equal((await dex.status()).profiles_as_of, null);
      const other = await Swapfold.open({ storage: memory() });
      await assert.rejects(other.copyFrom(dex, { signal }), { code: 'aborted' });
      await assert.rejects(Swapfold.open({ storage: memory(), signal }), { code: 'aborted' });
      await Promise.all([dex.close(), other.close()]);
    }));
}

test('a store says of itself nothing more once the signal aborts', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await dex.ingest([swap]);
  const stop = new AbortController();
  const info = dex.info({ signal: stop.signal });
  stop.abort();
  await assert.rejects(info, { code: 'aborted' });
  assert.equal((await dex.info({ signal: new AbortController().signal })).swaps, 1);
  await dex.close();
});
