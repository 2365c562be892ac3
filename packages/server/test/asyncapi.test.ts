import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { topics } from '@swapfold/core/host';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { asyncApiDocument } from '../src/index.ts';
import { openSocket } from './live-client.ts';
import { ANN, BOB, KEY, type Service, START, startService, T, USDC } from './service.ts';

let service: Service;
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape, walked by the tests.
let document: any;
before(async () => {
  service = await startService();
  document = (await service.request('/asyncapi.json')).json;
});
after(() => service.close());

test('the document is valid AsyncAPI 3', () => {
  const require = createRequire(import.meta.url);
  const schema = require('@asyncapi/specs/schemas/3.0.0-without-$id.json');
  const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  assert.ok(validate(document), ajv.errorsText(validate.errors));
});

test('it is what asyncApiDocument gives, with a channel a topic, and one for the connection', () => {
  assert.deepEqual(document, JSON.parse(JSON.stringify(asyncApiDocument(service.dex))));
  assert.deepEqual(
    Object.values<{ address: string | null }>(document.channels).map(({ address }) => address),
    [null, ...topics.map(({ name }) => `solana.dex.${name}`)],
  );
  assert.equal(asyncApiDocument(service.dex, { hasKeys: false }).security, undefined);
});

test('every reference leads somewhere, and the schemas of items are those of OpenAPI', async () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  for (const reference of new Set(references)) {
    const found = reference.split('/').reduce((at, key) => at?.[key], document);
    assert.ok(found, reference);
  }
  const { schemas } = (await service.request('/openapi.json')).json.components;
  for (const name of ['Swap', 'Trade', 'LatestPrice', 'Candle', 'WalletProfile', 'TokenProfile', 'PositionProfile'])
    assert.deepEqual(document.components.schemas[name], schemas[name], name);
});

test('what a WebSocket takes and sends is what the document says, and nothing beside it', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'asyncapi');
  const faults = (topic: string, message: string, value: unknown): string => {
    const validate = ajv.getSchema(`asyncapi#/channels/${topic}/messages/${message}/payload`);
    assert.ok(validate, topic);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
  const params: Readonly<Record<string, object>> = {
    candles: { token: T, interval: 60 },
    'profiles.wallet': { filter: { 'metrics.7d.pnl': { $exists: true } } },
    'profiles.token': { tokens: [T] },
    'profiles.position': { positions: [{ wallet: ANN, token: T }] },
  };
  const keyed = await openSocket(service.url);
  const authenticate = { method: 'authenticate', key: KEY };
  assert.equal(faults('connection', 'authenticate', authenticate), '');
  assert.equal(faults('connection', 'authenticated', await keyed.ask(authenticate)), '');
  for (const odd of ['nothing', { method: 'ping' }, { method: 'subscribe' }, { method: 'subscribe', topic: 'swap' }])
    assert.equal(faults('connection', 'failed', await keyed.ask(odd as object)), '', JSON.stringify(odd));
  assert.equal(faults('prices', 'failed', await keyed.ask({ method: 'subscribe', topic: 'prices', params: 1 })), '');
  keyed.socket.close();
  const client = await openSocket(service.url, { 'x-api-key': KEY });
  for (const { name } of topics) {
    const request = { method: 'subscribe', topic: `solana.dex.${name}`, params: params[name] ?? {} };
    assert.equal(faults(name, 'request', request), '');
    assert.notEqual(faults(name, 'request', { ...request, params: { stray: 1 } }), '');
    assert.equal(faults(name, 'accepted', await client.ask(request)), '');
    assert.equal(faults(name, 'failed', await client.ask(request)), '');
    const [{ payload }] = document.channels[name].messages.request.examples;
    assert.equal(faults(name, 'request', payload), '', `the example of ${name}`);
  }
  const { dex } = service;
  const at = START + 30_000;
  const swap = { swap_index: 0, token_in: USDC, token_out: T, token_amount_in: 10, token_amount_out: 5 };
  await dex.ingest([
    { ...swap, tx_hash: 'a1', block_time: at, block_slot: 9000, wallet: ANN },
    { ...swap, tx_hash: 'a2', block_time: at + 1, block_slot: 9001, wallet: BOB },
  ]);
  const moved = { tx_hash: 'a3', block_time: at, block_slot: 9000, token: T, token_amount: 2, from: ANN, to: BOB };
  await dex.transfers.ingest([moved]);
  await dex.refresh();
  await dex.rollback({ from_block_slot: 9001 });
  const seen = new Map<string, number>();
  const isWhole = (): boolean =>
    topics.every(({ name }) => (seen.get(`${name} data`) ?? 0) > 0 && seen.has(`${name} retracted`));
  while (!isWhole()) {
    const message = await client.next();
    const name = message.topic.slice('solana.dex.'.length);
    assert.equal(faults(name, 'changes', message), '', name);
    assert.notEqual(faults(name, 'changes', { ...message, data: [...message.data, { stray: 1 }] }), '', name);
    const key = `${name} ${message.retracted ? 'retracted' : 'data'}`;
    seen.set(key, (seen.get(key) ?? 0) + message.data.length);
  }
  client.socket.close();
});
