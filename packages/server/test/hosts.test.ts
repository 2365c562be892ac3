import assert from 'node:assert/strict';
import { request } from 'node:http';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { BASE, KEY, type Service, startService, T } from './service.ts';

let open: Service;
let listed: Service;
let keyed: Service;
before(async () => {
  open = await startService({ keys: 'none' });
  listed = await startService({ keys: 'none', hosts: ['dex.internal'], cors: ['https://app.example'] });
  keyed = await startService();
});
after(() => Promise.all([open, listed, keyed].map((service) => service.close())));

interface Said {
  readonly host: string;
  readonly origin?: string;
}

function statusOf({ url }: Service, { host, origin }: Said, key?: string): Promise<number> {
  const { port } = new URL(url);
  const headers = {
    Host: host,
    'Content-Type': 'application/json',
    ...(origin === undefined ? {} : { Origin: origin }),
    ...(key === undefined ? {} : { 'X-Api-Key': key }),
  };
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1', method: 'POST', path: `${BASE}/prices/get-price`, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    })
      .on('error', reject)
      .end(JSON.stringify({ tokens: [T] }));
  });
}

/** The status line of a handshake. */
function handshake({ url }: Service, { host, origin }: Said): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  const lines = [
    'GET /v1/ws HTTP/1.1',
    `Host: ${host}`,
    ...(origin === undefined ? [] : [`Origin: ${origin}`]),
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ];
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().split('\r\n', 1)[0]!);
    });
  });
}

/** What callers say on a loopback address, and whether a server without keys answers them. */
const callers: readonly (readonly [what: string, said: Said, isAnswered: boolean])[] = [
  ['a program on this machine', { host: '127.0.0.1:8080' }, true],
  ['another address of it', { host: '127.9.9.9' }, true],
  ['IPv6', { host: '[::1]:8080' }, true],
  ['localhost', { host: 'localhost:8080' }, true],
  ['a name below localhost', { host: 'dex.localhost' }, true],
  ['a page of this machine', { host: 'localhost:8080', origin: 'http://localhost:3000' }, true],
  ['a page whose name was led here', { host: 'evil.example:8080', origin: 'http://evil.example:8080' }, false],
  ['the same without an origin, as of GET', { host: 'evil.example:8080' }, false],
  ['a page of another site', { host: '127.0.0.1:8080', origin: 'https://evil.example' }, false],
  ['a page of nowhere', { host: '127.0.0.1:8080', origin: 'null' }, false],
  ['a name that begins like one', { host: 'localhost.evil.example' }, false],
  ['a name that ends like one', { host: 'evillocalhost' }, false],
  ['an address that begins like one', { host: '127.0.0.1.evil.example' }, false],
  ['a name with a user before it', { host: 'localhost@evil.example' }, false],
];

for (const [what, said, isAnswered] of callers)
  test(`a server without keys on a loopback address ${isAnswered ? 'answers' : 'refuses'} ${what}, also by WebSocket`, async () => {
    assert.equal(await statusOf(open, said), isAnswered ? 200 : 403);
    // A page of another host may not open a WebSocket without being listed, wherever it is.
    const isSame = said.origin === undefined || new URL(said.origin === 'null' ? 'x:' : said.origin).host === said.host;
    assert.match(await handshake(open, said), isAnswered && isSame ? /^HTTP\/1\.1 101/ : /^HTTP\/1\.1 403/);
  });

test('names of "hosts" and origins of "cors" count, and no others', async () => {
  assert.equal(await statusOf(listed, { host: 'dex.internal:8080', origin: 'http://dex.internal' }), 200);
  assert.equal(await statusOf(listed, { host: 'DEX.internal' }), 200);
  assert.equal(await statusOf(listed, { host: '127.0.0.1', origin: 'https://app.example' }), 200);
  assert.equal(await statusOf(listed, { host: 'app.example', origin: 'https://app.example' }), 403);
  assert.equal(await statusOf(listed, { host: 'evil.example' }), 403);
});

test('a server with keys answers by any name, as behind a proxy of its machine', async () => {
  assert.equal(await statusOf(keyed, { host: 'api.example', origin: 'https://api.example' }, KEY), 200);
});

for (const hosts of [['http://dex.internal'], ['dex.internal:80'], [''], ['*'], [7 as never]])
  test(`"hosts" refuses ${JSON.stringify(hosts)}, and names what it expects`, async () => {
    await assert.rejects(startService({ keys: 'none', hosts }), {
      code: 'invalid-config',
      message: /"hosts\.0": expected the name of a host such as "dex\.internal", received/,
    });
  });
