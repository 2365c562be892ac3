import { SwapfoldError } from '../errors.ts';
import { applyBatch } from '../ingest/apply.ts';
import { checkSwaps } from '../ingest/batch-validator.ts';
import {
  type InputBatch,
  inputBatches,
  isColumns,
  objectsToColumns,
  type SwapSource,
  unknownFields,
} from '../ingest/batches.ts';
import { FullSecond } from '../ingest/chain-keys.ts';
import { type Changes, newChanges } from '../ingest/changes.ts';
import { rejectAhead } from '../ingest/reject-ahead.ts';
import type { Conflict, IngestResult, Reject, UnknownField } from '../ingest/result.ts';
import { selectShard, type ValidSwaps } from '../ingest/valid-swaps.ts';
import { orAborted } from '../storage/abortable.ts';
import type { Writer } from '../storage/adapter.ts';
import type { IngestOptions } from '../swapfold-options.ts';
import { wallClock } from '../time.ts';
import { yielder } from '../yielder.ts';
import type { StoreSession } from './session.ts';

/** Rejects, and conflicts, that a result lists. */
const MOST_ROWS = 1000;

/** Unknown fields that a result lists. */
const MOST_FIELDS = 100;

/** Stores swaps batch by batch, a transaction each. An error says what was stored before it. */
export async function ingestAll(
  session: StoreSession,
  source: SwapSource,
  options: IngestOptions,
): Promise<IngestResult> {
  const result = newIngestResult();
  try {
    await ingestBatches(session, source, result, options);
    return result;
  } catch (error) {
    if (error instanceof SwapfoldError) error.result ??= result;
    throw error;
  }
}

/** Of an ingest that has stored nothing yet. */
export function newIngestResult(): IngestResult {
  return {
    added: 0,
    duplicate: 0,
    conflicting: 0,
    rejected: 0,
    rejects: [],
    conflicts: [],
    unknown_fields: [],
  };
}

async function ingestBatches(
  session: StoreSession,
  source: SwapSource,
  result: IngestResult,
  options: IngestOptions,
): Promise<void> {
  let row = 0;
  const batches = inputBatches(source, options.batchSize ?? 10_000)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: batch } = await orAborted(options.signal, batches.next());
      if (done) return;
      await ingestBatch(session, { batch, firstRow: row }, result, options);
      row += batch.length;
    }
  } finally {
    const ended = batches.return?.(undefined).catch(() => undefined);
    // A source that does not answer, which may be why the call is aborted, does not end either.
    if (!options.signal?.aborted) await ended;
  }
}

/** What is written in one transaction: swaps, and what else belongs to them. */
export interface IngestedBatch {
  readonly batch: InputBatch;
  /** The number of its first row in the whole input. */
  readonly firstRow: number;
  /** Writes before the swaps, in their transaction; called again if the transaction has to begin anew. */
  readonly beside?: ((writer: Writer, changes: Changes) => Promise<void>) | undefined;
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
}

async function writeBatch(
  session: StoreSession,
  { batch, firstRow, beside, leavesOutFull }: IngestedBatch & { readonly leavesOutFull: boolean },
  result: IngestResult,
  options: IngestOptions,
): Promise<void> {
  const rejects: Reject[] = [];
  const conflicts: Conflict[] = [];
  let unknown: Iterable<UnknownField> = [];
  const changes = newChanges(() => session.live.isWatched);
  // The checks take turns with other work: inside the write, so that what is in its order before them stays before it.
  const { applied } = await session.write(
    { signal: options.signal, changes },
    async (writer) => {
      await beside?.(writer, changes);
      const reject = (rejected: Reject): unknown => rejects.push(rejected);
      if (!isColumns(batch)) unknown = await unknownFields(batch);
      const validSwaps = await checked(session, { batch, firstRow, maxAhead: options.maxAhead }, reject);
      const rejectFull = leavesOutFull ? reject : undefined;
      const context = { ...session.applyContext(), changes, rejectFull };
      const applied = await applyBatch(writer, context, validSwaps, (conflict) => conflicts.push(conflict));
      return { applied, state: context.state };
    },
    ({ state }) => ({ ingest: state }),
  );
  result.added += applied.added;
  result.duplicate += applied.duplicate;
  noteUnknownFields(result, unknown);
  for (const reject of rejects) {
    noteReject(result, reject);
    options.onReject?.(reject);
  }
  for (const conflict of conflicts) {
    noteConflict(result, conflict);
    options.onConflict?.(conflict);
  }
}

/** The swaps of a batch that may be stored. */
async function checked(
  { config, shard }: StoreSession,
  { batch, firstRow, maxAhead }: IngestedBatch & Pick<IngestOptions, 'maxAhead'>,
  reject: (reject: Reject) => void,
): Promise<ValidSwaps> {
  const sound = isColumns(batch)
    ? await checkSwaps(batch, config, firstRow, reject)
    : await checkSwaps(await objectsToColumns(batch), config, firstRow, reject, batch);
  const validSwaps = maxAhead === undefined ? sound : rejectAhead(sound, wallClock() + maxAhead, reject);
  const pause = yielder();
  const own = shard === undefined ? validSwaps : selectShard(validSwaps, shard, config.quote_tokens);
  await pause.yieldIfDue();
  return own;
}

function noteReject(result: IngestResult, reject: Reject): void {
  result.rejected++;
  if (result.rejects.length < MOST_ROWS) result.rejects.push(reject);
}

function noteConflict(result: IngestResult, conflict: Conflict): void {
  result.conflicting++;
  if (result.conflicts.length < MOST_ROWS) result.conflicts.push(conflict);
}

function noteUnknownFields(result: IngestResult, fields: Iterable<UnknownField>): void {
  for (const found of fields) {
    const known = result.unknown_fields.find(({ field }) => field === found.field);
    if (known !== undefined) known.rows += found.rows;
    else if (result.unknown_fields.length < MOST_FIELDS) result.unknown_fields.push(found);
  }
}
