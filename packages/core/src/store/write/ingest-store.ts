import { SwapfoldError } from '../../errors.ts';
import { applyBatch } from '../../ingest/apply.ts';
import { rejectTimes } from '../../ingest/batch-validator.ts';
import {
  type InputBatch,
  type InputItem,
  inputItems,
  inTimeOrder,
  isColumns,
  isSwapFile,
  located,
  type SwapSource,
} from '../../ingest/batches.ts';
import { behindReason } from '../../ingest/carried.ts';
import { FullSecond } from '../../ingest/chain-keys.ts';
import { type ApplyContext, type Changes, newChanges } from '../../ingest/changes.ts';
import { EqualSwaps, type EqualSwapsOfBatch } from '../../ingest/equal-swaps.ts';
import { type FileBatch, type FilePlaces, inFileOrder, type PlacedBatch } from '../../ingest/file-order.ts';
import type { Conflict, IngestResult, Reject, SameSwap } from '../../ingest-result.ts';
import { FILE_ROWS } from '../../records/moment.ts';
import { transactionsTable } from '../../records/tables.ts';
import { orAborted } from '../../storage/abortable.ts';
import type { Writer } from '../../storage/adapter.ts';
import type { StoreSession } from '../open/session.ts';
import {
  addCount,
  checkInput,
  type IngestOptions,
  newIngestResult,
  noteConflict,
  noteLookedThrough,
  noteReject,
  noteUnknownFields,
} from './intake.ts';
import { loadSwaps } from './load-swaps.ts';
import { forgetDue } from './prune.ts';

/** Stores swaps batch by batch, a transaction each; or in one step, if that is asked for and the engine can. An error says what was stored before it. */
export async function ingestAll(
  session: StoreSession,
  source: SwapSource,
  options: IngestOptions,
): Promise<IngestResult> {
  const result = newIngestResult();
  const { batchSize = 10_000, bulk, keepOrder } = options;
  try {
    if (bulk === true && (await loadSwaps(session, inputItems(source, batchSize), result, options)))
      await forgetDue(session, { signal: options.signal });
    else {
      const ordered = keepOrder === true ? source : inTimeOrder(source);
      await ingestBatches(session, inputItems(ordered, batchSize), result, options);
    }
    return result;
  } catch (error) {
    if (error instanceof SwapfoldError) error.result ??= result;
    throw error;
  }
}

async function ingestBatches(
  session: StoreSession,
  items: AsyncIterable<InputItem>,
  result: IngestResult,
  options: IngestOptions,
): Promise<void> {
  let row = 0;
  const equalSwaps = equalSwapsOf(session, options);
  const all = options.keepOrder === true ? await inOrderOfFiles(session, items, options) : batchesOf(items);
  const batches: AsyncIterator<PlacedBatch> = all[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await orAborted(options.signal, batches.next());
      if (done) return;
      await ingestBatch(session, { ...value, firstRow: row, equalSwaps: await equalSwaps() }, result, options);
      row += value.batch.length;
    }
  } finally {
    const ended = batches.return?.(undefined).catch(() => undefined);
    // A source that does not answer, which may be why the call is aborted, does not end either.
    if (!options.signal?.aborted) await ended;
  }
}

/** Which swaps of an import are equal to stored ones, if that matters; made once the store is known as it is before the first batch. */
function equalSwapsOf(
  session: StoreSession,
  { onSame, skipSame }: IngestOptions,
): () => Promise<EqualSwaps | undefined> {
  if (onSame === undefined && skipSame !== true) return async () => undefined;
  let equal: EqualSwaps | undefined;
  return async () => {
    if (equal !== undefined) return equal;
    const newest = await session.storage.snapshot((reader) => reader.max(transactionsTable, 'tx'), 'point');
    equal = new EqualSwaps((newest ?? -1) + 1);
    return equal;
  };
}

async function* batchesOf(items: AsyncIterable<InputItem>): AsyncGenerator<FileBatch> {
  for await (const item of items) {
    if (isSwapFile(item)) for await (const batch of item.batches()) yield { batch, file: item.file };
    else yield { batch: item, file: isColumns(item) ? item.file : undefined };
  }
}

async function inOrderOfFiles(
  session: StoreSession,
  items: AsyncIterable<InputItem>,
  { maxAhead }: IngestOptions,
): Promise<AsyncIterable<PlacedBatch>> {
  const last = await session.storage.snapshot((reader) => reader.max(transactionsTable, 'file_place'));
  const files = last === null ? 0 : Math.floor(last / FILE_ROWS) + 1;
  return inFileOrder(batchesOf(items), files, async (batch) => {
    const { swaps } = await checkInput(session, { batch, firstRow: 0, maxAhead }, () => undefined);
    return swaps.keys;
  });
}

/** What is written in one transaction: swaps, and what else belongs to them. */
export interface IngestedBatch {
  readonly batch: InputBatch;
  /** The number of its first row in the whole input. */
  readonly firstRow: number;
  /** Equal swaps of the import so far, if they are looked for. */
  readonly equalSwaps?: EqualSwaps | undefined;
  readonly places?: FilePlaces | undefined;
  /** Writes before the swaps, in their transaction; called again if the transaction has to begin anew. */
  readonly beside?: ((writer: Writer, changes: Changes) => Promise<void>) | undefined;
  /** Writes behind the swaps, as `beside`. */
  readonly behind?: ((writer: Writer, context: ApplyContext) => Promise<void>) | undefined;
}

/** Stores a batch, and adds what became of it to the result. */
export async function ingestBatch(
  session: StoreSession,
  ingested: IngestedBatch,
  result: IngestResult,
  options: IngestOptions,
): Promise<void> {
  try {
    await writeBatch(session, { ...ingested, leavesOutFull: false }, result, options);
  } catch (error) {
    if (!(error instanceof FullSecond)) throw error;
    await writeBatch(session, { ...ingested, leavesOutFull: true }, result, options);
  }
  if (session.keep !== undefined) await forgetDue(session, { signal: options.signal }, ingested.batch.length);
}

/** Stores a batch in one transaction. What the checks find in it is reported once it is committed. */
async function writeBatch(
  session: StoreSession,
  {
    batch,
    firstRow,
    places,
    beside,
    behind,
    equalSwaps,
    leavesOutFull,
  }: IngestedBatch & { readonly leavesOutFull: boolean },
  result: IngestResult,
  options: IngestOptions,
): Promise<void> {
  const rejects: Reject[] = [];
  const conflicts: Conflict[] = [];
  const same: SameSwap[] = [];
  let equalsOfBatch: EqualSwapsOfBatch | undefined;
  let unordered = 0;
  const changes = newChanges(() => session.live.isWatched);
  // The checks let other work have its turn. They are inside the write, so that no later call overtakes this one meanwhile.
  const { applied, checked } = await session.write(
    { signal: options.signal, changes },
    async (writer) => {
      await beside?.(writer, changes);
      const reject = (rejected: Reject): unknown => rejects.push(rejected);
      const checked = await checkInput(session, { batch, firstRow, places, maxAhead: options.maxAhead }, reject);
      const rejectFull = leavesOutFull ? reject : undefined;
      same.length = 0;
      unordered = 0;
      const onUnordered = (more: number): void => {
        unordered += more;
      };
      const leavesOutSame = (found: SameSwap): boolean => {
        same.push(found);
        return options.skipSame === true;
      };
      equalsOfBatch = equalSwaps?.attempt();
      const context = {
        ...session.applyContext(),
        ...{ changes, rejectFull },
        same: equalsOfBatch && { equalSwaps: equalsOfBatch, leavesOut: leavesOutSame },
        onUnordered: options.onUnordered && onUnordered,
      };
      const { horizon } = context.state;
      // Nobody can say what a swap before it would change.
      const swaps = rejectTimes(checked.swaps, reject, (time) =>
        time >= horizon ? undefined : behindReason(time, horizon),
      );
      const applied = await applyBatch(writer, context, swaps, (conflict) => conflicts.push(conflict));
      await behind?.(writer, context);
      return { applied, checked, state: context.state };
    },
    ({ state }) => ({ ingest: state }),
  );
  equalsOfBatch?.commit();
  result.added += applied.added;
  result.duplicate += applied.duplicate;
  addCount(result, 'aggregates', applied.aggregates);
  noteLookedThrough(result, checked);
  noteUnknownFields(result, checked.unknown);
  for (const rejected of rejects) {
    const reject = located(rejected, batch, firstRow);
    noteReject(result, reject);
    options.onReject?.(reject);
  }
  for (const found of same) options.onSame?.(found);
  if (unordered > 0) options.onUnordered?.(unordered);
  for (const found of conflicts) {
    const conflict = located(found, batch, firstRow);
    noteConflict(result, conflict);
    options.onConflict?.(conflict);
  }
}
