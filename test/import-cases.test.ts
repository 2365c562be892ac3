import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Swapfold, SwapfoldError } from '@swapfold/core';
import { type ImportFilesOptions, type ImportSummary, importFiles } from '@swapfold/files';
import { engines, withFolder } from './support/engines.ts';
import { isWhole } from './support/whole.ts';

const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/imports/${name}`, import.meta.url));

const [WALLET, TOKEN] = [`${'W'.repeat(43)}1`, `${'T'.repeat(43)}1`];
const [EVM_WALLET, EVM_TOKEN] = [`0x${'1'.repeat(40)}`, `0x${'a'.repeat(40)}`];
const OWNER = '0x9b202019923f39d384537f577678c892ef4b9d7f';
const SOL_OWNER = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
const CREATOR = 'AptgVT27LJUj7rn43EvQfZ82HkkBuhtynqtKb6ES48av';

/** A question, and the value that lies at a path of its answer, worked out by hand. */
type Ask = readonly [operation: string, request: object, path: readonly (string | number)[], right: number];

const metric = (wallet: string, name: string, right: number): Ask => [
  'wallets.get',
  { wallet, options: { include_metrics: ['30d'] } },
  ['metrics', '30d', name],
  right,
];
const price = (token: string, name: string, right: number): Ask => [
  'prices.latest',
  { tokens: [token] },
  [0, name],
  right,
];
const candle = (token: string, name: string, right: number): Ask => [
  'prices.candles',
  { token, interval: 60 },
  [0, name],
  right,
];

interface Case {
  readonly sentence: string;
  readonly preset: 'solana' | 'ethereum';
  /** Files of imports, one after the other. */
  readonly files: readonly string[];
  readonly options?: ImportFilesOptions;
  readonly asks: readonly Ask[];
}

const cases: readonly Case[] = [
  {
    sentence: 'what SOL was bought for a year ago is no result of its spending, and volume counts a trade once',
    preset: 'solana',
    files: ['e24b-wallet-export.csv'],
    asks: [metric(WALLET, 'pnl', 100), metric(WALLET, 'volume', 300)],
  },
  ...['a1-dune.csv', 'a1-uniswap-v2.ndjson'].map(
    (file): Case => ({
      sentence: `${file}: swaps of one block are in the order of its logs, not of their hashes`,
      preset: 'ethereum',
      files: [file],
      asks: [
        metric(EVM_WALLET, 'pnl', 100),
        ...[candle(EVM_TOKEN, 'open', 2), candle(EVM_TOKEN, 'close', 4), price(EVM_TOKEN, 'usd_price', 4)],
      ],
    }),
  ),
  {
    sentence: 'the native token of V4 and its wrapped form are one',
    preset: 'ethereum',
    files: ['a2-v4-native.ndjson'],
    options: { presets: ['uniswap-v4-subgraph'] },
    asks: [
      ...[metric(EVM_WALLET, 'trade_count', 2), metric(EVM_WALLET, 'volume', 7500)],
      ...[metric(EVM_WALLET, 'pnl', 1500), metric(EVM_WALLET, 'pnl_native', 0.5)],
    ],
  },
  {
    sentence: 'a thin print does not price the native token',
    preset: 'solana',
    files: ['c16-thin-native.csv'],
    asks: [metric(WALLET, 'pnl', 10), metric(WALLET, 'volume', 210), price(TOKEN, 'usd_price', 1.1)],
  },
  {
    sentence: 'what a feed says that a swap was worth stands where it is right',
    preset: 'solana',
    files: ['b1d-feed-is-right.csv'],
    asks: [metric(WALLET, 'pnl', 50), metric(WALLET, 'volume', 250), price(TOKEN, 'usd_price', 3)],
  },
  {
    sentence: 'one round trip far from the price does not move the clean price',
    preset: 'solana',
    files: ['c02b-one-round-trip.csv'],
    asks: [['portfolios.get', { wallet: WALLET }, ['value'], 10], price(TOKEN, 'clean_usd_price', 0.0005)],
  },
  {
    sentence: 'a quiet day and one odd print after it do not move the clean price',
    preset: 'solana',
    files: ['c18-quiet-day.csv'],
    asks: [['portfolios.get', { wallet: WALLET }, ['value'], 1000], price(TOKEN, 'clean_usd_price', 1)],
  },
  {
    sentence: 'milliseconds put swaps of one second in order',
    preset: 'solana',
    files: ['c20-milliseconds.csv'],
    asks: [metric(WALLET, 'pnl', 100), candle(TOKEN, 'open', 2), candle(TOKEN, 'close', 4)],
  },
  {
    sentence: 'two orders of one transaction are two trades, although a hop of one lies between',
    preset: 'solana',
    files: ['e9c-two-orders-one-hop.csv'],
    asks: [
      ...[metric(WALLET, 'win_count', 2), metric(WALLET, 'winrate', 100)],
      ['trades.list', { wallet: WALLET }, ['data', 1, 'realized_pnl_usd'], 20],
      ['trades.list', { wallet: WALLET }, ['data', 0, 'realized_pnl_usd'], 5],
    ],
  },
  {
    sentence: 'a swap of two tokens without a quote is worth what clean prints say of them',
    preset: 'ethereum',
    files: ['c07c-clean-prints-known.csv'],
    asks: [metric(EVM_WALLET, 'pnl', 0), metric(EVM_WALLET, 'volume', 70)],
  },
  {
    sentence: 'a sale on another chain is none of what was bought on this one',
    preset: 'ethereum',
    files: ['f10-two-chains.csv'],
    asks: [metric(EVM_WALLET, 'pnl', 0)],
  },
  {
    sentence: 'what a tax took on the way was paid for',
    preset: 'solana',
    files: ['c29-tax.csv'],
    asks: [metric(WALLET, 'pnl', -5)],
  },
  ...['sandwich-dune.csv', 'sandwich-subgraph.json'].map(
    (file): Case => ({
      sentence: `${file}: a bot before and behind another's purchase in one block gains the difference`,
      preset: 'ethereum',
      files: [file],
      asks: [metric(EVM_WALLET, 'pnl', 50)],
    }),
  ),
  ...[1, 2, 1000].map(
    (batchRows): Case => ({
      sentence: `two equal halves of one transaction both stay with skipSame, ${batchRows} rows a transaction`,
      preset: 'solana',
      files: ['halves-first.csv', 'halves-second.csv'],
      options: { skipSame: true, batchRows },
      asks: [
        ['swaps.list', {}, ['count'], 4],
        // Bought 1 for 1 and 200 for 100, of which the first 200 were sold for 150: they cost 1 + 50 + 49.5.
        metric(SOL_OWNER, 'pnl', 49.5),
      ],
    }),
  ),
  {
    sentence: 'native SOL as Bitquery writes it is SOL',
    preset: 'solana',
    files: ['native-sol-bitquery.json'],
    asks: [
      ...[metric(SOL_OWNER, 'trade_count', 4), metric(SOL_OWNER, 'volume', 675)],
      ...[metric(SOL_OWNER, 'roi', 25), metric(SOL_OWNER, 'pnl_native', 0.5)],
    ],
  },
  {
    sentence: 'ETH at the address of zeros is the native token',
    preset: 'ethereum',
    files: ['native-eth-v4.json'],
    options: { presets: ['uniswap-v4-subgraph'] },
    asks: [metric(OWNER, 'trade_count', 4), metric(OWNER, 'volume', 18_000), metric(OWNER, 'roi', 25)],
  },
  {
    sentence: 'a row whose line was cut off is stored from the whole file, with all its digits',
    preset: 'solana',
    files: ['csv-last-line-cut.csv', 'csv-last-line-full.csv'],
    asks: [
      ['swaps.list', {}, ['count'], 4],
      // The last one by its hash, tx3.
      ['swaps.list', {}, ['data', 0, 'token_amount_out'], 123_456],
    ],
  },
  {
    sentence: 'who creates a coin on PumpPortal and buys with it has a purchase',
    preset: 'solana',
    files: ['pumpportal-create-buy.ndjson'],
    asks: [metric(CREATOR, 'trade_count', 2), metric(CREATOR, 'pnl_native', 5.19)],
  },
  {
    sentence: 'of an export of two chains, the rows of the chain of the store count',
    preset: 'ethereum',
    files: ['dune-two-chains.csv'],
    asks: [metric(OWNER, 'trade_count', 2), metric(OWNER, 'volume', 12_000), metric(OWNER, 'pnl', 4000)],
  },
  {
    sentence: 'rows without an index, of one transaction, are as many as they are',
    preset: 'ethereum',
    files: ['no-index.csv', 'no-index.csv'],
    asks: [['swaps.list', {}, ['count'], 2]],
  },
  {
    sentence: 'a hash without 0x is that with it',
    preset: 'ethereum',
    files: ['prefixed.csv', 'unprefixed.csv'],
    asks: [['swaps.list', {}, ['count'], 2]],
  },
  {
    sentence: 'a trade as JSON and as CSV is one, however its numbers are written',
    preset: 'ethereum',
    files: ['gt.json', 'gt.csv'],
    asks: [['swaps.list', {}, ['count'], 1], metric(OWNER, 'trade_count', 1)],
  },
];

/** Imports files one after the other into a store of an engine. */
async function withImported<T>(
  engine: string,
  { preset, files, options }: Pick<Case, 'preset' | 'files' | 'options'>,
  use: (dex: Swapfold, summaries: readonly ImportSummary[]) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const dex = await Swapfold.open({ storage: engines[engine]!(folder), config: { preset } });
    try {
      const summaries: ImportSummary[] = [];
      for (const file of files) summaries.push(await importFiles(dex, fixture(file), options));
      await dex.refresh();
      return await use(dex, summaries);
    } finally {
      await dex.close();
    }
  });
}

const at = (answer: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((found, key) => (found as Record<string | number, unknown> | undefined)?.[key], answer);

/**
 * What an engine that stores in a file tries in its place: every file that comes after another, for which it looks up what it has,
 * and some of the others.
 */
const part = isWhole ? cases : cases.filter(({ files }, i) => files.length > 1 || i % 5 === 0);

for (const engine of ['memory', 'sqlite', 'duckdb']) {
  for (const { sentence, asks, ...given } of engine === 'memory' ? cases : part)
    test(`${engine}: ${sentence}`, () =>
      withImported(engine, given, async (dex) => {
        for (const [operation, request, path, right] of asks) {
          const came = at(await dex.call(operation, request), path) as number;
          const isRight = Math.abs(came - right) <= 1e-9 * Math.max(1, Math.abs(right));
          assert.ok(isRight, `${operation} ${path.join('.')}: ${came}, not ${right}`);
        }
      }));

  test(`${engine}: a day of a spreadsheet is no time, and its row is rejected with what would do`, () =>
    withImported(engine, { preset: 'solana', files: ['excel-date.csv'] }, async (dex, [summary]) => {
      assert.equal((await dex.info()).swaps, 0);
      assert.deepEqual(
        summary!.rejects.map(({ row, field }) => [row, field]),
        [[1, 'block_time']],
      );
      assert.match(summary!.rejects[0]!.reason, /45368\.37.*2024-03-17/);
    }));

  test(`${engine}: a file of one record that holds an empty list is refused with its columns`, async () => {
    const refused = withImported(engine, { preset: 'ethereum', files: ['one-record-empty-list.json'] }, async () => 0);
    await assert.rejects(
      refused,
      (error: unknown) => error instanceof SwapfoldError && /It has: "hash", "ts", "who", "ids"/.test(error.message),
    );
  });
}
