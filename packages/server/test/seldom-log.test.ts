import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeldomLog } from '../src/seldom-log.ts';

test('what comes often is one line in ten seconds: the first at once, later ones together', (t) => {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  const lines: unknown[] = [];
  const tell = createSeldomLog(
    { info: () => assert.fail(), error: (fields, message) => lines.push([fields, message]) },
    { count: 'failed', message: 'not taken' },
  );
  for (let i = 0; i < 1000; i++) tell({ n: i });
  now += 10_000;
  tell({ n: 'last' });
  assert.deepEqual(lines, [
    [{ failed: 1, n: 0 }, 'not taken'],
    [{ failed: 1000, n: 'last' }, 'not taken'],
  ]);
});
