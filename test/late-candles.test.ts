import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import type { Reader, StorageAdapter } from '@swapfold/core/engine';
import { engines, withFolder } from './support/engines.ts';

const START = 1_704_412_800;
const YEAR = 365 * 86_400;
const config = { quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }], address_format: 'any' } as const;
const swap = (tx_hash: string, block_time: number) => ({
  ...{ tx_hash, swap_index: 0, block_time, wallet: 'W', token_in: 'USD', token_out: 'T' },
  ...{ token_amount_in: 100, token_amount_out: 10 },
});

/** A store that counts what is read of it. */
function readsOf(storage: StorageAdapter): { readonly storage: StorageAdapter; readonly reads: () => number } {
  let reads = 0;
  const counting = (reader: Reader): Reader => ({
    ...reader,
    stream(scan) {
      reads++;
      return reader.stream(scan);
    },
  });
  return {
    storage: { ...storage, snapshot: (read, cost) => storage.snapshot((reader) => read(counting(reader)), cost) },
    reads: () => reads,
  };
}

for (const engine of Object.keys(engines))
  test(`${engine}: a late swap gives the one candle that it changed, and nothing of the year since is read`, () =>
    withFolder(async (folder) => {
      const { storage, reads } = readsOf(engines[engine]!(folder));
      const dex = await Swapfold.open({ storage, config });
      await dex.ingest(Array.from({ length: 40 }, (_, i) => swap(`t${i}`, START + Math.floor((YEAR * i) / 39))));
      await dex.refresh();
      const subscription = dex.subscribe('candles', { token: 'T', interval: 1 });
      await subscription.ready;
      const messages = subscription[Symbol.asyncIterator]();
      const before = reads();
      // Two that are far apart, in one commit.
      await dex.ingest([swap('late', START + 100), swap('later', START + 200 * 86_400)]);
      const { value } = await messages.next();
      const times = (value!.data as readonly { readonly timestamp: number }[]).map(({ timestamp }) => timestamp);
      assert.deepEqual(times, [START + 100, START + 200 * 86_400]);
      assert.ok(reads() - before < 100, `${reads() - before} reads`);
      await messages.return!();
      await dex.close();
    }));
