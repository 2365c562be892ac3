import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SwapfoldError } from '@swapfold/core';
import { readSwapFileInWorker } from '../src/files/read-in-worker.ts';
import { readSwapFile, type SwapFileBatch } from '../src/files/read-swap-file.ts';

const folder = await mkdtemp(join(tmpdir(), 'read-in-worker-'));
after(() => rm(folder, { recursive: true }));

const header = 'tx_hash,swap_index,block_time,wallet,token_in,token_out,token_amount_in,token_amount_out,protocol';

async function csv(name: string, rows: readonly string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, [header, ...rows, ''].join('\n'));
  return path;
}

const row = (i: number): string => `tx${i},0,${1000 + i},wallet${i % 3},in,out,${i}.5,${i % 7 === 0 ? '' : i},dex`;

async function all(batches: AsyncIterable<SwapFileBatch>): Promise<SwapFileBatch[]> {
  const read: SwapFileBatch[] = [];
  for await (const batch of batches) read.push(batch);
  return read;
}

test('a thread reads the same batches, with the same rejects', async () => {
  const path = await csv(
    'swaps.csv',
    Array.from({ length: 1000 }, (_, i) => (i === 500 ? row(i).replace('500.5', 'many') : row(i))),
  );
  const options = { batchRows: 300 };
  const inWorker = await all(readSwapFileInWorker(path, options, 0));
  assert.deepEqual(inWorker, await all(readSwapFile(path, options)));
  assert.deepEqual(
    inWorker.flatMap(({ rejects }) => rejects.map(({ row: at, field }) => [at, field])),
    [[501, 'token_amount_in']],
  );
});

test('what a thread cannot read is refused with the same words', async () => {
  const path = join(folder, 'lacking.csv');
  await writeFile(path, `${header.replace('wallet', 'who')}\n${row(1)}\n`);
  await assert.rejects(
    all(readSwapFileInWorker(path, {}, 0)),
    (error: unknown) =>
      error instanceof SwapfoldError && error.code === 'invalid-input' && /has no column "wallet"/.test(error.message),
  );
  await assert.rejects(all(readSwapFileInWorker(join(folder, 'none.csv'), {}, 0)), /there is no such file/);
});

test('whoever stops early ends the thread', async () => {
  const path = await csv(
    'long.csv',
    Array.from({ length: 1000 }, (_, i) => row(i)),
  );
  for await (const { batch } of readSwapFileInWorker(path, { batchRows: 10 }, 0)) {
    assert.equal(batch.length, 10);
    break;
  }
});

test('a batch that was stored is not kept until the last', async () => {
  const path = await csv(
    'kept.csv',
    Array.from({ length: 100 }, (_, i) => row(i)),
  );
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  const taken: WeakRef<SwapFileBatch>[] = [];
  const batches = readSwapFileInWorker(path, { batchRows: 10 }, 0);
  while (taken.length < 8) {
    const { value } = await batches.next();
    taken.push(new WeakRef(value as SwapFileBatch));
  }
  await nextTurn();
  collect();
  // The thread has not ended, and the last one or two may be in the hands of the generator still.
  assert.deepEqual(
    taken.slice(0, -2).map((batch) => batch.deref()),
    new Array(6).fill(undefined),
  );
  await batches.return(undefined);
});
