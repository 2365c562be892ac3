import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Api, memory, Swapfold, type SwapInput } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { Random } from '../packages/testing/src/market/random.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases } from './support/whole.ts';

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const T = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const U = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const ANN = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const BOB = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const START = 1_735_689_600;
const at = (offset: number): string => formatTime(START + offset);

/** Who gives how much of what for how much of what, and when. */
const told: readonly (readonly [offset: number, wallet: string, given: number, of: string, got: number, of: string])[] =
  [
    [0, ANN, 100, USDC, 10, T],
    [60, BOB, 20, USDC, 1, T],
    [120, ANN, 5, T, 150, USDC],
    [150, ANN, 8, USDC, 4, U],
    [180, BOB, 1, T, 5, USDC],
    [200, ANN, 100, USDC, 1, SOL],
    [240, ANN, 4, U, 4, USDC],
    [300, BOB, 60, USDC, 2, T],
  ];
const story: readonly SwapInput[] = told.map(([offset, wallet, given, token_in, got, token_out], i) => ({
  tx_hash: `tx${i}`,
  swap_index: 0,
  block_time: START + offset,
  wallet,
  token_in,
  token_out,
  token_amount_in: given,
  token_amount_out: got,
}));

/** Nothing is worth anything in SOL until a SOL has a price. */
const nothing = { roi: null, winrate: null, position_count: 0, pnl_native: 0, roi_native: null, volume_native: 0 };

/**
 * By hand. Ann's 10 T cost 100; she sells 5 of them (cost 50) for 150, and 4 U (cost 8) for 4. T is at 10, 20, 30, 5, 5, 30. The 4 USD are worth
 * 0.04 SOL at 100 USD.
 */
const ofAnn = [
  [0, { equity: 0, realized_pnl: 0, unrealized_pnl: 0, drawdown: 0, pnl: 0, volume: 100, trade_count: 1, ...nothing }],
  [
    60,
    { equity: 100, realized_pnl: 0, unrealized_pnl: 100, drawdown: 0, pnl: 0, volume: 0, trade_count: 0, ...nothing },
  ],
  [
    120,
    {
      ...{ equity: 200, realized_pnl: 100, unrealized_pnl: 100, drawdown: 0, pnl: 100, volume: 150, trade_count: 1 },
      ...{ ...nothing, roi: 200, winrate: 100, position_count: 1 },
    },
  ],
  [
    180,
    {
      equity: 75,
      realized_pnl: 100,
      unrealized_pnl: -25,
      drawdown: 125,
      pnl: 0,
      volume: 8,
      trade_count: 1,
      ...nothing,
    },
  ],
  [
    240,
    {
      ...{ equity: 71, realized_pnl: 96, unrealized_pnl: -25, drawdown: 129, pnl: -4, volume: 4, trade_count: 1 },
      ...{ ...nothing, roi: -50, winrate: 0, position_count: 1, volume_native: 0.04 },
    },
  ],
  [
    300,
    { equity: 196, realized_pnl: 96, unrealized_pnl: 100, drawdown: 4, pnl: 0, volume: 0, trade_count: 0, ...nothing },
  ],
] as const;

const ofT = [
  [0, { price: 10, holders: 1, makers_count: 1, trade_count: 1, volume: 100, buy_volume: 100, sell_volume: 0 }],
  [60, { price: 20, holders: 2, makers_count: 1, trade_count: 1, volume: 20, buy_volume: 20, sell_volume: 0 }],
  [120, { price: 30, holders: 2, makers_count: 1, trade_count: 1, volume: 150, buy_volume: 0, sell_volume: 150 }],
  [180, { price: 5, holders: 1, makers_count: 1, trade_count: 1, volume: 5, buy_volume: 0, sell_volume: 5 }],
  [240, { price: 5, holders: 1, makers_count: 0, trade_count: 0, volume: 0, buy_volume: 0, sell_volume: 0 }],
  [300, { price: 30, holders: 2, makers_count: 1, trade_count: 1, volume: 60, buy_volume: 60, sell_volume: 0 }],
] as const;

const points = (series: readonly (readonly [number, object])[]) =>
  series.map(([offset, values]) => ({ timestamp: START + offset, ...values }));

async function openTold(engine: string, folder: string): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset: 'solana' } });
  await dex.ingest(story);
  return dex;
}

for (const engine of Object.keys(engines)) {
  test(`${engine}: the history of a wallet and of a token are those worked by hand`, () =>
    withFolder(async (folder) => {
      const dex = await openTold(engine, folder);
      const range = { from: at(0), to: at(300), interval: 60 };
      assert.deepEqual(await dex.wallets.history({ wallet: ANN, ...range }), { wallet: ANN, points: points(ofAnn) });
      assert.deepEqual(await dex.tokens.history({ token: T, ...range }), { token: T, points: points(ofT) });
      await dex.close();
    }));
}

test('return, win rate and tokens of an interval are over all of its sells: a token that is sold twice counts once', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  const sold = (index: number, got: number) => ({
    ...story[0]!,
    tx_hash: `sold${index}`,
    block_time: START + 60 + index,
    ...{ token_in: T, token_amount_in: 5, token_out: USDC, token_amount_out: got },
  });
  await dex.ingest([story[0]!, sold(1, 150), sold(2, 20)]);
  // 10 T cost 100; the halves bring 150 and 20: 70 on 100, one won and one lost.
  const metrics = ['pnl', 'roi', 'winrate', 'position_count'] as const;
  const { points: found } = await dex.wallets.history({ wallet: ANN, interval: 3600, metrics });
  assert.deepEqual(found, [{ timestamp: START + 62, pnl: 70, roi: 70, winrate: 50, position_count: 1 }]);
  await dex.close();
});

test('small sells are in the profit of an interval, and in no win rate or count of it', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  const sold = (index: number, amount: number, got: number) => ({
    ...story[0]!,
    tx_hash: `sold${index}`,
    block_time: START + 60 + index,
    ...{ token_in: T, token_amount_in: amount, token_out: USDC, token_amount_out: got },
  });
  await dex.ingest([story[0]!, sold(1, 2 ** -8, 0.0625), sold(2, 2 ** -8, 0.0625)]);
  // 10 T cost 100: each piece cost 0.0390625 and made 0.0234375, 60 % of it.
  const metrics = ['realized_pnl', 'pnl', 'roi', 'winrate', 'position_count'] as const;
  const { points: found } = await dex.wallets.history({ wallet: ANN, interval: 3600, metrics });
  const pnl = 2 * 0.0234375;
  assert.deepEqual(found, [
    { timestamp: START + 62, realized_pnl: pnl, pnl, roi: 60, winrate: null, position_count: 0 },
  ]);
  await dex.close();
});

test('a range without from ends at to, and its first interval holds the first trade', async () => {
  const dex = await openTold('memory', '');
  const ask = async (request: object) => {
    const { points: found } = await dex.wallets.history({
      wallet: ANN,
      interval: 100,
      metrics: ['volume'],
      ...request,
    });
    return found.map(({ timestamp, ...values }) => [timestamp - START, values.volume]);
  };
  assert.deepEqual(await ask({ to: at(270) }), [
    [70, 100],
    [170, 158],
    [270, 4],
  ]);
  // The as-of time is the end: 300, and the first trade lies exactly 3 intervals before.
  assert.deepEqual(await ask({}), [
    [0, 100],
    [100, 0],
    [200, 158],
    [300, 4],
  ]);
  assert.deepEqual(await ask({ to: at(9999) }), await ask({}));
  assert.deepEqual(await ask({ to: at(-1) }), []);
  assert.deepEqual(await ask({ from: at(-250) }), [
    [50, 100],
    [150, 158],
    [250, 4],
  ]);
  assert.deepEqual(await ask({ from: at(301) }), []);
  await dex.close();
});

test('points have the metrics that were asked for, and unknown addresses no points', async () => {
  const dex = await openTold('memory', '');
  const [first] = (await dex.tokens.history({ token: T, interval: 60, metrics: ['sell_volume', 'price'] })).points;
  assert.deepEqual(first, { timestamp: START, price: 10, sell_volume: 0 });
  const last = (await dex.wallets.history({ wallet: ANN, interval: 60, metrics: ['drawdown'] })).points.at(-1);
  assert.deepEqual(last, { timestamp: START + 300, drawdown: 4 });
  assert.deepEqual(await dex.wallets.history({ wallet: T, interval: 60 }), { wallet: T, points: [] });
  assert.deepEqual(await dex.tokens.history({ token: ANN, interval: 60 }), { token: ANN, points: [] });
  await dex.close();
});

test('a history has at most 5000 points, with or without from', async () => {
  const dex = await openTold('memory', '');
  const whole = { wallet: ANN, interval: 1 };
  await dex.ingest([{ ...story[0]!, tx_hash: 'later', block_time: START + 4999 }]);
  assert.equal((await dex.wallets.history(whole)).points.length, 5000);
  assert.equal((await dex.tokens.history({ token: T, from: at(0), interval: 1 })).points.length, 5000);
  await dex.ingest([{ ...story[0]!, tx_hash: 'last', block_time: START + 5000 }]);
  const tooMany = { code: 'too-many-points', message: /5001 points are over the limit of 5000.*at least 2 seconds/ };
  await assert.rejects(dex.wallets.history(whole), tooMany);
  await assert.rejects(dex.tokens.history({ token: T, interval: 1 }), tooMany);
  await assert.rejects(dex.tokens.history({ token: T, from: at(0), interval: 1 }), tooMany);
  await dex.close();
});

test('a wallet that only trades between quote tokens has no points, as its profile has no trades', async () => {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  await dex.ingest([story[5]!]);
  assert.deepEqual((await dex.wallets.history({ wallet: ANN, interval: 60 })).points, []);
  assert.equal((await dex.tokens.history({ token: SOL, interval: 60 })).points.length, 1);
  await dex.close();
});

const SEED = 29;
const DAY = 86_400;
const { swaps, config } = smallMarket({ seed: SEED, swaps: cases(3000, 1200), wallets: 40, tokens: 14 });
const newest = Math.max(...swaps.map(({ block_time }) => Number(block_time)));
const oldest = Math.min(...swaps.map(({ block_time }) => Number(block_time)));
const quotes = new Set([USDC, SOL, 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB']);
const busiest = (name: 'wallet' | 'token_out'): string[] => {
  const counts = new Map<string, number>();
  for (const { [name]: address } of swaps) counts.set(address, (counts.get(address) ?? 0) + 1);
  const names = [...counts.keys()].filter((one) => !quotes.has(one));
  return names.sort((a, b) => counts.get(b)! - counts.get(a)! || (a < b ? -1 : 1));
};
const wallets = busiest('wallet').filter((_, i) => i % 9 === 0);
const tokens = [...busiest('token_out').filter((_, i) => i % 5 === 0), SOL];

/** Equal, but for the rounding of sums that were added up in another order. */
function near(found: number, expected: number, scale: number, what: string): void {
  assert.ok(Math.abs(found - expected) <= 1e-9 * scale, `${what}: ${found} is not ${expected}`);
}

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** What positions and the portfolio as of an instant say of the tokens that count for a wallet's profile. */
async function madeOf(dex: Api, wallet: string): Promise<{ realized: number; unrealized: number; scale: number }> {
  const traded = new Set(
    swaps.filter((swap) => swap.wallet === wallet).flatMap((swap) => [swap.token_in, swap.token_out]),
  );
  const portfolio = await dex.portfolios.get({ wallet });
  const listed = new Map(portfolio.tokens.map(({ token, unrealized_pnl }) => [token, unrealized_pnl ?? 0]));
  const realized: number[] = [];
  const unrealized: number[] = [];
  for (const token of traded) {
    if (quotes.has(token)) continue;
    const found = await dex.positions
      .get({ wallet, token, options: { include_holding: true } })
      .catch((error: { code?: string }) => assert.equal(error.code, 'not-found'));
    const { holding } = found ?? {};
    realized.push(holding?.realized_pnl ?? 0);
    const own = holding?.unrealized_pnl ?? 0;
    near(listed.get(token) ?? own, own, Math.abs(own) + (holding?.cost_basis ?? 0), `${token} in the portfolio`);
    unrealized.push(own);
  }
  const scale = sum([...realized, ...unrealized].map(Math.abs)) + 1;
  return { realized: sum(realized), unrealized: sum(unrealized), scale };
}

/** The next test holds the other engines to the same points, to the bit. */
test(`each point is what profiles, positions and portfolios as of its instant say (seed ${SEED})`, () =>
  withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines.memory!(folder), config });
    for (const part of [swaps.slice(0, 500), swaps.slice(500)]) await dex.ingest(part);
    const random = new Random(SEED, 0);
    for (const wallet of wallets) {
      const from = formatTime(oldest + random.below(DAY));
      const { points: all } = await dex.wallets.history({ wallet, from, interval: DAY });
      const some = all.filter((_, i) => (i + wallets.indexOf(wallet)) % cases(1, 3) === 0);
      for (const point of some) {
        const then = dex.at(point.timestamp);
        const what = `${wallet} at ${formatTime(point.timestamp)}`;
        const { metrics } = await then.wallets.get({ wallet, options: { include_metrics: ['1d'] } });
        const { pnl, volume, trade_count } = metrics!['1d']!;
        assert.equal(point.trade_count, trade_count, what);
        near(point.volume!, volume!, volume! + 1, `volume of ${what}`);
        near(point.pnl!, pnl!, volume! + 1, `pnl of ${what}`);
        assert.equal(point.position_count, metrics!['1d']!.position_count, what);
        for (const name of ['roi', 'winrate', 'pnl_native', 'roi_native', 'volume_native'] as const) {
          const [found, expected] = [point[name]!, metrics!['1d']![name]!];
          if (expected === null) assert.equal(found, null, `${name} of ${what}`);
          else near(found, expected, volume! + Math.abs(expected) + 1, `${name} of ${what}`);
        }
        const { realized, unrealized, scale } = await madeOf(then, wallet);
        near(point.realized_pnl!, realized, scale, `realized_pnl of ${what}`);
        near(point.unrealized_pnl!, unrealized, scale, `unrealized_pnl of ${what}`);
        near(point.equity!, realized + unrealized, scale, `equity of ${what}`);
        const highest = Math.max(0, ...all.filter(({ timestamp: t }) => t <= point.timestamp).map((p) => p.equity!));
        assert.equal(point.drawdown, highest - point.equity!, `drawdown of ${what}`);
      }
      const cut = all[Math.floor(all.length / 2)]!.timestamp;
      const before = all.filter(({ timestamp }) => timestamp <= cut);
      assert.deepEqual((await dex.at(cut).wallets.history({ wallet, from, interval: DAY })).points, before);
    }
    for (const token of tokens) {
      const from = formatTime(oldest + random.below(DAY));
      const { points: all } = await dex.tokens.history({ token, from, interval: DAY });
      for (const point of all.filter((_, i) => i % cases(1, 4) === 0)) {
        const then = dex.at(point.timestamp);
        const what = `${token} at ${formatTime(point.timestamp)}`;
        const { metrics, market } = await then.tokens.get({ token });
        const { trade_count, makers_count, volume, buy_volume, sell_volume } = metrics!['1d']!;
        assert.deepEqual([point.trade_count, point.makers_count], [trade_count, makers_count], what);
        assert.deepEqual([point.price, point.holders], [market!.price, market!.holders], what);
        near(point.volume!, volume!, volume! + 1, what);
        near(point.buy_volume!, buy_volume!, volume! + 1, what);
        near(point.sell_volume!, sell_volume!, volume! + 1, what);
      }
    }
    await dex.close();
  }));

test(`histories are the same to the bit on every engine and for every order of arrival (seed ${SEED})`, () =>
  withFolder(async (folder) => {
    const texts = new Map<string, string>();
    for (const [number, engine] of [...Object.keys(engines), 'memory'].entries()) {
      const dex = await Swapfold.open({ storage: engines[engine]!(folder, number), config });
      const rows = number === 0 ? swaps : shuffled(swaps, SEED + number);
      for (let i = 0; i < rows.length; i += 400) await dex.ingest(rows.slice(i, i + 400));
      const from = formatTime(oldest);
      const answers = [
        ...(await Promise.all(wallets.map((wallet) => dex.wallets.history({ wallet, from, interval: 7000 })))),
        ...(await Promise.all(tokens.map((token) => dex.tokens.history({ token, interval: 50_000 })))),
      ];
      assert.ok(answers.every((answer) => answer.points.length > 2));
      texts.set(`${engine} ${number}`, JSON.stringify(answers));
      await dex.close();
    }
    assert.equal(new Set(texts.values()).size, 1, [...texts].map(([name, text]) => `${name}: ${text.length}`).join());
    assert.ok(newest - oldest > 7 * DAY);
  }));
