import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { describe } from 'node:test';
import { describeStorage } from '@swapfold/testing';
import { isWhole, shortSuite } from '../../../test/support/whole.ts';
import { sqlite } from '../src/index.ts';

const places = [
  ['on the calling thread', Number.POSITIVE_INFINITY],
  ['on threads', 0],
] as const;

/** A thread that runs the sources takes a second to start: the tests of the threads alone are in scanner.test.ts. */
for (const [where, threads_from_mb] of isWhole ? places : places.slice(0, 1))
  describe(`reads of many rows ${where}`, () => {
    describeStorage({
      test,
      ...shortSuite,
      open: async () => {
        const folder = await mkdtemp(join(tmpdir(), 'swapfold-sqlite-'));
        const path = join(folder, 'store.db');
        return {
          adapter: sqlite({ path, threads_from_mb }),
          reopen: async () => sqlite({ path, threads_from_mb }),
          dispose: () => rm(folder, { recursive: true }),
        };
      },
    });
  });
