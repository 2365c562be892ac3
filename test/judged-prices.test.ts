import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';
import { DAY, swapped, T, worthConfig } from './support/worth.ts';

const HOUR = 3600;

/** X for 100 USD at 1 every hour of a week, each by another wallet. */
const week: readonly SwapInput[] = Array.from({ length: 168 }, (_, i) =>
  swapped(T + i * HOUR, [100, 'USDC'], [100, 'X'], { wallet: `W${i}` }),
);
const end = T + 167 * HOUR;

/** Ten cents for a ten-thousandth X: a print of 1,000. */
const wild = (time: number): SwapInput => swapped(time, [0.1, 'USDC'], [0.0001, 'X'], { wallet: 'S' });

async function judged(dex: Swapfold) {
  const { metrics } = await dex.tokens.get({ token: 'X' });
  const [stats] = await dex.prices.stats({ tokens: ['X'] });
  const { max_drawdown, price_volatility, sharpe_ratio } = metrics!['7d']!;
  return {
    max_drawdown,
    price_volatility,
    sharpe_ratio,
    changes: [stats!.usd_price_change_1h, stats!.usd_price_change_1d],
  };
}

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: one suspect print in a flat week is no fall, no volatility and no change`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      await dex.ingest([...week, wild(T + 100 * HOUR + 1800)]);
      await dex.refresh();
      const flat = { max_drawdown: 0, price_volatility: 0, sharpe_ratio: null, changes: [0, 0] };
      assert.deepEqual(await judged(dex), flat);
      // 1 until then, at which it is half an hour old, and since.
      const then = dex.at(new Date((T + 100 * HOUR + 1800) * 1000));
      assert.equal((await then.prices.stats({ tokens: ['X'] }))[0]!.usd_price_change_1d, 0);
      const { metrics } = await then.tokens.get({ token: 'X' });
      assert.equal(metrics!['1d']!.max_drawdown, 0);
      const candles = await dex.prices.candles({ token: 'X', interval: 7 * DAY, fill: false });
      assert.equal(Math.max(...candles.map(({ high }) => high)), 1000, 'candles keep all');
      const history = await dex.prices.history({
        tokens: ['X'],
        from: new Date((T + 100 * HOUR + 1800) * 1000),
        interval: DAY,
      });
      assert.equal(history[0]!.prices[0]!.usd_price, 1000, 'histories keep all');
      await dex.close();
    }));

  test(`${name}: a suspect print that is the newest one changes the latest price alone, also in a refresh of what was traded`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      await dex.ingest(week);
      await dex.refresh();
      await dex.prices.stats({ tokens: ['X'] });
      await dex.ingest([wild(end + 60)]);
      await dex.refresh({ scope: 'traded' });
      const flat = { max_drawdown: 0, price_volatility: 0, sharpe_ratio: null, changes: [0, 0] };
      assert.deepEqual(await judged(dex), flat);
      const [latest] = await dex.prices.latest({ tokens: ['X'] });
      assert.deepEqual([latest!.usd_price, latest!.suspect, latest!.clean_usd_price], [1000, true, 1]);
      const [stats] = await dex.prices.stats({ tokens: ['X'] });
      assert.deepEqual([stats!.usd_price, stats!.usd_volume_1h], [1000, 100.1]);
      // A price of 1.1 after it counts against 1, not against 1,000.
      await dex.ingest([swapped(end + 120, [110, 'USDC'], [100, 'X'], { wallet: 'V' })]);
      await dex.refresh({ scope: 'traded' });
      const { changes } = await judged(dex);
      for (const change of changes) assert.ok(Math.abs(change! - 10) < 1e-9, `${change}`);
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }));
}

test('before its first print that is not suspect a token has no change', async () => {
  const dex = await Swapfold.open({ storage: engines.memory!(''), config: worthConfig });
  await dex.ingest(week.slice(0, 3));
  await dex.refresh();
  const [stats] = await dex.prices.stats({ tokens: ['X'] });
  assert.deepEqual([stats!.usd_price_change_1h, stats!.usd_price_change_1d], [0, null]);
  await dex.close();
});
