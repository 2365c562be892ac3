import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StorageAdapter } from '@swapfold/core';

/** Turns of the event loop without a read after which nothing follows that was not asked for. */
const QUIET_TURNS = 20;

/** A store that counts the snapshots that are taken of it. */
export function counted(storage: StorageAdapter): {
  storage: StorageAdapter;
  snapshots: () => number;
  /** Waits until nothing is read any more. */
  quiet: () => Promise<void>;
} {
  let snapshots = 0;
  let running = 0;
  return {
    storage: {
      ...storage,
      async snapshot(read) {
        snapshots++;
        running++;
        try {
          return await storage.snapshot(read);
        } finally {
          running--;
        }
      },
    },
    snapshots: () => snapshots,
    async quiet() {
      for (let turns = 0, before = snapshots; turns < QUIET_TURNS; turns++) {
        await nextTurn();
        if (running > 0 || snapshots !== before) turns = 0;
        before = snapshots;
      }
    },
  };
}
