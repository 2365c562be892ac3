import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAcceptLog } from '../src/accept-log.ts';

test('connections that could not be taken are one line, however many they are', () => {
  const lines: object[] = [];
  const log = createAcceptLog({ info: () => assert.fail(), error: (fields) => lines.push(fields) });
  const err = new Error('accept EMFILE');
  for (let i = 0; i < 1000; i++) log(err);
  assert.deepEqual(lines, [{ failed: 1, err }]);
});
