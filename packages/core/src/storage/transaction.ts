import type { Batch, Table } from '../records/columns.ts';
import { throwIfAborted, untilAborted, whenAborted } from './abortable.ts';
import type { StorageAdapter, Writer } from './adapter.ts';
import { everything, type Predicate } from './predicate.ts';
import { keysOf } from './replace-rows.ts';

/** One step of a transaction on a table. */
export type RowChange =
  | { readonly kind: 'append'; readonly rows: Batch }
  | { readonly kind: 'remove'; readonly where: Predicate };

/**
 * The steps of a transaction by table name, in order. A table without steps is absent. `'replaced'`: all rows of the table were removed
 * first, so only the table itself says what it holds; its new rows are not recorded, because they may be many.
 */
export type RowChanges = ReadonlyMap<string, readonly RowChange[] | 'replaced'>;

export interface TransactionOptions<R> {
  /** Aborts the transaction: while it waits it leaves the queue, while it runs it is undone at its next read or write. */
  readonly signal?: AbortSignal | undefined;
  /** Tables whose steps are recorded for `committed`. */
  readonly recorded?: readonly Table[] | undefined;
  /** The engine commits now. Until `committed` or `failed` it may have either state. Not called if the change itself fails. */
  readonly committing?: (() => void) | undefined;
  readonly committed?: ((answer: R, changes: RowChanges) => void) | undefined;
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
  { signal, recorded = [], committing, committed, failed }: TransactionOptions<R>,
  change: (writer: Writer) => Promise<R>,
): Promise<R> {
  throwIfAborted(signal);
  const waiting = whenAborted(signal);
  const changes = new Map<string, RowChange[] | 'replaced'>();
  let isCommitting = false;
  const work = storage.write(async (writer) => {
    throwIfAborted(signal);
    waiting.dispose();
    const answer = await change(recordingWriter(writer, signal, recorded, changes));
    throwIfAborted(signal);
    committing?.();
    isCommitting = true;
    return answer;
  });
  try {
    const answer = await Promise.race([work, waiting.rejects]);
    committed?.(answer, changes);
    return answer;
  } catch (error) {
    if (isCommitting) failed?.();
    throw error;
  } finally {
    waiting.dispose();
  }
}

/** The writer, which rejects once the signal has aborted and notes the steps on recorded tables. */
function recordingWriter(
  writer: Writer,
  signal: AbortSignal | undefined,
  recorded: readonly Table[],
  changes: Map<string, RowChange[] | 'replaced'>,
): Writer {
  if (signal === undefined && recorded.length === 0) return writer;
  const names = new Set(recorded.map(({ name }) => name));
  const note = ({ name }: Table, step: RowChange | 'replaced'): void => {
    if (!names.has(name)) return;
    const steps = changes.get(name);
    if (step === 'replaced' || steps === undefined) changes.set(name, step === 'replaced' ? step : [step]);
    else if (steps !== 'replaced') steps.push(step);
  };
  return {
    ...untilAborted(writer, signal),
    async append<T extends Table>(table: T, rows: Batch<T>): Promise<void> {
      throwIfAborted(signal);
      await writer.append(table, rows);
      note(table, { kind: 'append', rows: rows as unknown as Batch });
    },
    async replace<T extends Table>(table: T, rows: Batch<T>): Promise<void> {
      throwIfAborted(signal);
      await writer.replace(table, rows);
      const batch = rows as unknown as Batch;
      note(table, { kind: 'remove', where: keysOf(table, batch) });
      note(table, { kind: 'append', rows: batch });
    },
    async remove(table, where) {
      throwIfAborted(signal);
      await writer.remove(table, where);
      note(table, where === everything ? 'replaced' : { kind: 'remove', where });
    },
    async recreate(table) {
      throwIfAborted(signal);
      await writer.recreate(table);
      note(table, 'replaced');
    },
    async reindex(table) {
      throwIfAborted(signal);
      await writer.reindex(table);
    },
    async addColumns(table) {
      throwIfAborted(signal);
      await writer.addColumns(table);
      note(table, 'replaced');
    },
  };
}
