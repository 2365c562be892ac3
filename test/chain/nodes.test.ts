import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Swap } from '@swapfold/core';
import type { EvmSourceOptions } from '@swapfold/evm';
import { http } from 'viem';
import { startAnvil } from './anvil.ts';
import { deployExchange } from './exchange.ts';
import { openStore, optionsOf, readOnce, run, swapsOf, until } from './following.ts';
import { type Faults, type Rpc, startProxy } from './proxy.ts';
import { mineBlocks, randomOf, trades } from './traffic.ts';

const chain = await startAnvil(['--timestamp', '1700000000']);
after(() => chain.stop());
const exchange = await deployExchange(chain);
const traffic = trades(exchange, 5);
const first = Number(await chain.call('eth_blockNumber')) + 1;
// So many blocks that the first of them are read by ranges, and the last 128 one by one.
await mineBlocks(
  chain,
  traffic,
  Array.from({ length: 150 }, (_, i) => (i % 5 === 0 ? 2 : 0)),
);
const proxy = await startProxy(chain.url);
after(() => proxy.stop());

async function swapsBy(options: EvmSourceOptions): Promise<Swap[]> {
  const dex = await openStore(exchange);
  await readOnce(dex, options);
  const swaps = await swapsOf(dex);
  await dex.close();
  return swaps;
}

const expected = await swapsBy({ ...optionsOf(exchange), from_block: first });
assert.ok(expected.length > 60, `${expected.length} swaps`);

const error = (code: number, message: string) => ({ error: { code, message } });
const isRange = ({ method, params }: Rpc): boolean => method === 'eth_getLogs' && 'fromBlock' in Object(params[0]);
const blocksOf = ({ params }: Rpc): number => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: string; toBlock: string };
  return Number(toBlock) - Number(fromBlock) + 1;
};
const counted = (times: number): (() => boolean) => {
  let left = times;
  return () => left-- > 0;
};

interface Fault {
  readonly sentence: string;
  readonly faults: () => Faults;
  readonly options?: (url: string) => Partial<EvmSourceOptions>;
  /** What must have been said, once. */
  readonly notice?: RegExp;
  readonly check?: () => void;
}

const withoutTimes: Faults['result'] = ({ method }, result) =>
  method === 'eth_getLogs' ? (result as object[]).map((log) => ({ ...log, blockTimestamp: undefined })) : result;

const rows: readonly Fault[] = [
  {
    sentence: 'a node that gives at most so many results is asked for shorter ranges',
    faults: () => ({
      call: (call) =>
        isRange(call) && blocksOf(call) > 5 ? error(-32005, 'query returned more than 10000 results') : undefined,
    }),
  },
  {
    sentence: 'a node that takes ranges of one block alone is asked block by block',
    faults: () => ({
      call: (call) =>
        isRange(call) && blocksOf(call) > 1 ? error(-32600, 'eth_getLogs is limited to a 1 block range') : undefined,
    }),
  },
  {
    sentence: 'an answer that is larger than the transport takes is asked for in parts',
    faults: () => ({}),
    options: (url) => ({
      transport: http(url, { batch: true, maxResponseBodySize: 40_000 }),
      url: undefined,
      batch: 50,
    }),
  },
  {
    sentence: 'a node that limits the rate is left alone as long as it says, then asked again',
    faults: () => {
      const isLimited = counted(4);
      return {
        message: () =>
          isLimited() ? { status: 429, headers: { 'retry-after': '0' }, body: 'Too Many Requests' } : undefined,
      };
    },
    notice: /does not answer/,
  },
  {
    sentence: 'a limit of the rate for single calls of a batch repeats those calls',
    faults: () => {
      const isLimited = counted(6);
      return { call: () => (isLimited() ? error(-32007, '15/second request limit reached') : undefined) };
    },
    notice: /does not answer: 15\/second request limit/,
  },
  {
    sentence: 'a question that is not answered in time is asked again, shorter',
    faults: () => {
      const isSlow = counted(2);
      return { message: (calls) => (calls.some(isRange) && isSlow() ? 'hang' : undefined) };
    },
    options: (url) => ({ transport: http(url, { batch: true, timeout: 400 }), url: undefined }),
    notice: /does not answer/,
  },
  {
    sentence: 'connections that are cut, failures of a gateway and answers that are no JSON are asked again',
    faults: () => {
      const begun = proxy.messages();
      return {
        message: (_, number) =>
          number - begun > 20
            ? undefined
            : number % 7 === 2
              ? 'drop'
              : number % 7 === 4
                ? { status: 502, body: '<html>' }
                : number % 7 === 6
                  ? { status: 200, body: '{"jso' }
                  : undefined,
      };
    },
    notice: /does not answer/,
  },
  {
    sentence: 'a node that takes batches of three is sent three calls at a time',
    faults: () => ({
      message: (calls) =>
        calls.length > 3
          ? { status: 200, body: '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large"}}' }
          : undefined,
    }),
  },
  {
    sentence: 'a node that takes no batches is sent each call alone',
    faults: () => ({ message: (calls) => (calls.length > 1 ? { status: 413, body: 'Payload Too Large' } : undefined) }),
  },
  {
    sentence: 'a node without eth_getBlockReceipts is asked for the receipts of transactions',
    faults: () => ({
      call: ({ method }) => (method === 'eth_getBlockReceipts' ? error(-32601, 'Method not found') : undefined),
    }),
    notice: /no eth_getBlockReceipts: receipts are read one by one/,
  },
  {
    sentence: 'a node without eth_getBlockReceipts is asked for whole blocks, if senders alone are wanted',
    faults: () => ({
      call: ({ method }) => (method === 'eth_getBlockReceipts' ? error(-32601, 'Method not found') : undefined),
    }),
    options: () => ({ wallet: 'sender' }),
    notice: /no eth_getBlockReceipts: senders are read from whole blocks/,
  },
  {
    sentence: 'receipts of a block that are too large are read one by one',
    faults: () => ({
      call: ({ method }) => (method === 'eth_getBlockReceipts' ? error(-32000, 'response is too large') : undefined),
    }),
  },
  {
    sentence: 'where logs do not tell their time, the block does',
    faults: () => ({ result: withoutTimes }),
  },
  {
    sentence: 'where logs do not tell their time, the block tells the senders as well, if they alone are wanted',
    faults: () => ({ result: withoutTimes }),
    options: () => ({ wallet: 'sender' }),
    check: () => assert.equal(proxy.calls.get('eth_getBlockReceipts') ?? 0, 0, 'receipts would not tell the time'),
  },
  {
    sentence: 'a node that has no receipts or blocks yet, every other time, is asked again',
    faults: () => {
      let n = 0;
      return {
        result: ({ method }, result) =>
          ['eth_getBlockReceipts', 'eth_getBlockByHash', 'eth_getTransactionReceipt'].includes(method) && n++ % 50 === 7
            ? null
            : result,
      };
    },
  },
  {
    sentence: 'a node that gives no logs of a block that it does not have is found out by the bloom of the block',
    faults: () => {
      const seen = new Set<string>();
      return {
        result: (call, result) => {
          const { blockHash } = Object(call.params[0]) as { blockHash?: string };
          if (call.method !== 'eth_getLogs' || blockHash === undefined || seen.has(blockHash)) return result;
          seen.add(blockHash);
          return [];
        },
      };
    },
  },
];

for (const { sentence, faults, options, notice, check } of rows)
  test(sentence, async () => {
    proxy.set(faults());
    (proxy.calls as Map<string, number>).clear();
    const notices: string[] = [];
    const swaps = await swapsBy({
      ...optionsOf(exchange),
      from_block: first,
      url: proxy.url,
      onNotice: (message) => notices.push(message),
      ...(options?.(proxy.url) as object),
    });
    // Whole blocks know no fees.
    const isSender = options?.(proxy.url).wallet === 'sender';
    const known = isSender ? expected.map((swap) => ({ ...swap, fee_native: null })) : expected;
    assert.deepEqual(swaps, known);
    check?.();
    if (notice !== undefined)
      assert.ok(
        notices.some((message) => notice.test(message)),
        notices.join('\n'),
      );
    const repeated = notices.filter((message, i) => notices[i - 1] === message);
    assert.deepEqual(repeated, [], 'nothing is said twice in a row');
  });

/** A node of the same chain that is some blocks behind. */
function behind(blocks: number, isOn: () => boolean): Faults {
  let head = Number.POSITIVE_INFINITY;
  const isBeyond = (hex: unknown): boolean =>
    typeof hex === 'string' && /^0x[0-9a-f]{1,12}$/.test(hex) && Number(hex) > head;
  return {
    call: async ({ method, params }) => {
      if (!isOn()) return undefined;
      head = Number(await chain.call('eth_blockNumber')) - blocks;
      if (method === 'eth_blockNumber') return { result: `0x${head.toString(16)}` };
      if (method === 'eth_getBlockByNumber' && params[0] === 'latest')
        return { result: await chain.call('eth_getBlockByNumber', `0x${head.toString(16)}`, false) };
      if (['eth_getBlockByNumber', 'eth_getBlockReceipts'].includes(method) && isBeyond(params[0]))
        return { result: null };
      if (method === 'eth_call' && isBeyond(params[1])) return error(-32000, 'header not found');
      const { blockHash } = Object(params[0]) as { blockHash?: string };
      if (blockHash !== undefined || method === 'eth_getBlockByHash') {
        const { number } = await chain.call<{ number: string }>('eth_getBlockByHash', blockHash ?? params[0], false);
        if (isBeyond(number)) return blockHash === undefined ? { result: null } : error(-32000, 'unknown block');
      }
      return undefined;
    },
  };
}

test('a node that falls behind loses nothing and rolls nothing back, nor do two nodes behind one address of which one lags', async () => {
  const dex = await openStore(exchange);
  const notices: string[] = [];
  let n = 0;
  proxy.set({});
  const following = run(dex, { ...optionsOf(exchange), url: proxy.url, onNotice: (message) => notices.push(message) });
  await following.caughtUp(chain);
  proxy.set(behind(3, () => true));
  await until('the lag is said', () => notices.some((message) => /behind block/.test(message)));
  // Every other call, so that the calls of one look at the chain go to both.
  proxy.set(behind(2, () => n++ % 2 === 0));
  for (let i = 0; i < 5; i++) {
    await mineBlocks(chain, traffic, [2, 1]);
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  proxy.set({});
  await following.caughtUp(chain);
  await following.stop();
  assert.deepEqual(await swapsOf(dex), await swapsBy(optionsOf(exchange)));
  assert.ok(!notices.some((message) => /has changed/.test(message)), 'nothing was rolled back');
  await dex.close();
});

test('two nodes behind one address that follow two branches: the longer one is followed, without going to and fro', async () => {
  const dex = await openStore(exchange);
  const notices: string[] = [];
  proxy.set({});
  const following = run(dex, { ...optionsOf(exchange), url: proxy.url, onNotice: (message) => notices.push(message) });
  await mineBlocks(chain, traffic, [2, 2, 2]);
  await following.caughtUp(chain);
  const head = Number(await chain.call('eth_blockNumber'));
  const old = await remembered(head - 4, head);
  const other = { ...traffic.next().value, gas: '0x989680', gasPrice: '0x77359400' };
  await chain.call('anvil_reorg', 3, [[other, 0]]);
  // The newest block comes from the one and the other in turns, so that no branch is given five times in a row, however often that is asked.
  const random = randomOf(1);
  let heads = 0;
  const isOld = ({ params }: Rpc): boolean => (params[0] === 'latest' ? heads++ % 2 === 0 : random() < 0.5);
  proxy.set({ call: (call) => (isOld(call) ? old(call) : undefined) });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const changes = (): number => notices.filter((message) => /has changed/.test(message)).length;
  assert.ok(changes() <= 1, `${changes()} changes while both were given`);
  await mineBlocks(chain, traffic, [1, 1]);
  await until('the longer branch is followed', () => changes() >= 1);
  proxy.set({});
  await following.caughtUp(chain);
  await following.stop();
  assert.deepEqual(await swapsOf(dex), await swapsBy(optionsOf(exchange)));
  await dex.close();
});

/** A node that goes on giving what the chain was. */
async function remembered(from: number, to: number): Promise<(call: Rpc) => { result: unknown } | undefined> {
  const numbers = Array.from({ length: to - from + 1 }, (_, i) => `0x${(from + i).toString(16)}`);
  const blocks = await chain.batch<{ number: string; hash: string }>(
    numbers.map((number) => ['eth_getBlockByNumber', [number, false]]),
  );
  return ({ method, params }) => {
    if (method !== 'eth_getBlockByNumber') return undefined;
    const block = params[0] === 'latest' ? blocks.at(-1) : blocks.find(({ number }) => number === params[0]);
    return block && { result: block };
  };
}
