import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { describeStorage } from '@swapfold/core/conformance';
import { sqlite } from '../src/index.ts';

describeStorage({
  test,
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'swapfold-sqlite-'));
    const path = join(folder, 'store.db');
    return {
      adapter: sqlite(path),
      reopen: async () => sqlite(path),
      dispose: () => rm(folder, { recursive: true }),
    };
  },
});
