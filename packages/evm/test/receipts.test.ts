import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { httpSender } from '@swapfold/chain';
import { feeOf } from '../src/fees.ts';
import { failureOf } from '../src/node-errors.ts';
import { type TransactionFacts, transactionsOf } from '../src/receipts.ts';
import { scanReceipts } from '../src/scan-receipts.ts';
import { TRANSFER, USER_OPERATION } from '../src/trader-rules.ts';

const hashOf = (n: number): string => `0x${String(n).padStart(64, '7')}`;
const addressOf = (n: number): string => `0x${String(n).padStart(40, 'A')}`;
const blockHash = `0x${'b'.repeat(64)}`;

const wordOf = (n: number): string => n.toString(16).padStart(64, '0');
const topicOf = (n: number): string => `0x${addressOf(n).slice(2).toLowerCase().padStart(64, '0')}`;

/** Logs of a transaction: one of no interest, one without topics, a transfer, an operation; numbers go on from log to log of the block. */
function logsOf(n: number): object[] {
  const place = { blockHash, transactionHash: hashOf(n), transactionIndex: `0x${n.toString(16)}` };
  const logs: readonly (readonly [topics: readonly string[], data: string])[] = [
    [[`0x${'1'.repeat(64)}`, topicOf(n)], `0x${wordOf(5)}`],
    [[], '0x'],
    [[TRANSFER, topicOf(n), topicOf(91)], `0x${wordOf(1000 + n)}`],
    [[USER_OPERATION, hashOf(3), topicOf(n), topicOf(0)], `0x${[0, 1, 77, 7].map(wordOf).join('')}`],
  ];
  return logs.map(([topics, data], i) => ({
    address: addressOf(90 + i),
    topics,
    data,
    ...place,
    logIndex: `0x${(4 * n + i).toString(16)}`,
    removed: false,
  }));
}

/** A receipt, its keys in the order of geth or of anvil, with the fields of a rollup. */
function receiptOf(n: number, isGeth: boolean): object {
  const place = { blockHash, transactionHash: hashOf(n), transactionIndex: `0x${n.toString(16)}` };
  // The first one has no logs, as a transfer of the native token.
  const logs = n === 0 ? [] : logsOf(n);
  const gas = { cumulativeGasUsed: '0xffff', gasUsed: `0x${(100 + n).toString(16)}` };
  const price = { effectiveGasPrice: '0x3', l1Fee: '0x11' };
  return isGeth
    ? {
        ...price,
        from: addressOf(n),
        to: addressOf(89),
        ...gas,
        logs,
        logsBloom: `0x${'0'.repeat(512)}`,
        ...place,
        type: '0x2',
      }
    : {
        type: '0x2',
        logs,
        logsBloom: `0x${'0'.repeat(512)}`,
        ...place,
        ...gas,
        ...price,
        from: addressOf(n),
        to: addressOf(89),
      };
}

const receipts = (isGeth: boolean): object[] => Array.from({ length: 20 }, (_, n) => receiptOf(n, isGeth));
const wanted = new Map([0, 7, 8, 19].map((n) => [n, hashOf(n)]));
const scan = (of: readonly object[], given: ReadonlyMap<number, string> = wanted) =>
  scanReceipts(JSON.stringify(of), given);

test('sender, fee and events are scanned from receipts as they are parsed, in whatever order a node puts their fields', () => {
  for (const isGeth of [true, false]) {
    const { blockHash: hash, transactions } = scan(receipts(isGeth))!;
    assert.equal(hash, blockHash);
    const parsed = new Map(transactionsOf(receipts(isGeth) as never).transactions);
    assert.deepEqual(
      [...transactions].map(plain),
      [...wanted.values()].map((tx) => plain([tx, parsed.get(tx)!])),
    );
  }
});

const plain = ([hash, { sender, fee, called, events }]: readonly [string, TransactionFacts]): readonly unknown[] => [
  hash,
  { sender, fee, called: called(), events: events() },
];

test('of a transaction, the sender, gas times price and the L1 fee are read, and the events of transfers and operations alone', () => {
  const facts = new Map(scan(receipts(true))!.transactions);
  const { events: none, called, glance, ...first } = facts.get(hashOf(0))!;
  assert.deepEqual(first, { ...base(0), fee: 100n * 3n + 17n });
  assert.deepEqual(none(), []);
  assert.deepEqual([glance!.transfers, glance!.swaps], [0, 0]);
  // An operation of ERC-4337 is more than a look shows.
  assert.equal(facts.get(hashOf(7))!.glance, undefined);
  assert.equal(called(), addressOf(89).toLowerCase());
  const { events, fee } = facts.get(hashOf(7))!;
  assert.equal(fee, 107n * 3n + 17n);
  assert.deepEqual(events(), [
    {
      at: 30,
      address: addressOf(92).toLowerCase(),
      topics: [TRANSFER, topicOf(7), topicOf(91)],
      data: `0x${wordOf(1007)}`,
    },
    {
      at: 31,
      address: addressOf(93).toLowerCase(),
      topics: [USER_OPERATION, hashOf(3), topicOf(7), topicOf(0)],
      data: `0x${[0, 1, 77, 7].map(wordOf).join('')}`,
    },
  ]);
});

const base = (n: number): { sender: string } => ({ sender: addressOf(n).toLowerCase() });

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
    ['logs in another order', list.map((receipt, n) => ({ ...receipt, logs: logsOf(n).map(turned) }))],
  ];
  for (const [sentence, of, given] of rows) assert.equal(scan(of, given), undefined, sentence);
});

const turned = (log: object): object => Object.fromEntries(Object.entries(log).reverse());

test('a fee is gas times price with what a rollup adds, and unknown without them', () => {
  const gas = { gasUsed: '0x186a0', effectiveGasPrice: '0x2' };
  const rows: readonly (readonly [string, object, bigint | undefined])[] = [
    ['gas times price', gas, 200_000n],
    ['the L1 fee', { ...gas, l1Fee: '0x5' }, 200_005n],
    // 100,000 gas times 30 by a million is 3.
    ['the operator fee of Isthmus', { ...gas, operatorFeeScalar: '0x1e', operatorFeeConstant: '0x7' }, 200_010n],
    [
      'the operator fee of Jovian',
      { ...gas, operatorFeeScalar: '0x1e', operatorFeeConstant: '0x7', daFootprintGasScalar: '0x190' },
      200_000n + 300_000_000n + 7n,
    ],
    [
      'blobs of a transaction that has them',
      { ...gas, type: '0x3', blobGasUsed: '0x20000', blobGasPrice: '0x3' },
      593_216n,
    ],
    ['what OP Stack calls blob gas', { ...gas, type: '0x2', blobGasUsed: '0x20000', blobGasPrice: '0x3' }, 200_000n],
    ['no price', { gasUsed: '0x1' }, undefined],
  ];
  for (const [sentence, receipt, fee] of rows) assert.equal(feeOf(receipt), fee, sentence);
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
