import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readAhead } from '../src/import/read-ahead.ts';

/** Counts to three, or fails after two; `log` tells what is read and that reading has ended. */
async function* counted(log: string[], fails = false): AsyncGenerator<number> {
  try {
    for (let i = 1; i <= 3; i++) {
      log.push(`read ${i}`);
      if (fails && i === 3) throw new Error('the third is damaged');
      await nextTurn();
      yield i;
    }
  } finally {
    log.push('ended');
  }
}

test('the next item is read while the one at hand is used, and no further one', async () => {
  const log: string[] = [];
  for await (const i of readAhead(counted(log))) {
    for (let turn = 0; turn < 5; turn++) await nextTurn();
    log.push(`used ${i}`);
  }
  assert.deepEqual(log, ['read 1', 'read 2', 'used 1', 'read 3', 'used 2', 'ended', 'used 3']);
});

test('an item that cannot be read fails after the items before it were used', async () => {
  const log: string[] = [];
  const used: number[] = [];
  await assert.rejects(async () => {
    for await (const i of readAhead(counted(log, true))) {
      await nextTurn();
      await nextTurn();
      used.push(i);
    }
  }, /the third is damaged/);
  assert.deepEqual(used, [1, 2]);
});

test('whoever stops early ends the reading, and an item that could not be read by then troubles nobody', async () => {
  const log: string[] = [];
  for await (const i of readAhead(counted(log, true))) if (i === 2) break;
  assert.equal(log.at(-1), 'ended');
});
