import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { bundled } from '../../../../test/support/bundle.ts';
import { withFolder } from '../../../../test/support/engines.ts';

/** Long beyond what the child needs on a busy machine. */
const PATIENCE = 120_000;

test('clickhouse: a process that leaves its store open ends when its work is done', () =>
  withFolder(async (folder) => {
    const program = await bundled('packages/clickhouse/test/support/unclosed-child.ts');
    const child = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: PATIENCE,
      killSignal: 'SIGKILL',
    });
    const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
    const [out, error, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    assert.equal(end, 0, `it ended with ${end}: ${error}`);
    assert.equal(out, '100\n');
  }));
