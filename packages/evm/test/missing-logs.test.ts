import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evmSource } from '@swapfold/evm';

const hex = (value: number): string => `0x${value.toString(16)}`;
const word = (value: bigint | number | string): string =>
  (typeof value === 'string' ? value.slice(2) : value.toString(16)).padStart(64, '0');
const [pool, one, two, sender] = ['a', '1', '2', '9'].map((digit) => `0x${digit.repeat(40)}`) as [
  string,
  string,
  string,
  string,
];
const swapTopic = '0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const full = `0x${'f'.repeat(512)}`;

type Answer = (method: string, params: readonly unknown[], usual: unknown) => unknown;

/** The blocks of the swaps that a follower reads of a chain with one swap in each block, whose node answers in its own way. */
async function blocksRead(of: { from: number; to: number; head: number; answer: Answer }): Promise<number[]> {
  const hashOf = (n: number): string => `0x${word(n)}`;
  const logOf = (n: number) => ({
    ...{ address: pool, topics: [swapTopic, `0x${word(sender)}`, `0x${word(sender)}`], logIndex: '0x0' },
    ...{ data: `0x${word(5n)}${word(0)}${word(0)}${word(7n)}`, blockHash: hashOf(n), blockNumber: hex(n) },
    ...{ blockTimestamp: '0x65000000', transactionHash: `0x${word(n + 7000)}`, transactionIndex: '0x0' },
  });
  const receiptOf = (n: number) => ({
    ...{ transactionHash: `0x${word(n + 7000)}`, blockHash: hashOf(n), transactionIndex: '0x0', from: sender },
    ...{ logs: [logOf(n)], logsBloom: full, gasUsed: '0x1', effectiveGasPrice: '0x1' },
  });
  const block = (n: number) => ({
    ...{ number: hex(n), hash: hashOf(n), parentHash: hashOf(n - 1), timestamp: '0x65000000' },
    ...{ logsBloom: full, transactions: [] },
  });
  const usual = (method: string, params: readonly unknown[]): unknown => {
    if (method === 'eth_chainId') return hex(1337);
    if (method === 'eth_getBlockByNumber') return block(params[0] === 'latest' ? of.head : Number(params[0]));
    if (method === 'eth_getBlockReceipts') return [receiptOf(Number(params[0]))];
    if (method === 'eth_getLogs') {
      const { blockHash, fromBlock, toBlock } = params[0] as Record<string, string>;
      const [from, to] =
        blockHash === undefined ? [Number(fromBlock), Number(toBlock)] : [Number(blockHash), Number(blockHash)];
      return Array.from({ length: to - from + 1 }, (_, i) => logOf(from + i));
    }
    const { data } = params[0] as { data: string };
    return `0x${word({ '0x0dfe1681': one, '0xd21220a7': two }[data] ?? 0)}`;
  };
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) =>
    of.answer(method, params, usual(method, params));
  const source = evmSource({
    transport: (() => ({ request })) as never,
    ...{ pools: [pool], from_block: of.from, to_block: of.to, poll_ms: 5, onNotice: () => undefined },
  });
  const found: number[] = [];
  for await (const { rows } of source.read(null, { signal: AbortSignal.timeout(20_000) }))
    found.push(...(rows as unknown as { columns: { block_slot: Float64Array } }).columns.block_slot);
  return found;
}

const numbers = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

test('a node that gives no logs of a new block, although its bloom has some, loses no swap: the receipts have them', async () => {
  const answer: Answer = (method, _, usual) => (method === 'eth_getLogs' ? [] : usual);
  assert.deepEqual(await blocksRead({ from: 1000, to: 1003, head: 1003, answer }), numbers(1000, 1003));
});

test('while the receipts lack what the bloom says as well, the block waits, and nothing behind it is stored', async () => {
  let asked = 0;
  const answer: Answer = (method, _, usual) => {
    if (method === 'eth_getLogs') return asked < 3 ? [] : usual;
    if (method === 'eth_getBlockReceipts' && ++asked <= 3) return [];
    return usual;
  };
  assert.deepEqual(await blocksRead({ from: 1000, to: 1003, head: 1003, answer }), numbers(1000, 1003));
  assert.ok(asked > 3);
});

test('ranges that a node cuts at fifty logs without an error are read in halves', async () => {
  const answer: Answer = (method, _, usual) => (method === 'eth_getLogs' ? (usual as unknown[]).slice(0, 50) : usual);
  assert.deepEqual(await blocksRead({ from: 1000, to: 2199, head: 3000, answer }), numbers(1000, 2199));
});

test('ranges of blocks whose logs are not there yet are not passed over', async () => {
  let asked = 0;
  const answer: Answer = (method, _, usual) => (method === 'eth_getLogs' && asked++ < 5 ? [] : usual);
  assert.deepEqual(await blocksRead({ from: 1000, to: 1400, head: 3000, answer }), numbers(1000, 1400));
});

test('a block behind which a cut range goes on, and which is empty when it is asked for again, is not passed over', async () => {
  // One swap in each block, so that the third log that comes is of block 12, which is asked for again.
  const answer: Answer = (method, params, usual) => {
    if (method !== 'eth_getLogs') return usual;
    const { fromBlock, toBlock } = params[0] as Record<string, string>;
    if (fromBlock === toBlock && Number(fromBlock) === 12) return [];
    return Number(fromBlock) === 10 ? (usual as unknown[]).slice(0, 3) : usual;
  };
  assert.deepEqual(await blocksRead({ from: 10, to: 29, head: 400, answer }), numbers(10, 29));
});

test('a range that is read in halves, because the node says that it is too long, is whole if each of them is', async () => {
  for (const first of [(logs: unknown[]) => logs.slice(0, 3), () => []])
    for (const cut of [10, 15, 20]) {
      let isCut = false;
      const answer: Answer = (method, params, usual) => {
        if (method !== 'eth_getLogs') return usual;
        const { fromBlock, toBlock } = params[0] as Record<string, string>;
        if (Number(toBlock) - Number(fromBlock) >= 5) return limited();
        // The part of the range that begins there is cut, or empty, the first time.
        if (isCut || Number(fromBlock) !== cut) return usual;
        isCut = true;
        return first(usual as unknown[]);
      };
      assert.deepEqual(await blocksRead({ from: 10, to: 29, head: 400, answer }), numbers(10, 29), `part from ${cut}`);
      assert.ok(isCut, `no part began at block ${cut}`);
    }
});

function limited(): never {
  throw Object.assign(new Error('query returned more than 10000 results'), { code: -32005 });
}
