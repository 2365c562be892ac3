import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { SwapfoldError } from '@swapfold/core';
import type { Keys, Operator, ServeOptions } from '../src/index.ts';
import { type Answer, KEY, type Service, startService, WRONG } from './service.ts';

const OPERATOR = 'key-of-the-operator';
const KEEPER = 'key-for-backups-only';
const FEED = 'key-of-the-feed';
const keys: Keys = [
  KEY,
  { key: OPERATOR, operations: ['server.backup', 'server.stop'] },
  { key: KEEPER, operations: ['server.backup', 'prices.latest'] },
  { key: FEED, operations: ['ingest'] },
];

/** An operator that notes what it was asked for. */
function noting(asked: string[]): Operator {
  return {
    async backup() {
      asked.push('backup');
      return { file: 'dex-20250131T120000Z.db', bytes: 4096 };
    },
    stop: () => void asked.push('stop'),
  };
}

async function withService(options: ServeOptions, body: (service: Service) => Promise<void>): Promise<void> {
  const service = await startService({ keys, ...options });
  try {
    await body(service);
  } finally {
    await service.close();
  }
}

const call = (service: Service, name: string, key?: string, body = '{}'): Promise<Answer> =>
  service.request(`/v1/server/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-api-key': key }) },
    body,
  });

test('a key that names them has the server write a backup, and stop once it has its answer', async () => {
  const asked: string[] = [];
  await withService({ operator: noting(asked) }, async (service) => {
    const backup = await call(service, 'backup', OPERATOR);
    assert.deepEqual([backup.status, backup.json], [200, { file: 'dex-20250131T120000Z.db', bytes: 4096 }]);
    const stop = await call(service, 'stop', OPERATOR, '');
    assert.deepEqual([stop.status, stop.json], [200, { status: 'stopping' }]);
    assert.deepEqual(asked, ['backup', 'stop']);
  });
});

test('a stop is called after its answer was sent, in the life of a server that closes itself', async () => {
  let service: Service | undefined;
  let closing: Promise<void> | undefined;
  const stop = (): void => {
    closing = service!.close();
  };
  service = await startService({ keys, operator: { stop } });
  const { status, json } = await call(service, 'stop', OPERATOR);
  assert.deepEqual([status, json], [200, { status: 'stopping' }]);
  await closing;
  await assert.rejects(call(service, 'stop', OPERATOR), /fetch failed/);
});

test('no other key may: none without operations, none for pushes, and one only what it names', async () => {
  const asked: string[] = [];
  await withService({ operator: noting(asked), ingest: true }, async (service) => {
    for (const [name, key, status, code] of [
      ['backup', undefined, 401, 'unauthorized'],
      ['stop', WRONG, 401, 'unauthorized'],
      ['backup', KEY, 403, 'forbidden'],
      ['stop', KEY, 403, 'forbidden'],
      ['backup', FEED, 403, 'forbidden'],
      ['stop', FEED, 403, 'forbidden'],
      ['stop', KEEPER, 403, 'forbidden'],
    ] as const) {
      const answer = await call(service, name, key);
      assert.deepEqual([answer.status, answer.json.code], [status, code], `${name} ${key}`);
    }
    assert.match((await call(service, 'stop', KEY)).json.error, /takes a key whose "operations" name "server\.stop"/);
    assert.deepEqual(asked, []);
    assert.equal((await call(service, 'backup', KEEPER)).status, 200);
  });
});

test('a server without keys refuses both, unless it is told to do it for whoever reaches it', async () => {
  const asked: string[] = [];
  await withService({ keys: 'none', operator: noting(asked) }, async (service) => {
    for (const name of ['backup', 'stop']) {
      const { status, json } = await call(service, name);
      assert.deepEqual([status, json.code], [403, 'forbidden']);
      assert.match(json.error, /A server without keys does not do this/);
    }
  });
  assert.deepEqual(asked, []);
  await withService({ keys: 'none', operator: { ...noting(asked), withoutKeys: true } }, async (service) => {
    assert.equal((await call(service, 'backup')).status, 200);
    const headers = { 'content-type': 'application/json', origin: 'https://elsewhere.example' };
    const foreign = await service.request('/v1/server/stop', { method: 'POST', headers, body: '{}' });
    assert.equal(foreign.status, 403);
  });
  assert.deepEqual(asked, ['backup']);
});

test('a caller can choose no path and no other field, and asks by POST', () =>
  withService({ operator: noting([]) }, async (service) => {
    const path = await call(service, 'backup', OPERATOR, '{"path": "/etc/passwd"}');
    assert.deepEqual([path.status, path.json.code], [400, 'unknown-field']);
    const list = await call(service, 'backup', OPERATOR, '[]');
    assert.deepEqual([list.status, list.json.code], [400, 'invalid-request']);
    const text = await call(service, 'backup', OPERATOR, '{');
    assert.deepEqual([text.status, text.json.code], [400, 'invalid-json']);
    assert.equal((await service.request('/v1/server/backup', { headers: { 'x-api-key': OPERATOR } })).status, 405);
  }));

test('without functions there are no routes, and with them the description of the server has them', async () => {
  await withService({}, async (service) => {
    for (const name of ['backup', 'stop']) assert.equal((await call(service, name, OPERATOR)).status, 404);
    const { json } = await service.request('/openapi.json');
    assert.deepEqual(
      Object.keys(json.paths).filter((path) => path.startsWith('/v1/server')),
      [],
    );
  });
  for (const given of [keys, 'none'] as const)
    await withService({ keys: given, operator: { ...noting([]), withoutKeys: true } }, async (service) => {
      const { json } = await service.request('/openapi.json');
      assert.deepEqual(
        Object.keys(json.paths).filter((path) => path.startsWith('/v1/server')),
        ['/v1/server/backup', '/v1/server/stop'],
      );
      assert.deepEqual((await new Validator().validate(json)).errors ?? [], []);
    });
});

test('a backup that fails is answered with its error, and one of ours says nothing of its cause', async () => {
  const failing = (error: Error): Operator => ({ backup: () => Promise.reject(error) });
  await withService(
    { operator: failing(new SwapfoldError('unavailable', 'A backup is being written.')) },
    async (s) => {
      const { status, json } = await call(s, 'backup', OPERATOR);
      assert.deepEqual([status, json.error], [503, 'A backup is being written.']);
    },
  );
  await withService({ operator: failing(new Error('secret path')) }, async (service) => {
    const { status, text } = await call(service, 'backup', OPERATOR);
    assert.equal(status, 500);
    assert.doesNotMatch(text, /secret/);
  });
});
