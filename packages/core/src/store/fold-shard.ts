import { setTimeout as wait } from 'node:timers/promises';
import { SwapfoldError } from '../errors.ts';
import { requireFunctions } from '../metrics/declaration.ts';
import { cannotFoldInWorkers } from '../refresh/fold-in-workers.ts';
import type { FoldMessage, FoldTask } from '../refresh/fold-task.ts';
import { foldStale } from '../refresh/refresh.ts';
import { throwIfAborted, untilAborted } from '../storage/abortable.ts';
import type { StorageAdapter } from '../storage/adapter.ts';
import { type PinnedSnapshot, pinSnapshot } from '../storage/snapshots.ts';
import type { StoreSession } from './session.ts';

/** How long a commit may take to be seen by another handle than the one that made it, in milliseconds. */
const LATEST = 2500;

/** Milliseconds between two looks whether it is. */
const BETWEEN = 100;

/** Folds one shard of the profiles from the state of the store that the task names: see `RefreshWorker`. */
export async function* foldShard(
  session: StoreSession,
  task: FoldTask,
  signal: AbortSignal | undefined,
): AsyncGenerator<FoldMessage> {
  requireFunctions(session.metrics, 'A worker of a refresh');
  await session.reloadIfChanged();
  const snapshot = await snapshotOf(session.storage, task.version, signal);
  try {
    const reader = untilAborted(snapshot.reader, signal);
    const state = await session.rememberedOf(reader);
    const { nextTx, lastTime } = state.ingest;
    if (nextTx !== task.transactions || lastTime !== task.last_time) {
      throw new SwapfoldError(
        'store-failed',
        `A worker of the refresh reads a store of ${nextTx} transactions, and the refresh has ${task.transactions}: give it the same store.`,
      );
    }
    yield* foldStale(session.context(reader, { asOf: task.as_of }, { state }), {
      syncedAt: task.synced_at,
      isFull: task.is_full,
      isAging: task.is_aging,
      shard: task.shard,
    });
  } finally {
    await snapshot.end();
  }
}

async function snapshotOf(
  storage: StorageAdapter,
  version: number,
  signal: AbortSignal | undefined,
): Promise<PinnedSnapshot> {
  for (const begun = performance.now(); ; ) {
    throwIfAborted(signal);
    const snapshot = await pinSnapshot((read) => storage.snapshot(read));
    const found = await snapshot.reader.version?.();
    if (found === version) return snapshot;
    await snapshot.end();
    if (found === undefined) throw cannotFoldInWorkers(storage.engine);
    if (performance.now() - begun > LATEST) {
      throw new SwapfoldError(
        'store-failed',
        `A worker of the refresh reads commit ${found} of the store, and the refresh commit ${version}: either another process has written meanwhile, or the worker's is another store.`,
      );
    }
    await wait(BETWEEN);
  }
}
