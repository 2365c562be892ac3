import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPool } from '../src/pool.ts';

/** A pool of numbers, and what was made of it. */
function numbers(size: number) {
  let made = 0;
  return createPool(size, async () => ++made);
}

test('what is given back goes to the call that waits longest, not to one that comes at that moment', async () => {
  const pool = numbers(1);
  const first = await pool.take(true);
  const order: string[] = [];
  const waiting = pool.take(true).then((item) => {
    order.push('waited');
    pool.release(item);
  });
  pool.release(first);
  const late = pool.take(true).then((item) => {
    order.push('came later');
    pool.release(item);
  });
  await Promise.all([waiting, late]);
  assert.deepEqual(order, ['waited', 'came later']);
});

test('a call that may not wait is given one more, which the pool keeps', async () => {
  const pool = numbers(1);
  assert.equal(await pool.take(true), 1);
  assert.equal(await pool.take(false), 2);
  pool.release(1);
  pool.release(2);
  assert.deepEqual(pool.drain(), [1, 2]);
});

test('where one is forgotten, the call that waits longest makes another', async () => {
  const pool = numbers(1);
  await pool.take(true);
  const waiting = pool.take(true);
  pool.forget();
  assert.equal(await waiting, 2);
});

test('where one cannot be made, its call fails and the next one tries', async () => {
  let tries = 0;
  const pool = createPool(1, async () => {
    if (++tries === 1) throw new Error('no room');
    return tries;
  });
  const failing = pool.take(true);
  const next = pool.take(true);
  await assert.rejects(failing, /no room/);
  assert.equal(await next, 2);
});
