import { SwapfoldError } from '../errors.ts';
import { orAborted } from '../storage/abortable.ts';
import type { FoldMessage, FoldTask, RefreshWorker } from './fold-task.ts';

/**
 * What all workers fold, each its shard, in the order in which it comes. Each works on one batch while that before it is taken: memory
 * holds two batches of a worker at most. The first that fails ends all.
 *
 * - Errors: those of the workers; `store-failed` where one ends before it has told of all entities that it found; `aborted`.
 */
export async function* foldInWorkers(
  workers: readonly RefreshWorker[],
  task: Omit<FoldTask, 'shard'>,
  signal: AbortSignal | undefined,
): AsyncGenerator<FoldMessage> {
  const stop = new AbortController();
  const ended = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
  const sources = workers.map((worker, i) => {
    const shard = { index: i + 1, of: workers.length };
    return worker.fold({ ...task, shard }, { signal: ended })[Symbol.asyncIterator]();
  });
  const pending = new Map(sources.map((source) => [source, nextOf(source)]));
  const left = new Map<AsyncIterator<FoldMessage>, number>();
  try {
    while (pending.size > 0) {
      const { source, result } = await orAborted(signal, Promise.race(pending.values()));
      // Taken out, and in again at the end: of several that are ready, the one that has waited longest comes first.
      pending.delete(source);
      if (result.done) {
        if (left.get(source) !== 0) throw endedEarly(sources.indexOf(source) + 1, workers.length, left.get(source));
        continue;
      }
      pending.set(source, nextOf(source));
      const { value } = result;
      if (value.kind === 'found') left.set(source, value.entities);
      else if (value.kind !== 'positions')
        left.set(source, (left.get(source) ?? 0) - value.rows.length - value.missing.length);
      yield value;
    }
  } finally {
    if (pending.size > 0) stop.abort();
    await Promise.allSettled(sources.map((source) => source.return?.()));
  }
}

interface Next {
  readonly source: AsyncIterator<FoldMessage>;
  readonly result: IteratorResult<FoldMessage>;
}

function nextOf(source: AsyncIterator<FoldMessage>): Promise<Next> {
  const next = source.next().then((result) => ({ source, result }));
  next.catch(() => undefined);
  return next;
}

function endedEarly(index: number, of: number, left: number | undefined): SwapfoldError {
  const state = left === undefined ? 'before it had told what there is to fold' : `with ${left} entities not folded`;
  return new SwapfoldError('store-failed', `Worker ${index} of ${of} of the refresh ended ${state}.`);
}

/** What a refresh with workers says of an engine that they cannot open the store of. */
export function cannotFoldInWorkers(engine: string): SwapfoldError {
  return new SwapfoldError(
    'unsupported-by-engine',
    `Workers of a refresh open the store a second time beside its writer, and a ${engine} store cannot be. Refresh it without workers, or keep it in SQLite or ClickHouse (swapfold copy).`,
  );
}
