import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after } from 'node:test';
import { memory } from '@swapfold/core';
import { bundled } from '../../../../test/support/bundle.ts';
import { firstDifferences } from '../../../../test/support/dump.ts';
import { feedPart, mergedStore, wholeStore } from '../../../../test/support/shards.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';
import { fed } from '../support/fed.ts';

const folder = await mkdtemp(join(tmpdir(), 'swapfold-shards-'));
const name = (part: string): string => `swapfold_shards_${process.pid}_${part}`;

// chDB has a folder open in one process at a time: the part that is killed comes before all others.
const writes = await feedAndKill(name('2_of_3'));
const { client, dispose } = await openClient(folder);
after(async () => {
  for (const database of made) await client.command({ query: `drop database if exists ${database} sync` });
  await dispose();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a part in a process of its own, which is killed within its third batch. Shape: the writes that it began. */
async function feedAndKill(database: string): Promise<number> {
  const program = await bundled('packages/clickhouse/test/support/feed-child.ts');
  const child = spawn(process.execPath, [program, folder, database], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let begun = 0;
  child.stdout.on('data', (lines: Buffer) => {
    begun += lines.toString().split('\n').length - 1;
    // One opens the store; then each batch is one.
    if (begun >= 4) setTimeout(() => child.kill('SIGKILL'), 20);
  });
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  assert.equal(signal, 'SIGKILL');
  return begun;
}

const made = new Set<string>();

function open(part: string): ReturnType<typeof clickhouse> {
  made.add(name(part));
  return clickhouse({ server: client, database: name(part) });
}

/** The part that is killed is one of three. */
const numbers = isWhole ? [1, 3, 8] : [3];

test(`${numbers.join(', ')} parts on ClickHouse, one of them killed and run again, merge there into the store of the whole`, async (t) => {
  t.diagnostic(`killed within write ${writes}`);
  const expected = await wholeStore(memory(), fed);
  for (const of of numbers) {
    const parts = await Promise.all(
      Array.from({ length: of }, (_, i) =>
        feedPart(open(`${i + 1}_of_${of}`), { ...fed, index: i + 1, of, batch: of === 8 ? 1200 : 700 }),
      ),
    );
    const dump = await mergedStore(() => open(`of_${of}`), fed, parts);
    assert.deepEqual(firstDifferences(dump, expected), [], `${of} parts`);
  }
});
