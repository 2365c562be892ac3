import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EvmSourceOptions, evmSource } from '@swapfold/evm';

const hex = (value: number): string => `0x${value.toString(16)}`;
const hashOf = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`;
const HEAD = 20;

/** What a source says first that goes on behind a block, or begins, on a chain of twenty empty blocks. */
async function beginningOf(next: number | null, options: Partial<EvmSourceOptions>): Promise<string> {
  const block = (number: number) => ({
    ...{ number: hex(number), hash: hashOf(number), parentHash: hashOf(number - 1), timestamp: '0x65000000' },
    ...{ logsBloom: '0x', transactions: [] },
  });
  const request = async ({ method, params = [] }: { method: string; params?: readonly unknown[] }) => {
    if (method === 'eth_chainId') return '0x1';
    if (method === 'eth_getBlockByNumber') return block(params[0] === 'latest' ? HEAD : Number(params[0]));
    return [];
  };
  const said: string[] = [];
  const source = evmSource({
    ...{ transport: (() => ({ request })) as never, factories: ['uniswap-v2'], poll_ms: 5 },
    ...{ onNotice: (line) => said.push(line), ...options },
  });
  const place = next === null ? null : JSON.stringify({ chain_id: 1, next, blocks: [[next - 1, hashOf(next - 1)]] });
  const stop = new AbortController();
  const items = source.read(place, { signal: stop.signal })[Symbol.asyncIterator]();
  const first = items.next();
  while (said.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  stop.abort();
  await first;
  return said[0]!;
}

const cases: readonly (readonly [
  sentence: string,
  next: number | null,
  options: Partial<EvmSourceOptions>,
  said: string,
])[] = [
  ['an empty store begins behind the newest block', null, {}, 'Reading begins at block 21.'],
  [
    'an empty store begins as many blocks earlier as have to follow one',
    null,
    { confirmations: 5 },
    'Reading begins at block 16.',
  ],
  ['an empty store begins at the block that is given', null, { from_block: 7 }, 'Reading begins at block 7.'],
  [
    'a range says where it ends',
    null,
    { from_block: 7, to_block: 9 },
    'Reading begins at block 7 and ends behind block 9.',
  ],
  ['a store goes on behind its last block', 12, {}, 'Reading goes on at block 12, behind the last one that is stored.'],
  [
    'a first block in front of the stored ones is not read, which is said',
    12,
    { from_block: 7 },
    'Reading goes on at block 12, behind the last one that is stored. Block 7 would be the first of a store that has nothing of this source yet.',
  ],
  [
    'a first block behind the stored ones leaves no gap',
    12,
    { from_block: 15 },
    'Reading goes on at block 12, behind the last one that is stored.',
  ],
  [
    'a range that is older than the place has nothing to read, which is said',
    12,
    { from_block: 3, to_block: 9 },
    'The store has blocks up to 11, and the range ends at block 9: there is nothing to read. Give the source another "name" to read it again.',
  ],
];

for (const [sentence, next, options, said] of cases)
  test(sentence, async () => assert.equal(await beginningOf(next, options), said));
