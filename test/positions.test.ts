import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { memory, Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';
import { engines, withFolder } from './support/engines.ts';

const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const SOL = 'So11111111111111111111111111111111111111112';
const [token, other] = ['Tt'.repeat(20), 'Uu'.repeat(20)] as [string, string];
const [keeper, flipper, seller] = ['Kk', 'Ff', 'Ss'].map((name) => name.repeat(20)) as [string, string, string];
const DAY = 86_400;
const start = 1_704_067_200; // 2024-01-01T00:00:00Z

let number = 0;
function swap(wallet: string, of: string, block_time: number, [amount, usd]: [number, number]): SwapInput {
  const isBuy = amount > 0;
  const sides = { token_in: usdc, token_amount_in: usd, token_out: of, token_amount_out: amount };
  return {
    tx_hash: `tx-${number++}`,
    swap_index: 0,
    block_time,
    wallet,
    ...(isBuy ? sides : { token_in: of, token_amount_in: -amount, token_out: usdc, token_amount_out: usd }),
  };
}

/**
 * The keeper buys 100 for 200 USD, sells 40 for 100 after three days and holds 60 that cost 120. The flipper is in and out within five
 * minutes. The seller sells what it never bought. At the end a token is worth 0.3 USD.
 */
const swaps = [
  swap(keeper, token, start, [100, 200]),
  swap(keeper, token, start + 3 * DAY, [-40, 100]),
  swap(flipper, token, start + 4 * DAY, [10, 20]),
  swap(flipper, token, start + 4 * DAY + 300, [-10, 30]),
  swap(seller, token, start + 5 * DAY, [-10, 3]),
  swap(seller, other, start + 8 * DAY, [1, 1]),
];

let dex: Swapfold;
before(async () => {
  // A fall to a tenth would be suspect.
  dex = await Swapfold.open({ storage: memory(), config: { print_factor: 20 } });
  await dex.ingest(swaps);
  await dex.refresh();
});
after(() => dex.close());

test('a position tells what was paid, what came of it, and what is left at the latest price', async () => {
  const { holding, metadata, labels, metrics } = await dex.positions.get({ wallet: keeper, token });
  assert.deepEqual(holding, {
    balance: 60,
    cost_basis: 120,
    avg_entry_price: 2,
    realized_pnl: 20,
    realized_roi: 25,
    // No price of the native token is known.
    cost_basis_native: null,
    realized_pnl_native: 0,
    realized_roi_native: null,
    bought_usd: 200,
    sold_usd: 100,
    // All that was sold had been bought: 100 is a cost of 80 and a profit of 20.
    unmatched_proceeds: 0,
    buy_count: 1,
    sell_count: 1,
    arrived_amount: 0,
    away_amount: 0,
    away_cost: 0,
    spent_cost: 0,
    price: 0.3,
    value: 18,
    unrealized_pnl: -102,
    unrealized_pnl_native: null,
    unrealized_roi: -85,
    price_age: 3 * DAY,
  });
  assert.deepEqual(metadata, {
    symbol: null,
    first_trade_at: '2024-01-01T00:00:00Z',
    last_trade_at: '2024-01-04T00:00:00Z',
    opened_at: '2024-01-01T00:00:00Z',
    closed_at: null,
    held: null,
    state: 'open',
  });
  // Eight days old, and worth less than a fifth.
  assert.deepEqual(labels, ['bagholder', 'diamond']);
  assert.deepEqual(Object.keys(metrics!['7d']!).sort(), ['pnl', 'roi', 'trade_count', 'volume', 'winrate']);
});

test('windows that a request names have all 63 metrics, also of a position that was traded before them', async () => {
  const options = { include_metrics: ['30d', '7d', '3d'] };
  const { metrics } = await dex.positions.get({ wallet: keeper, token, options });
  assert.deepEqual(Object.keys(metrics!), ['30d', '7d', '3d']);
  assert.equal(Object.keys(metrics!['30d']!).length, 63);
  const { buy_volume, win_pnl, avg_holding_duration, turnover } = metrics!['30d']!;
  // The cost sold, 80, over the open cost on the mean of 30 days: 200 for three days, 120 for five.
  assert.deepEqual([buy_volume, win_pnl, avg_holding_duration, turnover], [200, 20, 3 * DAY, 80 / ((600 + 600) / 30)]);
  // The week begins with what was bought before it: 200 for two days, 120 for five.
  assert.equal(metrics!['7d']!.turnover, 80 / ((400 + 600) / 7));
  const week = await dex.positions.get({ wallet: keeper, token, options: { include_metrics: ['7d'] } });
  assert.deepEqual(week.metrics!['7d'], metrics!['7d']);
  assert.deepEqual([metrics!['3d']!.buy_volume, metrics!['3d']!.turnover], [0, 0]);
  // That of results, not that of prices.
  assert.equal(metrics!['30d']!.max_drawdown, 0);
});

test('as of an earlier instant a position is what it was then, at the price of then', async () => {
  const then = dex.at(new Date((start + 4 * DAY) * 1000));
  const { holding, labels } = await then.positions.get({ wallet: keeper, token });
  assert.deepEqual([holding?.price, holding?.value, holding?.price_age, labels], [2, 120, 0, []]);
  await assert.rejects(then.positions.get({ wallet: seller, token }), { code: 'not-found' });
});

test('a wallet that sold what it never bought has a position of unknown state and cost', async () => {
  const { metadata, holding } = await dex.positions.get({ wallet: seller, token });
  assert.deepEqual([metadata?.state, metadata?.opened_at, holding?.cost_basis], ['unknown', null, null]);
  assert.deepEqual([holding?.unrealized_pnl, holding?.unrealized_roi, holding?.realized_roi], [null, null, null]);
  assert.deepEqual([holding?.sold_usd, holding?.unmatched_proceeds, holding?.realized_pnl], [3, 3, 0]);
});

for (const [name, open] of Object.entries(engines))
  test(`${name}: what was bought, sold, sold without a known cost and realised add up, and the middle one is searched`, () =>
    withFolder(async (folder) => {
      const store = await Swapfold.open({ storage: open(folder) });
      await store.ingest([
        // 10 that cost 100, and 4 more that came from nowhere: all 14 are sold for 280, so 80 of that has no known cost.
        swap(keeper, token, start, [10, 100]),
        swap(keeper, token, start + 60, [-14, 280]),
        // 3 that cost 10 are sold one by one for 3.7: in binary the sums are not 11.1, 1.1 and 10.
        swap(flipper, token, start + 120, [3, 10]),
        ...[180, 240, 300].map((after) => swap(flipper, token, start + after, [-1, 3.7])),
      ]);
      await store.refresh();
      const { holding } = await store.positions.get({ wallet: keeper, token });
      const { bought_usd: bought, sold_usd: sold, unmatched_proceeds: unmatched, realized_pnl: pnl } = holding!;
      assert.deepEqual([bought, sold, unmatched, pnl], [100, 280, 80, 100]);
      const rounded = await store.positions.get({ wallet: flipper, token });
      assert.notEqual(rounded.holding!.sold_usd! - rounded.holding!.realized_pnl! - 10, 0);
      assert.equal(rounded.holding!.unmatched_proceeds, 0);
      const { data } = await store.positions.search({
        filter: { token_address: token, 'holding.unmatched_proceeds': { $gt: 0 } },
      });
      assert.deepEqual(
        data.map(({ wallet_address: wallet }) => wallet),
        [keeper],
      );
      await store.close();
    }));

test('positions come by the results of a week, ties by wallet, then token', async () => {
  const { count, data } = await dex.positions.search();
  // The flipper won 10 within the week; the keeper 20, also within it; the seller nothing, twice.
  assert.equal(count, 4);
  assert.deepEqual(
    data.map((one) => [one.wallet_address, one.token_address, one.metrics?.['7d']?.pnl]),
    [
      [keeper, token, 20],
      [flipper, token, 10],
      [seller, token, 0],
      [seller, other, 0],
    ],
  );
});

test('labels whose rules read stored fields alone are searched among all positions', async () => {
  const flips = await dex.positions.search({ filter: { labels: 'flip' } });
  assert.deepEqual(
    flips.data.map((one) => [one.wallet_address, one.labels, one.matched_labels]),
    [[flipper, ['flip'], { flip: ['closed-in-five-minutes'] }]],
  );
  const others = await dex.positions.search({ filter: { labels: { $nin: ['flip', 'diamond'] } } });
  assert.equal(others.count, 2);
});

/** Seconds that a position was held, its age, and its price at the end where it was bought at 10. */
const labelled: readonly (readonly [
  held: number | undefined,
  age: number,
  price: number,
  labels: readonly string[],
])[] = [
  [300, 3 * DAY, 10, ['flip']],
  [301, 3 * DAY, 10, []],
  [undefined, 7 * DAY, 10, ['diamond']],
  [undefined, 7 * DAY - 1, 10, []],
  [undefined, 3 * DAY, 2, ['bagholder']],
  [undefined, 3 * DAY, 2.001, []],
  // Neither is said of a position that is closed.
  [6 * DAY, 7 * DAY, 2, []],
];
for (const [held, age, price, labels] of labelled)
  test(`a position of ${age} s${held === undefined ? '' : ` that was held for ${held} s`}, at ${price} of 10, is ${labels.join() || 'nothing'}`, async () => {
    const end = start + 10 * DAY;
    const store = await Swapfold.open({ storage: memory() });
    await store.ingest([
      swap(keeper, token, end - age, [10, 100]),
      ...(held === undefined ? [] : [swap(keeper, token, end - age + held, [-10, 100])]),
      swap(seller, token, end, [-1, price]),
    ]);
    await store.refresh();
    assert.deepEqual((await store.positions.get({ wallet: keeper, token })).labels, labels);
    await store.close();
  });

const both = [keeper, flipper];
const answered: readonly (readonly [because: string, request: object, wallets: readonly string[]])[] = [
  ['a token', { filter: { token_address: token, 'holding.value': { $gt: 1 } } }, [keeper]],
  [
    'wallets',
    { filter: { wallet_address: { $in: [keeper, flipper] }, 'holding.value': { $gte: 0 } } },
    [keeper, flipper],
  ],
  ['a wallet inside $and', { filter: { $and: [{ wallet_address: keeper }, { labels: 'bagholder' }] } }, [keeper]],
  [
    'a sort',
    {
      filter: { token_address: token, 'metadata.state': { $ne: 'unknown' } },
      sort: { field: 'metrics.30d.avg_pnl', direction: 'asc' },
    },
    [flipper, keeper],
  ],
  ['an address that no swap has', { filter: { token_address: 'Xx'.repeat(20), 'holding.value': { $gt: 1 } } }, []],
  ['a part of a text', { filter: { token_address: token, wallet_address: { $startsWith: 'KK' } } }, [keeper]],
];
for (const [because, request, wallets] of answered) {
  test(`what is computed is searched among the positions of ${because}`, async () => {
    const { count, data } = await dex.positions.search(request);
    assert.equal(count, wallets.length);
    assert.deepEqual(
      data.map((one) => one.wallet_address),
      wallets,
    );
  });
}

/**
 * What all four positions are worth at the last prices, 0.3 of the token and 1 of the other: keeper has 60 tokens, 18 USD for a cost of 120; the
 * seller has one of the other, 1 USD for a cost of 1; flipper and seller have sold all their tokens.
 */
const unnamed: readonly (readonly [because: string, request: object, wallets: readonly string[]])[] = [
  ['a price', { filter: { 'holding.price': { $gte: 1 } } }, [seller]],
  ['a value', { filter: { 'holding.value': { $gt: 0 } } }, [keeper, seller]],
  ['a metric that is not stored', { filter: { 'metrics.7d.win_pnl': { $gt: 9 } } }, both],
  ['a label of a rule that reads a price', { filter: { labels: 'bagholder' } }, [keeper]],
  [
    'a wallet named in one of several alternatives',
    { filter: { $or: [{ wallet_address: flipper }, { 'holding.value': 1 }] } },
    [flipper, seller],
  ],
  [
    'a wallet that is not meant',
    { filter: { wallet_address: { $ne: keeper }, 'holding.value': { $gt: 0 } } },
    [seller],
  ],
];
for (const [because, request, wallets] of unnamed)
  test(`what is computed is searched among all positions: ${because}`, async () => {
    const { count, data } = await dex.positions.search(request);
    assert.equal(count, wallets.length);
    assert.deepEqual(data.map((one) => one.wallet_address).sort(), [...wallets].sort());
  });

/** Positions in an order, each as its wallet and the value that it is sorted by. */
async function sortedBy(store: Swapfold, field: string, direction: 'asc' | 'desc', filter: object = {}) {
  const sort = [
    { field, direction },
    { field: 'holding.bought_usd', direction: 'desc' },
  ];
  const options = { include_holding: true, include_metrics: ['7d'] };
  const { data } = await store.positions.search({ filter, sort, options } as object);
  return data.map((one) => {
    const value = field.split('.').reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], one);
    return [one.wallet_address, value];
  });
}

for (const [engine, openEngine] of Object.entries(engines)) {
  test(`${engine}: all positions are sorted by what they are worth and by their unrealised profit, unknown ones last`, () =>
    withFolder(async (folder) => {
      const store = await Swapfold.open({ storage: openEngine(folder), config: { print_factor: 20 } });
      await store.ingest(swaps);
      await store.refresh();
      assert.deepEqual(await sortedBy(store, 'holding.value', 'desc'), [
        [keeper, 18],
        [seller, 1],
        [flipper, 0],
        [seller, 0],
      ]);
      const unknown = [
        [flipper, null],
        [seller, null],
      ];
      const known = [
        [seller, 0],
        [keeper, -102],
      ];
      assert.deepEqual(await sortedBy(store, 'holding.unrealized_pnl', 'desc'), [...known, ...unknown]);
      assert.deepEqual(await sortedBy(store, 'holding.unrealized_pnl', 'asc'), [...known.reverse(), ...unknown]);
      await store.close();
    }));

  test(`${engine}: all positions are sorted by their profit in the native token`, () =>
    withFolder(async (folder) => {
      const store = await Swapfold.open({
        storage: openEngine(folder),
        config: { preset: 'solana', address_format: 'any' },
      });
      const inSol = (wallet: string, time: number, amounts: [number, number]): SwapInput => {
        const one = swap(wallet, token, start + time, amounts);
        const named = (side: string | undefined) => (side === usdc ? SOL : side);
        return { ...one, token_in: named(one.token_in)!, token_out: named(one.token_out)! };
      };
      await store.ingest([
        // 3 - 1 for the keeper; for the flipper 1 - 3 / 2; the seller has sold nothing.
        inSol(keeper, 0, [10, 1]),
        inSol(keeper, 60, [-10, 3]),
        inSol(flipper, 120, [10, 3]),
        inSol(flipper, 180, [-5, 1]),
        inSol(seller, 240, [10, 1]),
      ]);
      await store.refresh();
      const ofToken = { token_address: { $ne: SOL } };
      assert.deepEqual(await sortedBy(store, 'metrics.7d.pnl_native', 'desc', ofToken), [
        [keeper, 2],
        [seller, 0],
        [flipper, -0.5],
      ]);
      await store.close();
    }));
}

test('what is computed of trades is searched among 20,000 positions at most, and what follows from a price among ten times as many', async () => {
  const wallets = Array.from({ length: 20_001 }, (_, i) => `wallet-${i}`);
  const crowd = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
  await crowd.ingest(wallets.map((wallet, i) => swap(wallet, token, start + i, [1, i === 7 ? 2 : 1])));
  await crowd.refresh();
  const message =
    '"metrics.7d.win_pnl" is computed when it is asked for, and the conditions on stored fields leave 20001 positions; at most 20000 may be left. Name wallets or tokens, or add conditions on stored fields, such as "metadata.state": "open".';
  const refusal = { code: 'invalid-filter', message, details: [{ path: 'filter', message }] };
  const all = { 'metrics.7d.win_pnl': { $gte: 0 } };
  await assert.rejects(crowd.positions.search({ filter: all }), refusal);
  await assert.rejects(crowd.positions.search({ sort: { field: 'metrics.7d.win_pnl' } }), refusal);
  const most = await crowd.positions.search({ filter: { ...all, 'holding.cost_basis': 1 }, limit: 1 });
  assert.equal(most.count, 20_000);
  const [first] = (await crowd.positions.search({ sort: { field: 'holding.unrealized_pnl', direction: 'asc' } })).data;
  // It paid 2 for what costs 1 since.
  assert.equal(first!.wallet_address, 'wallet-7');
  await crowd.close();
});

test('dynamic labels and explanations read what is computed, of the page alone', async () => {
  const { data, plan } = await dex.positions.search({
    filter: { labels: 'diamond' },
    dynamic_labels: { lost: { 'holding.unrealized_pnl': { $lt: -100 } }, gained: { 'holding.value': { $gt: 18 } } },
    explain: true,
    options: {},
  });
  assert.deepEqual(
    data.map((one) => [one.wallet_address, one.dynamic_labels]),
    [[keeper, ['lost']]],
  );
  assert.deepEqual(data[0]?.explain?.dynamic_labels.gained, {
    path: 'holding.value',
    operator: '$gt',
    operand: 18,
    actual: 18,
    held: false,
  });
  // The rule of the label, as of the newest swap.
  assert.deepEqual(plan?.where, {
    kind: 'and',
    of: [
      { kind: 'compare', column: 'metadata.state', op: 'eq', value: 'open' },
      { kind: 'compare', column: 'metadata.opened_at', op: 'lte', value: start + DAY },
    ],
  });
});

test('an unknown pair is not found, and the message says which', async () => {
  const error = await dex.positions.get({ wallet: keeper, token: other }).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof SwapfoldError && error.code === 'not-found');
  assert.equal(
    error.message,
    `There is no position of wallet "${keeper}" in token "${other}": the wallet has not traded it, or no refresh has run since it did.`,
  );
});

test('positions have no text query, and labels that no rule gives are refused', async () => {
  const queried = dex.positions.search({ query: { text: 'k' } } as object);
  await assert.rejects(queried, { code: 'unknown-field' });
  await assert.rejects(dex.positions.search({ filter: { labels: 'whale' } }), {
    code: 'unknown-field',
    message: 'Unknown label "whale" in filter. Known: flip, diamond, bagholder.',
  });
});
