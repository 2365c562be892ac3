import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import summary from './support/summary.ts';

/** An event of a test in a bundled file, as Node reports it. */
function event(name: string, more: object = {}, error?: Error): TestEvent {
  const details = { duration_ms: 1500, type: 'test', ...(error && { error }) };
  const data = { name, nesting: 0, file: '/folder/test.store.test.js', details, ...more };
  return { type: error === undefined ? 'test:pass' : 'test:fail', data } as unknown as TestEvent;
}

async function printed(events: readonly TestEvent[]): Promise<string> {
  let text = '';
  for await (const part of summary(
    (async function* () {
      yield* events;
    })(),
  ))
    text += part;
  return text;
}

const failure = (message: string, failureType = 'testCodeFailure'): Error =>
  Object.assign(new Error('test failed', { cause: new Error(message) }), { failureType });

test('the last line counts tests, not the suites that hold them, and each failed test once', async () => {
  const text = await printed([
    event('passes'),
    event('is left out', { skip: true }),
    event('fails', {}, failure('one is not two')),
    event('a suite', { details: { duration_ms: 1, type: 'suite' } }),
    event('inner', { nesting: 1 }, failure('inner reason')),
    event('outer', {}, failure('1 subtest failed', 'subtestsFailed')),
  ]);
  assert.match(text, /\n1 passed, 3 failed, 1 skipped in \d+ s\n$/);
  assert.match(text, /✖ fails\n {2}test\/store\.test\.ts\n {4}Error: one is not two\n/);
  assert.match(text, /✖ inner\n/);
  assert.doesNotMatch(text, /✖ outer/);
});

test('a file whose process ended fails with what it wrote last', async () => {
  const file = '/folder/packages.core.test.time.test.js';
  const wrote = { type: 'test:stderr', data: { file, message: 'out of memory\n' } } as TestEvent;
  const text = await printed([wrote, event(file, { file }, new Error('test failed'))]);
  assert.match(text, /✖ packages\/core\/test\/time\.test\.ts\n.*\n {4}test failed\nout of memory\n/);
  assert.match(text, /\n0 passed, 1 failed, 0 skipped/);
});

test('the failures and the slowest files fit a screen', async () => {
  const long = 'a line\n'.repeat(100);
  const text = await printed(
    Array.from({ length: 50 }, (_, i) => event(`test ${i}`, { file: `/folder/test.f${i}.test.js` }, failure(long))),
  );
  assert.match(text, /\n44 further failures\n/);
  assert.ok(text.split('\n').length < 75);
});
