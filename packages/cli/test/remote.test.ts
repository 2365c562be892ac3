import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';
import { storageOf } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const market = generateMarket({ seed: 31, swaps: 200 });
const keys = path('keys.json');
writeFileSync(
  keys,
  JSON.stringify([
    'key-of-a-reader',
    { key: 'key-of-the-operator', operations: ['server.backup', 'server.stop'] },
    { key: 'key-of-the-feed', operations: ['ingest'] },
  ]),
);
const operator = { SWAPFOLD_API_KEY: 'key-of-the-operator' };

async function storeAt(file: string): Promise<string> {
  const dex = await Swapfold.open({ storage: await storageOf(parseStoreUrl(path(file))), config: market.config });
  await dex.ingest(market.swaps());
  await dex.close();
  return path(file);
}

/** Starts a server on a free port; resolves when it says where. */
async function start(args: readonly string[]) {
  const { child, ended } = startCli(['serve', '--port', '0', '--keys', keys, '--log-format', 'text', ...args]);
  let output = '';
  child.stdout!.on('data', (chunk) => {
    output += chunk;
  });
  while (!/http:\S+/.test(output)) await once(child.stdout!, 'data');
  return { url: /http:\S+\d/.exec(output)![0], ended };
}

test('a key that may has a served DuckDB store copied into the folder of the server, and the server stopped in order', async () => {
  const folder = path('copies');
  mkdirSync(folder);
  const { url, ended } = await start(['--db', await storeAt('served.duckdb'), '--ingest', '--backup-dir', folder]);
  const ready = await runCli(['wait', '--url', url]);
  assert.deepEqual([ready.code, ready.stderr], [0, '']);
  assert.match(ready.stdout, /^http:\S+ is ready, after /);

  for (const [key, said] of [
    [
      'key-of-a-reader',
      /answers: This API key may not do this: .*"server\.backup"\. The key is that of SWAPFOLD_API_KEY\./,
    ],
    ['key-of-the-feed', /This API key may not do this/],
    ['key-of-nobody', /answers: The API key is not known here/],
    ['', /The request has no API key/],
  ] as const) {
    const refused = await runCli(['backup', '--url', url], { env: { SWAPFOLD_API_KEY: key } });
    assert.equal(refused.code, 1, key);
    assert.match(refused.stderr, said);
    assert.equal((await runCli(['stop', '--url', url], { env: { SWAPFOLD_API_KEY: key } })).code, 1);
  }
  assert.deepEqual(readdirSync(folder), []);

  const written = await runCli(['backup', '--url', `${url}/`], { env: operator });
  assert.equal(written.code, 0, written.stderr);
  const [name, ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  assert.match(
    written.stdout,
    new RegExp(`^The server wrote ${name}, [\\d.]+ MB, into the folder of its --backup-dir\\.\n$`),
  );

  const stopped = await runCli(['stop', '--url', url], { env: operator });
  assert.deepEqual([stopped.code, stopped.stdout], [0, `${url} stops.\n`]);
  const { code, signal, stderr } = await ended;
  assert.deepEqual([code, signal], [0, null], stderr);
  assert.match(stderr, /Stopping \.\.\./);
  // Nobody holds the store any more.
  const copy = await Swapfold.open({
    storage: await storageOf(parseStoreUrl(join(folder, name!))),
    config: market.config,
  });
  assert.equal((await copy.swaps.list({ limit: 1 })).count, 200);
  await copy.close();
  assert.equal((await runCli(['info', '--db', path('served.duckdb')])).code, 0);

  const gone = await runCli(['stop', '--url', url], { env: operator });
  assert.equal(gone.code, 2);
  assert.match(gone.stderr, /Nobody answers at http:\S+: connect ECONNREFUSED/);
});

test('a server without a folder for backups says how to get one, and stops all the same', async () => {
  const { url, ended } = await start(['--db', await storeAt('plain.db')]);
  const refused = await runCli(['backup', '--url', url], { env: operator });
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has no folder for backups: start it with --backup-dir FOLDER/);
  assert.equal((await runCli(['stop', '--url', url], { env: operator })).code, 0);
  assert.equal((await ended).code, 0);
});

test('wait ends with 1 when its time is up, and says what was answered last', async () => {
  const server = createServer((_, response) => {
    response.writeHead(503).end('{"error": "The server is starting: its store is not open yet."}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const starting = await runCli(['wait', '--url', url, '--timeout', '300ms']);
  assert.equal(starting.code, 1);
  assert.match(
    starting.stderr,
    /is not ready after 0\.30 s: it answered 503: The server is starting: its store is not open yet\.\n$/,
  );
  const foreign = await runCli(['stop', '--url', url], { env: operator });
  assert.match(foreign.stderr, /answers 503, and is no Swapfold/);
  server.close();
  const nobody = await runCli(['wait', '--url', url, '--timeout', '300ms']);
  assert.equal(nobody.code, 1);
  assert.match(nobody.stderr, /ECONNREFUSED/);
  assert.doesNotMatch(nobody.stderr, /Nothing answers/);
  const wrong = await runCli(['wait', '--url', '127.0.0.1:8080']);
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /Give the address of a server such as http:\/\/127\.0\.0\.1:8080/);
});

test('wait says after five seconds what it waits for, once, and goes on', async () => {
  const server = createServer((_, response) => {
    response.writeHead(503).end('{"error": "The server is starting: its store is not open yet."}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const closed = createServer().listen(0, '127.0.0.1');
  await once(closed, 'listening');
  const nowhere = `http://127.0.0.1:${(closed.address() as AddressInfo).port}`;
  closed.close();
  const waits = [url, nowhere].map((one) => startCli(['wait', '--url', one, '--timeout', '6s']).ended);
  const [starting, refused] = await Promise.all(waits);
  server.close();
  assert.deepEqual([starting!.code, refused!.code], [1, 1]);
  const [said, ...ended] = starting!.stderr.trim().split('\n');
  assert.match(
    said!,
    /^http:\S+ is not ready yet: it answered 503: The server is starting: its store is not open yet\.$/,
  );
  assert.equal(ended.length, 1);
  const [hint, ...end] = refused!.stderr.trim().split('\n');
  assert.match(
    hint!,
    /^Nothing answers at http:\S+ yet \(connect ECONNREFUSED \S+\): look at the output .*`swapfold serve`/,
  );
  assert.match(end.join('\n'), /^error: http:\S+ is not ready after 6\.0 s: connect ECONNREFUSED \S+\.$/);
});
