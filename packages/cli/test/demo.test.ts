import assert from 'node:assert/strict';
import { access } from 'node:fs/promises';
import { after, test } from 'node:test';
import { type Ended, runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
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
    assert.match(stdout, /\n # {2}wallet +name +pnl +roi +winrate +trade_count +volume\n/);
    assert.match(stdout, /\nmax_drawdown +\S+ +\S+ +\S+\n/);
    assert.match(stdout, /┤.*[┃│╽╿].*\n[\s\S]*\$\S+ vol ┤[▁▂▃▄▅▆▇█ ]+\n/);
    assert.equal(stdout.match(/^curl -s http:\/\/127\.0\.0\.1:\d+\/v1\/solana\/dex\/\S+ -H 'X-Api-Key: /gm)?.length, 4);
    assert.equal(stdout.match(/: 200 in [\d.]+ ms, \d+ characters\n/g)?.length, 4);
    await access(path(file));
  });
}

test('the demo shows the same market on both engines', async () => {
  assert.equal(withoutChance((await runs.duckdb).stdout), withoutChance((await runs.sqlite).stdout));
});
