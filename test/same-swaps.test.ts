import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { after as afterAll, test } from 'node:test';
import { memory, Swapfold, type SwapInput } from '@swapfold/core';
import type { SameSwap } from '@swapfold/core/host';
import { runCli, temporaryFolder } from '../packages/cli/test/run-cli.ts';

const path = await temporaryFolder(afterAll);

const swap = (tx_hash: string, swap_index: number, token_amount_in = 1): SwapInput => ({
  tx_hash,
  swap_index,
  block_time: 1_710_665_692,
  wallet: 'W',
  token_in: 'A',
  token_out: 'B',
  token_amount_in,
  token_amount_out: 2,
});
/** What the store has, and what another source brings: one swap again, one that the store has under another index, one of another amount. */
const first = [swap('t1', 0), swap('t1', 1, 5), swap('t2', 0)];
const other = [swap('t2', 0), swap('t1', 4096), swap('t1', 8192, 7), swap('t3', 0)];

for (const skipSame of [undefined, false, true]) {
  test(`swaps under another index are named, and ${skipSame ? 'left out' : 'stored'} with skipSame ${skipSame}`, async () => {
    const dex = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
    await dex.ingest(first);
    const same: SameSwap[] = [];
    const { added, duplicate } = await dex.ingest(other, { onSame: (found) => same.push(found), skipSame });
    assert.deepEqual(same, [{ row: 1, tx_hash: 't1', swap_index: 4096 }]);
    assert.deepEqual([added, duplicate], skipSame ? [2, 2] : [3, 1]);
    const { data } = await dex.swaps.list({ limit: 10 });
    assert.equal(
      data.some(({ swap_index }) => swap_index === 4096),
      !skipSame,
    );
    await dex.close();
  });
}

test('skipSame of another type is refused', async () => {
  const dex = await Swapfold.open({ storage: memory() });
  await assert.rejects(dex.ingest([], { skipSame: 'yes' as never }), {
    code: 'invalid-input',
    message: /"skipSame": expected true or false/,
  });
  await dex.close();
});

test('an import counts and names them, and --skip-same leaves them out', async () => {
  const write = (name: string, swaps: readonly SwapInput[]): void =>
    writeFileSync(path(name), swaps.map((one) => JSON.stringify(one)).join('\n'));
  write('first.ndjson', first);
  write('other.ndjson', other);
  writeFileSync(path('any.json'), '{ "address_format": "any" }');
  for (const [db, options, added, line] of [
    [
      'a.db',
      [],
      3,
      /1 swap is in the store under another index, maybe from another source\. They are stored, too; --skip-same leaves them out\./,
    ],
    ['b.db', ['--skip-same'], 2, /1 swap is in the store under another index.*Left out, as --skip-same says/],
  ] as const) {
    const args = ['--db', path(db), '--config', path('any.json'), '--no-refresh'];
    assert.equal((await runCli(['import', 'swaps', path('first.ndjson'), ...args])).code, 0);
    const { code, stdout, stderr } = await runCli(['import', 'swaps', path('other.ndjson'), ...args, ...options]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, new RegExp(`added +${added}\\n`));
    assert.match(stdout, line);
  }
});

for (const engine of ['sqlite', 'duckdb'])
  test(`${engine}: equal swaps of one import into an empty store are all kept, however the files part them`, async () => {
    for (const [name, number] of [
      ['s1.ndjson', 0],
      ['s2.ndjson', 1],
    ] as const)
      writeFileSync(path(name), JSON.stringify({ ...first[0]!, swap_index: number }));
    const db = `${engine}:${path(`parted-${engine}`)}`;
    const args = ['--db', db, '--config', path('any.json'), '--no-refresh', '--skip-same'];
    const { stdout, stderr } = await runCli(['import', 'swaps', path('s1.ndjson'), path('s2.ndjson'), ...args]);
    assert.match(stdout, /added +2\n/, stderr);
  });

/** The stored swaps of `t1`, then an import of these; what is in the store after it. */
for (const [what, before, brought, after] of [
  ['two from one source stay two', [], [5, 6], [5, 6]],
  ['the same two from another source add nothing', [5, 6], [4096, 8192], [5, 6]],
  ['a third one adds one', [5, 6], [4096, 8192, 12_288], [5, 6, 12_288]],
  ['one that the import stored itself stands for none that follows', [5], [4096, 8192, 12_288], [5, 8192, 12_288]],
  ['the second half of an import that was cut short comes in', [5], [5, 6], [5, 6]],
  ['whether it comes before the first or after it, the store ends with two', [5], [6, 5, 7], [5, 7]],
  ['one that is repeated counts once', [5, 6], [4096, 4096, 8192], [5, 6]],
  ['one that is stored and repeated counts once', [5, 6], [5, 5, 4096], [5, 6]],
] as const)
  for (const batchSize of [1, 2, 10])
    test(`of equal swaps ${what}, in batches of ${batchSize}`, async () => {
      const dex = await Swapfold.open({ storage: memory(), config: { address_format: 'any' } });
      await dex.ingest(before.map((index) => swap('t1', index)));
      // Amounts of another source may have gone through floats, and its wallet may be a router.
      const others = brought.map((index) => ({
        ...swap('t1', index, (before as readonly number[]).includes(index) ? 1 : 1 + 5e-10),
        wallet: index > 1000 ? 'R' : 'W',
      }));
      await dex.ingest(Readable.from(others), { skipSame: true, batchSize });
      const { data } = await dex.swaps.list({ limit: 10 });
      assert.deepEqual(
        data.map(({ swap_index }) => swap_index).sort((a, b) => a - b),
        after,
      );
      await dex.close();
    });
