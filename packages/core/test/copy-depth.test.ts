import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { type FeePlace, Pool } from '../../../test/support/pools.ts';
import { createRandom } from '../../testing/src/conformance/random.ts';
import { depthOf, type PoolPrint, type Side } from '../src/copy/depth.ts';
import { priceOf } from '../src/copy/price.ts';

const print = (price: number, usd: number, isSuspect = false): PoolPrint => ({ price, usd, isSuspect });

/** Prints of buys of 100 from a pool of 10,000 by 10,000: 10,000 * 10,100 / 1e8, 10,100 * 10,200 / 1e8, and so on. */
const buys = [1.01, 1.0302, 1.0506, 1.0712].map((price) => print(price, 100));
/** Sells that bring 100 each from the same: 10,000 * 9,900 / 1e8, 9,900 * 9,800 / 1e8, and so on. */
const sells = [0.99, 0.9702, 0.9506, 0.9312].map((price) => print(price, -100));

const near = (actual: number | undefined, expected: number): void =>
  assert.ok(actual !== undefined && Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`);

test('three pairs of a side say how deep a pool is, two say nothing', () => {
  near(depthOf(buys)?.buy, 1e8);
  near(depthOf(sells)?.sell, 1e8);
  assert.equal(depthOf(buys.slice(1)), undefined);
  assert.equal(depthOf([]), undefined);
});

test('a side that says nothing takes the depth of the other with 1 percent of fee each way', () => {
  near(depthOf(buys)?.sell, 1e8 * 0.99 * 0.99);
  near(depthOf(sells)?.buy, 1e8 / 0.99 / 0.99);
  assert.deepEqual(depthOf(buys)?.pairs, { buy: 3, sell: 0 });
});

test('pairs of two sides, of a suspect print, or whose price moved against their side say nothing', () => {
  const [first, second, third, fourth] = buys as [PoolPrint, PoolPrint, PoolPrint, PoolPrint];
  assert.equal(depthOf([first, second, sells[0]!, third, fourth]), undefined);
  assert.equal(depthOf([first, { ...second, isSuspect: true }, third, fourth]), undefined);
  // Three pairs, of which the price of one fell under buys.
  assert.equal(depthOf([third, first, second, third]), undefined);
});

test('the newest 21 pairs count, and of an even number the mean of the two in the middle', () => {
  // Two pools of buys: first a deep one of 1e10, then 22 buys in one of 1e8, which make 21 pairs.
  const deep = Array.from({ length: 30 }, (_, i) => print(((100_000 + i * 100) * (100_100 + i * 100)) / 1e10, 100));
  const flat = Array.from({ length: 22 }, (_, i) => print(((10_000 + i * 100) * (10_100 + i * 100)) / 1e8, 100));
  near(depthOf([...deep, ...flat])?.buy, 1e8);
  // Pairs of products 1e8, 1e8, 4e8, 4e8: (1e8 + 4e8) / 2.
  const twice = [1.01, 1.0302, 1.0506].map((price) => print(price, 100));
  const wide = [20_000, 20_100, 20_200].map((x) => print((x * (x + 100)) / 4e8, 100));
  near(depthOf([...twice, sells[0]!, ...wide])?.buy, 2.5e8);
});

const market = (newest: readonly PoolPrint[], next: readonly PoolPrint[] = [], depth = depthOf(buys)) => ({
  depth,
  newest,
  next,
});

test('after a buy of 1,000 at 1.1639 the pool has 11,300 USD, and 100 more buy at 1.2882', () => {
  const quote = priceOf(market([print(1.1639, 1000)]), 'buy', 100, 0.1);
  near(quote?.reserve, 11_300);
  near(quote?.price, 1.2882);
});

test('after a sell a buy pays what buys pay over sells, and never less', () => {
  // The sell left 9,900 USD as sells see it: (-100 + sqrt(100^2 + 4 * 1e8 * 0.99)) / 2.
  const after = print(0.99, -100);
  const at = (buy: number, sell: number) =>
    priceOf({ depth: { buy, sell, pairs: { buy: 3, sell: 3 } }, newest: [after], next: [] }, 'buy', 0, 0);
  near(at(1e8, 1e8)?.reserve, 9900);
  near(at(1.1e8, 1e8)?.reserve, 9900 * 1.1);
  near(at(0.9e8, 1e8)?.reserve, 9900);
});

test('without a depth a print is worse by `unknown`, for a buy and for a sell', () => {
  const shallow = market([print(2, 50)], [], undefined);
  near(priceOf({ ...shallow, depth: undefined }, 'buy', 100, 0.1)?.price, 2.2);
  near(priceOf({ ...shallow, depth: undefined }, 'sell', 100, 0.1)?.price, 1.8);
});

test('the next print of somebody else counts if it is worse, and not if it is better', () => {
  const newest = [print(1.1639, 1000)];
  assert.equal(priceOf(market(newest, [print(1.5, 10)]), 'buy', 100, 0)?.price, 1.5);
  assert.equal(priceOf(market(newest, [print(1.5, 10)]), 'buy', 100, 0)?.decidedBy, 'next');
  near(priceOf(market(newest, [print(1.2, 10)]), 'buy', 100, 0)?.price, 1.2882);
  assert.equal(priceOf(market(newest, [print(0.5, -10)]), 'sell', 1, 0)?.price, 0.5);
});

test('a suspect print counts against a follower, and alone it is no price', () => {
  const clean = print(1.1639, 1000);
  const low = print(0.01, -1, true);
  assert.ok(priceOf(market([clean, low]), 'sell', 1, 0)!.price < 0.02);
  near(priceOf(market([clean, low]), 'buy', 100, 0)?.price, 1.2882);
  assert.equal(priceOf(market([low]), 'buy', 100, 0), undefined);
});

/** A fill against a pool that is known: by how much the rule is worse than it, percent; below 0 if it is too good. */
function biases(seed: number, fills: number, fee: number, place: FeePlace, slippage: number): readonly number[] {
  const random = createRandom(seed);
  const between = (least: number, most: number): number => least + (most - least) * random();
  const found: number[] = [];
  for (let fill = 0; fill < fills; fill++) {
    const usd = 10 ** between(3.7, 6);
    const pool = new Pool(usd, usd * 10 ** between(-1, 4), fee, place);
    const prints: PoolPrint[] = [];
    const trade = (side: Side, part: number): void => {
      if (side === 'buy') {
        const paid = pool.usd * part;
        prints.push(print(paid / pool.buy(paid), paid));
      } else {
        const sold = pool.tokens * part;
        const got = pool.sell(sold);
        prints.push(print(got / sold, -got));
      }
    };
    const sideNow = (): Side => (random() < 0.5 ? 'buy' : 'sell');
    for (let i = Math.floor(between(20, 200)); i > 0; i--) trade(sideNow(), 10 ** between(-4, -1.5));
    const side = sideNow();
    trade(side, 10 ** between(-2.5, -1));
    for (let i = Math.floor(between(0, 8)); i > 0; i--) trade(sideNow(), 10 ** between(-4, -1.5));
    const seen = prints.slice(-82);
    const sold = 100 / (pool.usd / pool.tokens);
    const right = side === 'buy' ? 100 / pool.copy().buy(100) : pool.copy().sell(sold) / sold;
    const next: PoolPrint[] = [];
    if (random() < 0.7) {
      trade(sideNow(), 10 ** between(-4, -1.5));
      next.push(prints.at(-1)!);
    }
    const quote = priceOf(
      { depth: depthOf(seen), newest: [seen.at(-1)!], next },
      side,
      side === 'buy' ? 100 : sold,
      0.1,
    );
    const sign = side === 'buy' ? 1 : -1;
    found.push(((quote!.price * (1 + sign * slippage)) / right - 1) * sign * 100);
  }
  return found;
}

const pools: readonly (readonly [title: string, fee: number, place: FeePlace])[] = [
  ['no fee', 0, 'beside'],
  ['0.3 % beside the pool', 0.003, 'beside'],
  ['1 % beside the pool', 0.01, 'beside'],
  ['0.3 % in the pool', 0.003, 'inside'],
  ['1 % in the pool', 0.01, 'inside'],
];

/** A row of the table of the docs: fills that are too good, and how much worse they are on average and at best. */
function rowOf([title, fee, place]: (typeof pools)[number]): string {
  const cells = [0, 0.01].flatMap((slippage) => {
    const found = biases(5, 1000, fee, place, slippage);
    const good = found.filter((bias) => bias < -0.005).length;
    const mean = found.reduce((sum, bias) => sum + bias, 0) / found.length;
    return [
      `${(good / 10).toFixed(1)} %`,
      `${mean.toFixed(1)} %`,
      `${(Math.min(...found) + 0).toFixed(1).replace(/^-0\.0$/, '0.0')} %`,
    ];
  });
  return `| ${[title, ...cells].join(' | ')} |`;
}

test('fills against simulated pools are as much worse than the truth as the table of the docs says (seed 5)', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../../docs/reference/simulate.md'), 'utf8');
  for (const pool of pools) assert.ok(page.includes(rowOf(pool)), rowOf(pool));
});
