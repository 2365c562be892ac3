import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);

const [wallet, usdc, pepe] = [
  '0x9b202019923f39d384537f577678c892ef4b9d7f',
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0x6982508145454ce325ddbe47a25d4ec3d2311933',
];
const hash = `0x${'ab'.repeat(32)}`;
writeFileSync(path('eth.json'), '{"preset": "ethereum"}');

for (const engine of ['db', 'duckdb']) {
  test(`on ${engine}, an import says which rows have no index, and a second one adds nothing`, async () => {
    const head = 'tx_hash,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out';
    const rows = [100, 50].map((given) => `${hash},1760000000,${wallet},${usdc},${pepe},${given},${given * 10}\n`);
    writeFileSync(path('unindexed.csv'), `${head}\n${rows.join('')}`);
    const db = ['--db', path(`unindexed.${engine}`)];
    const first = await runCli(['import', 'swaps', path('unindexed.csv'), ...db, '--config', path('eth.json')]);
    assert.match(first.stdout, / added +2\n/);
    assert.match(
      first.stdout,
      /2 rows have no swap_index: a hash of their wallet, tokens and amounts stands for it\..* --map COLUMN=swap_index\.\n/,
    );
    const second = await runCli(['import', 'swaps', path('unindexed.csv'), ...db]);
    assert.match(second.stdout, / added +0\n +duplicate +2\n/);
  });
}
