import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { after, test } from 'node:test';
import { positionLines } from '../src/demo/wallet-positions.ts';
import { type Ended, runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const livePath = await temporaryFolder(after);
const runs: Record<'sqlite' | 'duckdb', Promise<Ended>> = {
  sqlite: runCli(['demo', '--swaps', '3000'], { cwd: path('.') }),
  duckdb: runCli(['demo', '--swaps', '3_000', '--engine', 'duckdb', '--no-serve'], { cwd: path('.') }),
};

/** What differs from run to run: times, rates, ports, file names. */
function withoutChance(stdout: string): string {
  return stdout
    .replaceAll(/in [\d.]+ (s|ms)|took [\d.]+ s|[\d,]+ swaps\/s|127\.0\.0\.1:\d+|demo\.(db|duckdb)/g, '*')
    .replaceAll(/"synced_at":"[^"]*"/g, '*')
    .replaceAll(/"cursor":"[^"]*"?/g, '*');
}

for (const [engine, file] of [
  ['sqlite', '.swapfold/demo.db'],
  ['duckdb', '.swapfold/demo.duckdb'],
] as const) {
  test(`${engine}: without a terminal the demo shows the market, sends its requests once over HTTP, and ends`, async () => {
    const { code, stdout, stderr } = await runs[engine];
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Made 3,000 swaps with seed 7 in /);
    assert.match(stdout, /\n # {2}wallet +name +floor +pnl +roi +winrate +trade_count +volume\n/);
    // Their order is that of every leaderboard.
    const floors = [...stdout.matchAll(/^ *\d+ {2}\S+…\S+ .*?(-?)\$([\d.]+)(K|M)? /gm)].map(
      ([, sign, amount, unit = '']) => Number(`${sign}${amount}`) * { '': 1, K: 1e3, M: 1e6 }[unit]!,
    );
    assert.equal(floors.length, 10);
    assert.deepEqual(
      floors,
      [...floors].sort((a, b) => b - a),
    );
    assert.match(stdout, /\nmax_drawdown +\S+ +\S+ +\S+\n/);
    assert.match(stdout, /\npnl( +-?\$[\d.]+K?){3}\npnl_native( +-?[\d.]+ SOL){3}\n/);
    assert.match(
      stdout,
      /\nWhich of the leader's [\d,]+ positions earned most\n\ntoken +state +realized pnl .* price age +bought +sold +no known cost\n─.*\n(\S+ +(open|closed|unknown) +-?\$.*\n){5}/,
    );
    assert.match(
      stdout,
      /\nWhat the best of them earned in 30 days, and why\n\npnl \$\S+ = sum of proceeds - cost over R\*\n\nterm +value +meaning\n─.*\npnl +\$\S+ +Results of .*\n\nThe .*trades that enter.*:\ntime +token +trade +value +adds\n─.*\n(\S+Z +\S+ +(buy|sell) +.*\n)+/,
    );
    assert.match(stdout, /┤.*[┃│╽╿].*\n[\s\S]*\$\S+ vol ┤[▁▂▃▄▅▆▇█ ]+\n/);
    // Commands that run where the demo was started, in the folder of its store.
    const own = `node \\S+ `;
    assert.match(
      stdout,
      new RegExp(`\n${own}leaders --db ${file}\n${own}explain \\S+ pnl --token \\S+ --db ${file}\n`),
    );
    assert.equal(stdout.match(/^curl -s http:\/\/127\.0\.0\.1:\d+\/v1\/solana\/dex\/\S+ -H 'X-Api-Key: /gm)?.length, 5);
    assert.equal(stdout.match(/: 200 in [\d.]+ ms, \d+ characters\n/g)?.length, 5);
    await access(path(file));
  });
}

test('the demo shows the same market on both engines', async () => {
  assert.equal(withoutChance((await runs.duckdb).stdout), withoutChance((await runs.sqlite).stdout));
});

test('a position without an open lot has no unrealised result, and a token without a symbol is shown by its address', () => {
  const profile = {
    updated_at: null,
    synced_at: '2025-01-01T00:00:00Z',
    position_address: 'p',
    wallet_address: 'w',
    token_address: 'So11111111111111111111111111111111111111112',
  };
  const dates = { first_trade_at: null, last_trade_at: null, opened_at: null, closed_at: null, held: null };
  const amounts = {
    balance: 0,
    cost_basis: null,
    avg_entry_price: null,
    bought_usd: 20,
    sold_usd: 10,
    unmatched_proceeds: 4,
    buy_count: 1,
  };
  const moved = { arrived_amount: 0, away_amount: 0, away_cost: 0, spent_cost: 0 };
  const rest = { ...amounts, ...moved, sell_count: 1, price: 1, value: 0 };
  const [, , open, closed] = positionLines([
    {
      ...profile,
      metadata: { ...dates, symbol: 'FROG', state: 'open' },
      holding: {
        ...rest,
        realized_pnl: 1234,
        cost_basis_native: null,
        realized_pnl_native: 0,
        realized_roi_native: null,
        unrealized_pnl_native: null,
        realized_roi: 50,
        unrealized_pnl: -7.5,
        unrealized_roi: -12,
        price_age: 65,
      },
    },
    {
      ...profile,
      metadata: { ...dates, symbol: null, state: 'closed' },
      holding: {
        ...rest,
        realized_pnl: 0,
        cost_basis_native: null,
        realized_pnl_native: 0,
        realized_roi_native: null,
        unrealized_pnl_native: null,
        realized_roi: null,
        unrealized_pnl: null,
        unrealized_roi: null,
        price_age: null,
      },
    },
  ]);
  assert.deepEqual(open?.split(/ {2,}/), [
    'FROG',
    'open',
    '$1.23K',
    '50.0%',
    '-$7.5',
    '-12.0%',
    '1m 5s',
    '$20',
    '$10',
    '$4',
  ]);
  assert.deepEqual(closed?.split(/ {2,}/), ['So111…11112', 'closed', '$0', '–', '–', '–', '–', '$20', '$10', '$4']);
});

test('a live market goes on trading: each leaderboard is of a later instant, and the demo ends if nobody looks on', async () => {
  const { code, stdout, stderr } = await runCli(['demo', '--swaps', '2000', '--live'], { cwd: livePath('.') });
  assert.equal(code, 0, stderr);
  const instants = [...stdout.matchAll(/as of (\S+):$/gm)].map(([, text]) => Date.parse(text!));
  assert.equal(instants.length, 3);
  assert.ok(instants[0]! < instants[1]! && instants[1]! < instants[2]!, stdout);
  assert.match(stdout, /The market goes on at http:\/\/127\.0\.0\.1:\d+\//);
});
