import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Random } from '../../testing/src/market/random.ts';
import { pairsOfTrades as pairsOf } from '../src/ingest/ledger-fold.ts';
import { LotRows, type Lots } from '../src/ledger/lot-rows.ts';
import { Position } from '../src/ledger/position.ts';
import { BUY, CLOSE, SELL, type Trades, TradesBuilder } from '../src/ledger/trade.ts';
import { memory } from '../src/memory/memory.ts';
import { seqOf, timeOf } from '../src/records/chain-order.ts';
import { type Batch, newBatch, takeRows } from '../src/records/columns.ts';
import { lotsTable, tradesTable } from '../src/records/tables.ts';
import { EntityCursor, readTrades } from '../src/refresh/trades.ts';
import { yielder } from '../src/yielder.ts';

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8];
const A = 1_700_000_000;

/** Random trades of some pairs in chain order: all sizes, values that nobody knows, reported balances, sells that close. */
function randomTrades(random: Random, count: number): Trades {
  const builder = new TradesBuilder();
  const held = new Map<number, number>();
  for (let i = 0; i < count; i++) {
    const { columns: t, row } = builder.add();
    const pair = random.below(6);
    const [wallet, token] = [pair % 2, 10 + Math.floor(pair / 2)];
    const had = held.get(pair) ?? 0;
    const isBuy = had === 0 ? random.chance(0.9) : random.chance(0.45);
    const size = 10 ** random.between(-9, 9);
    const amount = isBuy ? size : random.chance(0.3) ? had : random.chance(0.2) ? had * 3 : had * random.unit() || size;
    held.set(pair, isBuy ? had + amount : Math.max(0, had - amount));
    t.seq[row] = seqOf(A + i * 60, 0);
    t.tx[row] = i;
    t.wallet[row] = wallet;
    t.token[row] = token;
    t.direction[row] = isBuy ? BUY : SELL;
    t.token_amount[row] = amount;
    t.usd_amount[row] = random.chance(0.1) ? Number.NaN : amount * 10 ** random.between(-6, 6);
    t.post_token_balance[row] = !isBuy && random.chance(0.05) ? 0 : Number.NaN;
  }
  return builder.build();
}

/** Folds the trades of pairs straight through, from where their lots stood. */
function foldPositions(trades: Trades, before: Lots, dustUsd: number): Lots {
  const position = new Position();
  const rows = new LotRows();
  const pairs = pairsOf(trades);
  const { pair } = before.columns;
  for (const one of Array.from(new Set(pairs)).sort((a, b) => a - b)) {
    const own = takeRows(
      before,
      Array.from(pair.keys()).filter((row) => pair[row] === one),
    );
    position.load(own, 0, own.length);
    for (const [row, of] of pairs.entries()) if (of === one) position.apply(trades, row, dustUsd);
    position.save(one, rows);
  }
  return rows.collected();
}

const facts = ['position_state', 'cost', 'proceeds', 'pnl', 'holding', 'open_before', 'open_cost'] as const;

function factsOf(folded: Trades): string {
  return JSON.stringify(facts.map((name) => Array.from(folded.columns[name], String)));
}

function copyOf(of: Trades): Trades {
  return takeRows(
    of,
    Array.from({ length: of.length }, (_, i) => i),
  );
}

test('folded in pieces, positions have the facts and the lots of one go, to the bit', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 6);
    const all = randomTrades(random, 400);
    const atOnce = copyOf(all);
    const lots = foldPositions(atOnce, newBatch(lotsTable, 0), 0.1);
    for (const pieces of [2, 7, 400]) {
      const cuts = Array.from({ length: pieces - 1 }, () => random.below(all.length)).sort((a, b) => a - b);
      let open: Batch<typeof lotsTable> = newBatch(lotsTable, 0);
      const parts: Trades[] = [];
      for (const [i, end] of [...cuts, all.length].entries()) {
        const from = i === 0 ? 0 : cuts[i - 1]!;
        const part = takeRows(
          all,
          Array.from({ length: end - from }, (_, k) => from + k),
        );
        const touched = new Set(pairsOf(part));
        const rest = takeRows(
          open,
          Array.from(open.columns.pair.keys()).filter((row) => !touched.has(open.columns.pair[row]!)),
        );
        const next = foldPositions(part, open, 0.1);
        open = joined(rest, next);
        parts.push(part);
      }
      const facts = JSON.parse(factsOf(atOnce)) as string[][];
      const pieced = parts.map((part) => JSON.parse(factsOf(part)) as string[][]);
      assert.deepEqual(
        facts.map((_, name) => pieced.flatMap((part) => part[name]!)),
        facts,
        `seed ${seed}, ${pieces} pieces`,
      );
      assert.deepEqual(byPair(open), lots, `seed ${seed}, ${pieces} pieces`);
    }
  }
});

/** The lots by pair and ordinal, as a fold gives them. */
function byPair(lots: Batch<typeof lotsTable>): Batch<typeof lotsTable> {
  const { pair, ordinal } = lots.columns;
  return takeRows(
    lots,
    Array.from(pair.keys()).sort((a, b) => pair[a]! - pair[b]! || ordinal[a]! - ordinal[b]!),
  );
}

function joined(a: Batch<typeof lotsTable>, b: Batch<typeof lotsTable>): Batch<typeof lotsTable> {
  const both = newBatch(lotsTable, a.length + b.length);
  for (const [name, column] of Object.entries(both.columns) as [keyof typeof a.columns, Float64Array][]) {
    column.set(a.columns[name] as Float64Array);
    column.set(b.columns[name] as Float64Array, a.length);
  }
  return both;
}

test('the open cost of a position and of an entity is never negative, and exactly 0 when all is closed', async (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const all = randomTrades(new Random(seed, 7), 600);
    foldPositions(all, newBatch(lotsTable, 0), 0.1);
    const c = all.columns;
    const costs = new Map<number, number>();
    for (let i = 0; i < all.length; i++) {
      assert.ok(
        Object.is(c.open_before[i], costs.get(pairsOf(all)[i]!) ?? 0),
        `seed ${seed}, row ${i}: where the last trade left it`,
      );
      costs.set(pairsOf(all)[i]!, c.open_cost[i]!);
      assert.ok(c.open_cost[i]! >= 0, `seed ${seed}, row ${i}: ${c.open_cost[i]}`);
      if (c.position_state[i] === CLOSE) assert.ok(Object.is(c.open_cost[i], 0), `seed ${seed}, row ${i}`);
    }
    const storage = memory();
    await storage.open({ tables: [tradesTable] });
    await storage.write((writer) => writer.append(tradesTable, all));
    let closed = 0;
    for (const kind of ['wallets', 'tokens'] as const) {
      const key = kind === 'wallets' ? c.wallet : c.token;
      const ids = Int32Array.from(new Set(key)).sort();
      const asOf = timeOf(c.seq[all.length - 1]!);
      const scan = { kind, ids, asOf };
      const runs = await storage.snapshot((reader) => readTrades(reader, scan));
      const cursor = new EntityCursor(scan, runs, { supplyOf: () => Number.NaN, createdAtOf: () => Number.NaN });
      for (const id of ids) {
        const entity = await cursor.take(id, yielder());
        const open = new Map<number, number>();
        let peak = 0;
        const rows = Array.from({ length: all.length }, (_, i) => i).filter((i) => key[i] === id);
        assert.equal(entity.length, rows.length);
        for (const [n, i] of rows.entries()) {
          open.set(pairsOf(all)[i]!, c.open_cost[i]!);
          const exact = [...open.values()].reduce((sum, cost) => sum + cost, 0);
          assert.ok(entity.openCost[n]! >= 0, `seed ${seed}, ${kind} ${id}, row ${n}`);
          peak = Math.max(peak, exact);
          const error = Math.abs(entity.openCost[n]! - exact);
          assert.ok(error <= 1e-9 * exact + 1e-15 * peak, `seed ${seed}, ${kind} ${id}, row ${n}: off by ${error}`);
          if ([...open.values()].every((cost) => cost === 0)) {
            closed++;
            assert.ok(Object.is(entity.openCost[n], 0), `seed ${seed}, ${kind} ${id}, row ${n}`);
          }
        }
      }
    }
    assert.ok(closed > 0, `seed ${seed}: no entity was ever without an open position`);
    await storage.close();
  }
});

test('a position of known costs that is sold out gives back what it cost, and its profit is what was paid less that', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const random = new Random(seed, 8);
    const builder = new TradesBuilder();
    const spent: number[] = [];
    const earned: number[] = [];
    let held = 0;
    for (let i = 0; i < 50; i++) {
      const isLast = i === 49;
      const isBuy = !isLast && (held === 0 || random.chance(0.6));
      // Whole amounts: nothing is left over but by mistake.
      const amount = isBuy ? 1 + random.below(1000) : isLast ? held : 1 + random.below(Math.max(1, held - 1));
      const usd = amount * random.between(1, 3);
      held += isBuy ? amount : -amount;
      (isBuy ? spent : earned).push(usd);
      const { columns: t2, row } = builder.add();
      t2.seq[row] = seqOf(A + i, 0);
      t2.direction[row] = isBuy ? BUY : SELL;
      t2.token_amount[row] = amount;
      t2.usd_amount[row] = usd;
      t2.post_token_balance[row] = Number.NaN;
    }
    const all = builder.build();
    const lots = foldPositions(all, newBatch(lotsTable, 0), 0);
    const total = (values: Iterable<number>): number =>
      Array.from(values).reduce((sum, v) => sum + (Number.isNaN(v) ? 0 : v), 0);
    assert.equal(lots.length, 0, `seed ${seed}`);
    assert.equal(all.columns.position_state[49], CLOSE);
    assertClose(total(all.columns.cost), total(spent), 1e-12, `seed ${seed}, cost`);
    assertClose(total(all.columns.proceeds), total(earned), 1e-12, `seed ${seed}, proceeds`);
    assertClose(total(all.columns.pnl), total(earned) - total(spent), 1e-10, `seed ${seed}, pnl`);
  }
});

function assertClose(actual: number, expected: number, part: number, what: string): void {
  const size = Math.max(Math.abs(actual), Math.abs(expected));
  assert.ok(Math.abs(actual - expected) <= part * size, `${what}: ${actual}, not ${expected}`);
}
