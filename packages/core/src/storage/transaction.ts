import { throwIfAborted, unlessAborted, untilAborted, whenAborted } from './abortable.ts';
import type { StorageAdapter, Writer } from './adapter.ts';

interface TransactionOptions<R> {
  /** Aborts the transaction: while it waits it leaves the queue, while it runs it is undone at its next read or write. */
  readonly signal?: AbortSignal | undefined;
  /** The engine commits now. Until `committed` or `failed` it may have either state. Not called if the change itself fails. */
  readonly committing?: (() => void) | undefined;
  /** The change is committed, which nothing can deny any more: throws nothing. */
  readonly committed?: ((answer: R) => void) | undefined;
  /** The commit failed. */
  readonly failed?: (() => void) | undefined;
}

/**
 * Runs one transaction of a store: waits for those before it, runs `change`, commits, and reports the outcome. If anything fails, the
 * store is as before.
 *
 * - Errors: those of `change` and of the engine; `aborted`.
 */
export async function transact<R>(
  storage: Pick<StorageAdapter, 'write'>,
  { signal, committing, committed, failed }: TransactionOptions<R>,
  change: (writer: Writer) => Promise<R>,
): Promise<R> {
  throwIfAborted(signal);
  const waiting = whenAborted(signal);
  let isCommitting = false;
  const work = storage.write(async (writer) => {
    throwIfAborted(signal);
    waiting.dispose();
    const answer = await change(abortableWriter(writer, signal));
    throwIfAborted(signal);
    committing?.();
    isCommitting = true;
    return answer;
  });
  let answer: R;
  try {
    answer = await Promise.race([work, waiting.rejects]);
  } catch (error) {
    if (isCommitting) failed?.();
    throw error;
  } finally {
    waiting.dispose();
  }
  committed?.(answer);
  return answer;
}

/** The writer, of which every further step rejects once the signal has aborted. */
function abortableWriter(writer: Writer, signal: AbortSignal | undefined): Writer {
  if (signal === undefined) return writer;
  return {
    ...writer,
    ...untilAborted(writer, signal),
    append: (table, rows) => unlessAborted(signal, () => writer.append(table, rows)),
    replace: (table, rows) => unlessAborted(signal, () => writer.replace(table, rows)),
    remove: (table, where) => unlessAborted(signal, () => writer.remove(table, where)),
    recreate: (table) => unlessAborted(signal, () => writer.recreate(table)),
    reindex: (table) => unlessAborted(signal, () => writer.reindex(table)),
    addColumns: (table) => unlessAborted(signal, () => writer.addColumns(table)),
  };
}
