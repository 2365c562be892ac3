import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ConfigInput, Swapfold, type SwapInput } from '@swapfold/core';
import type { StorageAdapter } from '@swapfold/core/engine';
import { engines, withFolder } from './support/engines.ts';
import { DAY, MINUTE, price, swapped, T, worthConfig } from './support/worth.ts';

/** Nine wallets exchange one SOL each: whoever of them is asked, SOL is worth so much. */
const solAt = (time: number, usd: number): SwapInput[] =>
  Array.from({ length: 9 }, (_, i) => swapped(time, [1, 'SOL'], [usd, 'USDC'], { wallet: `P${i}` }));

/** SOL is at 100 USD: 100 X for 1 SOL (0.01 SOL, 1 USD each), 100 Y for 120 USDC (1.2 USD each). */
const bought = [
  ...solAt(T, 100),
  swapped(T + MINUTE, [1, 'SOL'], [100, 'X']),
  swapped(T + MINUTE + 1, [120, 'USDC'], [100, 'Y']),
];

const iso = (time: number): string => new Date(time * 1000).toISOString();

const supplies = ['X', 'Y', 'Z'].map((address) => ({ address, total_supply: 1000 }));

async function opened(storage: StorageAdapter, swaps: readonly SwapInput[], config: ConfigInput = worthConfig) {
  const dex = await Swapfold.open({ storage, config });
  await dex.tokens.upsert(supplies);
  await dex.ingest([swaps]);
  await dex.refresh();
  return dex;
}

const marketOf = async (dex: Swapfold, token: string, asOf?: number) => {
  const { market } = await dex.tokens.get({ token }, asOf === undefined ? {} : { asOf: iso(asOf) });
  return [market!.price, market!.fdv, market!.market_cap];
};

/** The tokens of a search, page by page of one. */
async function searched(dex: Swapfold, request: object): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await dex.tokens.search({ ...request, limit: 1, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...page.data.map(({ token_address }) => token_address));
    cursor = page.cursor;
    if (cursor !== undefined) continue;
    assert.equal(page.count, found.length);
    return found;
  }
}

const ofTwo = { token_address: { $in: ['X', 'Y'] } };
const byCap = (direction: 'asc' | 'desc') => ({ filter: ofTwo, sort: { field: 'market.market_cap', direction } });

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: a mark that SOL valued doubles with SOL, and no profile is folded for it`, () =>
    withFolder(async (folder) => {
      const dex = await opened(open(folder), bought);
      assert.deepEqual(await marketOf(dex, 'X'), [1, 1000, 1000]);
      assert.deepEqual(await searched(dex, byCap('desc')), ['Y', 'X']);
      await dex.ingest(solAt(T + 2 * MINUTE, 200));
      const { tokens } = await dex.refresh({ scope: 'traded' });
      assert.equal(tokens, 2, 'SOL and USDC');
      // 0.01 SOL x 200.
      assert.deepEqual(await marketOf(dex, 'X'), [2, 2000, 2000]);
      assert.deepEqual(await marketOf(dex, 'Y'), [1.2, 1200, 1200]);
      assert.deepEqual(await marketOf(dex, 'X', T + MINUTE + 1), [1, 1000, 1000]);
      assert.deepEqual(await searched(dex, byCap('desc')), ['X', 'Y']);
      assert.deepEqual(await searched(dex, byCap('asc')), ['Y', 'X']);
      for (const [condition, tokens] of [
        [{ $gt: 1.9 }, ['X']],
        [{ $gt: 2 }, []],
        [{ $gte: 2 }, ['X']],
        [{ $lt: 2 }, ['Y']],
        [{ $lte: 2 }, ['X', 'Y']],
        [2, ['X']],
        [{ $ne: 2 }, ['Y']],
        [{ $in: [1.2, 2] }, ['X', 'Y']],
        [{ $exists: true }, ['X', 'Y']],
        [1, []],
      ] as const) {
        const filter = { ...ofTwo, 'market.price': condition };
        const found = await searched(dex, { filter, sort: { field: 'token_address', direction: 'asc' } });
        assert.deepEqual(found, tokens, JSON.stringify(condition));
      }
      const { tokens: held, value } = await dex.portfolios.get({ wallet: 'W' });
      // 100 X at 2 USD that cost 100; 100 Y at 1.2 USD.
      assert.equal(held.find(({ token }) => token === 'X')!.value, 200);
      assert.equal(held.find(({ token }) => token === 'X')!.unrealized_pnl, 100);
      assert.equal(value, 320);
      const [x, y] = await Promise.all(['X', 'Y'].map((token) => dex.positions.get({ wallet: 'W', token })));
      assert.equal(x!.holding!.unrealized_pnl, 100);
      assert.equal(x!.holding!.unrealized_roi, 100);
      // It still pays 1 SOL. Y cost 120 USD of 1.2 SOL, and is worth 120 USD, which are 0.6 SOL now.
      assert.equal(x!.holding!.unrealized_pnl_native, 0);
      assert.equal(y!.holding!.unrealized_pnl_native, -0.6);
      const positions = await dex.positions.search({
        filter: { wallet_address: 'W' },
        sort: { field: 'holding.unrealized_pnl', direction: 'desc' },
      });
      assert.deepEqual(
        positions.data.map(({ token_address, holding }) => [token_address, holding!.unrealized_pnl]),
        [
          ['X', 100],
          ['Y', 0],
        ],
      );
      const [latest] = await dex.prices.latest({ tokens: ['X'] });
      assert.deepEqual([latest!.usd_price, latest!.clean_usd_price], [1, 2]);
      const [stats] = await dex.prices.stats({ tokens: ['X'] });
      assert.deepEqual([stats!.usd_price, stats!.clean_usd_price], [1, 2]);
      const { points } = await dex.wallets.history({
        ...{ wallet: 'W', from: iso(T + MINUTE + 30), to: iso(T + 2 * MINUTE + 30), interval: MINUTE },
        metrics: ['unrealized_pnl', 'equity'],
      });
      assert.deepEqual(
        points.map(({ unrealized_pnl, equity }) => [unrealized_pnl, equity]),
        [[0, 0]],
        'the newest swap ends the history',
      );
      await dex.refresh();
      const { different, compared_profiles } = await dex.verify();
      assert.deepEqual([different, compared_profiles], [0, true]);
      await dex.close();
    }));

  test(`${name}: histories count each instant at the native price of that instant`, () =>
    withFolder(async (folder) => {
      const dex = await opened(open(folder), [
        ...bought,
        ...solAt(T + 2 * MINUTE, 200),
        ...solAt(T + 3 * MINUTE, 150),
        swapped(T + 3 * MINUTE + 1, [1, 'USDC'], [1, 'Z'], { wallet: 'V' }),
      ]);
      const range = { from: iso(T + MINUTE + 1), to: iso(T + 3 * MINUTE + 1), interval: MINUTE };
      const wallet = await dex.wallets.history({ wallet: 'W', ...range, metrics: ['unrealized_pnl', 'equity'] });
      // 100 X: 100, 200, 150 USD that cost 100; Y stands still.
      assert.deepEqual(
        wallet.points.map(({ unrealized_pnl, equity }) => [unrealized_pnl, equity]),
        [
          [0, 0],
          [100, 100],
          [50, 50],
        ],
      );
      const token = await dex.tokens.history({ token: 'X', ...range, metrics: ['price'] });
      assert.deepEqual(
        token.points.map(({ price }) => price),
        [1, 2, 1.5],
      );
      const printed = await dex.prices.history({ tokens: ['X'], ...range });
      assert.deepEqual(
        printed[0]!.prices.map(({ usd_price }) => usd_price),
        [1, 1, 1],
        'prints stay',
      );
      await dex.close();
    }));

  test(`${name}: a mark that a reference price of SOL valued moves with it, and stays where that is too old`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: { ...worthConfig, reference_max_age: 90 } });
      await dex.prices.upsert([price('SOL', T, 100), price('SOL', T + MINUTE, 200)]);
      await dex.ingest([
        swapped(T + 1, [1, 'SOL'], [100, 'X']),
        swapped(T + MINUTE + 1, [120, 'USDC'], [100, 'Y']),
        swapped(T + 10 * MINUTE, [120, 'USDC'], [100, 'Y']),
      ]);
      assert.equal((await dex.swaps.list({ token: 'X' })).data[0]!.valued_by, 'reference');
      await dex.refresh();
      const at = async (asOf?: number) =>
        (await dex.portfolios.get({ wallet: 'W' }, asOf === undefined ? {} : { asOf: iso(asOf) })).tokens.find(
          ({ token }) => token === 'X',
        )!.price;
      assert.deepEqual([await at(T + 1), await at(T + MINUTE), await at()], [1, 2, 1]);
      assert.equal((await marketOf(dex, 'X'))[0], 1);
      await dex.close();
    }));
}

test('labels of tokens by what moves follow the native price at the next refresh of what was traded', async () => {
  const config = {
    ...worthConfig,
    labels: { tokens: [{ label: 'large', rule: 'cap', filter: { 'market.market_cap': { $gte: 1500 } } }] },
  };
  const dex = await opened(engines.memory!(''), bought, config as ConfigInput);
  const labelsOf = async () => (await dex.tokens.get({ token: 'X' })).labels;
  assert.deepEqual(await labelsOf(), []);
  await dex.ingest(solAt(T + 2 * MINUTE, 200));
  await dex.refresh({ scope: 'traded' });
  assert.deepEqual(await labelsOf(), ['large']);
  assert.equal((await dex.verify()).different, 0);
  await dex.ingest(solAt(T + 3 * MINUTE, 100));
  await dex.refresh();
  assert.deepEqual(await labelsOf(), []);
  assert.equal((await dex.verify()).different, 0);
  await dex.close();
});

test('a search by what moves has each token once, in order, on every engine and page by page', async () => {
  // SOL at 3 x 7/9 USD: products of such numbers meet, so that ties and neighbours are there.
  const draw = drawer(7);
  const tokens = Array.from({ length: 60 }, (_, i) => `T${String(i).padStart(2, '0')}`);
  const swaps = tokens.flatMap((token, i): SwapInput[] => {
    const amount = 1 + Math.floor(draw() * 6);
    const isNative = draw() < 0.6;
    return [swapped(T + 100 + i, isNative ? [amount, 'SOL'] : [amount * 2, 'USDC'], [7, token], { wallet: 'V' })];
  });
  const known = tokens.filter((_, i) => i % 5 > 0).map((address) => ({ address, total_supply: 9 }));
  const field = ['market.price', 'market.market_cap', 'market.fdv'] as const;
  const answers: string[] = [];
  for (const open of Object.values(engines))
    await withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      await dex.tokens.upsert(known);
      await dex.ingest([[...solAt(T, 3), ...swaps]]);
      await dex.refresh();
      await dex.ingest(solAt(T + 1000, 2));
      await dex.refresh();
      const filter = { token_address: { $in: tokens } };
      const all = await dex.tokens.search({ filter, limit: 100 });
      const marketsOf = new Map(all.data.map(({ token_address, market }) => [token_address, market!]));
      const found: unknown[] = [];
      for (const [name, direction] of field.flatMap((name) => [[name, 'asc'] as const, [name, 'desc'] as const])) {
        const of = (token: string) => marketsOf.get(token)![name.slice(7) as 'price'];
        for (const sort of [
          [{ field: name, direction }],
          [
            { field: 'market.total_supply' as const, direction: 'asc' as const },
            { field: name, direction },
          ],
        ]) {
          const pages: string[] = [];
          for (let cursor: string | undefined; ; ) {
            const page = await dex.tokens.search({
              filter,
              sort,
              limit: 7,
              ...(cursor === undefined ? {} : { cursor }),
            });
            assert.equal(page.count, 60);
            pages.push(...page.data.map(({ token_address }) => token_address));
            cursor = page.cursor;
            if (cursor === undefined) break;
          }
          assert.deepEqual([...pages].sort(), tokens, 'each once');
          const listed = sort.length === 1 ? [pages] : [pages.filter((t) => marketsOf.get(t)!.total_supply !== null)];
          for (const list of listed)
            for (let i = 1; i < list.length; i++) {
              const [a, b] = [of(list[i - 1]!), of(list[i]!)];
              assert.ok(b === null || (a !== null && (direction === 'asc' ? a <= b : a >= b)), `${name} ${direction}`);
            }
          found.push(pages);
        }
        const bound = of('T07') ?? of('T08')!;
        for (const [operator, holds] of [
          ['$gt', (value: number) => value > bound],
          ['$gte', (value: number) => value >= bound],
          ['$lt', (value: number) => value < bound],
          ['$lte', (value: number) => value <= bound],
          ['$eq', (value: number) => value === bound],
        ] as const) {
          const { data } = await dex.tokens.search({
            filter: { ...filter, [name]: { [operator]: bound } },
            limit: 100,
          });
          const right = tokens.filter((token) => of(token) !== null && holds(of(token)!));
          assert.deepEqual(data.map(({ token_address }) => token_address).sort(), right, `${name} ${operator}`);
        }
      }
      answers.push(JSON.stringify([found, [...marketsOf]]));
      await dex.close();
    });
  assert.equal(new Set(answers).size, 1, 'the engines differ');
});

/** Numbers from 0 to 1, the same for a seed. */
function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

for (const [name, open] of Object.entries(engines)) {
  test(`${name}: without a dollar, nine votes say what a token is worth in SOL, and a swap of dust is one of them`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      const inNative = async (): Promise<number | null> => {
        await dex.refresh();
        return (await dex.positions.get({ wallet: 'W', token: 'X' })).holding!.unrealized_pnl_native;
      };
      // 100 X for 1 SOL: 0.01 each. Alone, its price counts.
      await dex.ingest([swapped(T, [1, 'SOL'], [100, 'X'])]);
      assert.equal(await inNative(), 0);
      // Of two, the lower median is the lower one: a stranger's billion times as much counts for nothing.
      await dex.ingest([swapped(T + 1, [1e-9, 'SOL'], [1e-16, 'X'], { wallet: 'V' })]);
      assert.equal(await inNative(), 0);
      // 0.01, and three of V at 1e7: the lower median of four is the second, V's. A second trader at 0.012 is enough against it.
      for (let i = 2; i < 9; i++) await dex.ingest([swapped(T + i, [1e-9, 'SOL'], [1e-16, 'X'], { wallet: 'V' })]);
      await dex.ingest([swapped(T + 9, [1.2, 'SOL'], [100, 'X'], { wallet: 'U' })]);
      await dex.ingest([swapped(T + 10, [1.2, 'SOL'], [100, 'X'], { wallet: 'U2' })]);
      for (let i = 11; i < 20; i++) await dex.ingest([swapped(T + i, [1e-9, 'SOL'], [1e-16, 'X'], { wallet: 'V' })]);
      // Newest first: 1e7 three times (V), 0.012, 0.012, 0.01; the third of six in order is 0.012. 100 x 0.012 - 1.
      assert.ok(Math.abs((await inNative())! - 0.2) < 1e-12);
      await dex.close();
    }));
}

for (const [name, open] of Object.entries(engines))
  test(`${name}: a mark behind the horizon moves, and votes there count`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      const day = (number: number) => Math.floor(T / DAY) * DAY + number * DAY;
      const ofX = async () => (await dex.positions.get({ wallet: 'W', token: 'X' })).holding!;
      // Without a dollar: 0.01 of W, 0.012 of U, and a billion times as much three times of V.
      await dex.ingest([
        swapped(day(0), [1, 'SOL'], [100, 'X']),
        swapped(day(0) + 1, [1.2, 'SOL'], [100, 'X'], { wallet: 'U' }),
        swapped(day(0) + 2, [1.2, 'SOL'], [100, 'X'], { wallet: 'U2' }),
        ...[3, 4, 5, 6].map((i) => swapped(day(0) + i, [1e-9, 'SOL'], [1e-16, 'X'], { wallet: 'V' })),
        swapped(day(45), [1, 'ABC'], [1, 'DEF'], { wallet: 'O' }),
      ]);
      await dex.refresh();
      const before = await ofX();
      assert.ok(Math.abs(before.unrealized_pnl_native! - 0.2) < 1e-12);
      await dex.prune({ before: iso(day(5)) });
      await dex.refresh();
      assert.deepEqual(await ofX(), before);
      await dex.close();
    }));

for (const [name, open] of Object.entries(engines))
  test(`${name}: what is forgotten of a mark that SOL valued is not how it moves`, () =>
    withFolder(async (folder) => {
      const dex = await Swapfold.open({ storage: open(folder), config: worthConfig });
      const day = (number: number) => Math.floor(T / DAY) * DAY + number * DAY;
      await dex.tokens.upsert(supplies);
      await dex.ingest([...solAt(day(0), 100), swapped(day(0) + 1, [1, 'SOL'], [100, 'X']), ...solAt(day(45), 200)]);
      for (const keep of [5, 8]) {
        await dex.prune({ before: iso(day(keep)) });
        await dex.refresh();
        assert.deepEqual(await marketOf(dex, 'X'), [2, 2000, 2000]);
        assert.deepEqual((await dex.portfolios.get({ wallet: 'W' })).value, 200);
        assert.deepEqual((await dex.verify()).differences, []);
      }
      await dex.ingest(solAt(day(45) + 1, 300));
      assert.deepEqual((await dex.portfolios.get({ wallet: 'W' })).value, 300);
      await dex.close();
    }));

test('an explanation of an unrealised result says what its mark is in SOL', async () => {
  const dex = await opened(engines.memory!(''), [...bought, ...solAt(T + 2 * MINUTE, 200)]);
  const asked = { wallet: 'W', token: 'X', metric: 'holding.unrealized_pnl' } as const;
  const { mark, terms, value } = await dex.positions.explain(asked);
  assert.deepEqual([mark!.usd_price, mark!.native_price], [1, 0.01]);
  assert.deepEqual([terms[0]!.value, value], [2, 100]);
  await dex.close();
});
