import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { columnsToObjects, type Message, memory, Swapfold } from '@swapfold/core';
import { generateMarket } from '@swapfold/testing';

const market = generateMarket({ seed: 24, swaps: 4 });
const swaps = [...market.swaps()].flatMap((batch) => [...columnsToObjects(batch)]);
const open = () => Swapfold.open({ storage: memory(), config: market.config });

test('a listener hears what a loop over the stream would, waits for none twice, and ends where it says so', async () => {
  const dex = await open();
  const calls = [{ topic: 'swaps' }, { topic: 'prices' }];
  const loop = dex.stream(calls)[Symbol.asyncIterator]();
  const heard: (readonly Message[])[] = [];
  let goOn = (_: boolean): void => undefined;
  const listening = dex.stream(calls).listen((messages) => {
    heard.push(messages);
    // The first commit is taken at once, the second holds up the third.
    return heard.length === 1 || new Promise<boolean>((resolve) => (goOn = resolve));
  });
  const looped: (readonly Message[])[] = [];
  for (const swap of swaps.slice(0, 3)) {
    await dex.ingest([swap]);
    looped.push((await loop.next()).value);
  }
  await nextTurn();
  assert.deepEqual(heard, looped.slice(0, 2));
  goOn(true);
  await nextTurn();
  assert.deepEqual(heard, looped);
  goOn(false);
  await listening;
  await dex.ingest([swaps[3]!]);
  await loop.next();
  await nextTurn();
  assert.equal(heard.length, 3);
  await dex.close();
});

test('a listener ends with its signal and with the store, and is told what a reader is told', async () => {
  const dex = await open();
  const controller = new AbortController();
  const hear = (): boolean => true;
  const aborted = dex.stream([{ topic: 'swaps' }], { signal: controller.signal }).listen(hear);
  await nextTurn();
  controller.abort();
  await aborted;
  const expired = dex.stream([{ topic: 'swaps' }]).listen(hear);
  await dex.ingest([swaps[0]!]);
  await dex.rebuild();
  await assert.rejects(expired, { code: 'cursor-expired' });
  const closed = dex.stream([{ topic: 'swaps' }]).listen(hear);
  const failing = dex.stream([{ topic: 'swaps' }]).listen(() => {
    throw new Error('the listener');
  });
  await dex.ingest([swaps[1]!]);
  await assert.rejects(failing, /the listener/);
  await dex.close();
  await closed;
});
