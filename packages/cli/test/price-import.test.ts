import assert from 'node:assert/strict';
import { access, readFile, writeFile } from 'node:fs/promises';
import { after, describe, test } from 'node:test';
import type { Swapfold } from '@swapfold/core';
import { openReader } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);

const SOL = 'So11111111111111111111111111111111111111112';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const wallet = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';
/** 2024-01-01T00:00:00Z */
const NEW_YEAR = 1_704_067_200;
const HOUR = 3600;

async function write(name: string, text: string): Promise<string> {
  await writeFile(path(name), text);
  return path(name);
}

async function inStore<R>(db: string, ask: (dex: Swapfold) => Promise<R>): Promise<R> {
  const dex = await openReader(parseStoreUrl(db), undefined);
  return ask(dex).finally(() => dex.close());
}

const kline = (open: number, close: number) =>
  `${open * 1000},1,2,0.5,${close},7,${(open + HOUR) * 1000 - 1},9,3,4,5,0`;
/** Closes at 100 at one o'clock, at 110 at two. */
const klines = await write('SOLUSDT-1h.csv', `${kline(NEW_YEAR, 100)}\n${kline(NEW_YEAR + HOUR, 110)}\n`);

const swapColumns = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
/** Buys of 10 WIF for 2 SOL at the last second of each candle and at its end. */
const moments = [HOUR - 1, HOUR, 2 * HOUR - 1, 2 * HOUR];
const swaps = await write(
  'swaps.csv',
  [swapColumns, ...moments.map((at) => `tx${at},0,${NEW_YEAR + at},${wallet},${SOL},${WIF},2,10`), ''].join('\n'),
);
/** What the swaps are worth, the first one first: before one o'clock nobody knows a price; 2 x 100, 2 x 100, 2 x 110. */
const worth = [null, 200, 200, 220];

const importSwaps = (db: string, ...more: string[]) => runCli(['import', 'swaps', swaps, '--db', db, ...more]);
const importPrices = (file: string, db: string, ...more: string[]) =>
  runCli(['import', 'prices', file, '--db', db, ...more]);

async function valuesIn(db: string): Promise<(number | null)[]> {
  const { data } = await inStore(db, (dex) => dex.swaps.list({ wallet }));
  return data.map(({ usd_amount_in: usd }) => usd ?? null).reverse();
}

describe('import prices', { concurrency: 2 }, () => {
  for (const engine of ['sqlite', 'duckdb'] as const) {
    test(`${engine}: a swap within a candle does not see its close, one at its end does; swaps first or prices first`, async () => {
      const [pricesFirst, swapsFirst] = [`${engine}:${path(`p-${engine}`)}`, `${engine}:${path(`s-${engine}`)}`];
      const imported = await importPrices(klines, pricesFirst, '--token', 'SOL');
      assert.equal(imported.code, 0, imported.stderr);
      assert.match(imported.stdout, /^Read 2 rows of one file: Binance klines\.\n {2}stored +2\n {2}removed +0\n/);
      assert.match(imported.stdout, /^SOL: 2 prices from 2024-01-01T01:00:00Z to 2024-01-01T02:00:00Z\.$/m);
      assert.doesNotMatch(imported.stdout, /Refreshed/, 'there is no swap yet');
      assert.equal((await importSwaps(pricesFirst)).code, 0);
      assert.deepEqual(await valuesIn(pricesFirst), worth);

      assert.equal((await importSwaps(swapsFirst)).code, 0);
      assert.deepEqual(await valuesIn(swapsFirst), [null, null, null, null]);
      const late = await importPrices(klines, swapsFirst, '--token', SOL);
      assert.equal(late.code, 0, late.stderr);
      assert.match(late.stdout, /^Refreshed \d+ token/m);
      // One swap of four is before the first price.
      assert.match(late.stderr, /^Warning: 1 of 4 swaps \(25\.0%\) have no value in USD/m);
      assert.deepEqual(await valuesIn(swapsFirst), worth);

      const again = await importPrices(klines, swapsFirst, '--token', 'sol');
      assert.match(again.stdout, / {2}stored +0\n {2}removed +0\n {2}unchanged +2\n {2}rejected +0\n/);
    });
  }

  test('a file that names its tokens needs no --token; null removes a price; faulty rows are told, with exit code 0', async () => {
    const db = path('own.db');
    assert.equal((await importSwaps(db)).code, 0);
    assert.equal((await importPrices(klines, db, '--token', 'SOL')).code, 0);
    const file = await write(
      'own.csv',
      [
        'token,time,usd_price',
        `SOL,${NEW_YEAR + 2 * HOUR},null`,
        `${SOL},${NEW_YEAR},50`,
        `${WIF},${NEW_YEAR},1`,
        `SOL,never,1`,
        `SOL,${NEW_YEAR},1e250`,
        '',
      ].join('\n'),
    );
    const rejects = path('rejects.ndjson');
    const { code, stdout } = await importPrices(file, db, '--rejects', rejects);
    assert.equal(code, 0);
    assert.match(stdout, / {2}stored +1\n {2}removed +1\n {2}unchanged +0\n {2}rejected +3\n/);
    assert.match(stdout, /^SOL: one price of 2024-01-01T00:00:00Z\.$/m);
    assert.match(stdout, /own\.csv row 3: token "EKpQ\S+" is no quote token of the configuration/);
    assert.match(stdout, /own\.csv row 4: time expected Unix seconds.* received "never"/);
    assert.match(stdout, /own\.csv row 5: usd_price expected a number up to 1e\+200/);
    const lines = (await readFile(rejects, 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)).map(({ row, field, file: of }) => [row, field, of === file]),
      [
        [3, 'token', true],
        [4, 'time', true],
        [5, 'usd_price', true],
      ],
    );
    assert.deepEqual(await valuesIn(db), [100, 200, 200, 200]);
  });

  test('--dry-run shows the first prices and counts, and writes nothing, with a store or without', async () => {
    const shown = new RegExp(
      `^Nothing is written\\.\nFirst prices as they would be stored:\n {2}\\{"token":"${SOL}","time":${NEW_YEAR + HOUR},"usd_price":100\\} {2}known from 2024-01-01T01:00:00Z\n`,
    );
    const without = await runCli(['import', 'prices', klines, '--token', 'SOL', '--dry-run']);
    assert.equal(without.code, 0, without.stderr);
    assert.match(without.stdout, shown);
    assert.match(without.stdout, / {2}stored +2\n/);

    const db = path('dry.db');
    const unmade = await importPrices(klines, db, '--token', 'SOL', '--dry-run');
    assert.match(unmade.stdout, shown);
    await assert.rejects(access(db));
    assert.equal((await importSwaps(db)).code, 0);
    assert.equal((await importPrices(klines, db, '--token', 'SOL', '--dry-run')).code, 0);
    assert.deepEqual(await valuesIn(db), [null, null, null, null]);
  });

  test('prices without a token, and tokens that are no quote token, end with 2 and what would do', async () => {
    const db = path('none.db');
    const without = await importPrices(klines, db);
    assert.equal(without.code, 2);
    assert.match(
      without.stderr,
      /SOLUSDT-1h\.csv does not say which token its prices are of\. Name it with --token ADDRESS or --token SYMBOL, such as --token SOL; the quote tokens are USDC \(EPj\w+\), USDT \(\w+\), SOL \(So1\w+\)\./,
    );
    const mistyped = await importPrices(klines, db, '--token', 'SOLL');
    assert.equal(mistyped.code, 2);
    assert.match(mistyped.stderr, /No quote token has the address or the symbol "SOLL"\. Did you mean "SOL"\?/);
    assert.match(mistyped.stderr, /The configuration has: USDC \(EPj\w+\), USDT/);
    const other = await importPrices(klines, db, '--token', WIF);
    assert.equal(other.code, 2);
    assert.match(other.stderr, /Only quote tokens have reference prices/);
    await assert.rejects(access(db));
  });

  test('the quote tokens are those of the store, not those of Solana', async () => {
    const db = path('ethereum.db');
    const config = await write('ethereum.json', '{"preset": "ethereum"}');
    const made = await importPrices(klines, db, '--token', 'WETH', '--config', config);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stdout, /^WETH: 2 prices/m);
    const again = await importPrices(klines, db, '--token', 'SOL');
    assert.equal(again.code, 2);
    assert.match(again.stderr, /No quote token has the address or the symbol "SOL"\./);
  });

  test('of which nothing can be stored, no store is made, and the exit code is 1', async () => {
    const db = path('refused.db');
    const file = await write('bad.csv', 'time,usd_price\nnever,1\n');
    const { code, stdout, stderr } = await importPrices(file, db, '--token', 'SOL');
    assert.equal(code, 1);
    assert.match(stdout, / {2}rejected +1\n/);
    assert.match(stderr, /No store was made: there is nothing to store\./);
    await assert.rejects(access(db));
  });

  test('standard input, and a folder whose other files are passed over', async () => {
    const db = path('piped.db');
    const piped = await runCli(['import', 'prices', '-', '--token', 'SOL', '--db', db], {
      input: await readFile(klines, 'utf8'),
    });
    assert.equal(piped.code, 0, piped.stderr);
    assert.match(piped.stdout, / {2}stored +2\n/);
    const both = await importPrices(path('[Ss]*.csv'), db, '--token', 'SOL');
    assert.equal(both.code, 0, both.stderr);
    assert.match(both.stdout, /^Read 2 rows of one file: Binance klines\.$/m);
    assert.match(both.stdout, /^Passed over \S*swaps\.csv: it is no file of prices that is known\.$/m);
    await writeFile(path('Sempty.csv'), '');
    await writeFile(path('Sold.parquet'), 'PAR1 and so on');
    const foreign = await importPrices(path('[Ss]*'), db, '--token', 'SOL');
    assert.equal(foreign.code, 0, foreign.stderr);
    assert.match(foreign.stdout, /^Passed over \S*Sold\.parquet/m);
    const named = await importPrices(swaps, db, '--token', 'SOL');
    assert.equal(named.code, 2);
    assert.match(named.stderr, /swaps\.csv is no file of prices that is known: it has the columns "tx_hash", /);
  });
});
