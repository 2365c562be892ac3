import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { memory, Swapfold } from '@swapfold/core';
import { type EvmSourceOptions, evmSource } from '@swapfold/evm';
import { WebSocketServer } from 'ws';

const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: bigint | number | string): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
const account = (digit: string): string => `0x${digit.repeat(40)}`;
const [POOL, TOKEN0, TOKEN1, FACTORY, SENDER] = ['a', '1', '2', 'f', '9'].map(account) as [
  string,
  string,
  string,
  string,
  string,
];
const SWAP = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const START = 1_735_689_600;

/** A chain with a swap of a V2 pool in each block, and what its node answers otherwise. */
interface Chain {
  head: number;
  /** The letter that the hashes of the blocks from a number on begin with. */
  branchOf: (number: number) => string;
  /** Fields of the logs in place of the usual ones. */
  log?: object;
  /** The answer in place of the usual one; an error is thrown. */
  answer?: (method: string, params: readonly unknown[]) => { readonly value: unknown } | Error | undefined;
}

const hashOf = (chain: Chain, number: number): string =>
  `0x${chain.branchOf(number)}${number.toString(16).padStart(63, '0')}`;

function logOf(chain: Chain, number: number): Record<string, unknown> {
  return {
    address: POOL,
    topics: [SWAP, `0x${word(SENDER)}`, `0x${word(SENDER)}`],
    data: `0x${word(10n ** 18n)}${word(0)}${word(0)}${word(2n * 10n ** 18n)}`,
    blockHash: hashOf(chain, number),
    blockNumber: hex(number),
    transactionHash: `0x${word(number + 7000)}`,
    transactionIndex: '0x0',
    logIndex: '0x0',
    ...chain.log,
  };
}

/** What each contract answers to the selector of a function. */
const functions: Readonly<Record<string, bigint | string>> = {
  '0x0dfe1681': TOKEN0,
  '0xd21220a7': TOKEN1,
  '0xc45a0155': FACTORY,
  '0x313ce567': 18n,
  '0xe6a43905': POOL,
};

async function answerTo(chain: Chain, method: string, params: readonly unknown[]): Promise<unknown> {
  const own = chain.answer?.(method, params);
  if (own instanceof Error) throw own;
  if (own !== undefined) return own.value;
  const blockAt = (number: number) =>
    number > chain.head
      ? null
      : {
          number: hex(number),
          hash: hashOf(chain, number),
          parentHash: hashOf(chain, number - 1),
          timestamp: hex(START + number),
          transactions: [],
        };
  const numbers = Array.from({ length: chain.head + 1 }, (_, number) => number);
  switch (method) {
    case 'eth_chainId':
      return hex(1337);
    case 'eth_blockNumber':
      return hex(chain.head);
    case 'eth_getBlockByNumber':
      return blockAt(params[0] === 'latest' ? chain.head : Number(params[0]));
    case 'eth_getBlockByHash': {
      const number = numbers.find((one) => hashOf(chain, one) === params[0]);
      return number === undefined ? null : blockAt(number);
    }
    case 'eth_getLogs': {
      const { blockHash, fromBlock, toBlock } = params[0] as Record<string, string>;
      const isAsked = (one: number): boolean =>
        blockHash === undefined ? one >= Number(fromBlock) && one <= Number(toBlock) : hashOf(chain, one) === blockHash;
      return numbers.filter(isAsked).map((one) => logOf(chain, one));
    }
    case 'eth_getBlockReceipts': {
      const number = Number(params[0]);
      const transactionHash = `0x${word(number + 7000)}`;
      return [
        {
          transactionHash,
          blockHash: hashOf(chain, number),
          from: SENDER,
          logs: [],
          gasUsed: '0x1',
          effectiveGasPrice: '0x1',
        },
      ];
    }
    case 'eth_call': {
      const { data } = params[0] as { readonly data: string };
      const found = functions[data.slice(0, 10)];
      return found === undefined ? '0x' : `0x${word(found)}`;
    }
    default:
      throw new Error(`The method ${method} is not found`);
  }
}

/** Follows the chain into a store in memory; `undefined` in place of a transport where the options have an address. */
async function following(chain: Chain, options: Partial<EvmSourceOptions>) {
  const dex = await Swapfold.open({ storage: memory(), config: { preset: 'ethereum' } });
  const said: string[] = [];
  const request = ({ method, params }: { readonly method: string; readonly params: readonly unknown[] }) =>
    answerTo(chain, method, params);
  const source = evmSource({
    ...(options.url === undefined && { transport: (() => ({ request })) as never }),
    ...(options.factories === undefined && { pools: [POOL] }),
    poll_ms: 5,
    onNotice: (line) => said.push(line),
    ...options,
  } as EvmSourceOptions);
  return { dex, source, said };
}

const blocksOf = async (dex: Swapfold): Promise<(number | null)[]> => {
  const { data } = await dex.swaps.list({ limit: 100 });
  return data.map(({ block_slot }) => block_slot).reverse();
};

/** Waits until the place of the only source is behind a block. */
async function until(dex: Swapfold, block: number): Promise<void> {
  for (const begun = Date.now(); Date.now() - begun < 20_000; await sleep(10)) {
    const [source] = await dex.sources();
    if (source !== undefined && (JSON.parse(source.place) as { next: number }).next > block) return;
  }
  assert.fail(`block ${block} was not read`);
}

for (const depth of [1, 3])
  test(`a reorganisation of the first block that was followed, and ${depth - 1} before it, begins there again`, async () => {
    const chain: Chain = { head: 100, branchOf: () => 'a' };
    const { dex, source, said } = await following(chain, { from_block: 100 });
    const stop = new AbortController();
    const done = dex.follow(source, { signal: stop.signal });
    await until(dex, 100);
    chain.branchOf = (number) => (number > 100 - depth ? 'b' : 'a');
    chain.head = 102;
    await until(dex, 102);
    stop.abort();
    await assert.rejects(done, { code: 'aborted' });
    assert.deepEqual(await blocksOf(dex), [100, 101, 102]);
    assert.match(said.join('\n'), /The chain has changed from block 100 on/);
    await dex.close();
  });

test('a chain of which no remembered block is left, the first long read, ends the source', async () => {
  const chain: Chain = { head: 200, branchOf: () => 'a' };
  const { dex, source } = await following(chain, { from_block: 100, to_block: 200 });
  await dex.follow(source);
  chain.branchOf = () => 'b';
  chain.head = 210;
  const { source: again } = await following(chain, { to_block: 210 });
  await assert.rejects(dex.follow(again), { code: 'source-failed', message: /deeper than what is remembered/ });
  await dex.close();
});

test('a node that answers null for no logs has none', async () => {
  const chain: Chain = {
    head: 60,
    branchOf: () => 'a',
    answer: (method, [filter]) =>
      method === 'eth_getLogs' && !String((filter as { blockHash?: string }).blockHash).endsWith('32')
        ? { value: null }
        : undefined,
  };
  const { dex, source } = await following(chain, { from_block: 40, to_block: 60 });
  await dex.follow(source);
  assert.deepEqual(await blocksOf(dex), [50]);
  await dex.close();
});

for (const blockTimestamp of ['0x0', START, null, hex(START + 50)])
  test(`a log of a block that has the time ${blockTimestamp} is of the time of its block`, async () => {
    const chain: Chain = { head: 50, branchOf: () => 'a', log: { blockTimestamp } };
    const { dex, source } = await following(chain, { from_block: 50, to_block: 50 });
    await dex.follow(source);
    const { data } = await dex.swaps.list({});
    assert.deepEqual(
      data.map(({ block_time }) => block_time),
      [START + 50],
    );
    await dex.close();
  });

for (const times of [2, Number.POSITIVE_INFINITY])
  test(`a symbol whose call the node ends ${times} times does not stop the source`, async () => {
    let left = times;
    const chain: Chain = {
      head: 50,
      branchOf: () => 'a',
      answer(method, [call]) {
        const { to, data } = Object(call) as { to?: string; data?: string };
        if (method !== 'eth_call' || data !== '0x95d89b41' || to !== TOKEN0) return undefined;
        if (left-- > 0) return Object.assign(new Error('execution aborted (timeout = 5s)'), { code: -32000 });
        return { value: `0x${word(32)}${word(3)}${Buffer.from('ABC').toString('hex').padEnd(64, '0')}` };
      },
    };
    const { dex, source } = await following(chain, { from_block: 50, to_block: 50 });
    await dex.follow(source);
    const { data } = await dex.swaps.list({});
    const symbols = data.map(({ token_symbol_in, token_symbol_out }) => [token_symbol_in, token_symbol_out]);
    assert.deepEqual(symbols, [[times === 2 ? 'ABC' : null, null]]);
    await dex.close();
  });

test('a pool of Solidly, which does not say its factory, is followed from a later block, and where its creation is read late', async () => {
  const CREATED = '0xc4805696c66d7cf352fc1d6bb633ad5ee82f6cb577c453024b6e0eb8306c6fc9';
  for (const from_block of [0, 100]) {
    const chain: Chain = { head: 400, branchOf: () => 'a' };
    chain.answer = (method, [asked]) => {
      const { data, fromBlock, toBlock } = Object(asked) as Record<string, string>;
      if (method === 'eth_call' && data === '0xc45a0155')
        return Object.assign(new Error('execution reverted'), { code: 3 });
      if (method === 'eth_call' && data === '0x22be3de1') return { value: `0x${word(0)}` };
      if (method === 'eth_call' && data?.startsWith('0x6801cc30')) return { value: `0x${word(POOL)}` };
      if (method !== 'eth_getLogs' || fromBlock === undefined) return undefined;
      const created = {
        ...logOf(chain, 5),
        address: FACTORY,
        topics: [CREATED, `0x${word(TOKEN0)}`, `0x${word(TOKEN1)}`],
        data: `0x${word(0)}${word(POOL)}${word(1)}`,
        logIndex: '0x9',
      };
      const logs: object[] = [];
      for (let number = Number(fromBlock); number <= Number(toBlock); number++) {
        if (number === 5) logs.push(created);
        if (number > 5) logs.push(logOf(chain, number));
      }
      return { value: Number(fromBlock) === 0 ? sleep(100, logs) : logs };
    };
    const { dex, source } = await following(chain, { factories: [FACTORY], from_block, to_block: 250 });
    const { added } = await dex.follow(source);
    assert.deepEqual([added, source.undecoded.other_pools], [from_block === 0 ? 245 : 151, 0]);
    await dex.close();
  }
});

/** A node behind a WebSocket. */
async function serving(chain: Chain, port = 0): Promise<WebSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port });
  server.on('connection', (socket) => {
    socket.on('message', async (message) => {
      const { id, method, params } = JSON.parse(String(message));
      socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: await answerTo(chain, method, params) }));
    });
  });
  await once(server, 'listening');
  return server;
}

function stopServing(server: WebSocketServer): Promise<void> {
  for (const client of server.clients) client.terminate();
  return new Promise((resolve) => server.close(() => resolve()));
}

test('a node behind a WebSocket that was away is followed again, and its connection ends with the source', async () => {
  const chain: Chain = { head: 50, branchOf: () => 'a' };
  let server = await serving(chain);
  const { port } = server.address() as AddressInfo;
  const { dex, source } = await following(chain, { url: `ws://127.0.0.1:${port}`, from_block: 40, to_block: 60 });
  const done = dex.follow(source);
  await until(dex, 50);
  await stopServing(server);
  // Longer than viem waits until it connects again, which it does once.
  await sleep(3000);
  chain.head = 60;
  server = await serving(chain, port);
  assert.equal((await done).added, 21);
  for (const begun = Date.now(); server.clients.size > 0 && Date.now() - begun < 5000; ) await sleep(10);
  assert.equal(server.clients.size, 0);
  await stopServing(server);
  await dex.close();
});

test('a node that refuses lists in words that nobody knows is asked call by call', async () => {
  const chain: Chain = { head: 50, branchOf: () => 'a' };
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await text(request));
    const answers = [asked].flat().map(async ({ id, method, params }) => {
      if (asked.length > 1) return { jsonrpc: '2.0', id, error: { code: 31, message: 'not on the free tier' } };
      return { jsonrpc: '2.0', id, result: await answerTo(chain, method, params) };
    });
    const told = await Promise.all(answers);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(Array.isArray(asked) ? told : told[0]));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const options = { url: `http://127.0.0.1:${port}`, from_block: 40, to_block: 50 };
  const { dex, source } = await following(chain, options);
  assert.equal((await dex.follow(source)).added, 11);
  await dex.close();
  server.closeAllConnections();
  server.close();
});
