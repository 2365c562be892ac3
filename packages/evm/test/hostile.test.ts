import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Call, Node, Notices } from '@swapfold/chain';
import { evmSource } from '@swapfold/evm';
import { custom } from 'viem';
import { eventKinds, type Log } from '../src/event-kinds.ts';
import { InitializeSearch } from '../src/initialize-search.ts';
import { Logs } from '../src/logs.ts';
import { failureOf } from '../src/node-errors.ts';
import { placeOf } from '../src/pool-place.ts';
import { Pools } from '../src/pools.ts';
import { factsOf, type RawReceipt } from '../src/receipts.ts';
import { tradersOf } from '../src/traders.ts';

const address = (digit: string): string => `0x${digit.repeat(40)}`;
const topic = (of: string): string => `0x${of.slice(2).padStart(64, '0')}`;
const words = (...values: readonly bigint[]): string =>
  `0x${values.map((value) => value.toString(16).padStart(64, '0')).join('')}`;
const hash = (n: number): string => topic(`0x${n.toString(16)}`);

const manager = '0x000000000004444c5dc75cb358380d2e3de08a90';
const strange = `0x${'8'.padStart(40, '0')}`;
const id = topic(address('7'));

/** A pool of Uniswap V4 is made in block 10, and swaps nothing for nothing. */
const events = [
  {
    topics: [
      '0xdd466e674ea557f56295e2d0218a125ea4b4f0f6f3307b95f85e6110838d6438',
      id,
      topic(strange),
      topic(address('c')),
    ],
    data: words(0n, 0n, 0n, 0n, 0n),
  },
  {
    topics: ['0x40e9cecb9f5f1f1c5b9c97dec2917b7ee92e57ba5563708daca94dd84ad7112f', id, topic(address('1'))],
    data: words(0n, 0n, 0n, 0n, 0n, 0n),
  },
].map((event, i) => ({
  ...{ ...event, address: manager, blockHash: hash(10), blockNumber: '0xa', blockTimestamp: '0x65000000' },
  ...{ transactionHash: hash(99), transactionIndex: '0x0', logIndex: `0x${i}` },
}));

/** The last slot that a follower has read of a chain whose token `strange` answers with a failure. */
async function readBeside(failure: { readonly code: number; readonly message: string }): Promise<number> {
  const block = (n: number) => ({
    ...{ number: `0x${n.toString(16)}`, hash: hash(n), parentHash: hash(n - 1), timestamp: '0x65000000' },
    ...{ logsBloom: '0x', transactions: [] },
  });
  const request = async ({
    method,
    params = [],
  }: {
    method: string;
    params?: readonly unknown[];
  }): Promise<unknown> => {
    const [first] = params as [{ to?: string; blockHash?: string } | string];
    if (method === 'eth_chainId') return '0x1';
    if (method === 'eth_getBlockByNumber') return block(first === 'latest' ? 12 : Number(first));
    if (method === 'eth_getLogs') return (first as { blockHash?: string }).blockHash === hash(10) ? events : [];
    if (method === 'eth_getBalance') return '0x0';
    if (method !== 'eth_call') throw Object.assign(new Error('method not found'), { code: -32601 });
    if ((first as { to: string }).to !== strange) return words(18n);
    throw Object.assign(new Error(failure.message), { code: failure.code });
  };
  const transport = custom({ request }, { retryCount: 0 });
  const source = evmSource({ transport, managers: ['uniswap-v4'], from_block: 9, to_block: 12, poll_ms: 20 });
  let place = '';
  for await (const item of source.read(null, { signal: AbortSignal.timeout(20_000) })) place = item.place ?? place;
  return (JSON.parse(place) as { next: number }).next;
}

test('a token that never gives an answer stops nobody: what nodes say of a precompile, of too long an answer, of a reason that sounds like theirs', async () => {
  for (const failure of [
    { code: -32000, message: 'bad elliptic curve pairing size' },
    { code: -32000, message: 'call returned result on length 100001 exceeding --rpc.returndata.limit 100000' },
    { code: -32000, message: 'Execution reverted (quota)' },
  ])
    assert.equal(await readBeside(failure), 13, failure.message);
});

const nodeOf = (answer: (params: readonly unknown[], method: string) => unknown) => {
  const notices = new Notices(() => undefined);
  const signal = AbortSignal.timeout(20_000);
  const send = async (calls: readonly Call[]) =>
    calls.map(([method, params]) => {
      try {
        return { value: answer(params, method) };
      } catch (error) {
        return { failure: failureOf(error) };
      }
    });
  return { node: new Node(send, { batch: 1, signal, notices }), notices, signal };
};

const v4 = eventKinds.filter(({ name }) => name === 'v4');

test('the event that made a pool is searched for in shorter ranges, whatever a node says of one that is too long', async () => {
  for (const said of [
    { code: -32005, message: 'limit exceeded' },
    { code: -32603, message: 'Internal error' },
    { status: 502, message: 'Bad Gateway' },
  ]) {
    const ranges: number[] = [];
    const { node, ...of } = nodeOf(([range]) => {
      const { fromBlock, toBlock } = range as { fromBlock: string; toBlock: string };
      ranges.push(Number(toBlock) - Number(fromBlock) + 1);
      if (ranges.at(-1)! > 5000) throw said;
      return [];
    });
    const place = { key: '', contract: manager, id, kinds: v4, block: 9_999 };
    assert.deepEqual(await new InitializeSearch(node, of).find([place]), [{ key: '', log: null }]);
    assert.deepEqual(ranges, [10_000, 5000, 5000], said.message);
  }
});

test('a block with more logs than a node gives is read of its receipts', async () => {
  const log = { ...events[1]!, blockHash: hash(10) } as unknown as Log;
  const other = { ...log, topics: [hash(1)] };
  const { node, ...of } = nodeOf((_, method) => {
    if (method === 'eth_getBlockReceipts') return [{ logs: [other, log] }, { logs: [] }];
    throw { code: -32005, message: 'query returned more than 10000 results' };
  });
  const logs = new Logs(node, { ...of, filter: { topics: [[log.topics[0]!]] }, most: 100 });
  assert.deepEqual(await logs.ofRange(10, 10), [log]);
  assert.deepEqual(await logs.ofBlocks([{ number: 10, hash: hash(10), parentHash: hash(9), bloom: '0x' }]), [log]);
});

test('pools of a contract that nobody follows are not remembered: their ids are free', async () => {
  const none = { ask: async () => [], find: async () => assert.fail('nobody follows it') };
  const factories = [{ address: manager, protocol: undefined, kinds: ['v4'] as const }];
  const pools = new Pools({ contracts: none, search: none, native: undefined } as never, factories, []);
  const place = placeOf({ ...events[1]!, address: address('6') } as unknown as Log, v4);
  await pools.learn([place], 10);
  assert.equal(pools.get(place.key), undefined);
});

test('a token that says of itself that it has executed takes no swap from the sender whose tokens were exchanged', () => {
  const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
  const EXECUTED = '0x442e715f626346e8c54381002da614f62bee8d27386535b2521ec8540898556e';
  const [user, pool, token, weth] = ['1', '4', 'a', 'b'].map(address) as [string, string, string, string];
  const move = (of: string, from: string, to: string, amount: bigint) => ({
    ...{ address: of, topics: [TRANSFER, topic(from), topic(to)], data: words(amount) },
  });
  const executed = { address: token, topics: [EXECUTED], data: words(0n, 0n) };
  const receipt = (...logs: readonly object[]) =>
    factsOf({
      ...{ transactionHash: hash(1), blockHash: hash(2), from: user, gasUsed: '0x64', effectiveGasPrice: '0x3' },
      logs: logs.map((log, i) => ({ ...log, logIndex: `0x${i.toString(16)}` })),
    } as unknown as RawReceipt);
  const bought = [move(weth, user, pool, 100n), executed, move(token, pool, user, 990n), move(token, pool, token, 10n)];
  const swap = {
    ...{ at: 9, contract: pool, caller: undefined, tokenIn: weth, tokenOut: token, amountIn: 100n, amountOut: 1000n },
    ...{ isNativeIn: false, isNativeOut: false },
  };
  assert.deepEqual(tradersOf(receipt(...bought), [swap], { native: weth, quotes: new Set([weth]) }), [
    { wallet: user, isAssumed: false, fee: 300n, amountIn: 100n, amountOut: 990n },
  ]);
});
