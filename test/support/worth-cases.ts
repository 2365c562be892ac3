import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PriceInput, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { allAnswers } from './answers.ts';
import { withFolder } from './engines.ts';
import { DAY, MINUTE, price, swapped, T, worthConfig } from './worth.ts';

interface Fed {
  readonly swaps: readonly SwapInput[];
  readonly prices?: readonly PriceInput[];
  /** When the prices come. */
  readonly when?: 'before' | 'after';
  readonly isBulk?: boolean;
}

/** A store that was fed and refreshed. */
async function fed(storage: StorageAdapter, { swaps, prices = [], when = 'before', isBulk = false }: Fed) {
  const dex = await Swapfold.open({ storage, config: worthConfig });
  if (when === 'before') await dex.prices.upsert(prices);
  const { rejects, conflicts } = await dex.ingest([swaps], { bulk: isBulk });
  assert.deepEqual([rejects, conflicts], [[], []]);
  if (when === 'after') await dex.prices.upsert(prices);
  await dex.refresh();
  return dex;
}

/** Numbers of the wallet `W` over thirty days. */
async function numbersOf(dex: Swapfold, ...names: readonly string[]): Promise<readonly unknown[]> {
  const { metrics } = await dex.wallets.get({ wallet: 'W' });
  const held = metrics!['30d'] as unknown as Record<string, unknown>;
  return names.map((name) => held[name]);
}

const forOneSoldForThree = (fee: number | null = null) => [
  swapped(T, [1, 'SOL'], [100, 'X'], { tx_hash: 'a', fee_native: fee }),
  swapped(T + MINUTE, [100, 'X'], [3, 'SOL'], { tx_hash: 'b', fee_native: fee }),
];
const solAt200Then210 = [price('SOL', T - 10, 200), price('SOL', T + 30, 210)];

export interface CaseOptions {
  /** Whether rules are tried too that no engine has a part in: it stores their columns in the other cases. */
  readonly withRules?: boolean;
}

/** What swaps without dollars are worth, worked by hand, on an engine. */
export function worthCases(
  name: string,
  open: (folder: string) => StorageAdapter,
  { withRules = true }: CaseOptions = {},
): void {
  const ofRules = { skip: !withRules && 'what no engine can differ in: part of a whole run' };

  test(`${name}: a wallet that bought for 1 SOL and sold for 3 made 2 SOL, and no dollar is needed for that`, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), { swaps: forOneSoldForThree() });
      assert.deepEqual(
        await numbersOf(dex, 'pnl_native', 'roi_native', 'volume_native', 'unvalued_trade_count', 'pnl', 'roi'),
        [2, 200, 4, 2, 0, null],
      );
      const { holding } = await dex.positions.get({ wallet: 'W', token: 'X' });
      assert.deepEqual([holding!.realized_pnl_native, holding!.realized_roi_native], [2, 200]);
      assert.deepEqual((await dex.info()).valuation, {
        unvalued: 2,
        contradicted: 0,
        unpriced: [{ token: 'SOL', symbol: 'SOL', swaps: 2 }],
        stable_feeds: [],
      });
      assert.deepEqual(
        (await dex.swaps.list({})).data.map(({ valued_by }) => valued_by),
        [null, null],
      );
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }));

  for (const when of ['before', 'after'] as const)
    for (const isBulk of [false, true])
      test(
        `${name}: with prices of SOL that come ${when} the swaps${isBulk ? ', in bulk' : ''}, the two swaps have values, results and fees`,
        {
          skip: !withRules && isBulk === (when === 'before') && 'what no engine can differ in: part of a whole run',
        },
        () =>
          withFolder(async (folder) => {
            const given = { swaps: forOneSoldForThree(0.01), prices: solAt200Then210, when, isBulk };
            const dex = await fed(open(folder), given);
            assert.deepEqual(
              await numbersOf(dex, 'volume', 'pnl', 'fees', 'net_pnl', 'pnl_native', 'fees_native'),
              [830, 430, 4.1, 425.9, 2, 0.02],
            );
            const { data } = await dex.trades.list({});
            assert.deepEqual(
              data.map((trade) => [trade.usd_amount, trade.realized_pnl_native, trade.fee_native]),
              [
                [630, 2, 0.01],
                [200, null, 0.01],
              ],
            );
            assert.equal((await dex.info()).valuation.unvalued, 0);
            assert.equal((await dex.verify()).different, 0);
            await dex.close();
          }),
      );

  test(`${name}: a stable token that lost its peg is worth its reference price as long as that holds, and one USD after`, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), {
        prices: [price('USDC', T, 0.88)],
        swaps: [
          swapped(T - 1, [100, 'USDC'], [10, 'X']),
          swapped(T, [100, 'USDC'], [10, 'X']),
          // A reference price holds for 90,000 s.
          swapped(T + 90_000, [10, 'X'], [100, 'USDC']),
          swapped(T + 90_001, [10, 'X'], [100, 'USDC']),
        ],
      });
      const { data } = await dex.swaps.list({});
      assert.deepEqual(
        data.map((swap) => [swap.usd_amount_in, swap.usd_amount_out, swap.valued_by]),
        [
          [100, 100, 'stable'],
          [88, 88, 'reference'],
          [88, 88, 'reference'],
          [100, 100, 'stable'],
        ],
      );
      // 88 - 100 for the first lot, 100 - 88 for the second.
      assert.deepEqual(await numbersOf(dex, 'pnl', 'volume', 'win_pnl', 'loss_pnl'), [0, 376, 12, -12]);
      // What was known then: half a day after the first swap its peg was lost, and nothing later had happened.
      const past = await dex.at(T + 43_200).wallets.get({ wallet: 'W' });
      assert.equal((past.metrics!['30d'] as unknown as { volume: number }).volume, 188);
      await dex.close();
    }));

  test(
    `${name}: a feed is believed within 5 % of a stable leg and a quarter of a firm one, and no further`,
    ofRules,
    () =>
      withFolder(async (folder) => {
        const usd = (time: number, value: number) => swapped(time, [100, 'USDC'], [10, 'X'], { usd_amount_out: value });
        const sol = (time: number, value: number) => swapped(time, [1, 'SOL'], [10, 'X'], { usd_amount_in: value });
        const dex = await fed(open(folder), {
          prices: [price('SOL', T, 200), price('MSOL', T, 250)],
          swaps: [
            usd(T, 18_000_000_000_000),
            usd(T + 1, 95),
            usd(T + 2, 94.9),
            usd(T + 3, 105),
            usd(T + 4, 105.1),
            sol(T + 5, 160),
            sol(T + 6, 159.9),
            sol(T + 7, 250),
            sol(T + 8, 250.1),
            swapped(T + 9, [1, 'MSOL'], [10, 'X'], { token_price_out: 1 }),
            swapped(T + 10, [10, 'Y'], [10, 'X'], { usd_amount_in: 1e12 }),
            swapped(T + 11, [100, 'USDC'], [0, 'X'], { usd_amount_out: 0 }),
          ],
        });
        const { data } = await dex.swaps.list({});
        assert.deepEqual(
          [...data].reverse().map((swap) => [swap.usd_amount_in, swap.usd_amount_out, swap.valued_by]),
          [
            [100, 100, 'stable'],
            [95, 95, 'feed'],
            [100, 100, 'stable'],
            [105, 105, 'feed'],
            [100, 100, 'stable'],
            [160, 160, 'feed'],
            [200, 200, 'reference'],
            [250, 250, 'feed'],
            [200, 200, 'reference'],
            [250, 250, 'reference'],
            [1e12, 1e12, 'feed'],
            [100, 100, 'stable'],
          ],
        );
        const { valuation } = await dex.info();
        // Three feeds of USDC, two of SOL, that of mSOL, and the one of Y for X, which votes for X at 10 to 25 USD deny.
        assert.deepEqual([valuation.contradicted, valuation.unvalued], [7, 0]);
        // The one in the middle of 0.949, 0.95, 1.05, 1.051 and 180 billion. A feed that says 0 of 0 X says nothing of 100 USDC.
        assert.deepEqual(valuation.stable_feeds, [{ token: 'USDC', symbol: 'USDC', swaps: 5, median: 1.05 }]);
        await dex.close();
      }),
  );

  test(`${name}: what a wallet paid the chain counts once a transaction, in equal parts for its trades`, ofRules, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), {
        prices: [price('SOL', T, 100)],
        swaps: [
          // Sells X and buys Y, by way of USDC: two trades.
          swapped(T, [10, 'X'], [100, 'USDC'], { tx_hash: 'r', swap_index: 1, fee_native: 0.02 }),
          swapped(T, [100, 'USDC'], [5, 'Y'], { tx_hash: 'r', swap_index: 2, fee_native: 0.04 }),
          swapped(T, [10, 'X'], [99, 'USDC'], { tx_hash: 'r', swap_index: 3, wallet: 'V', fee_native: 0.5 }),
          swapped(T + 1, [1, 'USDC'], [1, 'X']),
        ],
      });
      assert.deepEqual(await numbersOf(dex, 'fees_native', 'fees', 'net_pnl', 'pnl'), [0.04, 4, -4, 0]);
      const { metrics } = await dex.positions.get({
        wallet: 'W',
        token: 'Y',
        options: { include_metrics: ['7d'] },
      });
      assert.equal((metrics!['7d'] as unknown as { fees: number }).fees, 2);
      await dex.close();
    }),
  );

  test(
    `${name}: a trade for SOL and USDC together is worth both in SOL, and nothing in it if SOL has no price`,
    ofRules,
    () =>
      withFolder(async (folder) => {
        const mixed = (tx: string, time: number) => [
          swapped(time, [1, 'SOL'], [10, 'X'], { tx_hash: tx, swap_index: 1 }),
          swapped(time, [100, 'USDC'], [10, 'X'], { tx_hash: tx, swap_index: 2 }),
        ];
        const dex = await fed(open(folder), {
          prices: [price('SOL', T, 200)],
          swaps: [...mixed('before', T - 1), ...mixed('known', T)],
        });
        const { data } = await dex.trades.list({});
        assert.deepEqual(
          data.map((trade) => [trade.token_amount, trade.usd_amount, trade.native_amount]),
          [
            [20, 300, 1.5],
            [20, null, null],
          ],
        );
        await dex.close();
      }),
  );

  test(`${name}: what came from lots of unknown cost in SOL has no part in a result in SOL`, ofRules, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), {
        swaps: [
          // Nothing says what Y is worth.
          swapped(T, [5, 'Y'], [10, 'X']),
          swapped(T + 1, [1, 'SOL'], [10, 'X']),
          swapped(T + 2, [15, 'X'], [6, 'SOL']),
        ],
      });
      // Of the 15 sold, 5 are of the lot of 10 for 1 SOL: 6 x 5 / 15 - 1 x 5 / 10.
      assert.deepEqual(await numbersOf(dex, 'pnl_native', 'roi_native', 'volume_native'), [1.5, 300, 7]);
      const { holding } = await dex.positions.get({ wallet: 'W', token: 'X' });
      // 5 are left, for 0.5 SOL. One paid 0.1 SOL and then 0.4: of two votes the lower one is the median, and near itself.
      assert.deepEqual(
        [holding!.cost_basis_native, holding!.realized_pnl_native, holding!.unrealized_pnl_native],
        [0.5, 1.5, 0],
      );
      const { data } = await dex.positions.search({
        filter: { wallet_address: 'W', 'holding.unrealized_pnl_native': { $gte: 0, $lt: 1 } },
      });
      assert.equal(data.length, 1);
      await dex.close();
    }),
  );

  test(`${name}: a price that is taken back, or changed, leaves what no such price would have`, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), { swaps: forOneSoldForThree(), prices: solAt200Then210 });
      const [before] = [await allAnswers(dex)];
      assert.deepEqual(await dex.prices.upsert([price('SOL', T + 30, 210)]), {
        stored: 0,
        removed: 0,
        rejected: 0,
        rejects: [],
        warnings: [],
      });
      await dex.prices.upsert([price('SOL', T + 30, null), price('SOL', T - 10, 100)]);
      await dex.refresh();
      assert.deepEqual(await numbersOf(dex, 'volume', 'pnl'), [400, 200]);
      await dex.prices.upsert(solAt200Then210);
      await dex.refresh();
      assert.equal(await allAnswers(dex), before);
      await dex.prices.upsert(solAt200Then210.map(({ token, time }) => price(token, time as number, null)));
      await dex.refresh();
      assert.deepEqual(await numbersOf(dex, 'volume', 'pnl', 'pnl_native'), [0, 0, 2]);
      assert.equal((await dex.verify()).different, 0);
      await dex.close();
    }));

  test(`${name}: a reference price that comes late, changes or goes moves the fees that only so old a price is for`, () =>
    withFolder(async (folder) => {
      const [first, second, third] = [T, T + 3 * DAY, T + 6 * DAY];
      const bought = [first, second, third].map((time) =>
        swapped(time, [100, 'USDC'], [10, 'X'], { fee_native: 0.5, wallet: time === third ? 'V' : 'W' }),
      );
      // A round trip leaves no trade: its fee is the wallet's alone.
      const trip = { tx_hash: 'trip', fee_native: 0.25 };
      const back = swapped(second, [10, 'X'], [100, 'USDC'], { ...trip, swap_index: 1 });
      const swaps = [...bought, swapped(second, [100, 'USDC'], [10, 'X'], trip), back];
      const dex = await fed(open(folder), { swaps });
      const after = async (...prices: readonly PriceInput[]) => {
        await dex.prices.upsert(prices);
        await dex.refresh();
        assert.deepEqual((await dex.verify()).differences, []);
        const last = (await dex.wallets.get({ wallet: 'V' })).metrics!['30d']!;
        return [await numbersOf(dex, 'fees', 'stale_fee_count'), [last.fees, last.stale_fee_count]];
      };
      assert.deepEqual(await after(), [
        [null, 0],
        [null, 0],
      ]);
      // 0.5 x 100 at once, (0.5 + 0.25) x 100 three days later, and 0.5 x 100 six days later.
      assert.deepEqual(await after(price('SOL', first - 1, 100)), [
        [125, 2],
        [50, 1],
      ]);
      assert.deepEqual(await after(price('SOL', first - 1, 104)), [
        [130, 2],
        [52, 1],
      ]);
      assert.deepEqual(await after(price('SOL', first + DAY, 200)), [
        [0.5 * 104 + 0.75 * 200, 2],
        [100, 1],
      ]);
      assert.deepEqual(await after(price('SOL', third, 300)), [
        [202, 2],
        [150, 0],
      ]);
      // Known after the first fee, and too old for the second.
      assert.deepEqual(await after(price('SOL', first - 1, null)), [
        [null, 2],
        [150, 0],
      ]);
      assert.deepEqual(await after(price('SOL', third, null)), [
        [null, 2],
        [100, 1],
      ]);
      assert.deepEqual(await after(price('SOL', first + DAY, null)), [
        [null, 0],
        [null, 0],
      ]);
      await dex.close();
    }));
}
