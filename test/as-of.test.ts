import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, memory, type PriceInput, presets, Swapfold, type SwapInput } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { foldedPositions, storedPositions } from './support/positions.ts';
import { watched } from './support/scan.ts';
import { cases } from './support/whole.ts';

const seed = 11;
const { swaps, config, market } = smallMarket({
  seed,
  swaps: cases(2500, 200),
  wallets: cases(60, 20),
  tokens: cases(24, 12),
});
const times = swaps.map((swap) => swap.block_time).sort((a, b) => a - b);

/** Twenty instants over the market, half of them block times to the second, one before and one after all. */
const instants = [
  times[0]! - 1,
  ...Array.from({ length: 9 }, (_, i) => times[Math.floor(((i + 1) / 10) * times.length)]!),
  ...Array.from({ length: 9 }, (_, i) => times[Math.floor(((i + 0.5) / 10) * times.length)]! + 1 + i * 977),
  times[times.length - 1]! + 86_400,
];

const few = [instants[4]!, instants[14]!].slice(0, cases(2, 1));

/** Every single answer as one text, of the addresses given. */
async function answers(
  dex: Api,
  addresses: { tokens: readonly string[]; wallets: readonly string[] },
): Promise<string> {
  const lines: unknown[] = [];
  const { tokens, wallets } = addresses;
  const orMissing = async (ask: () => Promise<unknown>): Promise<unknown> =>
    ask().catch((error: Error) => error.message);
  lines.push(await dex.prices.latest({ tokens }), await dex.prices.stats({ tokens }));
  for (const token of tokens) {
    lines.push(
      await dex.prices.candles({ token, interval: 3600, count: 300 }),
      await dex.swaps.list({ token }),
      await dex.trades.list({ token }),
    );
    lines.push(await orMissing(() => dex.tokens.get({ token })));
  }
  for (const wallet of wallets) {
    lines.push(
      await dex.portfolios.get({ wallet }),
      await dex.swaps.list({ wallet, limit: 5 }),
      await dex.trades.list({ wallet, limit: 100 }),
    );
    lines.push(await orMissing(() => dex.wallets.get({ wallet })));
  }
  return lines
    .map((line) =>
      JSON.stringify(line)
        .replace(/"synced_at":"[^"]*"/g, '')
        .replace(/"cursor":"[^"]*"/g, ''),
    )
    .join('\n');
}

/** Prices of quote tokens over the market and a day beyond, with gaps longer than a price holds. */
const prices = presets.solana.quote_tokens.flatMap(({ address, kind }, i) => {
  const found: PriceInput[] = [];
  for (let time = times[0]! - 50_000, n = 0; time < times[times.length - 1]! + 86_400; n++) {
    found.push({
      token: address,
      time,
      usd_price: kind === 'stable' ? 0.95 + (n % 6) / 60 : 130 + ((n * 11 + i) % 40),
    });
    time += n % 5 === 4 ? 200_000 : 1801 * (1 + (n % 8));
  }
  return found;
});

/** A store that was fed the swaps, and the prices that were known by `until`. */
async function openWith(
  engine: string,
  folder: string,
  rows: readonly SwapInput[],
  until = Number.POSITIVE_INFINITY,
): Promise<Swapfold> {
  const dex = watched(await Swapfold.open({ storage: engines[engine]!(folder), config }));
  await dex.prices.upsert(prices.filter(({ time }) => (time as number) <= until));
  await dex.tokens.upsert(market.tokens());
  await dex.wallets.upsert(market.wallets());
  await dex.ingest(rows);
  return dex;
}

const addresses = {
  tokens: [...new Set(swaps.flatMap((swap) => [swap.token_in, swap.token_out]))].sort(),
  wallets: [...new Set(swaps.map((swap) => swap.wallet))].sort(),
};

for (const engine of Object.keys(engines)) {
  test(`${engine}: answers as of an instant are those of a store that was fed only the swaps up to it (seed ${seed})`, () =>
    withFolder(async (folder) => {
      const whole = await openWith(engine, folder, swaps);
      await whole.refresh();
      // The file engines share every line of this with memory but the scans: a few instants do.
      for (const instant of engine === 'memory' ? instants.filter((_, i) => i % cases(1, 9) === 0 || i === 19) : few) {
        const known = swaps.filter((swap) => swap.block_time <= instant);
        const truncated = await openWith('memory', folder, known, instant);
        const lookedBack = await answers(whole.at(instant), addresses);
        const fedLess = await answers(truncated.at(instant), addresses);
        const lines = [lookedBack.split('\n'), fedLess.split('\n')] as const;
        const first = lines[0].findIndex((line, i) => line !== lines[1][i]);
        assert.equal(lines[0][first], lines[1][first], `as of ${formatTime(instant)}`);
        await truncated.close();
      }
      await whole.close();
    }));

  test(`${engine}: profiles refreshed as of an instant are those of the truncated store, and a later refresh finds everything again`, () =>
    withFolder(async (folder) => {
      const whole = await openWith(engine, folder, swaps);
      await whole.refresh();
      const latest = JSON.stringify((await whole.wallets.search({ limit: 100 })).data).replace(
        /"synced_at":"[^"]*"/g,
        '',
      );
      for (const instant of [instants[5]!, instants[12]!].slice(0, cases(2, engine === 'memory' ? 2 : 1))) {
        await whole.refresh({ asOf: formatTime(instant) });
        const truncated = await openWith(
          'memory',
          folder,
          swaps.filter((swap) => swap.block_time <= instant),
          instant,
        );
        await truncated.refresh({ asOf: instant });
        for (const kind of ['tokens', 'wallets'] as const) {
          const [back, less] = [await whole[kind].search({ limit: 100 }), await truncated[kind].search({ limit: 100 })];
          const bare = (page: object) => JSON.stringify({ ...page, cursor: '' }).replace(/"synced_at":"[^"]*"/g, '');
          assert.equal(bare(back), bare(less), `${kind} as of ${formatTime(instant)}`);
        }
        await truncated.close();
      }
      await whole.refresh();
      assert.equal(
        JSON.stringify((await whole.wallets.search({ limit: 100 })).data).replace(/"synced_at":"[^"]*"/g, ''),
        latest,
      );
      await whole.close();
    }));
}

for (const engine of Object.keys(engines)) {
  test(`${engine}: positions of an instant, folded or refreshed, are those of a store that was fed only the swaps up to it`, () =>
    withFolder(async (folder) => {
      const storage = engines[engine]!(folder);
      const whole = await Swapfold.open({ storage, config });
      await whole.ingest(swaps);
      await whole.refresh();
      const newest = await storedPositions(whole, storage);
      assert.deepEqual(await foldedPositions(whole, storage, times[times.length - 1]!), newest);
      for (const instant of engine === 'memory' ? instants.filter((_, i) => i % cases(1, 4) === 0 || i === 19) : few) {
        const only = memory();
        const truncated = await Swapfold.open({ storage: only, config });
        await truncated.ingest(swaps.filter((swap) => swap.block_time <= instant));
        const { positions } = await truncated.refresh({ asOf: instant });
        const expected = await storedPositions(truncated, only);
        assert.equal(positions, expected.size);
        assert.deepEqual(await foldedPositions(whole, storage, instant), expected, `folded at ${formatTime(instant)}`);
        await whole.refresh({ asOf: instant });
        assert.deepEqual(await storedPositions(whole, storage), expected, `refreshed at ${formatTime(instant)}`);
        await truncated.close();
      }
      await whole.refresh();
      assert.equal(newest.size > swaps.length / 10, true);
      assert.deepEqual(await storedPositions(whole, storage), newest);
      await whole.close();
    }));
}

test('a search at another instant than the stored profiles is refused, and says what would do', async () => {
  const dex = await openWith('memory', '', swaps.slice(0, 200));
  await dex.refresh();
  await assert.rejects(dex.at(instants[3]!).wallets.search(), { code: 'invalid-range', message: /refresh with asOf/ });
  await dex.close();
});

test('a page as of an instant has nothing later, whatever instant its cursor is from', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.ingest(swaps);
  const asOf = instants[8]!;
  const then = dex.at(formatTime(asOf));
  for (const list of ['swaps', 'trades'] as const) {
    const { cursor } = await dex[list].list({ limit: 1 });
    const first = await then[list].list({ limit: 20 });
    assert.ok(first.data.length === 20 && first.data.every(({ block_time }) => Number(block_time) <= asOf));
    assert.deepEqual((await then[list].list({ limit: 20, cursor: cursor! })).data, first.data);
  }
  await dex.close();
});
