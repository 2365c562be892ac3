import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, test } from 'node:test';
import { generateMarket, writeSwapsCsv } from '@swapfold/testing';
import { writeFileWhole } from '../src/files/write-file.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
writeSwapsCsv(generateMarket({ seed: 19, swaps: 300, withUsd: false }).swaps(), path('swaps.csv'));

async function ask(db: string, operation: string): Promise<string> {
  const { stdout, stderr, code } = await runCli(['query', operation, '{"limit": 100}', '--db', db]);
  assert.equal(code, 0, stderr);
  return stdout;
}

test('an exported file of swaps makes the same store, and an export that is refused leaves the file that was there', async () => {
  const [from, to, file] = [path('from.db'), path('to.duckdb'), path('out.csv')];
  await runCli(['import', 'swaps', path('swaps.csv'), '--db', from]);
  const exported = await runCli(['export', 'swaps', file, '--db', from]);
  assert.equal(exported.code, 0, exported.stderr);
  assert.match(exported.stderr, /^Wrote swaps to .*out\.csv, [\d,]+ bytes\.\n$/);
  const imported = await runCli(['import', 'swaps', file, '--db', to]);
  assert.equal(imported.code, 0, imported.stderr);
  for (const operation of ['swaps.list', 'trades.list'])
    assert.equal(await ask(to, operation), await ask(from, operation), operation);

  const before = readFileSync(file, 'utf8');
  const refused = await runCli(['export', 'swaps', file, '--columns', 'wallet,walet', '--db', from]);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /no column "walet"\. Did you mean "wallet"\?/);
  assert.equal(readFileSync(file, 'utf8'), before);
  const misnamed = await runCli(['export', 'swaps', path('out.xls'), '--db', from]);
  assert.match(misnamed.stderr, /Give a name that ends in \.csv/);
});

test('a file whose bytes fail on the way leaves nothing half written', async () => {
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield Buffer.from('half');
    throw new Error('no more');
  }
  const file = path('whole.csv');
  writeFileSync(file, 'before');
  await assert.rejects(writeFileWhole(file, failing()), /no more/);
  assert.equal(readFileSync(file, 'utf8'), 'before');
  assert.ok(!existsSync(`${file}.partial`), readdirSync(dirname(file)).join());
});
