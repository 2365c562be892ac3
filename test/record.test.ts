import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Swapfold, type SwapInput, type TransferInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

/** 2025-01-01T00:00:00Z. */
const A = 1_735_689_600;
const DAY = 86_400;
const config = {
  address_format: 'any',
  quote_tokens: [
    { address: 'USDC', symbol: 'USDC', kind: 'stable' },
    { address: 'SOL', symbol: 'SOL', kind: 'native' },
  ],
} as const;

let hashes = 0;
const swap = (at: number, wallet: string, given: number, of: string, got: number, out: string): SwapInput => ({
  tx_hash: `t${hashes++}`,
  swap_index: 0,
  block_time: A + at,
  block_slot: 1000 + at,
  wallet,
  token_in: of,
  token_out: out,
  token_amount_in: given,
  token_amount_out: got,
});
const transfer = (at: number, from: string, to: string, token: string, token_amount: number): TransferInput => ({
  tx_hash: `m${hashes++}`,
  transfer_index: 0,
  block_time: A + at,
  from,
  to,
  token,
  token_amount,
});

/** X is bought and sold twice, Y is sent away, 60 of Z arrive free, 10 V arrive and are sold. Strangers make the marks: Y 0.05, Z 0.15. */
const swaps = [
  swap(0, 'W', 100, 'USDC', 100, 'X'),
  swap(10, 'W', 50, 'X', 100, 'USDC'),
  swap(20, 'W', 50, 'X', 60, 'USDC'),
  swap(30, 'W', 100, 'USDC', 100, 'Y'),
  swap(40, 'W', 100, 'USDC', 100, 'Z'),
  swap(DAY, 'W', 10, 'V', 40, 'USDC'),
  swap(DAY + 10, 'M', 200, 'Y', 10, 'USDC'),
  swap(DAY + 20, 'M', 200, 'Z', 30, 'USDC'),
];
const transfers = [
  transfer(50, 'W', 'elsewhere', 'Y', 100),
  transfer(60, 'elsewhere', 'W', 'Z', 60),
  transfer(70, 'elsewhere', 'W', 'V', 10),
];

const lifetime = {
  since: '2025-01-01T00:00:00Z',
  first_trade_at: '2025-01-01T00:00:00Z',
  trade_count: 6,
  volume: 500,
  token_count: 4,
  position_count: 1,
  realized_pnl: 60,
  realized_cost: 100,
  realized_roi: 60,
  realized_pnl_native: 0,
  win_count: 2,
  loss_count: 0,
  winrate: 100,
  days_active: 2,
  unmatched_proceeds: 40,
  // 40 of 100 + 60 + 40.
  unmatched_share: 20,
  away_cost: 100,
  // Of 300 bought.
  away_share: (100 / 300) * 100,
  best_token_share: 100,
  // M alone bought none of X.
  thin_share: 100,
  suspect_share: 0,
};
const options = { include_lifetime: true, include_holding: true };
const holding = {
  // 160 Z at 0.15.
  value: 24,
  // 100 + 60 came, 200 went, of which 40 were there before: then 40 came for V.
  quote_value: 40,
  cost_basis: 100,
  // 100 of them have lots, which cost 100.
  unrealized_pnl: -85,
  total_pnl: -25,
  open_count: 1,
  unknown_count: 0,
  largest_share: 100,
  stale_share: 0,
  sunk_count: 1,
  sunk_loss: -85,
  token_win_count: 1,
  token_loss_count: 2,
  token_winrate: (1 / 3) * 100,
  // 100 Y at 0.05 less 100.
  away_pnl: -95,
  // 60 - 85 - 95.
  floor_pnl: -120,
};

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: the record of a wallet that sold what it never bought and sent a loser away is that of the worked example`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.transfers.ingest(transfers);
      await dex.ingest(swaps);
      await dex.refresh();
      const profile = await dex.wallets.get({ wallet: 'W', options });
      assert.deepEqual(profile.lifetime, lifetime);
      assert.deepEqual(profile.holding, holding);
    }));
}

/** Twelve wallets with a gain of 10 to 120, of which those of an even number hold a token that has fallen by 20 a number. */
function rankedSwaps(): SwapInput[] {
  const rows: SwapInput[] = [];
  for (let n = 1; n <= 12; n++) {
    const at = n * 100;
    rows.push(swap(at, `W${n}`, 100, 'USDC', 100, 'X'), swap(at + 1, `W${n}`, 100, 'X', 100 + 10 * n, 'USDC'));
    if (n % 2 === 0)
      rows.push(
        swap(at + 2, `W${n}`, 400, 'USDC', 400, `F${n}`),
        swap(at + 3, 'M', 400, `F${n}`, 400 - 20 * n, 'USDC'),
      );
  }
  return rows;
}
/** 10 n, less 20 n of those that hold what has fallen. */
const floorOf = (n: number): number => (n % 2 === 0 ? -10 * n : 10 * n);
const byFloor = Array.from({ length: 12 }, (_, i) => i + 1).sort((a, b) => floorOf(b) - floorOf(a));

for (const [engine, open] of Object.entries(engines)) {
  for (const cache of ['with profiles in memory', 'without'] as const) {
    test(`${engine}, ${cache}: wallets are ranked by what is left if no gain on paper comes true, page by page`, () =>
      withFolder(async (folder) => {
        const memory = cache === 'without' ? { memory: 0 } : {};
        await using dex = await Swapfold.open({ storage: open(folder), config, ...memory });
        await dex.ingest(rankedSwaps());
        await dex.refresh();
        const sort = { field: 'holding.floor_pnl' } as const;
        const filter = { 'lifetime.trade_count': { $gte: 2 }, wallet_address: { $ne: 'M' } } as const;
        const found: unknown[] = [];
        let cursor: string | undefined;
        do {
          const page = await dex.wallets.search({
            filter,
            sort,
            limit: 5,
            ...(cursor === undefined ? {} : { cursor }),
          });
          assert.equal(page.count, 12);
          for (const { wallet_address, holding, lifetime } of page.data)
            found.push([wallet_address, holding?.floor_pnl, lifetime?.realized_pnl]);
          cursor = page.cursor;
        } while (cursor !== undefined);
        assert.deepEqual(
          found,
          byFloor.map((n) => [`W${n}`, floorOf(n), 10 * n]),
        );
      }));

    test(`${engine}, ${cache}: a condition on what is computed holds for the wallets for which it holds`, () =>
      withFolder(async (folder) => {
        const memory = cache === 'without' ? { memory: 0 } : {};
        await using dex = await Swapfold.open({ storage: open(folder), config, ...memory });
        await dex.ingest(rankedSwaps());
        await dex.refresh();
        const filter = { 'holding.open_count': 1, 'lifetime.realized_pnl': { $lt: 70 } } as const;
        const sort = { field: 'lifetime.realized_pnl', direction: 'asc' } as const;
        const { count, data } = await dex.wallets.search({ filter, sort, limit: 2 });
        assert.equal(count, 3);
        assert.deepEqual(
          data.map((profile) => [profile.wallet_address, profile.holding?.unrealized_pnl]),
          [
            ['W2', -40],
            ['W4', -80],
          ],
        );
      }));
  }

  test(`${engine}: a profile has the record only if its options name it or the search reads it`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest(rankedSwaps());
      await dex.refresh();
      const sectionsOf = async (request: Parameters<typeof dex.wallets.search>[0]) => {
        const { data } = await dex.wallets.search({ ...request, limit: 1 });
        return ['lifetime', 'holding'].filter((name) => name in data[0]!);
      };
      assert.deepEqual(await sectionsOf({}), []);
      assert.deepEqual(await sectionsOf({ options: { include_lifetime: true } }), ['lifetime']);
      assert.deepEqual(await sectionsOf({ sort: { field: 'holding.value' } }), ['holding']);
      assert.deepEqual(await sectionsOf({ filter: { 'lifetime.days_active': 1 } }), ['lifetime']);
      assert.ok(!('holding' in (await dex.wallets.get({ wallet: 'W1' }))));
      assert.ok('holding' in (await dex.wallets.get({ wallet: 'W1', options: { include_holding: true } })));
    }));
}

/** A wallet that trades every ten days, wins and loses in turn, on days 0 to 60. */
const long: readonly SwapInput[] = Array.from({ length: 7 }, (_, i) => i * 10 * DAY).flatMap((at, i) => [
  swap(at, 'W', 100, 'USDC', 100, `T${i}`),
  swap(at + 60, 'W', 100, `T${i}`, i % 2 === 0 ? 110 : 95, 'USDC'),
]);

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: what a store has forgotten of a wallet stays in its lifetime, and so it does through refreshes and late swaps`, () =>
    withFolder(async (folder) => {
      const of = async (dex: Swapfold) => (await dex.wallets.get({ wallet: 'W', options })).lifetime!;
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest(long.slice(0, 12));
      await dex.refresh();
      await dex.ingest(long.slice(12));
      await dex.refresh();
      // Days 0, 20, 40 and 60 made 10, days 10, 30 and 50 lost 5.
      const { realized_pnl, win_count, loss_count, trade_count, days_active, volume, token_count } = await of(dex);
      assert.deepEqual(
        { realized_pnl, win_count, loss_count, trade_count, days_active, volume, token_count },
        {
          realized_pnl: 25,
          win_count: 4,
          loss_count: 3,
          trade_count: 14,
          days_active: 7,
          volume: 1425,
          token_count: 7,
        },
      );
      const before = await of(dex);
      assert.equal((await dex.prune({ before: A + 25 * DAY })).swaps, 6);
      await dex.refresh();
      assert.deepEqual(await of(dex), before);
      // A late swap within what is kept: 100 of T3 are bought again and sold for 130.
      await dex.ingest([
        swap(45 * DAY, 'W', 100, 'USDC', 100, 'T3'),
        swap(45 * DAY + 1, 'W', 100, 'T3', 130, 'USDC'),
        swap(61 * DAY, 'M', 1, 'USDC', 1, 'T0'),
      ]);
      await dex.refresh();
      const after = await of(dex);
      assert.equal(after.realized_pnl, 55);
      assert.equal(after.trade_count, 16);
      assert.equal(after.days_active, 8);
      assert.equal(after.first_trade_at, '2025-01-01T00:00:00Z');
      // As of an instant it is what had happened by then.
      const then = (await dex.at(A + 46 * DAY + DAY * 10).wallets.get({ wallet: 'W', options })).lifetime!;
      assert.deepEqual([then.realized_pnl, then.trade_count, then.days_active], [45, 14, 7]);
    }));

  test(`${engine}: realised, unrealised and total are those of the wallet's history`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.transfers.ingest(transfers);
      await dex.ingest([...swaps, ...rankedSwaps()]);
      await dex.refresh();
      for (const wallet of ['W', 'W2', 'W3', 'M']) {
        const { lifetime, holding } = await dex.wallets.get({ wallet, options });
        const { points } = await dex.wallets.history({ wallet, interval: DAY });
        const last = points.at(-1)!;
        assert.deepEqual(
          [lifetime!.realized_pnl, holding!.unrealized_pnl, holding!.total_pnl],
          [last.realized_pnl, last.unrealized_pnl, last.equity],
        );
      }
    }));
}

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: a rule that reads the record gives its label when labels are asked for, beside those that a refresh gives`, () =>
    withFolder(async (folder) => {
      const labels = {
        wallets: [
          { label: 'sinking', rule: 'below', filter: { 'holding.floor_pnl': { $lt: -50 } } },
          { label: 'swing', rule: 'seven', filter: { 'lifetime.realized_pnl': { $gte: 70 } } },
        ],
      } as const;
      await using dex = await Swapfold.open({ storage: open(folder), config: { ...config, labels } });
      await dex.ingest(rankedSwaps());
      await dex.refresh();
      const labelsOf = async (wallet: string) => {
        const profile = await dex.wallets.get({ wallet });
        return [profile.labels, profile.matched_labels];
      };
      // 10 n realised, 20 n lost on what W of an even n holds.
      assert.deepEqual(await labelsOf('W8'), [['sinking', 'swing'], { sinking: ['below'], swing: ['seven'] }]);
      assert.deepEqual(await labelsOf('W6'), [['sinking'], { sinking: ['below'] }]);
      assert.deepEqual(await labelsOf('W7'), [['swing'], { swing: ['seven'] }]);
      const sort = { field: 'lifetime.realized_pnl', direction: 'asc' } as const;
      const found = await dex.wallets.search({ filter: { labels: { $all: ['sinking'] } }, sort });
      assert.deepEqual(
        found.data.map(({ wallet_address, labels }) => [wallet_address, labels?.includes('sinking')]),
        [6, 8, 10, 12].map((n) => [`W${n}`, true]),
      );
      const others = await dex.wallets.search({ filter: { labels: { $nin: ['sinking'] } }, limit: 1 });
      assert.equal(others.count, 9);
      const swing = await dex.wallets.search({ filter: { labels: { $all: ['swing'] } }, sort, limit: 1 });
      assert.deepEqual([swing.count, swing.data[0]!.labels], [6, ['swing']]);
    }));
}

/** Twenty tokens on eight days, each bought for 100 and sold for 110 by V; B2 buys each for 100, too, so that there are other prices. */
const diligent: readonly SwapInput[] = Array.from({ length: 20 }, (_, i) => i).flatMap((i) => {
  const at = Math.floor((i * 8) / 20) * DAY + i * 100;
  return [
    swap(at, 'B2', 100, 'USDC', 100, `D${i}`),
    swap(at + 1, 'V', 100, 'USDC', 100, `D${i}`),
    swap(at + 40, 'V', 100, `D${i}`, 110, 'USDC'),
  ];
});

test('explained is a wallet whose results in twenty tokens over seven days are known to the trade, if the configuration asks for the label', async () => {
  const labels = { optional: ['explained'] } as const;
  const labelsOf = async (rows: readonly SwapInput[], more: object = { labels }) => {
    await using dex = await Swapfold.open({ storage: engines.memory!(''), config: { ...config, ...more } });
    await dex.ingest(rows);
    await dex.refresh();
    return (await dex.wallets.get({ wallet: 'V' })).labels!.includes('explained');
  };
  assert.equal(await labelsOf(diligent), true);
  assert.equal(await labelsOf(diligent, {}), false);
  assert.equal(await labelsOf(diligent.slice(0, 57)), false, 'nineteen tokens');
  const free = swap(2 * DAY, 'V', 1000, 'GIFT', 120, 'USDC');
  // 120 of 2,320.
  assert.equal(await labelsOf([...diligent, free]), false, 'more than a twentieth of the sells had no cost');
  const best = [swap(3 * DAY, 'V', 100, 'USDC', 100, 'BEST'), swap(3 * DAY + 9, 'V', 100, 'BEST', 301, 'USDC')];
  assert.equal(await labelsOf([...diligent, ...best]), false, 'one token made more than half');
});

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: the best floor is found below the hundred wallets that realised the most`, () =>
    withFolder(async (folder) => {
      const rows: SwapInput[] = [];
      for (let n = 1; n <= 120; n++) {
        rows.push(swap(n * 10, `W${n}`, 100, 'USDC', 100, 'X'), swap(n * 10 + 1, `W${n}`, 100, 'X', 100 + n, 'USDC'));
        // All but the first nine keep what has lost 2 n.
        if (n > 9)
          rows.push(
            swap(n * 10 + 2, `W${n}`, 400, 'USDC', 400, `F${n}`),
            swap(n * 10 + 3, 'M', 400, `F${n}`, 400 - 2 * n, 'USDC'),
          );
      }
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.ingest(rows);
      await dex.refresh();
      const filter = { wallet_address: { $ne: 'M' } } as const;
      const { count, data } = await dex.wallets.search({ filter, sort: { field: 'holding.floor_pnl' }, limit: 3 });
      assert.deepEqual(
        [count, data.map(({ wallet_address, holding }) => [wallet_address, holding?.floor_pnl])],
        [
          120,
          [
            ['W9', 9],
            ['W8', 8],
            ['W7', 7],
          ],
        ],
      );
    }));
}

test('what takes all trades of a wallet is asked of at most a thousand wallets, and of those alone that the rest of a condition leaves', async () => {
  const labels = { optional: ['explained'] } as const;
  await using dex = await Swapfold.open({ storage: engines.memory!(''), config: { ...config, labels } });
  const many = Array.from({ length: 1001 }, (_, n) => swap(n, `S${n}`, 10, 'USDC', 10, 'X'));
  await dex.ingest([...many, ...diligent]);
  await dex.refresh();
  const search = (filter: object) => dex.wallets.search({ filter, limit: 1 });
  await assert.rejects(
    search({ 'lifetime.suspect_share': { $lt: 5 } }),
    /leave 1003 wallets; at most 1000 may be left/,
  );
  await assert.rejects(
    dex.wallets.search({ sort: { field: 'lifetime.suspect_share' } }),
    /leave 1003 wallets; at most 1000 may be left/,
  );
  // A wallet of one day is none that the label is of.
  const { count, data } = await search({ labels: { $all: ['explained'] } });
  assert.deepEqual([count, data[0]!.wallet_address], [1, 'V']);
  assert.equal((await search({ 'lifetime.suspect_share': 0, 'lifetime.trade_count': { $gte: 20 } })).count, 2);
});

test('shares of nothing are unknown, not 0', async () => {
  await using dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest([swap(0, 'W', 100, 'USDC', 100, 'X')]);
  await dex.refresh();
  const { lifetime, holding } = await dex.wallets.get({ wallet: 'W', options });
  const { unmatched_share, best_token_share, thin_share, realized_roi, winrate } = lifetime!;
  assert.deepEqual(
    [unmatched_share, best_token_share, thin_share, realized_roi, winrate],
    [null, null, null, null, null],
  );
  assert.equal(lifetime!.away_share, 0);
  assert.equal(holding!.token_winrate, null);
  assert.equal(holding!.largest_share, 100);
});

for (const [engine, open] of Object.entries(engines)) {
  test(`${engine}: an explanation of a field of the record names the tokens and trades that it is made of`, () =>
    withFolder(async (folder) => {
      await using dex = await Swapfold.open({ storage: open(folder), config });
      await dex.transfers.ingest(transfers);
      await dex.ingest(swaps);
      await dex.refresh();
      const floor = await dex.wallets.explain({ wallet: 'W', metric: 'holding.floor_pnl' });
      assert.equal(floor.value, -120);
      assert.deepEqual(
        floor.terms.map(({ name, value }) => [name, value]),
        [
          ['realized_pnl', 60],
          ['unrealized_losses', -85],
          ['away_pnl', -95],
        ],
      );
      assert.deepEqual(
        floor.parts!.map(({ token, part }) => [token, part]),
        [
          ['Y', -95],
          ['Z', -85],
          ['X', 60],
        ],
      );
      const realized = await dex.wallets.explain({ wallet: 'W', metric: 'lifetime.realized_pnl' });
      assert.equal(realized.count, 6);
      // The newest first: V has no cost; X made 10 and 50.
      assert.deepEqual(
        realized.trades.map(({ token, part }) => [token, part]),
        [
          ['V', null],
          ['Z', null],
          ['Y', null],
          ['X', 10],
          ['X', 50],
          ['X', null],
        ],
      );
      const then = await dex.at(A + 15).wallets.explain({ wallet: 'W', metric: 'lifetime.winrate' });
      assert.deepEqual([then.value, then.terms.map(({ value }) => value)], [100, [1, 0]]);
    }));
}

test('a field of the record has no window, and a metric has one', async () => {
  await using dex = await Swapfold.open({ storage: engines.memory!(''), config });
  await dex.ingest(swaps);
  await dex.refresh();
  const explain = (of: { readonly metric: string; readonly window?: string }) =>
    dex.wallets.explain({ wallet: 'W', ...of } as never);
  await assert.rejects(explain({ metric: 'holding.floor_pnl', window: '7d' }), /has no window: leave "window" out/);
  await assert.rejects(explain({ metric: 'pnl' }), /A metric is of a window/);
  await assert.rejects(explain({ metric: 'holding.flor_pnl' }), /Did you mean "holding.floor_pnl"/);
});
