import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SwapInput } from '@swapfold/core';
import { parseConfig } from '@swapfold/core/host';
import { Random } from '../../testing/src/market/random.ts';
import { checkSwaps } from '../src/ingest/batch-validator.ts';
import { objectsToColumns } from '../src/ingest/batches.ts';
import { legsByToken } from '../src/ingest/derive.ts';
import { LotBook } from '../src/ingest/lot-book.ts';
import { findTransactions, hash53, KnownTransactions } from '../src/ingest/transactions.ts';
import { NativeVotes } from '../src/ledger/native-votes.ts';
import { netTrades } from '../src/ledger/net.ts';
import { rolesOf } from '../src/ledger/roles.ts';
import { ReferencePrices } from '../src/ledger/value.ts';
import { valueSwaps } from '../src/ledger/value-swaps.ts';
import { mutesOf } from '../src/ledger/voice.ts';
import { memory } from '../src/memory/memory.ts';
import { pairOf, seqOf } from '../src/records/chain-order.ts';
import { columnsOf, NO_ID, newBatch } from '../src/records/columns.ts';
import { groupRows, KeyIndex, KeySet, sortingKeys } from '../src/records/key-index.ts';
import { legsTable, lotsTable, swapsTable, tradesTable, transactionsTable } from '../src/records/tables.ts';
import { Swapfold } from '../src/swapfold.ts';
import { finish } from '../src/work.ts';

const SEEDS = [1, 2, 3, 4, 5];

/** Whole numbers that often repeat, small, neighbouring and near 2^53. */
function someKeys(random: Random, count: number): number[] {
  const starts = [0, 2 ** 26 * 1000, 2 ** 32 - 50, 2 ** 53 - 1 - 400];
  return Array.from({ length: count }, () => starts[random.below(4)]! + random.below(400));
}

test('an index of keys gives each the place a map would', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  for (const seed of SEEDS) {
    const keys = someKeys(new Random(seed, 1), 5000);
    const index = new KeyIndex();
    const plain = new Map<number, number>();
    for (const key of keys) {
      assert.equal(index.find(key), plain.get(key) ?? -1);
      if (!plain.has(key)) plain.set(key, plain.size);
      assert.equal(index.placeOf(key), plain.get(key));
    }
    assert.deepEqual([...index.keys()], [...plain.keys()]);
    assert.equal(index.find(12_345), -1);
  }
});

test('a set of keys has what was added and nothing else', () => {
  for (const seed of SEEDS) {
    const random = new Random(seed, 2);
    const set = new KeySet();
    const plain = new Set<number>();
    for (const key of someKeys(random, 3000)) {
      assert.equal(set.has(key), plain.has(key));
      set.add(key);
      plain.add(key);
    }
    assert.equal(set.size, plain.size);
    for (const key of someKeys(random, 3000)) assert.equal(set.has(key), plain.has(key));
  }
});

const anyAddress = { address_format: 'any' } as const;

function swapOf(tx_hash: string, swap_index: number, block_time: number): SwapInput {
  const sides = { token_in: 'a', token_out: 'b', token_amount_in: 1, token_amount_out: 1 };
  return { tx_hash, swap_index, block_time, wallet: 'w', ...sides };
}

test('swaps are known by transaction and index, in short transactions and in long ones', async () => {
  for (const seed of SEEDS) {
    const random = new Random(seed, 4);
    const swaps = Array.from({ length: 2000 }, () => {
      const transaction = random.chance(0.5) ? 0 : 1 + random.below(300);
      const index = transaction > 0 ? random.below(8) : random.below(1000) * (random.chance(0.5) ? 1 : 2_000_000);
      return swapOf(`t${transaction}`, index, 1000 + transaction);
    });
    const dex = await Swapfold.open({ storage: memory(), config: anyAddress });
    const known = new Set<string>();
    for (const batch of [swaps.slice(0, 900), swaps.slice(900)]) {
      const before = known.size;
      for (const { tx_hash, swap_index } of batch) known.add(`${tx_hash} ${swap_index}`);
      const added = known.size - before;
      const { rejects: _, conflicts: __, unknown_fields: ___, ...counts } = await dex.ingest(batch);
      assert.deepEqual(counts, { added, duplicate: batch.length - added, conflicting: 0, rejected: 0 }, `seed ${seed}`);
    }
    await dex.close();
  }
});

test('a transaction is not taken for a stored one whose hash has the same key', async () => {
  const storage = memory();
  await storage.open({ tables: [transactionsTable] });
  const stored = newBatch(transactionsTable, 2);
  for (const [i, hash] of ['other', 'second'].entries()) {
    stored.columns.tx[i] = i;
    stored.columns.tx_key[i] = hash53(['first', 'second'][i]!);
    stored.columns.tx_hash[i] = hash;
    stored.columns.block_time[i] = 500;
  }
  await storage.write((writer) => writer.append(transactionsTable, stored));
  const swaps = ['first', 'second'].map((hash) => swapOf(hash, 0, 1000));
  const validSwaps = await checkSwaps(await objectsToColumns(swaps), parseConfig(anyAddress), 0, () => assert.fail());
  await storage.snapshot(async (reader) => {
    const found = await findTransactions(reader, validSwaps, new KnownTransactions(transactionsTable, 2));
    assert.deepEqual([...found.tx], [NO_ID, 1]);
    assert.deepEqual([...found.time], [1000, 500]);
  });
});

test('two hashes with one key are two transactions, in one batch and beside each other in the store', async () => {
  const hashes = ['CzGEBAA', 'QFymBAჹ'];
  assert.equal(hash53(hashes[0]!), hash53(hashes[1]!));
  const dex = await Swapfold.open({ storage: memory(), config: anyAddress });
  const swaps = [...hashes, ...hashes].map((hash) => swapOf(hash, 0, 1000));
  const counts = async (given: readonly SwapInput[]): Promise<readonly number[]> => {
    const { added, duplicate, conflicting } = await dex.ingest(given);
    return [added, duplicate, conflicting];
  };
  assert.deepEqual(await counts(swaps), [2, 2, 0]);
  assert.deepEqual(await counts(swaps.slice(1, 3)), [0, 2, 0]);
  assert.deepEqual(await counts([swapOf(hashes[1]!, 0, 1001), swapOf(hashes[0]!, 1, 1000)]), [1, 0, 1]);
  const listed = await dex.trades.list({ wallet: 'w' });
  assert.deepEqual(new Set(listed.data.map(({ tx_hash }) => tx_hash)), new Set(hashes));
  await dex.close();
});

test('rows are grouped by key and stay in their order', () => {
  const keys = Float64Array.from(someKeys(new Random(1, 5), 2000));
  const { index, starts, rows } = groupRows(keys);
  const groups = new Map<number, number[]>();
  for (const [row, key] of keys.entries()) groups.set(key, [...(groups.get(key) ?? []), row]);
  assert.equal(index.length, groups.size);
  for (const [key, group] of groups) {
    const place = index.find(key);
    assert.deepEqual([...rows.subarray(starts[place]!, starts[place + 1]!)], group);
  }
});

test('a lot book holds the lots that each pair had last', () => {
  for (const seed of SEEDS) {
    const random = new Random(seed, 6);
    const book = new LotBook();
    const plain = new Map<number, number[]>();
    for (let round = 0; round < 60; round++) {
      const pairs = Float64Array.from(
        new Set(Array.from({ length: 400 }, () => pairOf(random.below(30), random.below(30)))),
      );
      const entries = Array.from(
        pairs,
        (pair) => [pair, Array.from({ length: random.below(20) }, () => random.unit())] as const,
      );
      for (const [pair, amounts] of entries) plain.set(pair, amounts);
      finish(book.replacing(pairs, lotsOf(entries)));
      const some = pairs.subarray(0, 5);
      assert.deepEqual(
        book.of(some).lots,
        lotsOf(Array.from(some, (pair) => [pair, plain.get(pair)!])),
        `seed ${seed}`,
      );
    }
    const all = [...plain].sort(([a], [b]) => a - b);
    assert.deepEqual(finish(book.all()), lotsOf(all), `seed ${seed}`);
  }
});

function lotsOf(entries: readonly (readonly [pair: number, amounts: readonly number[]])[]) {
  const rows = entries.flatMap(([pair, amounts]) => amounts.map((amount, ordinal) => ({ pair, ordinal, amount })));
  const lots = newBatch(lotsTable, rows.length);
  for (const [row, { pair, ordinal, amount }] of rows.entries()) {
    lots.columns.pair[row] = pair;
    lots.columns.ordinal[row] = ordinal;
    lots.columns.amount[row] = amount;
  }
  return lots;
}

test('no stored transaction is taken for a new one, before the keys are read and after', async () => {
  const storage = memory();
  await storage.open({ tables: [transactionsTable] });
  const stored = newBatch(transactionsTable, 20_000);
  for (let i = 0; i < stored.length; i++) stored.columns.tx_key[i] = i * 7;
  await storage.write((writer) => writer.append(transactionsTable, stored));
  await storage.snapshot(async (reader) => {
    let reads = 0;
    const counted = {
      ...reader,
      stream: (scan: never) => {
        reads++;
        return reader.stream(scan);
      },
    } as typeof reader;
    const known = new KnownTransactions(transactionsTable, 20_000);
    const asked = [1, 7, 14, 15];
    assert.deepEqual([...(await known.mayBeStored(counted, asked))], asked);
    known.looked(4.5);
    await known.add(Float64Array.of(15));
    assert.deepEqual([...(await known.mayBeStored(counted, asked))], asked);
    assert.equal(reads, 0);
    // As long as reading 20,000 keys takes.
    known.looked(0.6);
    assert.deepEqual([...(await known.mayBeStored(counted, asked))], [7, 14]);
    await known.add(Float64Array.of(1));
    assert.deepEqual([...(await known.mayBeStored(counted, asked))], [1, 7, 14]);
    assert.equal(reads, 1);
  });
});

test('one swap is netted as a group of one', (t) => {
  t.diagnostic(`seeds ${SEEDS}`);
  const quotes = [
    { address: '0', symbol: 'A', kind: 'stable' },
    { address: '1', symbol: 'B', kind: 'stable' },
    { address: '2', symbol: 'N', kind: 'native' },
  ] as const;
  const roles = rolesOf(quotes, Number);
  for (const seed of SEEDS) {
    const random = new Random(seed, 7);
    const alone = newBatch(swapsTable, 600);
    // A swap of a token for itself has no flows, but makes a group of its transaction.
    const grouped = newBatch(swapsTable, 1200);
    const amount = (): number => (random.chance(0.1) ? 0 : random.unit() * 10 ** (random.below(20) - 8));
    const usd = (): number => (random.chance(0.3) ? Number.NaN : amount());
    for (let i = 0; i < 600; i++) {
      const c = alone.columns;
      for (const name of columnsOf(swapsTable)) c[name][i] = name.startsWith('given') ? usd() : random.unit();
      c.seq[i] = seqOf(i >> 2, 2 * (i & 3));
      c.tx[i] = i;
      c.swap_index[i] = 0;
      c.wallet[i] = random.below(5);
      c.protocol[i] = random.below(3) - 1;
      for (const side of ['in', 'out'] as const) {
        c[`token_${side}`][i] = random.below(7);
        c[`token_symbol_${side}`][i] = random.below(4) - 1;
        c[`token_amount_${side}`][i] = amount();
      }
      for (const name of columnsOf(swapsTable))
        for (const row of [2 * i, 2 * i + 1]) grouped.columns[name][row] = c[name][i]!;
      grouped.columns.seq[2 * i + 1]! += 2;
      grouped.columns.token_in[2 * i + 1] = grouped.columns.token_out[2 * i + 1] = 3;
    }
    const references = ReferencePrices.none;
    const trades = [alone, grouped].map((swaps) => {
      const votes = new NativeVotes(86_400, { firm: [{ seq: -1, price: 3, wallet: 9, time: 0 }], feed: [] });
      const mutes = mutesOf(swaps);
      const { native } = valueSwaps(swaps, { roles, references, dustUsd: 0.1, votes, mutes });
      return netTrades(swaps, { roles, references, textOf: (id) => `${(id * 5) % 7}`, native }).trades;
    });
    assert.ok(trades[0]!.length > 400);
    for (const name of columnsOf(tradesTable))
      assert.deepEqual(trades[0]!.columns[name], trades[1]!.columns[name], `seed ${seed}, ${name}`);
  }
});

const WRONG = '\ud800';

/** What is wrong in one field at a time, in the order in which a row's faults count. */
const faults: readonly (readonly [field: keyof SwapInput, wrong: unknown])[] = [
  ['tx_hash', 'a b'],
  ['wallet', 'nope'],
  ['token_in', null],
  ['token_out', 'nope'],
  ['protocol', WRONG],
  ['token_symbol_in', WRONG],
  ['token_symbol_out', 'x'.repeat(257)],
  ['swap_index', 0.5],
  ['block_time', -1],
  ['block_slot', 0.5],
  ['tx_index', -3],
  ['token_amount_in', null],
  ['usd_amount_in', -1],
  ['token_price_in', Number.POSITIVE_INFINITY],
  ['pre_token_balance_in', -1],
  ['post_token_balance_in', -1],
  ['token_amount_out', -1],
  ['usd_amount_out', -1],
  ['token_price_out', -1],
  ['pre_token_balance_out', -1],
  ['post_token_balance_out', Number.NaN],
];

test('of several faults of a row the first is told, rows at fault leave no gap, and the others come through unchanged', async () => {
  for (const seed of SEEDS) {
    const random = new Random(seed, 8);
    const wrongs = Array.from({ length: 300 }, () =>
      random.chance(0.4)
        ? []
        : [...new Set([random.below(faults.length), random.below(faults.length)])].sort((a, b) => a - b),
    );
    const swaps = wrongs.map((wrong, i) => ({
      tx_hash: `tx${i}`,
      swap_index: i % 3,
      block_time: 1_704_412_800 + i,
      block_slot: i % 2 === 0 ? i : null,
      wallet: `Wa11et${String((i % 7) + 1).repeat(30)}`,
      token_in: 'So11111111111111111111111111111111111111112',
      token_out: `Token${String((i % 5) + 1).repeat(30)}`,
      protocol: i % 4 === 0 ? null : `dex${i % 4}`,
      token_amount_in: i % 11 === 0 ? -0 : i + 0.5,
      token_amount_out: i,
      usd_amount_in: i % 3 === 0 ? i : undefined,
      ...Object.fromEntries(wrong.map((fault) => faults[fault]!)),
    }));
    const rejects: [number, string][] = [];
    const input = await objectsToColumns(swaps as SwapInput[]);
    const { swaps: kept, ...rest } = await checkSwaps(input, parseConfig(), 100, (reject) =>
      rejects.push([reject.row, reject.field]),
    );
    const rejected = wrongs.flatMap((wrong, i) => (wrong.length > 0 ? [[100 + i, faults[wrong[0]!]![0]]] : []));
    assert.deepEqual(rejects, rejected, `seed ${seed}`);
    const right = swaps.flatMap((swap, i) => (wrongs[i]!.length === 0 ? [{ ...swap, row: 100 + i }] : []));
    assert.equal(kept.length, right.length);
    const c = kept.columns;
    const text = (id: number): string | null => (id === NO_ID ? null : rest.texts[id]!);
    const read = right.map((_, i) => ({
      row: rest.rows[i],
      tx_hash: rest.keys.txHash[i],
      swap_index: c.swap_index[i],
      block_time: rest.keys.time[i],
      block_slot: Number.isNaN(rest.keys.slot[i]) ? null : rest.keys.slot[i],
      wallet: text(c.wallet[i]!),
      token_in: text(c.token_in[i]!),
      token_out: text(c.token_out[i]!),
      protocol: text(c.protocol[i]!),
      token_amount_in: c.token_amount_in[i],
      token_amount_out: c.token_amount_out[i],
      usd_amount_in: Number.isNaN(c.given_usd_in[i]) ? undefined : c.given_usd_in[i],
    }));
    const wanted = right.map((swap) => ({ ...swap, token_amount_in: swap.token_amount_in + 0 }));
    assert.deepEqual(
      read,
      wanted.map(({ row, ...swap }) => ({ row, ...swap })),
      `seed ${seed}`,
    );
    assert.equal(new Set(rest.texts).size, rest.texts.length);
  }
});

test('legs by token keep the chain order of each token', () => {
  const legs = newBatch(legsTable, 5);
  legs.columns.token.set([7, 3, 7, 3, 1]);
  legs.columns.seq.set([10, 20, 30, 40, 40]);
  legs.columns.price.set([0.1, 0.2, 0.3, 0.4, 0.5]);
  const { columns } = legsByToken(legs);
  assert.deepEqual(Array.from(columns.token), [1, 3, 3, 7, 7]);
  assert.deepEqual(Array.from(columns.seq), [40, 20, 40, 10, 30]);
  assert.deepEqual(Array.from(columns.price), [0.5, 0.2, 0.4, 0.1, 0.3]);
});

test('keys are sorted as by a plain sort, whatever their number', () => {
  const random = new Random(7, 1);
  for (const length of [0, 1, 2, 65_536, 65_537, 3 * 65_536 + 7]) {
    const keys = Float64Array.from({ length }, () => random.below(2 ** 50));
    assert.deepEqual(finish(sortingKeys(keys.slice())), keys.slice().sort(), `${length}`);
  }
});
