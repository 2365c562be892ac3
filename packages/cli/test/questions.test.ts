import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { duckdb } from '@swapfold/duckdb';
import { sqlite } from '@swapfold/sqlite';
import { parquetReadObjects } from 'hyparquet';
import { runMany, temporaryFolder } from './run-cli.ts';

const root = resolve(import.meta.dirname, '../../..');
const path = await temporaryFolder(after);

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WIF = 'EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm';
const twins = ['7VVV1adJZdckjK1LKzXH1vKs49n8vv5SPAvCdR7Lpump', '23GVS9nznMMVsue3w8k2v1SDCasuP3ZfiPG1qvPFNqkK'];
const [winner, loser] = [
  '7YttLkHDoNj9wyDur5pM1ejNaAvT9X4eqaYcHQqtj2G5',
  '9n4nbM75f5Ui33ZbPYXn59EwSgE8CGsHtAeTH5YFeJ9E',
] as const;
const pool = 'Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE';

/** 100 USD buy 50 of a token. */
const buy = (wallet: string, block_time: number, token = WIF) => ({
  ...{ tx_hash: `${wallet}-${token}-${block_time}`, swap_index: 0, block_time, wallet },
  ...{ token_in: USDC, token_out: token, token_amount_in: 100, token_amount_out: 50 },
});
/** The 50 are sold for `usd`. */
const sell = (wallet: string, block_time: number, usd: number) => ({
  ...{ tx_hash: `${wallet}-${block_time}`, swap_index: 0, block_time, wallet, pool },
  ...{ token_in: WIF, token_out: USDC, token_amount_in: 50, token_amount_out: usd },
});
const noon = 1_735_732_800; // 2025-01-01T12:00:00Z

async function make(file: string): Promise<void> {
  const storage = file.endsWith('.duckdb') ? duckdb(file) : sqlite(file);
  const dex = await Swapfold.open({ storage, config: { preset: 'solana', dust_usd: 0.5 } });
  await dex.ingest([
    buy(winner, noon),
    sell(winner, noon + 3600, 150),
    buy(loser, noon + 1800),
    sell(loser, noon + 7200, 80),
    ...twins.map((token, i) => buy(winner, noon + 7300 + i, token)),
  ]);
  await dex.tokens.upsert([
    { address: WIF, symbol: 'WIF', name: 'dogwifhat' },
    ...twins.map((address) => ({ address, symbol: 'TWIN', name: 'one of two' })),
  ]);
  await dex.refresh();
  await dex.close();
}

for (const name of ['dex.db', 'dex.duckdb'])
  describe(`questions of ${name}`, () => {
    const folder = path(`one-${name}`);
    const file = join(folder, name);
    let answers: Awaited<ReturnType<typeof runMany>>;
    let trace = '';
    const commands = {
      top: ['top', 'WIF'],
      leaders: ['leaders', '--window', '1d'],
      byRecord: ['leaders'],
      byLifetime: ['leaders', '--by', 'days_active', '--columns', 'realized_pnl,lifetime.first_trade_at,30d.pnl'],
      losers: ['leaders', '--where', 'pnl < 0 or volume > 1k', '--columns', 'pnl,7d.trade_count', '--by', 'volume'],
      nobody: ['leaders', '--where', 'not labels has "sniper" and 1d.pnl > 1b'],
      misspelled: ['leaders', '--where', 'pln > 3'],
      leadersCsv: ['leaders', '--limit', '1', '--columns', 'roi', '--format', 'csv'],
      why: ['explain', winner, 'pnl'],
      whyOpen: ['explain', winner, 'unrealized_pnl', '--token', twins[0]!],
      whyRatio: ['explain', loser, 'winrate', '--window', '1d', '--limit', '1'],
      whyToken: ['explain', '-', 'volume', '--token', 'WIF', '--format', 'json'],
      whyNothing: ['explain', '-', 'volume'],
      whyFloor: ['explain', winner, 'floor_pnl'],
      whyRecord: ['explain', winner, 'holding.floor_pnl'],
      whyRecordWindow: ['explain', winner, 'holding.floor_pnl', '--window', '7d'],
      topAll: ['top', '--window', '1d', '--limit', '20'],
      oldest: ['top', 'WIF', '--oldest'],
      oldestOfAll: ['top', '--oldest'],
      windowOfToken: ['top', 'WIF', '--window', '7d'],
      byOfToken: ['top', 'WIF', '--by', 'sold_usb'],
      bySharpe: ['leaders', '--window', '1d', '--by', 'sharpe_ratio'],
      copied: ['simulate', winner, '--fee-percent', '1', '--delays', '0'],
      copiedCsv: ['simulate', winner, '--slippage', '0', '--unknown', '0', '--format', 'csv', '--pairs', '1'],
      copiedFar: ['simulate', winner, '--delays', '1,x'],
      copiedTwice: ['simulate', winner, '--delay', '1', '--slots', '1'],
      copiedNever: ['simulate', pool],
      leadersCopied: ['leaders', '--copy', '--columns', 'pnl', '--format', 'ndjson'],
      json: ['top', WIF, '--by', 'bought_usd', '--format', 'json'],
      wallet: ['wallet', winner],
      days: ['wallet', winner, '--by', 'day'],
      hours: ['wallet', winner, '--by', 'hour', '--limit', '2', '--format', 'ndjson'],
      token: ['token', 'WIF'],
      trades: ['trades', '--pool', pool, '--to', '2025-01-01T14:00:00Z'],
      newest: ['trades', '--wallet', winner, '--from', '2025-01-01T13:00:00Z', '--format', 'ndjson'],
      first: ['trades', '--token', 'WIF', '--oldest', '--limit', '2', '--format', 'ndjson'],
      firstFrom: ['trades', '--oldest', '--from', '1735736400', '--format', 'ndjson'],
      firstOfDay: ['trades', '--oldest', '--from', '2025-01-01', '--to', '2025-01-01T12:30:00Z', '--format', 'ndjson'],
      firstNone: ['trades', '--oldest', '--to', '2025-01-01'],
      firstOfPool: ['trades', '--oldest', '--pool', pool],
      csv: ['trades', '--token', 'WIF', '--limit', '1', '--format', 'csv'],
      parquet: ['candles', 'WIF', '--interval', '1h', '--format', 'parquet'],
      candles: ['candles', 'WIF', '--interval', '30m'],
      info: ['info', '--format', 'json'],
      quote: ['token', 'USDC', '--format', 'ndjson'],
      several: ['token', 'TWIN'],
      none: ['top', 'WIFF'],
      query: ['query', 'prices.latest', JSON.stringify({ tokens: [WIF] }), '--format', 'table'],
      wallets: ['query', 'wallets.search', '{"sort": {"field": "metrics.1d.volume"}}', '--format', 'table'],
      positions: ['query', 'positions.search', '{"filter": {"token_address": "WIF"}}', '--format', 'table'],
      tokens: ['query', 'tokens.search', '{"limit": 1}', '--format', 'table'],
      bare: ['query', 'wallets.search', '{"options": {"include_labels": true}, "limit": 1}', '--format', 'table'],
      words: [
        'query',
        'prices.candles',
        '{"token": "WIF", "interval": "1h", "from": "2025-01-01", "to": "2025-01-02"}',
      ],
      asOfDay: ['query', 'get-swaps', '--as-of', '2025-01-01'],
      noInterval: ['query', 'prices.candles', '{"token": "WIF", "interval": "1y"}'],
      noSymbol: ['query', 'prices.latest', '{"tokens": ["WIFF"]}'],
      help: ['query', 'get-price-candles', '--help'],
      flat: ['query', 'positions.search', '{"options": {"include_holding": true}, "limit": 2}', '--format', 'csv'],
      interval: ['candles', 'WIF', '--interval', '1y'],
    } as const;
    const answerTo = (command: keyof typeof commands) => answers[Object.keys(commands).indexOf(command)]!;
    const traceOf = (): string => createHash('sha256').update(readFileSync(file)).digest('hex');
    before(async () => {
      mkdirSync(folder);
      await make(file);
      trace = traceOf();
      answers = await runMany(Object.values(commands), { cwd: folder });
    });

    test('the only store in the folder is taken, says so, and is not written to', () => {
      const { code, stderr } = answerTo('top');
      assert.equal(stderr, `Asking ${name}, the only store in this folder.\n`);
      assert.equal(code, 0);
      assert.equal(traceOf(), trace);
    });

    test('top puts who made most first, as traders read it', () => {
      const [title, , , first, second, ...rest] = answerTo('top').stdout.trimEnd().split('\n');
      assert.equal(title, `WIF  ${WIF}`);
      assert.match(
        first!,
        new RegExp(`^1  ${winner}  closed +\\$50 +50\\.0% +– +\\$100 +\\$150 +\\$0 +2  2025-01-01T13:00:00Z$`),
      );
      assert.match(second!, new RegExp(`^2  ${loser}  closed +-\\$20 +-20\\.0% +– +\\$100 +\\$80 +\\$0 +2 `));
      assert.deepEqual(rest, []);
      const positions = JSON.parse(answerTo('json').stdout);
      assert.deepEqual(
        positions.map(({ holding }: { holding: { realized_pnl: number } }) => holding.realized_pnl),
        [50, -20],
      );
    });

    test('leaders puts the wallets that made most first, of those that --where asks for', () => {
      const lines = answerTo('leaders').stdout.trimEnd().split('\n');
      // The winner bought for 100, sold for 150, and bought twice more for 100; the loser lost 20 of 100, all within a day.
      assert.equal(lines[0], 'pnl of 1d');
      assert.match(
        lines[1]!,
        /^ *# {2}wallet +pnl +roi +winrate +hits +trades +tokens +volume +no cost +drawdown +held$/,
      );
      assert.match(lines[3]!, /^1 {2}7Yttk?\S+tj2G5 +\$50 +50\.0% +100% +1 +4 +1 +\$450 +0\.0% +0\.0% +1h$/);
      assert.match(lines[4]!, /^2 {2}\S+ +-\$20 +-20\.0% +0\.0% +0 +2 +1 +\$180 +0\.0% /);
      assert.ok(lines.every((line) => line.length <= 100));
      const [title, heads, , row, ...rest] = answerTo('losers').stdout.trimEnd().split('\n');
      assert.deepEqual([title, rest], ['volume of 30d', []]);
      assert.match(heads!, /^# {2}wallet +pnl +7d\.trade_count$/);
      assert.match(row!, new RegExp(`^1  ${loser} +-\\$20 +2$`));
      assert.match(answerTo('nobody').stdout, /^holding\.floor_pnl\nNo wallet\.\n$/);
      const misspelled = answerTo('misspelled');
      assert.equal(misspelled.code, 2);
      assert.match(misspelled.stderr, /Wallets have no field "pln"\. Did you mean "pnl"\?/);
      const [columns, values, ...more] = answerTo('leadersCsv').stdout.trimEnd().split('\n');
      assert.deepEqual(more, []);
      const columnOf = (name: string) => values!.split(',')[columns!.split(',').indexOf(name)];
      assert.deepEqual([columnOf('wallet_address'), columnOf('metrics.30d.roi')], [winner, '50']);
    });

    test('leaders without a metric or a window ranks by the record, in twelve columns of a hundred characters', () => {
      const lines = answerTo('byRecord').stdout.trimEnd().split('\n');
      assert.equal(lines[0], 'holding.floor_pnl');
      assert.match(lines[1]!, /^ *# {2}wallet +floor +realized +open +sunk +roi +wins +tokens +trades +days +no cost$/);
      // The winner realised 50 of 100; what it bought after that stands at its mark.
      assert.match(lines[3]!, /^1 {2}7Yttk?\S+tj2G5 +\S+ +\$50 +\S+ +0 +50\.0% +100% +3 +4 +1 +0\.0%$/);
      assert.ok(lines.every((line) => line.length <= 100));
      const [title, heads, , row] = answerTo('byLifetime').stdout.trimEnd().split('\n');
      assert.equal(title, 'days_active of 30d');
      assert.match(heads!, /^# {2}wallet +realized_pnl +lifetime\.first_trade_at +30d\.pnl$/);
      assert.match(row!, /^1 {2}\S+ +-?\$\S+ +\d{4}-\d\d-\d\dT\S+Z +-?\$/);
    });

    test('top without a token is leaders, and takes its options; what is of one token alone is refused without it', () => {
      assert.equal(answerTo('topAll').stdout, answerTo('leaders').stdout);
      for (const [command, message] of [
        ['oldestOfAll', /--oldest is of one token: name it/],
        ['windowOfToken', /--window chooses among all wallets, not among those of one token/],
        ['byOfToken', /positions are not sorted by "sold_usb"\. Did you mean "sold_usd"\?/],
      ] as const) {
        assert.equal(answerTo(command).code, 2, command);
        assert.match(answerTo(command).stderr, message);
      }
    });

    test('top --oldest lists who traded a token first, and trades --oldest its first trades', () => {
      const [, heads, , first, second, ...rest] = answerTo('oldest').stdout.trimEnd().split('\n');
      assert.match(heads!, / first trade$/);
      assert.match(first!, new RegExp(`^1  ${winner} .* 2025-01-01T12:00:00Z$`));
      assert.match(second!, new RegExp(`^2  ${loser} .* 2025-01-01T12:30:00Z$`));
      assert.deepEqual(rest, []);
      const timesOf = (command: 'first' | 'firstFrom' | 'firstOfDay'): number[] =>
        answerTo(command)
          .stdout.trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line).block_time - noon);
      assert.deepEqual(timesOf('first'), [0, 1800]);
      assert.deepEqual(timesOf('firstFrom'), [3600, 7200, 7300, 7301]);
      assert.deepEqual(timesOf('firstOfDay'), [0]);
      assert.equal(answerTo('firstNone').stdout, 'No trade.\n');
      assert.match(answerTo('firstOfPool').stderr, /--oldest and --pool exclude each other/);
    });

    test('a table shows the metric that it is sorted by, before the others', () => {
      assert.match(answerTo('bySharpe').stdout, /^sharpe_ratio of 1d\n *# +wallet +sharpe_ratio +pnl +roi /);
    });

    test('explain says what a number is made of', () => {
      // Bought for 100 and sold for 150; the two other buys have no result yet.
      const [value, , , , term, , heading, heads, , ...trades] = answerTo('why').stdout.trimEnd().split('\n');
      assert.equal(value, 'pnl $50 = sum of proceeds - cost over R*');
      assert.match(term!, /^pnl +\$50 {2}Results of the realised and the small sells\.$/);
      assert.equal(heading, 'The trades that enter, newest first:');
      assert.match(heads!, /^time +token +trade +value +adds$/);
      assert.match(trades[2]!, /^2025-01-01T13:00:00Z {2}WIF +sell +\$150 +\$50$/);
      assert.match(trades[3]!, /^2025-01-01T12:00:00Z {2}WIF +buy +\$100 +–$/);
      assert.equal(trades.length, 4);
      // 50 bought for 100, marked at their own print.
      assert.match(answerTo('whyOpen').stdout, /^holding\.unrealized_pnl \$0 = price \* lot_amount - cost_basis\n/);
      const ratio = answerTo('whyRatio').stdout;
      assert.match(
        ratio,
        /^winrate 0\.0% = win_count[\s\S]*\nlosses +1 {2}[\s\S]*The newest of the 2 trades that enter:\ntime +token +trade +value\n/,
      );
      // 100 + 150 + 100 + 80.
      assert.equal(JSON.parse(answerTo('whyToken').stdout).value, 430);
      assert.match(answerTo('whyNothing').stderr, /name it with --token/);
      // What is open stands at its own print, and nothing left: all of it is what was realised.
      assert.match(
        answerTo('whyFloor').stdout,
        /^holding\.floor_pnl \$50 = realized_pnl \+ unrealized_losses \+ away_pnl\n[\s\S]*Token by token:\ntoken +adds +realized +cost of lots +cost away +price\n/,
      );
      // 50 realised, and the open lots stand at what they cost.
      assert.match(answerTo('whyRecord').stdout, /^holding\.floor_pnl \$50 = /);
      assert.match(
        answerTo('whyRecordWindow').stderr,
        /"holding\.floor_pnl" is of the whole history and has no window: leave "window" out/,
      );
    });

    test('simulate puts a copy beside what the wallet made, and leaders shows it on request', () => {
      const lines = answerTo('copied').stdout.split('\n');
      assert.match(lines[2]!, /^ +result +realized +open +cost +roi +fees +trades +missed$/);
      // 100 bought and sold for 150, and 200 more held at what they cost: 50 of 300.
      assert.match(lines[4]!, /^the wallet itself +\$50 +\$50 +\$0 +\$300 +16\.7%$/);
      assert.match(lines[5]!, /^its prices, \$100 a buy +/);
      assert.match(lines[6]!, /^copy after 5 s +/);
      assert.match(lines[7]!, /^copy after 0 s +/);
      const [header, row] = answerTo('copiedCsv')
        .stdout.split('\n')
        .map((line) => line.split(','));
      assert.deepEqual(
        ['direction', 'missed', 'print.suspect'].map((name) => row![header!.indexOf(name)]),
        ['buy', 'false', 'false'],
      );
      assert.match(answerTo('copiedFar').stderr, /Give a whole number from 0 to 86400/);
      assert.match(answerTo('copiedTwice').stderr, /leave one out/);
      assert.match(answerTo('copiedNever').stdout, /has no trade that could be followed\.$/m);
      const copies = answerTo('leadersCopied')
        .stdout.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).copy_roi);
      assert.equal(copies.length, 2);
      assert.ok(copies.every((roi) => typeof roi === 'number'));
    });

    test('wallet and token show their metrics', () => {
      assert.match(answerTo('wallet').stdout, /\npnl +\$50 +\$50 +\$50\n[\s\S]*The best of its 3 positions:\n/);
      assert.match(answerTo('token').stdout, /WIF {2}dogwifhat .*\nprice \$1\.6, .*\n[\s\S]*\nvolume +\$430 /);
    });

    test('wallet --by says what was made in each day or hour with a trade, oldest first', () => {
      // Bought for 100, sold for 150 an hour later, and two buys of 100 after two hours.
      const [heads, , day, ...rest] = answerTo('days').stdout.trimEnd().split('\n');
      assert.match(heads!, /^day +pnl +roi +winrate +trades +tokens +volume +equity$/);
      assert.match(day!, /^2025-01-01 +\$50 +50\.0% +100% +4 +1 +\$450 +\$50$/);
      assert.deepEqual(rest, []);
      const hours = answerTo('hours')
        .stdout.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        hours.map(({ period, pnl, trade_count, volume }) => [period, pnl, trade_count, volume]),
        // The sale is at 13:00:00, the first second of its hour.
        [
          ['2025-01-01T13:00:00Z', 50, 1, 150],
          ['2025-01-01T14:00:00Z', 0, 2, 200],
        ],
      );
    });

    test('trades are filtered by pool and time, newest first', () => {
      // The loser's sale is at 14:00 sharp, and so not before it.
      const lines = answerTo('trades').stdout.trimEnd().split('\n');
      assert.equal(lines.length, 3);
      assert.match(
        lines[2]!,
        new RegExp(`^2025-01-01T13:00:00Z  ${winner}  sell  WIF +50 +\\$3 +\\$150 +\\$50 +50\\.0% `),
      );
      const newest = answerTo('newest')
        .stdout.trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        newest.map(({ block_time: time }) => time),
        [noon + 7301, noon + 7300, noon + 3600],
      );
    });

    test('CSV and Parquet have the fields of the answer', async () => {
      const [header, row] = answerTo('csv')
        .stdout.split('\n')
        .map((line) => line.split(','));
      assert.equal(row![header!.indexOf('realized_pnl_usd')], '-20');
      const { bytes } = answerTo('parquet');
      const rows = await parquetReadObjects({
        file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length) as ArrayBuffer,
      });
      assert.deepEqual(
        rows.map(({ timestamp, open, close, volume }) => [timestamp, open, close, volume]),
        [
          [noon, 2, 2, 200],
          [noon + 3600, 3, 3, 150],
          [noon + 7200, 1.6, 1.6, 80],
        ],
      );
      const [columns] = answerTo('flat').stdout.split('\n');
      assert.match(columns!, /^updated_at,synced_at,position_address,.*,holding\.realized_pnl,/);
    });

    test('candles are drawn', () => {
      assert.match(answerTo('candles').stdout, /^ +\$3 ┤[\s\S]* vol ┤/);
    });

    test('info says what the store holds, and its configuration', () => {
      const { bytes, config, ...held } = JSON.parse(answerTo('info').stdout);
      assert.ok(bytes > 10_000);
      assert.equal(config.dust_usd, 0.5);
      assert.deepEqual(
        [held.swaps, held.transactions, held.trades, held.wallets, held.tokens, held.positions],
        [6, 6, 6, 2, 4, 4],
      );
      assert.deepEqual([held.first_swap_at, held.last_swap_at, held.profiles_as_of], [noon, noon + 7301, noon + 7301]);
    });

    test('a symbol means the one token that has it, also one of the configuration; else an error names what would do', () => {
      assert.equal(JSON.parse(answerTo('quote').stdout).token_address, USDC);
      const { code, stderr } = answerTo('several');
      assert.equal(code, 2);
      assert.match(stderr, /2 tokens have the symbol "TWIN"\. Give the address of the one that you mean:\n/);
      for (const twin of twins) assert.match(stderr, new RegExp(`\n  ${twin}  one of two, price \\$2\n`));
      assert.match(answerTo('none').stderr, /No token has the address or the symbol "WIFF"\. Did you mean "WIF"\?/);
    });

    test('query prints a table of the list that an answer has', () => {
      assert.match(answerTo('query').stdout, /^token .*price.*\n─.*\nEKpQ.* 1\.6 /);
    });

    test('query prints searches as the commands do that list the same, and others field by field', () => {
      assert.match(
        answerTo('wallets').stdout,
        /^metrics of 1d\n# +wallet +pnl +roi +winrate +hits .*\n─.*\n1 {2}7Yttk?\S+ +\$50 /,
      );
      assert.match(
        answerTo('positions').stdout,
        /^# +wallet +token +state +realized pnl .* sold +no known cost .*\n─.*\n1 {2}7Ytt\S+ +WIF +closed +\$50 /,
      );
      assert.match(answerTo('tokens').stdout, /^metrics of \w+\n# +token +address +price +market cap .*\n─.*\n1 {2}/);
      assert.match(answerTo('bare').stdout, /wallet_address/);
    });

    test('query takes an interval in words, a day for a time and a symbol for a token', () => {
      const candles = JSON.parse(answerTo('words').stdout) as { timestamp: number }[];
      assert.deepEqual(
        candles.map(({ timestamp }) => timestamp - noon),
        [0, 3600, 7200],
      );
      assert.equal(JSON.parse(answerTo('asOfDay').stdout).count, 0);
      assert.match(
        answerTo('noInterval').stderr,
        /"interval": 1y is none\. Give seconds, or a number with s, m, h, d or w/,
      );
      assert.match(answerTo('noSymbol').stderr, /No token has the address or the symbol "WIFF"\. Did you mean "WIF"\?/);
    });

    test('query OPERATION --help lists the fields of its requests, with an example', () => {
      const { code, stdout } = answerTo('help');
      assert.equal(code, 0);
      assert.match(stdout, /\nprices\.candles: Get candles .*\n\nFields of a request:\n {2}token +optional; text\. /);
      assert.match(stdout, /\n {2}interval +whole number from 1 to 2592000\. Seconds\.\n/);
      assert.match(stdout, /\n {2}prints +optional; one of all, clean\. /);
      assert.match(stdout, /\nExample:\n {2}\$ swapfold query prices\.candles '\{"token":.*\}'\n/);
      for (const line of stdout.split('\n').slice(0, -3)) assert.ok(line.length <= 96, line);
    });

    test('a length of candles that is none is refused, with what would do', () => {
      assert.match(answerTo('interval').stderr, /'1y' is invalid\. Give seconds, or a number with s, m, h, d or w/);
    });
  });

test('a folder without a store, or with several, gives an error that lists what would do', async () => {
  const [empty, full] = [path('empty'), path('full')];
  mkdirSync(empty);
  mkdirSync(full);
  for (const name of ['a.db', 'b.duckdb', 'c.txt']) writeFileSync(join(full, name), '');
  const [none] = await runMany([['info']], { cwd: empty });
  assert.deepEqual([none!.code, none!.stdout], [2, '']);
  assert.match(
    none!.stderr,
    /this folder has none; name one with '--db <url>', or make one: swapfold import swaps FILE/,
  );
  const [several] = await runMany([['info']], { cwd: full });
  assert.match(several!.stderr, /this folder has several; name one: --db a\.db, --db b\.duckdb\n/);
});

test('the examples of docs/guides/command-line.md print what the page says', async () => {
  const page = readFileSync(join(root, 'docs/guides/command-line.md'), 'utf8');
  const examples = [...page.matchAll(/^```console\n\$ swapfold (.*)\n([\s\S]*?)^```$/gm)];
  assert.ok(examples.length >= 6);
  const folder = path('docs');
  mkdirSync(folder);
  const wordsOf = (line: string) => [...line.matchAll(/'([^']*)'|(\S+)/g)].map((match) => match[1] ?? match[2]!);
  const data = ['swaps swaps.csv', 'tokens tokens.ndjson'].map((what) =>
    wordsOf(`import ${what} --db dex.db`).map((word) =>
      /\.(csv|ndjson)$/.test(word) ? join(root, 'examples/data', word) : word,
    ),
  );
  const [swaps, tokens, ...answers] = await runMany([...data, ...examples.map(([, line]) => wordsOf(line!))], {
    cwd: folder,
  });
  assert.deepEqual([swaps!.code, tokens!.code], [0, 0]);
  const masked = (text: string) => text.replace(/^size .*$/m, 'size');
  for (const [i, [, line, printed]] of examples.entries())
    assert.equal(masked(answers[i]!.stdout), masked(printed!), `swapfold ${line}`);
});
