import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { memory, type Simulation, Swapfold, SwapfoldError, type SwapInput } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { createRandom, pick } from '../packages/testing/src/conformance/random.ts';
import { engines, withFolder } from './support/engines.ts';
import { hasPython } from './support/oracle.ts';
import { Ledger, Pool, type PoolOfToken, USDC } from './support/pools.ts';

const T = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const U = 'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263';
const POOL = 'Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE';
const OTHER_POOL = '7qbRF6YsyGuLUVs6Y1q64bdVrfe4ZcUUz1JRdoVNUJnm';
const LEADER = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const OTHER = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM';
const START = 1_735_689_600;
const at = (offset: number): string => formatTime(START + offset);

const poolOf = (token = T, pool = POOL): PoolOfToken => ({ token, pool, of: new Pool(10_000, 10_000) });

/** Nothing but the rule itself, on buys of 100 USD. */
const bare = { wallet: LEADER, slippage: 0, size: 100, delays: [] };

async function storeOf(swaps: readonly SwapInput[]): Promise<Swapfold> {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'solana' } });
  await dex.ingest(swaps);
  return dex;
}

async function simulated(swaps: readonly SwapInput[], request: object): Promise<Simulation> {
  await using dex = await storeOf(swaps);
  return await dex.wallets.simulate({ ...bare, ...request });
}

/** Case C: three buys of 100, then the leader's of 1,000 at 1.1639. */
function caseC() {
  const pool = poolOf();
  const ledger = new Ledger(START);
  for (const second of [0, 10, 20]) ledger.buy(second, OTHER, 100, pool);
  const bought = ledger.buy(30, LEADER, 1000, pool);
  return { pool, ledger, bought };
}

const near = (actual: number | null | undefined, expected: number, tolerance = 1e-9): void =>
  assert.ok(Math.abs(actual! - expected) <= tolerance, `${actual} is not ${expected}`);

test('100 USD after a leader who bought for 1,000 out of 10,000 by 10,000 buy 77.6277 tokens at 1.2882', async () => {
  const { pairs, follower, leader } = await simulated(caseC().ledger.swaps, { delay: 0 });
  const [pair] = pairs;
  near(pair!.k, 1e8, 1e-4);
  near(pair!.leader_price, 1.1639);
  near(pair!.price, 1.2882);
  near(pair!.token_amount, 77.6277, 5e-5);
  assert.equal(pair!.decided_by, 'depth');
  assert.equal(pair!.print?.tx_hash, 'tx3');
  assert.deepEqual([follower.cost, follower.trade_count, leader.cost, leader.roi], [100, 1, 100, 0]);
  // Sells say nothing: 1e8 * 0.99^2 of depth, 11,300 * 0.99^2 = 11,075.13 in the pool, and 77.6277 sold bring
  // 11,075.13 / (98,010,000 / 11,075.13 + 77.6277) = 1.240607 a token.
  near(follower.unrealized_pnl, 77.62769756 * 1.240607171 - 100, 1e-6);
});

test('prints count up to the end of the second of the delay, and the next one of somebody else if it is worse', async () => {
  const { pool, ledger } = caseC();
  ledger.buy(35, OTHER, 100, pool);
  ledger.buy(36, OTHER, 500, pool);
  const pairAt = async (request: object) => (await simulated(ledger.swaps, request)).pairs[0]!;
  // At second 34 the leader's print is the newest; the next one costs 1.2882 on average, which is what the depth says.
  near((await pairAt({ delay: 4 })).price, 1.2882);
  // At second 35 the other's print is: 11,400 USD in the pool, 11,400 * 11,500 / 1e8 = 1.311. The next one paid 11,400 * 11,900 / 1e8.
  const after = await pairAt({ delay: 5 });
  near(after.price, 1.3566);
  assert.deepEqual([after.decided_by, after.print?.tx_hash], ['next', 'tx5']);
  near((await pairAt({ delay: 5, max_wait: 0 })).price, 1.311);
});

test('another buy of the leader is no print of somebody else', async () => {
  const { pool, ledger } = caseC();
  // At 11,300 * 13,300 / 1e8 = 1.5029.
  ledger.buy(32, LEADER, 2000, pool);
  const { pairs } = await simulated(ledger.swaps, { delay: 0 });
  near(pairs[1]!.price, 1.2882);
});

test('slots are counted instead of seconds', async () => {
  const { pool, ledger } = caseC();
  // The leader traded in slot 1003, the others in the same second in 1004 and 1005.
  ledger.buy(30, OTHER, 100, pool);
  ledger.buy(30, OTHER, 100, pool);
  const pairAt = async (slots: number) => (await simulated(ledger.swaps, { slots, max_wait: 0 })).pairs[0]!;
  near((await pairAt(1)).price, 1.311);
  near((await pairAt(2)).price, 1.334);
  near((await pairAt(0)).price, 1.2882);
});

/** Case C, and then the leader sells a quarter and later the rest. */
function roundTrip() {
  const { pool, ledger, bought } = caseC();
  ledger.sell(40, LEADER, bought / 4, pool);
  ledger.sell(50, LEADER, (bought * 3) / 4, pool);
  return { ledger, bought };
}

/** Without a depth, a wait and what makes prints worse, a follower trades at the leader's own prints. */
const atPrints = { delay: 0, max_wait: 0, unknown: 0 };

test('a sell sells the part that the leader sold, of the oldest lots, after the fee', async () => {
  const { ledger } = roundTrip();
  const { follower, pairs } = await simulated(ledger.swaps, {
    delay: 0,
    max_wait: 0,
    fee: { usd: 1, percent: 2 },
  });
  const [last, first, buy] = pairs;
  // 1 + 2 % of 100 is a fee of 3; 97 buy 97 / (11,300 * 11,397 / 1e8) tokens.
  near(buy!.token_amount, 97 / 1.287861, 1e-6);
  assert.deepEqual([buy!.usd_amount, buy!.fee, buy!.realized_pnl], [100, 3, null]);
  near(first!.token_amount, buy!.token_amount / 4);
  near(last!.token_amount, (buy!.token_amount * 3) / 4);
  // A quarter of the 100.
  near(first!.realized_pnl, first!.usd_amount - 25);
  near(first!.fee, 1 + 0.02 * first!.token_amount * first!.price!);
  near(first!.usd_amount, first!.token_amount * first!.price! - first!.fee);
  near(follower.realized_pnl, first!.usd_amount + last!.usd_amount - 100);
  near(follower.fees, 3 + first!.fee + last!.fee);
  assert.deepEqual([follower.unrealized_pnl, follower.cost, follower.trade_count], [0, 100, 3]);
  near(follower.roi, follower.realized_pnl);
});

test("at the leader's own prints and without fees a follower has the result of the leader in its sizes", async () => {
  // A pool of which fewer than three pairs speak: its depth is not known.
  const pool = poolOf();
  const ledger = new Ledger(START);
  const bought = ledger.buy(0, LEADER, 1000, pool);
  ledger.buy(10, OTHER, 3000, pool);
  ledger.sell(20, LEADER, bought / 2, pool);
  const { follower, leader, leader_actual } = await simulated(ledger.swaps, atPrints);
  assert.equal(follower.roi, leader.roi);
  assert.deepEqual([follower.realized_pnl, follower.unrealized_pnl], [leader.realized_pnl, leader.unrealized_pnl]);
  // 1,000 USD bought 909.0909 at 1.1; half of them brought 14,000 - 1e8 / (1e8 / 14,000 + 454.5454).
  near(leader_actual.realized_pnl, 14_000 - 1e8 / (1e8 / 14_000 + 500 / 1.1) - 500, 1e-8);
  near(leader_actual.cost, 1000);
  // A tenth of its size, at the same prices.
  near(leader.realized_pnl, leader_actual.realized_pnl / 10, 1e-9);
  near(leader.unrealized_pnl, leader_actual.unrealized_pnl / 10, 1e-9);
  assert.equal(follower.unknown_count, 2);
});

test('a buy above the limit is missed with what the leader made of it, and a sell is never missed', async () => {
  const { ledger } = roundTrip();
  const { follower, leader, pairs } = await simulated(ledger.swaps, { delay: 0, max_wait: 0, limit: 5 });
  // 1.2882 is 10.7 % over 1.1639.
  assert.deepEqual([follower.missed_count, follower.trade_count, follower.cost, follower.roi], [1, 0, 0, null]);
  near(follower.missed_leader_pnl, leader.realized_pnl);
  assert.deepEqual(
    pairs.map(({ direction, missed, token_amount }) => [direction, missed, token_amount]),
    [
      ['sell', false, 0],
      ['sell', false, 0],
      ['buy', true, 0],
    ],
  );
  const above = await simulated(ledger.swaps, { delay: 0, max_wait: 0, limit: 11 });
  assert.equal(above.follower.missed_count, 0);
});

test('what the leader sends away the follower keeps, and it is counted', async () => {
  const { ledger, bought } = caseC();
  await using dex = await storeOf(ledger.swaps);
  await dex.transfers.ingest([
    {
      tx_hash: 'away',
      transfer_index: 0,
      block_time: START + 40,
      token: T,
      from: LEADER,
      to: OTHER,
      token_amount: bought,
    },
    { tx_hash: 'other', transfer_index: 0, block_time: START + 40, token: U, from: LEADER, to: OTHER, token_amount: 1 },
  ]);
  // The clock of a store is that of its newest swap.
  ledger.buy(50, OTHER, 1, poolOf());
  await dex.ingest(ledger.swaps);
  const { follower } = await dex.wallets.simulate({ ...bare, to: at(50) });
  assert.deepEqual([follower.kept_count, follower.trade_count], [1, 1]);
  assert.ok(follower.unrealized_pnl < 0);
});

test('of a token with a tax less arrives at the follower, too', async () => {
  const { ledger } = caseC();
  const last = ledger.swaps.at(-1)!;
  const taxed = {
    ...last,
    token_amount_out: last.token_amount_out * 0.9,
    pool_amount_in: last.token_amount_in,
    pool_amount_out: last.token_amount_out,
  };
  const { pairs } = await simulated([...ledger.swaps.slice(0, -1), taxed], { delay: 0 });
  near(pairs[0]!.price, 1.2882 / 0.9);
  near(pairs[0]!.leader_price, 1.1639 / 0.9);
});

test("prints of another pool than the leader's do not count", async () => {
  const { ledger } = caseC();
  ledger.buy(31, OTHER, 5000, poolOf(T, OTHER_POOL));
  const { pairs } = await simulated(ledger.swaps, { delay: 5 });
  near(pairs[0]!.price, 1.2882);
});

test('what is in no range or nobody knows is followed with nothing', async () => {
  const { ledger } = roundTrip();
  const late = await simulated(ledger.swaps, { from: at(31) });
  // What was bought before is not the follower's to sell.
  assert.deepEqual([late.count, late.follower.trade_count, late.from], [0, 0, at(31)]);
  const unknown = await simulated(ledger.swaps, { wallet: OTHER_POOL, delays: [0, 1] });
  assert.deepEqual([unknown.from, unknown.count, unknown.follower.roi, unknown.decay.length], [null, 0, null, 2]);
});

test('what came later changes nothing that ended', async () => {
  const { ledger } = roundTrip();
  await using dex = await storeOf(ledger.swaps);
  const request = { ...bare, to: at(50), delay: 5, max_wait: 10, explain: true };
  ledger.buy(66, OTHER, 5000, poolOf());
  await dex.ingest(ledger.swaps);
  const answer = await dex.wallets.simulate(request);
  ledger.buy(67, OTHER, 9000, poolOf());
  await dex.ingest(ledger.swaps);
  assert.deepEqual(await dex.wallets.simulate(request), answer);
});

/** Pools in which wallets trade for some minutes, some of them often enough to be deep; the leader is one of them. */
function busyMarket(seed: number) {
  const random = createRandom(seed);
  const ledger = new Ledger(START);
  const tokens = [T, U, OTHER];
  const pools = tokens.map((token, i) => ({
    token,
    pool: [POOL, OTHER_POOL, LEADER][i]!,
    of: new Pool(10 ** (4 + random() * 2), 10 ** (4 + random() * 3), random() < 0.5 ? 0 : 0.003),
  }));
  const wallets = [LEADER, OTHER, POOL, OTHER_POOL];
  const held = new Map<string, number>();
  let second = 0;
  for (let i = 0; i < 600; i++) {
    second += Math.floor(random() * 4);
    const [wallet, pool] = [pick(random, random() < 0.2 ? [LEADER] : wallets), pick(random, pools)];
    const key = `${wallet} ${pool.token}`;
    const has = held.get(key) ?? 0;
    if (has > 0 && random() < 0.5) {
      const sold = random() < 0.4 ? has : has * random();
      ledger.sell(second, wallet, sold, pool);
      held.set(key, sold === has ? 0 : has - sold);
    } else held.set(key, has + ledger.buy(second, wallet, pool.of.usd * 10 ** (-1.5 - random() * 2), pool));
  }
  return { ledger, last: second };
}

const requestsOf = (seed: number, last: number) => {
  const random = createRandom(seed);
  return {
    from: at(Math.floor(last * 0.3 * random())),
    to: at(Math.floor(last * (0.6 + 0.5 * random()))),
    size: 10 ** (1 + random() * 2),
    delay: pick(random, [0, 1, 3, 10]),
    slippage: pick(random, [0, 1]),
    unknown: 10,
    max_wait: pick(random, [0, 10, 60]),
    fee: { usd: pick(random, [0, 0.5]), percent: pick(random, [0, 1]) },
    ...(random() < 0.5 ? {} : { limit: pick(random, [0, 2, 10]) }),
  };
};

const seconds = (text: string): number => Date.parse(text) / 1000;
const close = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= 1e-7 * Math.max(1, scale);

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];

test(`the independent script says the same of markets (seeds ${SEEDS})`, {
  skip: hasPython ? false : 'python3 is not installed',
}, async () => {
  const asked = [];
  const answers: Simulation[] = [];
  for (const seed of SEEDS) {
    const { ledger, last } = busyMarket(seed);
    const request = requestsOf(seed, last);
    await using dex = await storeOf(ledger.swaps);
    answers.push(await dex.wallets.simulate({ wallet: LEADER, ...request, delays: [] }));
    const { fee, limit = null, from, to, ...rest } = request;
    asked.push({
      ...{
        ...rest,
        usd: USDC,
        swaps: ledger.swaps,
        wallet: LEADER,
        limit,
        from: seconds(from),
        to: Math.min(seconds(to), START + last),
      },
      ...{ fee_usd: fee.usd, fee_percent: fee.percent },
    });
  }
  const script = new URL('./oracle/follower.py', import.meta.url).pathname;
  const run = spawnSync('python3', [script], { input: JSON.stringify(asked), encoding: 'utf8', maxBuffer: 2 ** 28 });
  assert.equal(run.status, 0, run.stderr);
  const expected = JSON.parse(run.stdout) as readonly {
    readonly follower: Record<string, number>;
    readonly leader: Record<string, number>;
    readonly pairs: readonly { tx: string; price: number; tokens: number; missed: boolean }[];
  }[];
  for (const [i, { follower, leader, pairs, count }] of answers.entries()) {
    const right = expected[i]!;
    const scale = follower.cost + leader.cost;
    for (const [name, value] of Object.entries(right.follower))
      assert.ok(close((follower as Record<string, number | null>)[name]!, value, scale), `seed ${SEEDS[i]} ${name}`);
    for (const [name, value] of Object.entries(right.leader))
      assert.ok(
        close((leader as Record<string, number | null>)[name]!, value, scale),
        `seed ${SEEDS[i]} leader ${name}`,
      );
    assert.equal(count, right.pairs.length);
    for (const [k, pair] of pairs.entries()) {
      const own = right.pairs.at(-1 - k)!;
      assert.deepEqual([pair.tx_hash, pair.missed], [own.tx, own.missed]);
      assert.ok(
        close(pair.price!, own.price, own.price) && close(pair.token_amount, own.tokens, own.tokens),
        pair.tx_hash,
      );
    }
  }
});

test(`more fee, slippage, unknown, and a larger size never make a better result without a limit (seeds ${SEEDS})`, async () => {
  for (const seed of SEEDS) {
    const { ledger, last } = busyMarket(seed);
    const { limit: _, ...request } = requestsOf(seed, last);
    await using dex = await storeOf(ledger.swaps);
    const roiOf = async (changed: object): Promise<number> =>
      (await dex.wallets.simulate({ wallet: LEADER, ...request, fee: {}, delays: [], ...changed })).follower.roi!;
    const roi = await roiOf({});
    const worse = [
      { fee: { percent: 0.5 } },
      { fee: { usd: 0.1 } },
      { slippage: request.slippage + 1 },
      { unknown: 20 },
      { size: request.size * 3 },
    ];
    for (const one of worse) assert.ok((await roiOf(one)) <= roi + 1e-9, `seed ${seed}: ${JSON.stringify(one)}`);
  }
});

test('an explanation says what the sums and prices are made of', async () => {
  const { ledger } = busyMarket(3);
  await using dex = await storeOf(ledger.swaps);
  const request = { ...bare, size: 50, slippage: 1, explain: true };
  const first = await dex.wallets.simulate(request);
  const pairs = [...first.pairs];
  for (let { cursor } = first; cursor !== undefined; ) {
    const page = await dex.wallets.simulate({ ...request, cursor });
    assert.deepEqual(page.follower, first.follower);
    pairs.push(...page.pairs);
    cursor = page.cursor;
  }
  assert.equal(first.pairs.length, 100);
  assert.equal(pairs.length, first.count);
  assert.equal(new Set(pairs.map(({ tx_hash }) => tx_hash)).size, first.count);
  const sum = (values: readonly (number | null)[]): number => values.reduce<number>((a, b) => a + (b ?? 0), 0);
  near(sum(pairs.map(({ realized_pnl }) => realized_pnl)), first.follower.realized_pnl, 1e-8);
  near(sum(first.rests!.map(({ unrealized_pnl }) => unrealized_pnl)), first.follower.unrealized_pnl, 1e-8);
  near(sum(pairs.map(({ fee }) => fee)), first.follower.fees, 1e-8);
  near(
    sum(pairs.map(({ direction, usd_amount }) => (direction === 'buy' ? usd_amount : 0))),
    first.follower.cost,
    1e-8,
  );
  const deciders = new Map<string, number>();
  for (const { decided_by, market, k, price, usd_amount, fee, token_amount, direction, print } of pairs) {
    deciders.set(decided_by!, (deciders.get(decided_by!) ?? 0) + 1);
    const isBuy = direction === 'buy';
    const slipped = price! / (isBuy ? 1.01 : 0.99);
    if (decided_by === 'next') near(slipped, market!.next[0]!.price, 1e-9 * slipped);
    if (decided_by === 'unknown') near(slipped, print!.price * (isBuy ? 1.1 : 0.9), 1e-9 * slipped);
    if (decided_by !== 'depth') continue;
    const { reserve } = market!;
    near(
      slipped,
      isBuy ? (reserve! * (reserve! + usd_amount - fee)) / k! : reserve! / (k! / reserve! + token_amount),
      1e-9 * slipped,
    );
  }
  assert.deepEqual([...deciders.keys()].sort(), ['depth', 'next', 'unknown']);
});

test('every engine answers the same to the bit, and a simulation writes nothing', () =>
  withFolder(async (folder) => {
    const { ledger, last } = busyMarket(5);
    const answers: string[] = [];
    for (const open of Object.values(engines)) {
      await using dex = await Swapfold.open({ storage: open(folder), config: { preset: 'solana' } });
      await dex.ingest(ledger.swaps);
      await dex.refresh();
      const before = JSON.stringify(await dex.status());
      const seconds = await dex.wallets.simulate({ wallet: LEADER, ...requestsOf(5, last), explain: true });
      const slots = await dex.wallets.simulate({ wallet: LEADER, slots: 2, explain: true });
      assert.equal(JSON.stringify(await dex.status()), before);
      answers.push(JSON.stringify([seconds, slots]));
    }
    assert.equal(new Set(answers).size, 1);
    assert.ok(answers[0]!.length > 10_000);
  }));

test('decay has each delay once, and that of the delay itself is the follower', async () => {
  const { ledger } = busyMarket(4);
  const { decay, follower } = await simulated(ledger.swaps, { delays: [0, 5, 30, 5], delay: 5 });
  assert.deepEqual(
    decay.map(({ delay }) => delay),
    [0, 5, 30],
  );
  const { delay: _, ...own } = decay[1]!;
  assert.deepEqual(own, follower);
});

test('a wallet with more than 5,000 trades is refused with the limit', async () => {
  const pool = poolOf();
  const ledger = new Ledger(START);
  for (let i = 0; i <= 5000; i++) ledger.buy(i, LEADER, 1, pool);
  await using dex = await storeOf(ledger.swaps);
  await assert.rejects(dex.wallets.simulate(bare), {
    code: 'too-many-points',
    message: `The wallet has 5001 trades from ${at(0)} to ${at(5000)}, over the limit of 5000; give a later "from", or an earlier "to".`,
  });
  assert.equal((await dex.wallets.simulate({ ...bare, from: at(1) })).count, 5000);
});

test('what reaches behind the horizon is refused', async () => {
  const DAY = 86_400;
  const ledger = new Ledger(START);
  const pool = poolOf();
  ledger.buy(0, OTHER, 100, pool);
  const bought = ledger.buy(DAY, LEADER, 100, pool);
  for (let i = 0; i < 90; i++) ledger.buy(40 * DAY + i, OTHER, 10, pool);
  ledger.sell(41 * DAY, LEADER, bought, pool);
  ledger.buy(42 * DAY, LEADER, 50, pool);
  ledger.buy(43 * DAY, OTHER, 50, pool);
  await using whole = await storeOf(ledger.swaps);
  await using dex = await storeOf(ledger.swaps);
  await dex.refresh();
  await dex.prune({ keep: '35d' });
  const refused = (error: unknown): boolean => error instanceof SwapfoldError && error.code === 'behind-horizon';
  await assert.rejects(dex.wallets.simulate({ ...bare, from: at(0) }), refused);
  const kept = { ...bare, from: at(40 * DAY) };
  assert.deepEqual(await dex.wallets.simulate(kept), await whole.wallets.simulate(kept));
  // Of a trade early after the horizon, prints that say how deep the pool was are forgotten.
  const early = new Ledger(START);
  const other = poolOf();
  early.buy(0, OTHER, 100, other);
  early.buy(20 * DAY, LEADER, 100, other);
  early.buy(43 * DAY, OTHER, 100, other);
  await using short = await storeOf(early.swaps);
  await short.refresh();
  await short.prune({ keep: '35d' });
  await assert.rejects(short.wallets.simulate({ ...bare, from: at(15 * DAY) }), refused);
});

const wrong: readonly (readonly [request: object, message: RegExp])[] = [
  [{ size: 0 }, /"size": expected a number from 0.01 to 1000000000, received 0/],
  [{ size: 'much' }, /"size": expected a number from/],
  [{ delay: -1 }, /"delay": expected a whole number from 0 to 86400, received -1/],
  [{ delay: 1.5 }, /"delay": expected a whole number/],
  [{ delay: 5, slots: 2 }, /leave one out/],
  [{ delays: [0, 1, 2, 3, 4, 5, 6, 7, 8] }, /"delays": expected at most 8 numbers of seconds, received 9/],
  [{ slippage: 101 }, /"slippage": expected a number from 0 to 100, received 101/],
  [{ unknown: -1 }, /"unknown": expected a number from 0 to 100/],
  [{ max_wait: 4000 }, /"max_wait": expected a whole number from 0 to 3600, received 4000/],
  [{ fee: 1 }, /"fee": expected an object, received 1/],
  [{ fee: { percents: 1 } }, /percent/],
  [{ fee: { usd: 100 } }, /"size" includes the fee: 100 USD leave nothing after a fee of 100 USD/],
  [{ limit: -1 }, /"limit": expected a number from 0/],
  [{ from: at(10), to: at(5) }, /is after "to"/],
  [{ cursor: 'x' }, /cursor/],
  [{ sizes: 1 }, /"size"/],
];

test('a wrong request is refused with the field, the value and what would do', async () => {
  await using dex = await storeOf([]);
  for (const [request, message] of wrong)
    await assert.rejects(dex.wallets.simulate({ ...bare, ...request } as never), (error: SwapfoldError) => {
      assert.match(error.message, message, JSON.stringify(request));
      return true;
    });
});

test('slots need the slots of the blocks', async () => {
  const swaps = caseC().ledger.swaps.map(({ block_slot: _, ...swap }) => swap);
  await assert.rejects(simulated(swaps, { slots: 1 }), /a trade of the wallet has none; use "delay"/);
});

test('a cursor belongs to its request, its limit included', async () => {
  const { ledger } = busyMarket(3);
  await using dex = await storeOf(ledger.swaps);
  const { cursor } = await dex.wallets.simulate({ ...bare, limit: 5 });
  await assert.rejects(dex.wallets.simulate({ ...bare, limit: 6, cursor }), /belongs to another request/);
});
