import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { formatTime } from '@swapfold/core/host';
import { allAnswers } from './answers.ts';
import { withFolder } from './engines.ts';
import { MINUTE, swapped, T, worthConfig } from './worth.ts';
import type { CaseOptions } from './worth-cases.ts';

/** Sixty buys of X for 100 USD each, at about 1 USD, a minute apart. */
export const sixtyBuys = Array.from({ length: 60 }, (_, i) =>
  swapped(T + i * MINUTE, [100, 'USDC'], [100 + (i % 3), 'X'], { block_slot: i }),
);
/** A stranger's swap of 50 cents, at 1,000 USD. */
export const strangers = (time: number): SwapInput =>
  swapped(time, [0.5, 'USDC'], [0.0005, 'X'], { wallet: 'S', block_slot: 1000, tx_hash: 'stranger' });
export const last = T + 59 * MINUTE;
export const held = 60 * 101;

/** A store that was fed batch by batch, with a supply of a million X. */
async function fed(
  storage: Parameters<typeof Swapfold.open>[0]['storage'],
  batches: readonly (readonly SwapInput[])[],
) {
  const dex = await Swapfold.open({ storage, config: worthConfig });
  await dex.tokens.upsert([{ address: 'X', total_supply: 1_000_000 }]);
  for (const batch of batches) await dex.ingest(batch);
  await dex.refresh();
  return dex;
}

/** What a print far off those before it does and does not, worked by hand, on an engine. */
export function markCases(
  name: string,
  open: (folder: string) => StorageAdapter,
  { withRules = true }: CaseOptions = {},
): void {
  /** The two that append and that derive again what came before. */
  const ofEngine = ['after the others', 'among others that come late'];
  const orders: Readonly<Record<string, readonly (readonly SwapInput[])[]>> = {
    'after the others': [sixtyBuys, [strangers(last + 1)]],
    'with the others': [[...sixtyBuys, strangers(last + 1)]],
    'before the others came in': [[strangers(last + 1)], sixtyBuys],
    'among others that come late': [
      [...sixtyBuys.filter((_, i) => i % 2 === 0), strangers(last + 1)],
      sixtyBuys.filter((_, i) => i % 2 === 1),
    ],
    twice: [sixtyBuys, [strangers(last + 1)], [strangers(last + 1)]],
  };
  for (const [order, batches] of Object.entries(orders))
    test(
      `${name}: a stranger's swap of 50 cents at 1,000 USD, stored ${order}, makes no millionaire`,
      {
        skip: !withRules && !ofEngine.includes(order) && 'what no engine can differ in: part of a whole run',
      },
      () =>
        withFolder(async (folder) => {
          const dex = await fed(open(folder), batches);
          const [price] = await dex.prices.latest({ tokens: ['X'] });
          assert.deepEqual(
            [price!.usd_price, price!.suspect, price!.clean_usd_price],
            [1000, true, sixtyBuys[59]!.token_amount_in / sixtyBuys[59]!.token_amount_out],
          );
          const mark = price!.clean_usd_price!;
          const { value, tokens } = await dex.portfolios.get({ wallet: 'W' });
          assert.deepEqual([value, tokens[0]!.price], [held * mark, mark]);
          const { market } = await dex.tokens.get({ token: 'X' });
          assert.deepEqual([market!.price, market!.fdv], [mark, mark * 1_000_000]);
          const { holding } = await dex.positions.get({ wallet: 'W', token: 'X' });
          assert.deepEqual([holding!.price, holding!.price_age, holding!.value], [mark, 1, held * mark]);
          assert.ok(Math.abs(holding!.unrealized_pnl!) < 100);
          const { points } = await dex.wallets.history({ wallet: 'W', interval: MINUTE });
          assert.ok(points.every(({ equity }) => Math.abs(equity!) < 200));
          const range = { token: 'X', interval: MINUTE, count: 2 };
          const all = await dex.prices.candles(range);
          assert.deepEqual([all[1]!.high, all[1]!.count, all[1]!.suspect_count], [1000, 2, 1]);
          const clean = await dex.prices.candles({ ...range, prints: 'clean' });
          assert.deepEqual(
            [clean[1]!.high, clean[1]!.close, clean[1]!.count, clean[1]!.suspect_count],
            [mark, mark, 2, 1],
          );
          const asked = { tokens: ['X'], from: formatTime(T), to: formatTime(last + 1), interval: 3541 };
          const [history] = await dex.prices.history(asked);
          assert.deepEqual([history!.prices[1]!.usd_price, history!.prices[1]!.suspect_count], [1000, 1]);
          const [cleaned] = await dex.prices.history({ ...asked, prints: 'clean' });
          assert.deepEqual([cleaned!.prices[1]!.usd_price, cleaned!.prices[1]!.usd_volume], [mark, 6000.5 - 100]);
          assert.equal((await dex.verify()).different, 0);
          await dex.close();
        }),
    );

  test(`${name}: a bucket that has suspect prints alone keeps its swaps where gaps are filled`, () =>
    withFolder(async (folder) => {
      const minute = (i: number) => last + i * MINUTE;
      const buy = (i: number) => swapped(minute(i), [100, 'USDC'], [100, 'X'], { block_slot: 2000 + i });
      const dex = await fed(open(folder), [sixtyBuys, [strangers(minute(2)), buy(4)]]);
      const asked = { token: 'X', interval: MINUTE, fill: true, prints: 'clean' } as const;
      const sums = async (count: number) =>
        (await dex.prices.candles({ ...asked, count })).map((candle) => [
          (candle.timestamp - minute(0)) / MINUTE,
          candle.open,
          candle.close,
          candle.volume,
          candle.count,
          candle.suspect_count,
        ]);
      const mark = 100 / 102;
      const filled = [
        [2, mark, mark, 0.5, 1, 1],
        [3, mark, mark, 0, 0, 0],
        [4, 1, 1, 100, 1, 0],
      ];
      for (let i = 0; i < 2; i++) assert.deepEqual(await sums(3), filled);
      await dex.ingest([{ ...strangers(minute(5)), tx_hash: 'another' }, buy(6)]);
      const later = [
        [4, 1, 1, 100, 1, 0],
        [5, 1, 1, 0.5, 1, 1],
        [6, 1, 1, 100, 1, 0],
      ];
      assert.deepEqual(await sums(3), later);
      // A print that is not suspect makes a candle of the bucket.
      await dex.ingest([buy(5)]);
      assert.deepEqual((await sums(2))[0], [5, 1, 1, 100.5, 2, 1]);
      await dex.close();
    }));

  test(`${name}: an explanation of an unrealised result names its mark, and its terms give it`, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), [sixtyBuys, [strangers(last + 1)]]);
      const position = { wallet: 'W', token: 'X' };
      const asked = { ...position, metric: 'holding.unrealized_pnl' } as const;
      const { mark, terms, value, window, count, cursor, trades } = await dex.positions.explain({
        ...asked,
        limit: 40,
      });
      const price = 100 / 102;
      assert.deepEqual(mark, {
        tx_hash: sixtyBuys[59]!.tx_hash,
        swap_index: 0,
        block_time: last,
        usd_price: price,
        native_price: null,
        suspects_since: 1,
      });
      // 60 lots of 100, 101 and 102 tokens, bought for 6,000 USD.
      assert.deepEqual(
        terms.map((term) => [term.name, term.value]),
        [
          ['price', price],
          ['lot_amount', held],
          ['cost_basis', 6000],
        ],
      );
      assert.deepEqual([value, window, count], [price * held - 6000, null, 60]);
      assert.equal(value, (await dex.positions.get(position)).holding!.unrealized_pnl);
      const rest = await dex.positions.explain({ ...asked, limit: 40, cursor: cursor! });
      assert.deepEqual([rest.value, rest.mark, rest.cursor], [value, mark, undefined]);
      const hashes = [...trades, ...rest.trades].map(({ tx_hash }) => tx_hash);
      assert.deepEqual(hashes, sixtyBuys.map(({ tx_hash }) => tx_hash).reverse());
      const roi = await dex.positions.explain({ ...position, metric: 'holding.unrealized_roi' });
      assert.deepEqual([roi.value, roi.unit], [((price * held - 6000) / 6000) * 100, 'percent']);
      // Before the stranger came, and after ten buys: another mark.
      const tenth = await dex.at(formatTime(T + 9 * MINUTE)).positions.explain(asked);
      assert.deepEqual([tenth.mark!.tx_hash, tenth.mark!.suspects_since], [sixtyBuys[9]!.tx_hash, 0]);
      const wrong = { code: 'invalid-request' };
      await assert.rejects(dex.call('positions.explain' as string, { ...asked, window: '7d' }), {
        ...wrong,
        message: /leave "window" out/,
      });
      await assert.rejects(dex.call('positions.explain' as string, { ...position, metric: 'pnl' }), {
        ...wrong,
        message: /give "window"/,
      });
      await dex.close();
    }));

  test(`${name}: a stranger's swap that is rolled back leaves no trace`, () =>
    withFolder(async (folder) => {
      const dex = await fed(open(folder), [sixtyBuys]);
      const before = await allAnswers(dex);
      await dex.ingest([strangers(last + 1)]);
      await dex.refresh();
      await dex.rollback({ from_block_slot: 1000 });
      await dex.refresh();
      assert.equal(await allAnswers(dex), before);
      await dex.close();
    }));

  test(
    `${name}: a jump of ten times by many wallets is a mark after six prints`,
    { skip: !withRules && 'what no engine can differ in: part of a whole run' },
    () =>
      withFolder(async (folder) => {
        const dex = await fed(open(folder), [sixtyBuys]);
        const suspects: boolean[] = [];
        for (let i = 0; i < 13; i++) {
          await dex.ingest([swapped(last + 60 + i, [100, 'USDC'], [10, 'X'], { wallet: `J${i}` })]);
          suspects.push((await dex.prices.latest({ tokens: ['X'] }))[0]!.suspect);
        }
        // W has three votes under a fifth of 10 USD. Of the newest ten, the seventh buyer's print among them, a third is four.
        assert.deepEqual(suspects, [...new Array<boolean>(6).fill(true), ...new Array<boolean>(7).fill(false)]);
        assert.equal((await dex.portfolios.get({ wallet: 'W' })).tokens[0]!.price, 10);
        await dex.close();
      }),
  );
}
