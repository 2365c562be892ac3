import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Swapfold } from '@swapfold/core';
import { sqlite } from '@swapfold/sqlite';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { writeFileWhole } from '../src/write-file.ts';
import { runCli, runMany, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
writeSwapsCsv(generateMarket({ seed: 19, swaps: 300, withUsd: false }).swaps(), path('swaps.csv'));

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const WALLET = '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5';

/** What a swap says but its values: an import would take those that are derived for a feed's. */
const WITHOUT_VALUES = [
  ...['protocol', 'wallet', 'token_in', 'token_out', 'token_symbol_in', 'token_symbol_out'],
  ...['token_amount_in', 'token_amount_out', 'pre_token_balance_in', 'pre_token_balance_out'],
  ...['post_token_balance_in', 'post_token_balance_out', 'block_slot', 'block_time', 'tx_hash', 'swap_index'],
  ...['pool', 'fee_native', 'tx_index', 'log_index'],
].join();

test('an exported file of every format without derived values makes the same store on both engines, and an export that is refused leaves the file that was there', async () => {
  const from = path('from.db');
  const operations = ['swaps.list', 'trades.list', 'wallets.search', 'tokens.search', 'positions.search'];
  const asked = (db: string): string[][] => operations.map((name) => ['query', name, '{"limit": 100}', '--db', db]);
  const copies = [
    ['csv', 'sqlite:'],
    ['csv', 'duckdb:'],
    ['parquet', 'duckdb:'],
    ['parquet', 'sqlite:'],
    ['ndjson', 'sqlite:'],
    ['arrow', 'duckdb:'],
    ['arrow', 'sqlite:'],
  ].map(([format, engine]) => ({
    file: path(`out.${format}`),
    db: `${engine}${path(`${format}-${engine!.slice(0, -1)}`)}`,
  }));
  const ended = await runMany([
    ['import', 'swaps', path('swaps.csv'), '--db', from],
    ...[...new Set(copies.map(({ file }) => file))].map((file) => [
      ...['export', 'swaps', file, '--columns', WITHOUT_VALUES, '--db', from],
    ]),
    ...copies.map(({ file, db }) => ['import', 'swaps', file, '--db', db]),
    ...[from, ...copies.map(({ db }) => db)].flatMap(asked),
  ]);
  for (const { code, stderr } of ended) assert.equal(code, 0, stderr);
  assert.match(ended[1]!.stderr, /^Wrote swaps to .*out\.csv, [\d,]+ bytes\.\n$/);
  const answers = ended
    .slice(-operations.length * (copies.length + 1))
    .map(({ stdout }) => stdout.replaceAll(/"synced_at":"[^"]*",?/g, ''));
  const expected = answers.slice(0, operations.length);
  assert.ok(expected.every((answer) => JSON.parse(answer).data.length > 0));
  for (const [i, copy] of copies.entries())
    assert.deepEqual(answers.slice(operations.length * (i + 1), operations.length * (i + 2)), expected, copy.db);

  const file = path('out.csv');
  const before = readFileSync(file, 'utf8');
  const refused = await runCli(['export', 'swaps', file, '--columns', 'wallet,walet', '--db', from]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /no column "walet"\. Did you mean "wallet"\?/);
  assert.equal(readFileSync(file, 'utf8'), before);
  const misnamed = await runCli(['export', 'swaps', path('out.xls'), '--db', from]);
  assert.match(misnamed.stderr, /Give a name that ends in \.csv/);
});

test('an export takes the symbol of a token, an interval such as 1h and a day, as the questions do', async () => {
  const db = path('symbols.db');
  const row = (hash: string, day: string, amount: number) =>
    [hash, 0, `${day}T10:00:00Z`, WALLET, USDC, WIF, 'WIF', 100, amount].join();
  const header =
    'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_symbol_out,token_amount_in,token_amount_out';
  writeFileSync(path('symbols.csv'), [header, row('a', '2025-01-01', 50), row('b', '2025-01-02', 25), ''].join('\n'));
  const ask = ['--interval', '1h', '--from', '2025-01-02', '--db', db];
  const [imported, written, unknown] = await runMany([
    ['import', 'swaps', path('symbols.csv'), '--db', db],
    ['export', 'candles', path('symbols-out.csv'), '--token', 'WIF', ...ask],
    ['export', 'candles', path('unknown.csv'), '--token', 'WIFF', ...ask],
  ]);
  for (const { code, stderr } of [imported!, written!]) assert.equal(code, 0, stderr);
  assert.deepEqual(readFileSync(path('symbols-out.csv'), 'utf8').trimEnd().split('\n').slice(1), [
    '1735812000,4,4,4,4,100,1,0',
  ]);
  assert.match(unknown!.stderr, /No token has the address or the symbol "WIFF"\. Did you mean "WIF"\?/);
  assert.equal(existsSync(path('unknown.csv')), false);
});

test('a file whose bytes fail on the way leaves nothing half written', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('no more');
  }
  const file = path('whole.csv');
  writeFileSync(file, 'before');
  await assert.rejects(writeFileWhole(file, failing()), /no more/);
  await assert.rejects(writeFileWhole(path('none/x.csv'), failing()), {
    code: 'invalid-input',
    message: /Cannot write .*none/,
  });
  assert.equal(readFileSync(file, 'utf8'), 'before');
  assert.ok(!existsSync(`${file}.partial`), readdirSync(dirname(file)).join());
});

test('an export that is killed, or interrupted, leaves no file of its name, and the next one replaces what a killed one left', async () => {
  const [db, file] = [path('killed.db'), path('killed.csv')];
  // So many that after a signal there is always more to write.
  const many = path('many.csv');
  writeSwapsCsv(generateMarket({ seed: 20, swaps: 12_000 }).swaps(), many);
  assert.equal((await runCli(['import', 'swaps', many, '--no-refresh', '--db', db])).code, 0);
  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    // A pipe takes 64 kB of the file, so that the process is in its midst.
    execFileSync('mkfifo', [`${file}.partial`]);
    const { child, ended } = startCli(['export', 'trades', file, '--db', db]);
    const pipe = createReadStream(`${file}.partial`, { highWaterMark: 1000 });
    const [first] = (await once(pipe, 'data')) as [Buffer];
    pipe.pause();
    assert.match(first.toString(), /^protocol,wallet,/);
    child.kill(signal);
    if (signal === 'SIGKILL') {
      assert.equal((await ended).signal, 'SIGKILL');
      pipe.destroy();
      rmSync(`${file}.partial`);
    } else {
      await once(child.stderr!, 'data');
      pipe.resume();
      const { code, stderr } = await ended;
      assert.equal(code, 130, stderr);
      assert.match(stderr, /^\nStopping \.\.\.\nInterrupted\. /);
    }
    assert.ok(!existsSync(file) && !existsSync(`${file}.partial`), readdirSync(dirname(file)).join());
  }
  writeFileSync(`${file}.partial`, 'half of a fi');
  assert.equal((await runCli(['export', 'trades', file, '--db', db])).code, 0);
  assert.match(readFileSync(file, 'utf8'), /^protocol,wallet,[^\n]*\n(?:[^\n]+\n){1000,}$/);
  assert.ok(!existsSync(`${file}.partial`));
});

test('without the package apache-arrow, an export to Arrow and an import of it say what to install', async () => {
  const hidden = `export async function resolve(name, context, next) {
    if (name === 'apache-arrow') throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const hook = path('without-arrow.mjs');
  const url = `data:text/javascript,${encodeURIComponent(hidden)}`;
  writeFileSync(hook, `import { register } from 'node:module'; register(${JSON.stringify(url)});`);
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(hook)}` };
  const [db, file] = [path('empty.db'), path('none.arrow')];
  await (await Swapfold.open({ storage: sqlite(db) })).close();
  writeFileSync(path('some.arrow'), 'ARROW1\0\0');
  const [out, back] = await Promise.all([
    runCli(['export', 'swaps', file, '--db', db], { env, input: '' }),
    runCli(['import', 'swaps', path('some.arrow'), '--db', path('into.db')], { env, input: '' }),
  ]);
  for (const { code, stderr } of [out, back]) {
    assert.equal(code, 2, stderr);
    assert.match(stderr, /^error: .*needs? the package apache-arrow.*npm install apache-arrow/);
  }
  assert.ok(!existsSync(file) && !existsSync(`${file}.partial`));
});
