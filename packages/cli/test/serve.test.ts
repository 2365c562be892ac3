import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { generateMarket } from '@swapfold/core/market';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const db = path('dex.db');

before(async () => {
  const market = generateMarket({ seed: 23, swaps: 1000 });
  const dex = await openStore(parseStoreUrl(db), market.config);
  await dex.ingest(market.swaps());
  await dex.refresh();
  await dex.close();
});

function post(url: string, key: string, body: string): Promise<Response> {
  const headers = { 'X-Api-Key': key, 'Content-Type': 'application/json' };
  return fetch(`${url}/v1/solana/dex/swaps/get-swaps`, { method: 'POST', headers, body });
}

test('serve answers the keys of SWAPFOLD_API_KEYS as query does, and ends with 0 at SIGTERM', async () => {
  const { child, ended } = startCli(['serve', '--db', db, '--port', '0', '--verbose'], {
    env: { SWAPFOLD_API_KEYS: 'first-key, second-key' },
  });
  const line = await new Promise<string>((resolve) => child.stdout!.once('data', (data) => resolve(String(data))));
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? [];
  assert.ok(url, line);
  for (const key of ['first-key', 'second-key']) {
    const response = await post(url, key, '{"limit": 2}');
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { count: number }).count, 1000);
  }
  assert.equal((await post(url, 'third-key', '{}')).status, 401);

  const [served, asked] = await Promise.all([
    post(url, 'first-key', '{"limit": 3}').then((response) => response.text()),
    runCli(['query', 'get-swaps', '{"limit": 3}', '--db', db]),
  ]);
  assert.equal(asked.stdout, `${served}\n`);

  child.kill('SIGTERM');
  const { code, stderr } = await ended;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^200 POST \/v1\/solana\/dex\/swaps\/get-swaps \d+ ms\n/);
  assert.match(stderr, /\n401 POST .*\nStopping \.\.\.\n$/s);
});

test('serve ends with 2 where its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => other.once('listening', resolve));
  const { port } = other.address() as { port: number };
  const { code, stderr } = await runCli(['serve', '--db', db, '--port', String(port)], {
    env: { SWAPFOLD_API_KEYS: 'first-key' },
  });
  other.close();
  assert.match(stderr, new RegExp(`Cannot listen on 127\\.0\\.0\\.1, port ${port}: the port is in use`));
  assert.equal(code, 2);
});
