import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import threads from 'node:worker_threads';
import { withFolder } from '../../../test/support/engines.ts';
import { createCheckpoints, LOG_BYTES } from '../src/checkpoints.ts';

test('where no thread can start, a commit stands, and the connection moves the log itself', () =>
  withFolder(async (folder) => {
    const path = join(folder, 'dex.db');
    writeFileSync(`${path}-wal`, new Uint8Array(LOG_BYTES + 1));
    const { Worker } = threads;
    threads.Worker = class {
      constructor() {
        throw new Error('a container has no more processes');
      }
    } as unknown as typeof Worker;
    syncBuiltinESMExports();
    try {
      let ended = 0;
      const checkpoints = createCheckpoints(path, 1000, () => void ended++);
      checkpoints.committed();
      assert.equal(ended, 1);
      checkpoints.committed();
      assert.equal(ended, 1);
      await checkpoints.close();
    } finally {
      threads.Worker = Worker;
      syncBuiltinESMExports();
    }
  }));
