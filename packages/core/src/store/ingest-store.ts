import { applyBatch } from '../ingest/apply.ts';
import { inputBatches, type SwapSource } from '../ingest/batches.ts';
import { checkSwaps } from '../ingest/candidates.ts';
import { newChanges } from '../ingest/changes.ts';
import type { SwapColumns } from '../ingest/columns.ts';
import { ofPart } from '../ingest/of-part.ts';
import type { Part } from '../ingest/part.ts';
import {
  type Conflict,
  type IngestResult,
  newIngestResult,
  noteConflict,
  noteReject,
  type Reject,
} from '../ingest/result.ts';
import { pauses } from '../pauses.ts';
import { orAborted } from '../storage/abortable.ts';
import type { StoreSession } from './session.ts';

/** How swaps are to be stored: see `IngestOptions`. */
export interface StoreIngest {
  readonly shard: Part | undefined;
  readonly batchSize?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onReject?: ((reject: Reject) => void) | undefined;
  readonly onConflict?: ((conflict: Conflict) => void) | undefined;
}

/** Stores swaps batch by batch, a transaction each. */
export async function ingestAll(
  session: StoreSession,
  source: SwapSource,
  options: StoreIngest,
): Promise<IngestResult> {
  const result = newIngestResult();
  let row = 0;
  const batches = inputBatches(source, options.batchSize ?? 10_000)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value: batch } = await orAborted(options.signal, batches.next());
      if (done) return result;
      await ingestBatch(session, batch, row, result, options);
      row += batch.length;
    }
  } finally {
    const ended = batches.return?.(undefined).catch(() => undefined);
    // A source that does not answer, which may be why the call is aborted, does not end either.
    if (!options.signal?.aborted) await ended;
  }
}

async function ingestBatch(
  session: StoreSession,
  batch: SwapColumns,
  firstRow: number,
  result: IngestResult,
  options: StoreIngest,
): Promise<void> {
  const { config } = session;
  const pause = pauses();
  const rejects: Reject[] = [];
  const conflicts: Conflict[] = [];
  const checked = await checkSwaps(batch, config, firstRow, (reject) => rejects.push(reject));
  const candidates = options.shard === undefined ? checked : ofPart(checked, options.shard, config.quote_tokens);
  await pause.takeDue();
  const changes = newChanges();
  const { applied } = await session.write(
    { signal: options.signal, changes },
    async (writer) => {
      const state = { ...session.state };
      const done = await applyBatch(writer, { ...session.applyContext(), state, changes }, candidates, (conflict) =>
        conflicts.push(conflict),
      );
      return { applied: done, state };
    },
    ({ state }) => {
      session.state = state;
    },
  );
  result.added += applied.added;
  result.duplicate += applied.duplicate;
  for (const reject of rejects) {
    noteReject(result, reject);
    options.onReject?.(reject);
  }
  for (const conflict of conflicts) {
    noteConflict(result, conflict);
    options.onConflict?.(conflict);
  }
}
