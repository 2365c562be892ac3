import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { after, before, test } from 'node:test';
import { generateMarket } from '@swapfold/testing';
import { openStore } from '../src/open-store.ts';
import { parseStoreUrl } from '../src/options/store-url.ts';
import { runCli, startCli, temporaryFolder } from './run-cli.ts';

const path = await temporaryFolder(after);
const db = path('dex.db');
const [FIRST, SECOND] = ['first-key-of-all', 'second-key-of-all'];

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

/** Starts `swapfold serve` on the store and a free port; gives the lines of its standard output as they come. */
async function start(args: readonly string[], keys = '') {
  const { child, ended } = startCli(['serve', '--db', db, '--port', '0', ...args], {
    env: { SWAPFOLD_API_KEYS: keys },
  });
  const output = texts(child.stdout!);
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await output(/^Serving .*\n/m))!;
  return { child, ended, url, output, errors: texts(child.stderr!), stop: () => stop(child, ended) };
}

async function stop<T>(child: ChildProcess, ended: Promise<T>): Promise<T> {
  child.kill('SIGTERM');
  return ended;
}

/** All text of a stream, once it matches. */
function texts(stream: NodeJS.ReadableStream): (pattern: RegExp) => Promise<string> {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return async (pattern) => {
    while (!pattern.test(text)) await once(stream, 'data');
    return text;
  };
}

const linesOf = (stderr: string) =>
  stderr
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('serve answers the keys of SWAPFOLD_API_KEYS as query does, and ends with 0 at SIGTERM', async () => {
  const { url, stop } = await start(['--verbose', '--log-format', 'text'], `${FIRST}, ${SECOND}`);
  for (const key of [FIRST, SECOND]) {
    const response = await post(url, key, '{"limit": 2}');
    assert.equal(response.status, 200);
    assert.equal(((await response.json()) as { count: number }).count, 1000);
  }
  assert.equal((await post(url, 'third-key', '{}')).status, 401);

  const [served, asked] = await Promise.all([
    post(url, FIRST, '{"limit": 3}').then((response) => response.text()),
    runCli(['query', 'get-swaps', '{"limit": 3}', '--db', db]),
  ]);
  assert.equal(asked.stdout, `${served}\n`);

  const { code, stderr } = await stop();
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^200 POST \/v1\/solana\/dex\/swaps\/get-swaps \d+ ms\n/);
  assert.match(stderr, /\n401 POST .*\nStopping \.\.\.\n$/s);
});

test('where no terminal is attached the log is a JSON object a line, with no key and no body in it', async () => {
  const keys = path('named.json');
  await writeFile(keys, JSON.stringify([{ key: FIRST, name: 'anna' }]));
  const { url, stop } = await start(['--verbose', '--keys', keys]);
  await post(url, FIRST, '{"limit": 2}');
  await post(url, SECOND, '{"limit": 2}');
  await post(url, FIRST, '{"secret-of-the-body": 2}');
  const { stderr } = await stop();
  const lines = linesOf(stderr);
  assert.deepEqual(
    lines.map(({ level, msg, method, route, caller, status }) => [level, msg, method, route, caller, status]),
    [
      ['info', 'request', 'POST', '/v1/solana/dex/swaps/get-swaps', 'anna', 200],
      ['info', 'request', 'POST', '/v1/solana/dex/swaps/get-swaps', undefined, 401],
      ['info', 'request', 'POST', '/v1/solana/dex/swaps/get-swaps', 'anna', 400],
      ['info', 'Stopping ...', undefined, undefined, undefined, undefined],
    ],
  );
  for (const { time } of lines) assert.ok(!Number.isNaN(Date.parse(time)));
  assert.match(lines[0].request_id, /^[0-9a-f-]{36}$/);
  for (const secret of [FIRST, SECOND, 'secret-of-the-body']) assert.ok(!stderr.includes(secret), secret);
});

test('without --verbose the log tells only of what happens to the server', async () => {
  const { url, stop } = await start([], FIRST);
  assert.equal((await post(url, FIRST, '{}')).status, 200);
  const { stderr } = await stop();
  assert.deepEqual(
    linesOf(stderr).map(({ msg }) => msg),
    ['Stopping ...'],
  );
});

test('at SIGHUP the file of keys is read again; a broken one changes nothing and is not repeated', async () => {
  const keys = path('keys.json');
  const sha256 = (key: string) => `sha256:${createHash('sha256').update(key).digest('hex')}`;
  await writeFile(keys, JSON.stringify([sha256(FIRST)]));
  const { child, url, errors, stop } = await start(['--keys', keys]);
  const statuses = async () => [(await post(url, FIRST, '{}')).status, (await post(url, SECOND, '{}')).status];
  assert.deepEqual(await statuses(), [200, 401]);
  await writeFile(keys, JSON.stringify([sha256(SECOND)]));
  child.kill('SIGHUP');
  await errors(/Read the keys again: 1/);
  assert.deepEqual(await statuses(), [401, 200]);
  const broken = [`["${FIRST}", ${FIRST}]`, `["${FIRST}", "${FIRST} with spaces"]`, `{"${FIRST}": true}`, '[]'];
  for (const [i, text] of broken.entries()) {
    await writeFile(keys, text);
    child.kill('SIGHUP');
    await errors(new RegExp(`(?:the old ones stay:[^]*){${i + 1}}`));
    assert.deepEqual(await statuses(), [401, 200]);
  }
  const { code, stderr } = await stop();
  assert.equal(code, 0);
  const reasons = linesOf(stderr).flatMap(({ err }) => (err === undefined ? [] : [err.message]));
  const says = [
    /^The file of keys .* is not JSON: Unexpected token/,
    /^"keys.1": a key has at least 8 characters, none of them a space/,
    /does not hold a list/,
    /There is no API key/,
  ];
  assert.equal(reasons.length, says.length);
  for (const [i, pattern] of says.entries()) assert.match(reasons[i], pattern);
  for (const key of [FIRST, SECOND]) assert.ok(!stderr.includes(key));
});

test('swapfold key makes a key that its hash lets in', async () => {
  const { code, stdout } = await runCli(['key']);
  assert.equal(code, 0);
  const [key, hashed] = stdout.split('\n') as [string, string];
  assert.match(key, /^[\w-]{43}$/);
  const { url, stop } = await start([], hashed);
  assert.equal((await post(url, key, '{}')).status, 200);
  assert.equal((await post(url, hashed, '{}')).status, 401);
  await stop();
  assert.notEqual((await runCli(['key'])).stdout.split('\n')[0], key);
});

test('--rate, --burst and --metrics-port do what they say', async () => {
  const { url, output, stop } = await start(['--rate', '0.001', '--burst', '2', '--metrics-port', '0'], FIRST);
  const [metrics] = /http:\S+\/metrics/.exec(await output(/Metrics at .*\n/))!;
  const statuses = [];
  for (let i = 0; i < 3; i++) statuses.push((await post(url, FIRST, '{}')).status);
  assert.deepEqual(statuses, [200, 200, 429]);
  assert.match(await (await fetch(metrics)).text(), /^swapfold_http_refused_total\{reason="rate"\} 1$/m);
  await stop();
  const { code, stderr } = await runCli(['serve', '--db', db, '--burst', '2'], { env: { SWAPFOLD_API_KEYS: FIRST } });
  assert.match(stderr, /--burst means nothing without --rate/);
  assert.equal(code, 2);
});

test('at SIGTERM a running request is answered before the process ends, and no new connection is taken', async () => {
  const { child, ended, url, errors } = await start([], FIRST);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    received += chunk;
  });
  socket.write(
    `POST /v1/solana/dex/swaps/get-swaps HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nx-api-key: ${FIRST}\r\ncontent-length: 12\r\n\r\n{"limit"`,
  );
  // Answered after the half request has been read.
  assert.equal((await post(url, FIRST, '{}')).status, 200);
  child.kill('SIGTERM');
  await errors(/Stopping/);
  await assert.rejects(post(url, FIRST, '{}'), /fetch failed/);
  socket.write(': 1}');
  await once(socket, 'close');
  assert.match(received, /^HTTP\/1.1 200 .*connection: close.*"count":1000/is);
  assert.equal((await ended).code, 0);
});

test('serve --read-only answers what another process has just stored, on SQLite', async () => {
  const path = db.replace('dex.db', 'growing.db');
  const market = generateMarket({ seed: 24, swaps: 1000 });
  const writer = await openStore(parseStoreUrl(path), market.config);
  await writer.refresh();
  const { child, ended } = startCli(['serve', '--db', path, '--port', '0', '--read-only'], {
    env: { SWAPFOLD_API_KEYS: FIRST },
  });
  const [url] = /http:\/\/127\.0\.0\.1:\d+/.exec(await texts(child.stdout!)(/^Serving .*\n/m))!;
  const count = async (): Promise<unknown> =>
    ((await (await post(url, FIRST, '{}')).json()) as { count: number }).count;
  assert.equal(await count(), 0);
  await writer.ingest(market.swaps());
  assert.equal(await count(), 1000);
  await writer.refresh();
  await writer.close();
  assert.equal((await stop(child, ended)).code, 0);
});

test('serve ends with 2 where its port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const { code, stderr } = await runCli(['serve', '--db', db, '--port', String(port)], {
    env: { SWAPFOLD_API_KEYS: FIRST },
  });
  other.close();
  assert.match(stderr, new RegExp(`Cannot listen on 127\\.0\\.0\\.1, port ${port}: the port is in use`));
  assert.equal(code, 2);
});

test('serve --mcp of a file that is no store says so, as without --mcp', async () => {
  const path = db.replace('dex.db', 'text.db');
  await writeFile(path, 'this is a text, and no database at all\n'.repeat(100));
  const { code, stderr } = await runCli(['serve', '--db', path, '--port', '0', '--mcp'], {
    env: { SWAPFOLD_API_KEYS: FIRST },
  });
  assert.match(stderr, /error: .*text\.db.* is not an SQLite database/);
  assert.doesNotMatch(stderr, /\n\s+at /);
  assert.equal(code, 1);
});

test('--leave answers after SIGTERM while /readyz is 503; --trust-proxy has the log name the caller of a wrong key', async () => {
  const { url, ended, errors, child } = await start(
    ['--leave', '2s', '--trust-proxy', '127.0.0.1', '--proxy-header', 'forwarded', '--log-format', 'json', '--verbose'],
    FIRST,
  );
  const headers = { 'X-Api-Key': 'not-a-key-of-it', Forwarded: 'for=203.0.113.7' };
  assert.equal((await fetch(`${url}/v1/solana/dex/swaps/get-swaps`, { method: 'POST', headers })).status, 401);
  assert.match(await errors(/"status":401.*\n/), /"peer":"203\.0\.113\.7"/);
  child.kill('SIGTERM');
  await errors(/Stopping/);
  assert.equal((await fetch(`${url}/readyz`)).status, 503);
  assert.equal((await post(url, FIRST, '{}')).status, 200);
  assert.equal((await ended).code, 0);
});

const refused: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['--trust-proxy', 'proxy.internal'], /trustProxy\.0": expected an address or a subnet/],
  [['--trust-proxy', '0'], /expected how many proxies there are, from 1/],
  [['--proxy-header', 'x-real-ip'], /Allowed choices are x-forwarded-for, forwarded/],
  [['--leave', 'soon'], /Give a time such as 2s/],
];
for (const [args, says] of refused)
  test(`serve ${args.join(' ')} is refused`, async () => {
    const { code, stderr } = await runCli(['serve', '--db', db, '--port', '0', ...args], {
      env: { SWAPFOLD_API_KEYS: FIRST },
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, says);
  });

test('swapfold serve links hashes to the site that it is told, and says what an address without a place for the hash lacks', async () => {
  const bad = await runCli(['serve', '--db', db, '--port', '0', '--transactions', 'https://scan.example/tx/']);
  assert.equal(bad.code, 2);
  assert.match(
    bad.stderr,
    /'https:\/\/scan\.example\/tx\/' is invalid\. Give an address with \{hash\} in it, such as https:\/\/solscan\.io\/tx\/\{hash\}\./,
  );
  const { url, stop } = await start(['--transactions', 'https://scan.example/tx/{hash}'], FIRST);
  const page = await (await fetch(`${url}/`)).text();
  assert.match(page, /<meta name="transactions" content="https:\/\/scan\.example\/tx\/\{hash\}">/);
  await stop();
});
