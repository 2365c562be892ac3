import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memory, Swapfold } from '@swapfold/core';
import { evmSource } from '@swapfold/evm';
import { EvmChain, FACTORY, type Fault } from './support/evm-node.ts';
import { cases } from './support/whole.ts';

/** Blocks of the chain that are read: those up to 272 by ranges, the others one by one. */
const [FROM, HEAD] = [cases(100, 200), 400];

/** How long a node fails: two seconds and a minute of a clock that runs twenty times as fast, and for ever. */
const times = { 'two seconds': 100, 'a minute': 3000, ever: Number.POSITIVE_INFINITY };

interface Row {
  readonly fault: string;
  readonly answer: Fault;
  /** What is said if the node goes on so; none if the store is right all the same. */
  readonly said?: RegExp;
}

const logsIn = (usual: unknown): unknown[] => (Array.isArray(usual) ? usual : []);
const isOfBlock = (params: readonly unknown[]): boolean =>
  (params[0] as { blockHash?: string }).blockHash !== undefined;
let calls = 0;
/** How often the receipts of a block were asked for. */
const asked = new Map<unknown, number>();

const rows: readonly Row[] = [
  {
    fault: 'gives no logs of new blocks',
    answer: ({ method, params, usual }) => (method === 'eth_getLogs' && isOfBlock(params) ? [] : usual),
  },
  {
    fault: 'gives no logs of new blocks, and no receipts of any block',
    answer: ({ method, params, usual }) =>
      (method === 'eth_getLogs' && isOfBlock(params)) || method === 'eth_getBlockReceipts' ? [] : usual,
    said: /fewer logs of block \d+ than the bloom|another block \d+ than its logs/,
  },
  {
    fault: 'gives no logs of new blocks, and knows no receipts of blocks',
    answer({ method, params, usual }) {
      if (method === 'eth_getBlockReceipts') return new Error('the method eth_getBlockReceipts is not supported');
      if (method === 'eth_getTransactionReceipt' || method !== 'eth_getLogs') return usual;
      return isOfBlock(params) ? [] : usual;
    },
    said: /fewer logs of block \d+ than the bloom/,
  },
  {
    fault: 'gives no logs of ranges',
    answer: ({ method, params, usual }) => (method === 'eth_getLogs' && !isOfBlock(params) ? [] : usual),
  },
  {
    fault: 'cuts its answers at five logs',
    answer: ({ method, usual }) => (method === 'eth_getLogs' ? logsIn(usual).slice(0, 5) : usual),
  },
  {
    fault: 'leaves out the last log of each answer of a new block',
    answer: ({ method, params, usual }) =>
      method === 'eth_getLogs' && isOfBlock(params) ? logsIn(usual).slice(0, -1) : usual,
  },
  {
    fault: 'cuts its answers at three logs, and gives no receipts of a block the second time that it is asked',
    answer({ method, params, usual }) {
      if (method === 'eth_getLogs') return logsIn(usual).slice(0, 3);
      if (method !== 'eth_getBlockReceipts') return usual;
      const times = (asked.get(params[0]) ?? 0) + 1;
      asked.set(params[0], times);
      return times === 2 ? [] : usual;
    },
  },
  {
    fault: 'calls all ranges of more than four blocks an invalid block range',
    answer({ method, params, usual }) {
      const { fromBlock, toBlock } = Object(params[0]) as { fromBlock?: string; toBlock?: string };
      const isLong = method === 'eth_getLogs' && Number(toBlock) - Number(fromBlock) >= 4;
      return isLong ? new Error('invalid block range') : usual;
    },
  },
  {
    fault: 'answers nothing of contracts',
    answer: ({ method, usual }) => (method === 'eth_call' ? '0x' : usual),
    said: /answers nothing of contract 0xa{40}, nor of any other one/,
  },
  {
    fault: 'answers nothing of contracts at first',
    answer: ({ method, usual }) => (method === 'eth_call' && calls++ < 20 ? '0x' : usual),
  },
];

const numbers = Array.from({ length: HEAD - FROM + 1 }, (_, i) => FROM + i);
const expected = numbers.flatMap((number) => Array.from({ length: EvmChain.swapsIn(number) }, () => number));

/** The block of each swap. */
async function blocksIn(dex: Swapfold): Promise<number[]> {
  const blocks: number[] = [];
  for (let after: { cursor?: string } | undefined = {}; after !== undefined; ) {
    const { data, cursor }: { data: readonly { block_slot: number | null }[]; cursor?: string } = await dex.swaps.list({
      limit: 100,
      ...after,
    });
    blocks.push(...data.map(({ block_slot }) => block_slot!));
    after = cursor === undefined ? undefined : { cursor };
  }
  return blocks.sort((a, b) => a - b);
}

for (const { fault, answer, said } of rows)
  for (const [time, millis] of Object.entries(times))
    test(`of a node that ${fault} for ${time}, nothing is lost`, async () => {
      calls = 0;
      asked.clear();
      const chain = new EvmChain(HEAD);
      const begun = Date.now();
      const now: Fault = (call) => (Date.now() - begun < millis ? answer(call) : call.usual);
      const request = async ({ method, params }: { method: string; params: readonly unknown[] }) =>
        chain.faulty(now, method, params);
      const notices: string[] = [];
      const source = evmSource({
        ...{ transport: (() => ({ request })) as never, factories: [FACTORY], from_block: FROM, to_block: HEAD },
        ...{ poll_ms: 5, onNotice: (line) => void notices.push(line) },
      });
      const dex = await Swapfold.open({ storage: memory(), config: { preset: 'ethereum' } });
      const isStuck = said !== undefined && millis === Number.POSITIVE_INFINITY;
      const following = dex.follow(source, { signal: AbortSignal.timeout(isStuck ? 6000 : 60_000) });
      if (isStuck) await assert.rejects(following, { code: 'aborted' });
      else await following;
      const blocks = await blocksIn(dex);
      if (isStuck) {
        const [place] = await dex.sources();
        const { next } = place === undefined ? { next: FROM } : (JSON.parse(place.place) as { next: number });
        assert.ok(next <= HEAD);
        assert.deepEqual(
          blocks,
          expected.filter((number) => number < next),
        );
        assert.match(notices.join('\n'), said);
      } else assert.deepEqual(blocks, expected);
      await dex.close();
    });
