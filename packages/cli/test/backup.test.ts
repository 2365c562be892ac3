import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { backupName } from '../src/backups.ts';
import { storageOf } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const market = generateMarket({ seed: 29, swaps: 200 });
const config = { ...market.config, dust_usd: 0.25 };

async function open(file: string): Promise<Swapfold> {
  return Swapfold.open({ storage: await storageOf(parseStoreUrl(file)), config });
}

async function countOf(file: string): Promise<number> {
  const dex = await open(file);
  const { count } = await dex.swaps.list({ limit: 1 });
  await dex.close();
  return count;
}

test('"swapfold backup" copies an SQLite store that another process has open for writing, without its configuration', async () => {
  const dex = await open(path('held.db'));
  await dex.ingest(market.swaps());
  const { code, stdout, stderr } = await runCli(['backup', path('copy.db'), '--db', path('held.db')]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^Wrote .*copy\.db, \d+\.\d MB\. "swapfold verify --db sqlite:.*copy\.db" checks it\.\n$/);
  await dex.close();
  assert.equal(await countOf(path('copy.db')), 200);
});

test('"swapfold backup" of a DuckDB store that another process has open says who can write the copy', async () => {
  const dex = await open(path('held.duckdb'));
  await dex.ingest(market.swaps());
  const refused = await runCli(['backup', path('copy.duckdb'), '--db', path('held.duckdb')]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /"swapfold backup --url URL" or SIGUSR2 to "swapfold serve --backup-dir FOLDER"/);
  assert.equal(existsSync(path('copy.duckdb')), false);
  await dex.close();
  assert.equal((await runCli(['backup', path('copy.duckdb'), '--db', path('held.duckdb')])).code, 0);
  assert.equal(await countOf(path('copy.duckdb')), 200);
});

test('"swapfold backup" names what is wrong: no store, a taken name, no --db', async () => {
  for (const [args, said] of [
    [['backup', path('x.db'), '--db', path('none.db')], /There is no store at/],
    [['backup', path('copy.db'), '--db', path('held.db')], /exists already/],
    [['backup', path('x.db')], /required option '--db <url>' not specified, or '--url <url>' of a server/],
    [['backup', '--db', path('held.db')], /missing required argument 'file'/],
    [['backup', path('x.db'), '--url', 'http://127.0.0.1:1'], /the server names the copy itself: leave out/],
    [['backup', '--db', path('held.db'), '--url', 'http://127.0.0.1:1'], /--db and --url exclude each other/],
    [['backup', '--url', 'localhost'], /Give the address of a server such as http/],
  ] as const) {
    const { code, stderr } = await runCli(args);
    assert.notEqual(code, 0);
    assert.match(stderr, said);
  }
});

test('a server writes a copy of its DuckDB store at each SIGUSR2, and goes on serving', async () => {
  const folder = path('copies');
  mkdirSync(folder);
  const plain = await Swapfold.open({
    storage: await storageOf(parseStoreUrl(path('served.duckdb'))),
    config: market.config,
  });
  await plain.ingest(market.swaps());
  await plain.close();
  const { child, ended } = startCli(
    ['serve', '--db', path('served.duckdb'), '--port', '0', '--backup-dir', folder, '--log-format', 'json'],
    { env: { SWAPFOLD_API_KEYS: 'a-key-of-some-length' } },
  );
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  while (!/http:\S+/.test(output)) await once(child.stdout!, 'data');
  const [url] = /http:\S+\d/.exec(output)!;
  child.kill('SIGUSR2');
  while (!errors.includes('Wrote the backup')) await once(child.stderr!, 'data');
  const { status } = await fetch(`${url}/healthz`);
  assert.equal(status, 200);
  child.kill('SIGTERM');
  await ended;
  const names = readdirSync(folder);
  assert.equal(names.length, 1);
  assert.match(names[0]!, /^served-\d{8}T\d{6}Z\.duckdb$/);
  const copy = await Swapfold.open({
    storage: await storageOf(parseStoreUrl(join(folder, names[0]!))),
    config: market.config,
  });
  assert.equal((await copy.swaps.list({ limit: 1 })).count, 200);
  assert.equal((await copy.verify()).different, 0);
  await copy.close();
});

test('"swapfold serve" refuses a --backup-dir that is no folder before it opens the store', async () => {
  const { code, stderr } = await runCli(['serve', '--db', path('copy.db'), '--backup-dir', path('nowhere')]);
  assert.equal(code, 2);
  assert.match(stderr, /--backup-dir: there is no folder/);
});

test('a copy is named after its store and the second, in UTC', () => {
  assert.equal(
    backupName({ engine: 'sqlite', path: '/data/dex.db' }, new Date('2025-01-31T12:00:05.678Z')),
    'dex-20250131T120005Z.db',
  );
});
