import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { DAY } from './support/horizon.ts';
import { smallMarket } from './support/market.ts';
import { cases } from './support/whole.ts';

/** Swaps a day: always about as many, of the same wallets and tokens. */
const RATE = cases(2000, 100);
const DAYS = 65;
/** Days that come at once. */
const STEP = cases(1, 5);

/** Bytes of the files in a folder, once a store is closed: a log that is yet to be written into them is none of its own. */
const bytesIn = (folder: string): number =>
  readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: the file of a store that keeps 31 days is on day 65 as large as on day 45, within a tenth`, (t) =>
    withFolder(async (folder) => {
      const { swaps, config } = smallMarket({ seed: 3, swaps: RATE * DAYS, wallets: 40, tokens: 12, days: DAYS });
      const start = Math.floor(swaps[0]!.block_time / DAY) * DAY;
      // The market trades more towards its end: every day gets as many.
      const even = swaps.map((swap, i) => ({ ...swap, block_time: start + Math.floor((i / RATE) * DAY) }));
      const sizes: number[] = [];
      let dex = await Swapfold.open({ storage: engines[engine]!(folder), config, keep: '31d' });
      for (let day = STEP - 1; day < DAYS; day += STEP) {
        await dex.ingest(even.slice((day + 1 - STEP) * RATE, (day + 1) * RATE));
        if (day % 10 !== 4) continue;
        await dex.refresh();
        await dex.close();
        sizes[day + 1] = bytesIn(folder);
        dex = await Swapfold.open({ storage: engines[engine]!(folder), config, keep: '31d' });
      }
      const { swaps: kept } = await dex.info();
      await dex.close();
      t.diagnostic(
        sizes
          .map((bytes, day) => `day ${day}: ${(bytes / 1e6).toFixed(1)} MB`)
          .filter(Boolean)
          .join(', '),
      );
      assert.ok(kept <= 33 * RATE);
      // The votes that are carried, at most 126 a token, have come together by day 45.
      assert.ok(sizes[65]! <= 1.1 * sizes[45]!, `${sizes[45]} bytes became ${sizes[65]}`);
    }));
