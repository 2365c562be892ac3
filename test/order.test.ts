import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type IngestOptions,
  memory,
  type SwapColumns,
  Swapfold,
  type SwapInput,
  type SwapSource,
} from '@swapfold/core';
import { objectsToColumns } from '../packages/core/src/ingest/batches.ts';
import { dumpStore, firstDifferences } from './support/dump.ts';
import { engines, withFolder } from './support/engines.ts';
import { smallMarket } from './support/market.ts';
import { shuffled } from './support/shuffle.ts';
import { cases, isWhole } from './support/whole.ts';

const config = {
  address_format: 'any',
  quote_tokens: [{ address: 'USD', symbol: 'USD', kind: 'stable' }],
} as const;
const second = 1_704_067_200;

type Given = Partial<SwapInput>;

const swap = (tx_hash: string, wallet: string, given: readonly [string, number, string, number]): SwapInput => {
  const [token_in, token_amount_in, token_out, token_amount_out] = given;
  return {
    ...{ tx_hash, wallet, token_in, token_amount_in, token_out, token_amount_out },
    ...{ swap_index: 0, block_time: second },
  };
};
/** W buys 50 X at 2, V buys 10 at 3, W sells the 50 at 4. By their hashes the sale comes first, and nothing was bought before it. */
const bought = swap('c', 'W', ['USD', 100, 'X', 50]);
const between = swap('b', 'V', ['USD', 30, 'X', 10]);
const sold = swap('a', 'W', ['X', 50, 'USD', 200]);

const withGiven = (first: Given, second: Given, third: Given): readonly SwapInput[] => [
  { ...bought, ...first },
  { ...between, ...second },
  { ...sold, ...third },
];

/** Of W and of X: the pnl, the first and the last price of the minute. */
interface Seen {
  readonly pnl: number | null;
  readonly open: number;
  readonly close: number;
}
/** 200 for what cost 100. */
const inTurn: Seen = { pnl: 100, open: 2, close: 4 };
/** Nothing of W is bought before it is sold: no realised result. */
const byHash: Seen = { pnl: 0, open: 4, close: 2 };

interface Case {
  readonly title: string;
  /** Each list of rows is an ingest of its own. */
  readonly ingests: readonly (readonly SwapInput[])[];
  readonly seen: Seen;
  readonly options?: IngestOptions;
}

const slot = 7;
const rows: readonly Case[] = [
  { title: 'hashes order swaps that nothing else orders', ingests: [withGiven({}, {}, {})], seen: byHash },
  {
    title: 'the log index orders transactions of a slot',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 10 },
        { block_slot: slot, log_index: 20 },
        { block_slot: slot, log_index: 30 },
      ),
    ],
    seen: inTurn,
  },
  {
    title: 'a log index without a slot orders nothing',
    ingests: [withGiven({ log_index: 10 }, { log_index: 20 }, { log_index: 30 })],
    seen: byHash,
  },
  {
    title: 'tx_index comes before the log index',
    ingests: [
      withGiven(
        { block_slot: slot, tx_index: 1, log_index: 30 },
        { block_slot: slot, tx_index: 2, log_index: 20 },
        { block_slot: slot, tx_index: 3, log_index: 10 },
      ),
    ],
    seen: inTurn,
  },
  {
    title: 'a transaction without a log index comes before one with log index 0',
    ingests: [withGiven({ block_slot: slot }, { block_slot: slot, log_index: 0 }, { block_slot: slot, log_index: 1 })],
    seen: inTurn,
  },
  {
    title: 'the log index comes before the fraction of the second',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 10, block_time: second + 0.9 },
        { block_slot: slot, log_index: 20, block_time: second + 0.5 },
        { block_slot: slot, log_index: 30, block_time: second + 0.1 },
      ),
    ],
    seen: inTurn,
  },
  {
    title: 'fractions order swaps of one second, a time without one before all',
    ingests: [withGiven({}, { block_time: second + 0.000001 }, { block_time: second + 0.999999 })],
    seen: inTurn,
  },
  {
    title: 'a smaller log index of a row that is stored moves its transaction',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 40 },
        { block_slot: slot, log_index: 20 },
        { block_slot: slot, log_index: 30 },
      ),
      [{ ...bought, block_slot: slot, log_index: 10 }],
    ],
    seen: inTurn,
  },
  {
    title: 'a greater log index, or none, of a row that is stored moves nothing',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 10 },
        { block_slot: slot, log_index: 20 },
        { block_slot: slot, log_index: 30 },
      ),
      [
        { ...bought, block_slot: slot, log_index: 99 },
        { ...sold, block_slot: slot },
      ],
    ],
    seen: inTurn,
  },
  {
    title: 'a first log index of a transaction that is stored without one moves it behind those without',
    ingests: [
      withGiven({ block_slot: slot }, { block_slot: slot }, { block_slot: slot }),
      [
        { ...sold, block_slot: slot, log_index: 9 },
        { ...between, block_slot: slot, log_index: 8 },
      ],
    ],
    seen: inTurn,
  },
  {
    title: 'a smaller fraction of a row that is stored moves its transaction',
    ingests: [
      withGiven({ block_time: second + 0.8 }, { block_time: second + 0.2 }, { block_time: second + 0.9 }),
      [{ ...bought, block_time: second + 0.1 }],
    ],
    seen: inTurn,
  },
  {
    title: 'the log index of a row that conflicts counts, since the row is of the transaction',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 40 },
        { block_slot: slot, log_index: 20 },
        { block_slot: slot, log_index: 30 },
      ),
      [{ ...bought, token_amount_in: 1, block_slot: slot, log_index: 10 }],
    ],
    seen: inTurn,
  },
  {
    title: 'the log index of a row of another slot says nothing of the transaction',
    ingests: [
      withGiven(
        { block_slot: slot, log_index: 40 },
        { block_slot: slot, log_index: 35 },
        { block_slot: slot, log_index: 30 },
      ),
      [{ ...bought, block_slot: slot + 1, log_index: 10 }],
    ],
    // a at 30, b at 35, c at 40.
    seen: byHash,
  },
  {
    title: 'the smallest log index of the rows of a transaction counts, whichever row has it',
    ingests: [
      [
        { ...swap('c', 'W', ['USD', 10, 'Y', 10]), swap_index: 1, block_slot: slot, log_index: 40 },
        ...withGiven(
          { block_slot: slot, log_index: 10 },
          { block_slot: slot, log_index: 20 },
          { block_slot: slot, log_index: 30 },
        ),
      ],
    ],
    seen: inTurn,
  },
  {
    title: 'a kept order comes before hashes',
    ingests: [withGiven({}, {}, {})],
    options: { keepOrder: true },
    seen: inTurn,
  },
  {
    title: 'a kept order of falling times is read from its end',
    ingests: [[{ ...between, tx_hash: 'z', block_time: second + 30 }, sold, between, bought]],
    options: { keepOrder: true },
    // The last price is that of z, half a minute later: 3.
    seen: { pnl: 100, open: 2, close: 3 },
  },
  {
    title: 'fractions tell that an order falls, and order more than it does',
    ingests: [
      [
        { ...sold, block_time: second + 0.2 },
        { ...between, block_time: second + 0.1 },
        { ...bought, block_time: second + 0.1 },
      ],
    ],
    options: { keepOrder: true },
    seen: inTurn,
  },
  {
    title: 'a second file comes behind the first',
    ingests: [[bought], [between], [sold]],
    options: { keepOrder: true },
    seen: inTurn,
  },
  {
    title: 'a file that repeats what is stored keeps the places of the first one',
    ingests: [withGiven({}, {}, {}), [sold, between, bought]],
    options: { keepOrder: true },
    seen: inTurn,
  },
];

/** Ways to hand in the same rows. */
const ways: Readonly<
  Record<string, { readonly bulk?: true; readonly cut: (rows: readonly SwapInput[]) => SwapSource }>
> = {
  'at once': { cut: (rows) => rows },
  'one by one': { cut: (rows) => rows.map((row) => [row]) },
  'in one step': { bulk: true, cut: (rows) => rows },
};

/** The rows of a case among those of others in one store: tokens, wallets, transactions, a slot and a minute of its own. */
function apart(rows: readonly SwapInput[], number: number): SwapInput[] {
  const own = (name: string): string => (name === 'USD' ? name : `${name}${number}`);
  return rows.map((row) => ({
    ...row,
    tx_hash: own(row.tx_hash),
    wallet: own(row.wallet),
    token_in: own(row.token_in),
    token_out: own(row.token_out),
    block_time: Number(row.block_time) + 60 * number,
    ...(row.block_slot != null && { block_slot: Number(row.block_slot) + 100 * number }),
  }));
}

/** What a store has of each case: those without options come together, so that even an import in one step has all their first rows. */
async function seenAfter(engine: string, cases: readonly Case[], way: keyof typeof ways): Promise<Seen[]> {
  const { bulk, cut } = ways[way]!;
  return withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
    const ingest = (rows: readonly SwapInput[], options?: IngestOptions) =>
      dex.ingest(cut(rows), { ...options, ...(bulk && { bulk }) });
    for (const turn of [0, 1])
      await ingest(cases.flatMap(({ ingests, options }, i) => (options ? [] : apart(ingests[turn] ?? [], i))));
    for (const [i, { ingests, options }] of cases.entries())
      if (options) for (const rows of ingests) await ingest(apart(rows, i), options);
    await dex.refresh();
    assert.equal((await dex.verify()).different, 0);
    const seen: Seen[] = [];
    for (const i of cases.keys()) {
      const wallet = await dex.wallets.get({ wallet: `W${i}`, options: { include_metrics: ['30d'] } });
      const [candle] = await dex.prices.candles({ token: `X${i}`, interval: 60 });
      seen.push({ pnl: wallet!.metrics!['30d']!.pnl as number, open: candle!.open, close: candle!.close });
    }
    await dex.close();
    return seen;
  });
}

/** An import in one step is DuckDB's: the others take the way of the batches. */
const waysOf = (engine: string): string[] => Object.keys(ways).filter((way) => engine === 'duckdb' || !ways[way]!.bulk);

for (const engine of Object.keys(engines))
  for (const way of waysOf(engine))
    test(`${engine}, ${way}: log indexes, fractions and files order what hashes do not`, async (t) => {
      // A kept order of one step is that of an empty store.
      const isAlone = ({ options }: Case): boolean => way === 'in one step' && options !== undefined;
      // A commit and a store of its own are dear in a file, and the rules the same: by default it has some of those cases.
      const isDear = engine !== 'memory' && !isWhole;
      const together = rows.filter((it, i) => !isAlone(it) && (!isDear || way !== 'one by one' || i % 3 === 1));
      const found = await seenAfter(engine, together, way);
      for (const [i, it] of together.entries()) await t.test(it.title, () => assert.deepEqual(found[i], it.seen));
      for (const it of rows.filter(isAlone).filter((_, i) => !isDear || i % 2 === 0))
        await t.test(it.title, async () => assert.deepEqual(await seenAfter(engine, [it], way), [it.seen]));
    });

test('answers have whole seconds', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.ingest([{ ...bought, block_time: new Date(second * 1000 + 900) } as never]);
  const { data } = await dex.swaps.list({});
  assert.equal(data[0]!.block_time, second);
  await dex.close();
});

test('another fraction, another log index and none are duplicates', async () => {
  const dex = await Swapfold.open({ storage: memory(), config });
  await dex.ingest([{ ...bought, block_slot: slot, log_index: 10, block_time: second + 0.5 }]);
  const again = await dex.ingest([
    { ...bought, block_slot: slot, log_index: 11 },
    { ...bought, block_slot: slot, block_time: second + 0.7 },
    { ...bought, block_slot: slot, log_index: 1 },
  ]);
  assert.deepEqual([again.added, again.duplicate, again.conflicting], [0, 3, 0]);
  await dex.close();
});

test('memory: an earlier log index that reverses two votes for the native price moves what a later swap is worth', async () => {
  const native = { address: 'SOL', symbol: 'SOL', kind: 'native' } as const;
  const quotes = { ...config, quote_tokens: [...config.quote_tokens, native] };
  const dex = await Swapfold.open({ storage: memory(), config: quotes });
  const at = (given: SwapInput, log_index: number): SwapInput => ({ ...given, block_slot: slot, log_index });
  const [low, high] = [swap('l', 'V', ['SOL', 1, 'USD', 100]), swap('h', 'V', ['SOL', 1, 'USD', 110])];
  await dex.ingest([at(low, 10), at(high, 20), { ...swap('x', 'W', ['SOL', 2, 'X', 4]), block_time: second + 60 }]);
  const worth = async (): Promise<number | null> => (await dex.swaps.list({ wallet: 'W' })).data[0]!.usd_amount_in;
  // Of two votes within a quarter of their lower median the newest is the price: 2 x 110.
  assert.equal(await worth(), 220);
  await dex.ingest([at(high, 5)]);
  // Now the other one is the newest: 2 x 100.
  assert.equal(await worth(), 200);
  await dex.close();
});

/** Of seconds that many transactions share, without the index that orders most of them, some rows say more than others. */
function crowded(seed: number): { readonly rows: SwapInput[]; readonly config: object } {
  const { swaps, config } = smallMarket({ seed, swaps: cases(2500, 200), wallets: 30, tokens: 10, withUsd: false });
  const saying = swaps.map((swap, i): SwapInput => {
    const { tx_index, ...rest } = swap;
    const time = Math.floor(swap.block_time / 3600) * 3600;
    return {
      ...rest,
      block_slot: Math.floor(time / 7200),
      ...(i % 11 === 0 && { tx_index: tx_index! % 3 }),
      ...(i % 3 !== 0 && { log_index: (i * 7919) % 60 }),
      block_time: time + (i % 4 === 0 ? 0 : ((i * 104_729) % 50) / 50),
    };
  });
  // Rows of one transaction must agree in the index.
  const indexOf = new Map(saying.map(({ tx_hash, tx_index }) => [tx_hash, tx_index]));
  const agreed = saying.map((row): SwapInput => ({ ...row, tx_index: indexOf.get(row.tx_hash) ?? null }));
  const repeated = agreed
    .filter((_, i) => i % 5 === 0)
    .map(
      (row, i): SwapInput => ({
        ...row,
        log_index: i % 3 === 0 ? null : (i * 31) % 60,
        block_time: Math.floor(row.block_time) + (i % 10) / 10,
      }),
    );
  return { rows: [...agreed, ...repeated], config };
}

async function dumpAfter(
  engine: string,
  given: object,
  batches: readonly (readonly SwapInput[])[],
  options: IngestOptions = {},
): Promise<readonly string[]> {
  return withFolder(async (folder) => {
    const storage = engines[engine]!(folder);
    const dex = await Swapfold.open({ storage, config: given as never });
    if (options.bulk === true || options.keepOrder === true) await dex.ingest(batches as SwapSource, options);
    else
      for (const [i, batch] of batches.entries()) {
        await dex.ingest(batch);
        // A profile that was folded before must not outlive a move.
        if (i % 2 === 1) await dex.refresh();
      }
    await dex.refresh();
    assert.deepEqual((await dex.verify()).differences, []);
    const dump = await dumpStore(dex, storage);
    await dex.close();
    return dump;
  });
}

const cutIn = <T>(rows: readonly T[], batches: number): T[][] =>
  Array.from({ length: batches }, (_, i) => rows.slice((rows.length * i) / batches, (rows.length * (i + 1)) / batches));

for (const seed of isWhole ? [41, 42, 43] : [41])
  test(`seed ${seed}: arrival, cuts, repeats and engines leave one store of log indexes and fractions`, async () => {
    const { rows, config } = crowded(seed);
    const expected = await dumpAfter('memory', config, [rows]);
    const places = expected.filter((line) => line.startsWith('transactions: '));
    assert.ok(places.length > 100 && places.some((line) => / -\d+ NaN$/.test(line)));
    for (const engine of Object.keys(engines))
      for (const [batches, options] of [
        [engine === 'memory' ? cases(9, 5) : cases(9, 3), {}],
        [4, { bulk: true }],
      ] as const) {
        if (engine !== 'duckdb' && 'bulk' in options) continue;
        assert.deepEqual(
          firstDifferences(await dumpAfter(engine, config, cutIn(shuffled(rows, seed), batches), options), expected),
          [],
          `${engine}, ${batches} batches`,
        );
      }
  });

test('a kept order is the same however files are cut, on all engines', async () => {
  const SWAPS = cases(300, 120);
  const { swaps, config } = smallMarket({ seed: 9, swaps: SWAPS, wallets: 20, tokens: 8, withUsd: false });
  const rows = swaps.map(
    ({ tx_index, ...swap }): SwapInput => ({ ...swap, block_time: Math.floor(swap.block_time / 3600) * 3600 }),
  );
  const half = SWAPS / 2;
  const files = { rising: rows.slice(0, half), falling: rows.slice(half).reverse(), 'of one second': rows.slice(-10) };
  const cut = async (size: number): Promise<SwapColumns[]> => {
    const batches: SwapColumns[] = [];
    for (const [file, all] of Object.entries(files))
      for (let from = 0; from < all.length; from += size)
        batches.push({ ...(await objectsToColumns(all.slice(from, from + size))), file });
    return batches;
  };
  const [whole, ...others] = [1000, 1, 37];
  const expected = await dumpAfter('memory', config, (await cut(whole!)) as never, { keepOrder: true });
  for (const engine of Object.keys(engines))
    for (const { size, bulk } of [...others.map((size) => ({ size, bulk: false })), { size: 50, bulk: true }]) {
      if ((size === 1 && engine !== 'memory') || (bulk && engine !== 'duckdb')) continue;
      const dump = await dumpAfter(engine, config, (await cut(size)) as never, { keepOrder: true, bulk });
      assert.deepEqual(firstDifferences(dump, expected), [], `${engine}, batches of ${size}`);
    }
});

for (const engine of Object.keys(engines))
  for (const bulk of engine === 'duckdb' ? [false, true] : [false])
    test(`${engine}, bulk ${bulk}: swaps in order by hash alone are counted, whatever the batches`, async () => {
      const count = async (batches: readonly (readonly SwapInput[])[], options: IngestOptions = {}): Promise<number> =>
        withFolder(async (folder) => {
          const dex = await Swapfold.open({ storage: engines[engine]!(folder), config });
          let unordered = 0;
          const onUnordered = (swaps: number): void => {
            unordered += swaps;
          };
          await dex.ingest(batches as SwapSource, { bulk, onUnordered, ...options });
          await dex.close();
          return unordered;
        });
      const other = { ...swap('d', 'V', ['USD', 5, 'Y', 5]) };
      const later = { ...swap('e', 'V', ['USD', 5, 'X', 5]), block_time: second + 1 };
      const [a, b, c] = withGiven({}, {}, {});
      // The three of X; Y is of one transaction, and USD is a quote token.
      assert.equal(await count([[a!, b!, c!, other, later]]), 3);
      assert.equal(await count([[a!], [other, b!], [later], [c!]]), 3);
      // Two swaps of one transaction are in order.
      assert.equal(await count([[a!, { ...a!, swap_index: 1 }]]), 0);
      assert.equal(await count([[a!, { ...b!, block_time: second + 0.5 }, { ...c!, block_time: second + 0.5 }]]), 2);
      assert.equal(await count([[a!, b!, c!]], { keepOrder: true }), 0);
    });
