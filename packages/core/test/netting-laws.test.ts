import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/src/market/random.ts';
import { netTrades } from '../src/ledger/net.ts';
import { rolesOf } from '../src/ledger/roles.ts';
import { BUY } from '../src/ledger/trade.ts';
import { ReferencePrices, type Swaps } from '../src/ledger/value.ts';
import { columnsOf, newBatch } from '../src/records/columns.ts';
import { swapsTable } from '../src/records/tables.ts';

const SEEDS = Array.from({ length: 400 }, (_, i) => i + 1);
const quotes = [
  { address: 'usdc', symbol: 'USDC', kind: 'stable' },
  { address: 'sol', symbol: 'SOL', kind: 'native' },
] as const;
const [USDC, SOL, FIRST_TOKEN] = [0, 1, 2];
const SOL_PRICE = 100;
const roles = rolesOf(quotes, (address) => quotes.findIndex((quote) => quote.address === address));

/** One exchange of a transaction: tokens by id, and amounts. */
interface Exchange {
  readonly given: number;
  readonly received: number;
  readonly paid: number;
  readonly got: number;
}

interface Made {
  readonly token: number;
  readonly isBuy: boolean;
  readonly quote: number;
  readonly figures: readonly number[];
}

/** The trades of a transaction; a quote token is worth its fixed price, and nothing else says what a swap is worth. */
function tradesOf(exchanges: readonly Exchange[], textOf: (id: number) => string = String): Made[] {
  const swaps: Swaps = newBatch(swapsTable, exchanges.length);
  const c = swaps.columns;
  for (const name of columnsOf(swapsTable)) (c[name] as Float64Array).fill(Number.NaN);
  for (const [row, { given, received, paid, got }] of exchanges.entries()) {
    c.seq[row] = 2 * row;
    c.tx[row] = c.wallet[row] = 1;
    c.protocol[row] = c.pool[row] = c.token_symbol_in[row] = c.token_symbol_out[row] = -1;
    c.swap_index[row] = row;
    [c.token_in[row], c.token_out[row]] = [given, received];
    [c.token_amount_in[row], c.token_amount_out[row]] = [paid, got];
    const worth = [given, received].map((token, side) => [1, SOL_PRICE][token]! * [paid, got][side]!);
    c.usd_amount_in[row] = c.usd_amount_out[row] =
      Number.isNaN(worth[0]!) || worth[0] === undefined ? worth[1]! : worth[0]!;
  }
  const price = new Float64Array(exchanges.length).fill(SOL_PRICE);
  const native = { price, lastPrice: price, lastTime: new Float64Array(exchanges.length) };
  const { trades } = netTrades(swaps, { roles, textOf, references: ReferencePrices.none, native });
  const t = trades.columns;
  return Array.from({ length: trades.length }, (_, i) => ({
    token: t.token[i]!,
    isBuy: t.direction[i] === BUY,
    quote: t.quote[i]!,
    figures: [t.token_amount[i]!, t.quote_amount[i]!, t.usd_amount[i]!, t.native_amount[i]!],
  })).sort((a, b) => a.token - b.token);
}

/** A transaction of a few orders that share tokens, amounts of a size: buys, sells, hops, part of them handed on and back. */
function transaction(random: Random): Exchange[] {
  const tokens = 2 + random.below(3);
  return Array.from({ length: 1 + random.below(7) }, () => {
    const given = random.chance(0.5) ? random.below(2) : FIRST_TOKEN + random.below(tokens);
    const others = [USDC, SOL, ...Array.from({ length: tokens }, (_, i) => FIRST_TOKEN + i)].filter(
      (id) => id !== given,
    );
    const received = others[random.below(others.length)]!;
    return { given, received, paid: 1 + random.below(20), got: 1 + random.below(20) };
  });
}

function assertClose(actual: readonly Made[], expected: readonly Made[], message: string): void {
  const names = (made: readonly Made[]) => made.map(({ token, isBuy, quote }) => [token, isBuy, quote]);
  assert.deepEqual(names(actual), names(expected), message);
  for (const [i, { figures }] of expected.entries())
    for (const [j, value] of figures.entries()) {
      const other = actual[i]!.figures[j]!;
      const isClose = Number.isNaN(value) ? Number.isNaN(other) : Math.abs(other - value) <= 1e-9 * Math.abs(value);
      assert.ok(isClose, `${message}, token ${expected[i]!.token}, figure ${j}: ${other}, not ${value}`);
    }
}

test('a swap that gives something for nothing, or nothing for something, is no trade', () => {
  assert.equal(tradesOf([{ given: USDC!, received: FIRST_TOKEN!, paid: 5, got: 1 }]).length, 1);
  assert.deepEqual(tradesOf([{ given: USDC!, received: FIRST_TOKEN!, paid: 5, got: 0 }]), []);
  assert.deepEqual(tradesOf([{ given: USDC!, received: FIRST_TOKEN!, paid: 0, got: 5 }]), []);
});

test('a swap that is split into two halves of its transaction changes no trade', (t) => {
  t.diagnostic(`${SEEDS.length} seeds`);
  let trades = 0;
  for (const seed of SEEDS) {
    const exchanges = transaction(new Random(seed, 1));
    const halves = exchanges.flatMap((one) => {
      const half = { ...one, paid: one.paid / 2, got: one.got / 2 };
      return [half, half];
    });
    const whole = tradesOf(exchanges);
    trades += whole.length;
    assertClose(tradesOf(halves), whole, `seed ${seed}`);
  }
  assert.ok(trades > SEEDS.length);
});

test('other addresses of the tokens change no trade that has one quote token', (t) => {
  t.diagnostic(`${SEEDS.length} seeds`);
  for (const seed of SEEDS) {
    const exchanges = transaction(new Random(seed, 2)).map((one) => ({
      ...one,
      given: one.given === SOL ? USDC : one.given,
      received: one.received === SOL ? USDC : one.received,
    }));
    const figures = (made: readonly Made[]) =>
      made.map(({ token, isBuy, figures: own }) => [token, isBuy, own[0], own[2]]);
    const named = figures(tradesOf(exchanges));
    assert.deepEqual(figures(tradesOf(exchanges, (id) => String(99 - id))), named, `seed ${seed}`);
  }
});

test('another order of the same transaction changes no trade, unless the quote tokens are passed over in one of the two', (t) => {
  let checked = 0;
  for (const seed of SEEDS) {
    const random = new Random(seed, 3);
    const exchanges = transaction(random);
    const beside = tradesOf(exchanges);
    // It pays so much of both quote tokens that neither is passed over, with it or without.
    const isLeft = [USDC, SOL].every((quote) => {
      const flows = exchanges.map(({ given, received, paid, got }) => [
        given === quote ? paid : 0,
        received === quote ? got : 0,
      ]);
      const [out, back] = [0, 1].map((side) => flows.reduce((sum, flow) => sum + flow[side]!, 0)) as [number, number];
      return out + back === 0 || Math.abs(out - back) > 0.005 * (out + back);
    });
    if (!isLeft || beside.length === 0 || beside.some(({ token }) => token < FIRST_TOKEN)) continue;
    checked++;
    const orders = [USDC, SOL].map((given, i) => ({ given, received: 90 + i, paid: 1000 + seed, got: 7 }));
    const both = tradesOf([...exchanges, ...orders]);
    assertClose(
      both.filter(({ token }) => token < 90),
      beside,
      `seed ${seed}`,
    );
    assert.deepEqual(
      both.filter(({ token }) => token >= 90).map(({ figures }) => figures[1]),
      [1000 + seed, 1000 + seed],
    );
  }
  t.diagnostic(`${checked} of ${SEEDS.length} transactions`);
  assert.ok(checked > SEEDS.length / 4);
});

test('what trades of orders for one quote token paid and got of it adds up to the net of it', (t) => {
  let checked = 0;
  for (const seed of SEEDS) {
    const random = new Random(seed, 4);
    // Everything is bought: orders with a hop that several tokens take a part of, and direct ones; some of the hop is handed back.
    const hops = 1 + random.below(2);
    const exchanges: Exchange[] = [];
    for (let hop = 0; hop < hops; hop++) {
      const token = FIRST_TOKEN + hop;
      exchanges.push({ given: USDC, received: token, paid: 10 + random.below(90), got: 64 });
      const takers = 1 + random.below(3);
      const back = random.chance(0.5) ? 8 : 0;
      if (back > 0) exchanges.push({ given: token, received: USDC, paid: back, got: 1 + random.below(3) });
      for (let taker = 0; taker < takers; taker++)
        exchanges.push({
          given: token,
          received: 20 + random.below(4),
          paid: (64 - back) / takers,
          got: 1 + random.below(9),
        });
    }
    for (let i = random.below(3); i > 0; i--)
      exchanges.push({
        given: USDC,
        received: 20 + random.below(6),
        paid: 1 + random.below(50),
        got: 1 + random.below(9),
      });
    const net = exchanges.reduce(
      (sum, { given, received, paid, got }) => sum + (given === USDC ? paid : 0) - (received === USDC ? got : 0),
      0,
    );
    const made = tradesOf(exchanges);
    checked += made.length > 1 ? 1 : 0;
    for (const figure of [1, 2]) {
      const sum = made.reduce((all, { figures }) => all + figures[figure]!, 0);
      assert.ok(Math.abs(sum - net) <= 1e-9 * net, `seed ${seed}: ${sum}, not ${net}`);
    }
  }
  t.diagnostic(`${checked} transactions of several trades`);
  assert.ok(checked > SEEDS.length / 2);
});
