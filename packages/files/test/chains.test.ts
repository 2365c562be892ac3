import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readSwapFile } from '@swapfold/files';
import { withFolder } from '../../../test/support/engines.ts';

const head =
  'block_time,tx_hash,evt_index,tx_from,token_sold_address,token_bought_address,token_sold_amount,token_bought_amount';
const lineOf = (number: number): string =>
  [
    1_704_067_200 + number,
    `0x${number}`,
    1,
    `0x${'1'.repeat(40)}`,
    `0x${'a'.repeat(40)}`,
    `0x${'b'.repeat(40)}`,
    1,
    2,
  ].join(',');

const read = (column: string, chains: readonly (string | number)[], chain: string | undefined) =>
  withFolder(async (folder) => {
    const path = join(folder, 'dune.csv');
    writeFileSync(path, [`${head},${column}`, ...chains.map((name, i) => `${lineOf(i)},${name}`)].join('\n'));
    let swaps = 0;
    const passed: Record<string, number> = {};
    for await (const part of readSwapFile(path, { chain })) {
      swaps += part.batch.length;
      for (const [reason, count] of part.passed) passed[reason] = (passed[reason] ?? 0) + count;
    }
    return { swaps, passed };
  });

for (const [column, names, chain, swaps, passed] of [
  ['blockchain', ['ethereum', 'base', 'base', 'bnb'], 'ethereum', 1, { base: 2, bnb: 1 }],
  ['network', ['eth', 'Mainnet', ' ETHEREUM ', 'arbitrum'], 'ethereum', 3, { arbitrum: 1 }],
  [
    'chain',
    [1, '1.0', 8453, 56, 137, 42161, 43114],
    'ethereum',
    2,
    { base: 1, bnb: 1, polygon: 1, arbitrum: 1, avalanche: 1 },
  ],
  ['blockchain', ['avalanche_c', 'bsc', 'avalanche'], 'avalanche', 2, { bnb: 1 }],
  ['blockchain', ['', 'base'], 'base', 2, {}],
  ['blockchain', ['mychain', 'solana', 'tron', 'sui'], 'mychain', 1, { solana: 1, tron: 1, sui: 1 }],
  ['blockchain', ['ethereum', 'base'], undefined, 2, {}],
] as const)
  test(`of rows whose ${column} is ${names.join(', ')}, a store of ${chain ?? 'any chain'} takes ${swaps}`, async () => {
    const found = await read(column, names, chain);
    assert.deepEqual(found, {
      swaps,
      passed: Object.fromEntries(Object.entries(passed).map(([name, count]) => [`of another chain: ${name}`, count])),
    });
  });

test('a chain of an unknown name is an error that names the column, the name and those that are known', () =>
  assert.rejects(read('blockchain', ['ethereum', 'etherium'], 'ethereum'), {
    code: 'invalid-input',
    message:
      /dune\.csv: .*its column "blockchain" has "etherium", which is no chain that is known\. Known are ethereum, base, arbitrum/,
  }));
