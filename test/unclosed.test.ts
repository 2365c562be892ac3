import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { bundled } from './support/bundle.ts';
import { withFolder } from './support/engines.ts';

/** A store that the child leaves open, and how many swaps it stores. */
const stores = { sqlite: 16_000, duckdb: 300 } as const;
export type UnclosedStore = keyof typeof stores;

/** Long beyond what the child needs on a busy machine. */
const PATIENCE = 120_000;
const program = await bundled('test/support/unclosed-child.ts');

for (const [name, swaps] of Object.entries(stores)) {
  test(`${name}: a process that leaves its store open ends when its work is done`, () =>
    withFolder(async (folder) => {
      const path = join(folder, 'store');
      const child = spawn(process.execPath, [program, name, path], {
        stdio: ['ignore', 'pipe', 'pipe'],
        timeout: PATIENCE,
        killSignal: 'SIGKILL',
      });
      const ended = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
      const [out, error, end] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      assert.equal(end, 0, `it ended with ${end}: ${error}`);
      assert.equal(out, `${swaps}\n`);
    }));
}
