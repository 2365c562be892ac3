import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { describeStorage } from '@swapfold/core/conformance';
import { duckdb } from '../src/index.ts';

describeStorage({
  test,
  open: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'swapfold-duckdb-'));
    const path = join(folder, 'store.duckdb');
    return {
      adapter: duckdb(path),
      reopen: async () => duckdb(path),
      dispose: () => rm(folder, { recursive: true }),
    };
  },
});
