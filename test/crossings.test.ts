import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const root = resolve(import.meta.dirname, '..');

test('a reader who follows an insert opens at most 39 files of what knows of swaps', () => {
  const program = join(root, 'test/support/crossings.ts');
  // From the sources: a bundle has other files.
  const printed = execFileSync(process.execPath, ['--import', 'tsx', program, 'insert'], {
    cwd: root,
    encoding: 'utf8',
  });
  // Fourteen of them came with the votes for prices and the orders of a route.
  const files = printed.trim().split('\n');
  assert.ok(files.includes('ledger/position.ts') && files.includes('store/session.ts'));
  assert.ok(files.length <= 39, `${files.length}: ${files.join(', ')}`);
});
