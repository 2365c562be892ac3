import type { StorageAdapter } from '@swapfold/core/engine';

/** A store that counts the snapshots that are taken of it. */
export function counted(storage: StorageAdapter): { storage: StorageAdapter; snapshots: () => number } {
  let snapshots = 0;
  return {
    storage: {
      ...storage,
      snapshot(read) {
        snapshots++;
        return storage.snapshot(read);
      },
    },
    snapshots: () => snapshots,
  };
}
