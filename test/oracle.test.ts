import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { hasPython } from './support/oracle.ts';

const root = resolve(import.meta.dirname, '..');

test('the independent script agrees with the cases that were worked by hand for it', {
  skip: hasPython ? false : 'python3 is not installed',
}, () => {
  const run = spawnSync('python3', ['-m', 'unittest', 'discover', '-s', 'test/oracle'], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(run.status, 0, run.stderr);
  assert.match(run.stderr, /Ran [1-9]\d* tests/);
  assert.doesNotMatch(run.stderr, /skipped=/);
});
