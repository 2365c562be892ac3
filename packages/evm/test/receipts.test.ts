import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { httpSender } from '@swapfold/chain';
import { failureOf } from '../src/node-errors.ts';
import { scanReceipts, sendersOf } from '../src/receipts.ts';

const hashOf = (n: number): string => `0x${String(n).padStart(64, '7')}`;
const addressOf = (n: number): string => `0x${String(n).padStart(40, 'A')}`;
const blockHash = `0x${'b'.repeat(64)}`;

/** A receipt with two logs, its keys in the order of geth or of anvil. */
function receiptOf(n: number, isGeth: boolean): object {
  const place = { blockHash, transactionHash: hashOf(n), transactionIndex: `0x${n.toString(16)}` };
  const logs = [0, 1].map((log) => ({ address: addressOf(90), data: '0x', ...place, logIndex: `0x${log}` }));
  return isGeth ? { from: addressOf(n), logs, ...place } : { logs, ...place, from: addressOf(n), to: null };
}

const receipts = (isGeth: boolean): object[] => Array.from({ length: 20 }, (_, n) => receiptOf(n, isGeth));
const wanted = new Map([0, 7, 19].map((n) => [n, hashOf(n)]));
const scan = (of: readonly object[], given: ReadonlyMap<number, string> = wanted) =>
  scanReceipts(Buffer.from(JSON.stringify(of)), given);

test('senders are scanned from receipts as they are parsed, in whatever order a node puts their fields', () => {
  for (const isGeth of [true, false]) {
    const { blockHash: hash, senders } = scan(receipts(isGeth))!;
    assert.equal(hash, blockHash);
    const parsed = new Map(sendersOf(receipts(isGeth) as never).senders);
    assert.deepEqual(
      [...senders],
      [...wanted.values()].map((tx) => [tx, parsed.get(tx)]),
    );
  }
});

test('receipts of another form than expected are left to the parser', () => {
  const list = receipts(false);
  const rows: readonly (readonly [string, readonly object[], ReadonlyMap<number, string>?])[] = [
    ['none', []],
    ['a sender too few', list.map((receipt, n) => (n === 3 ? { ...receipt, from: undefined } : receipt))],
    ['a sender too many', [{ ...list[0], l1: { from: addressOf(5) } }, ...list.slice(1)]],
    ['another order', [...list].reverse()],
    ['a hash that stands elsewhere', list, new Map([[3, hashOf(9)]])],
    ['a hash that stands nowhere', list, new Map([[3, hashOf(99)]])],
    ['an index behind the last', list, new Map([[20, hashOf(20)]])],
    ['a sender that is no address', list.map((receipt) => ({ ...receipt, from: '0x' }))],
  ];
  for (const [sentence, of, given] of rows) assert.equal(scan(of, given), undefined, sentence);
});

test('answers are matched to calls by id, whatever their order, their form and their encoding', async (t) => {
  const forms: readonly (readonly [name: string, text: (id: number) => string])[] = [
    ['as geth writes it', (id) => `{"jsonrpc":"2.0","id":${id},"result":"0x${id}"}`],
    ['in another order, with blanks', (id) => `{ "result": "0x${id}", "jsonrpc": "2.0", "id": ${id} }`],
  ];
  let text = forms[0]![1];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => {
      const ids = (JSON.parse(body) as { id: number }[]).map(({ id }) => id).reverse();
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`[${ids.map(text).join()}]\n`));
    });
  });
  t.after(() => server.close());
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const send = httpSender(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, failureOf);
  const read = (json: Buffer): unknown => (json.toString() === '"0x1"' ? undefined : `read ${json.toString()}`);
  for (const [name, form] of forms) {
    text = form;
    const calls = [0, 1, 2].map((n) => (n === 2 ? (['a', []] as const) : (['a', [], read] as const)));
    const values = (await send(calls, new AbortController().signal)).map(({ value }) => value);
    assert.deepEqual(values, name === forms[0]![0] ? ['read "0x0"', '0x1', '0x2'] : ['0x0', '0x1', '0x2'], name);
  }
});
