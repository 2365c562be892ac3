import { SwapfoldError } from '../../errors.ts';
import {
  isColumns,
  located,
  rowsToColumns,
  type TransferBatch,
  type TransferSource,
  transferItems,
  unknownFields,
} from '../../ingest/batches.ts';
import { newChanges } from '../../ingest/changes.ts';
import type { TransferColumns } from '../../ingest/columns.ts';
import { applyTransfers } from '../../ingest/transfers/apply.ts';
import { checkTransfers, rejectAhead, type ValidTransfers } from '../../ingest/transfers/check.ts';
import { EqualRows } from '../../ingest/transfers/indexes.ts';
import type { Reject, TransferConflict, TransfersResult, UnknownField } from '../../ingest-result.ts';
import { checkCallOptions, type OptionNames } from '../../options.ts';
import { fieldsOfTransfers } from '../../records/transfer-fields.ts';
import { type CallOptions, orAborted } from '../../storage/abortable.ts';
import { wallClock } from '../../time.ts';
import type { StoreSession } from '../open/session.ts';
import {
  checkSizes,
  newIngestResult,
  noteConflict,
  noteLookedThrough,
  noteReject,
  noteUnknownFields,
} from './intake.ts';
import { forgetDue } from './prune.ts';

/** Options of `dex.transfers.ingest`: as those of `dex.ingest`. */
export interface TransferIngestOptions extends CallOptions {
  /** Single transfers of an iterable that are written in one transaction; each array and column batch is one of its own. Default 10,000. */
  readonly batchSize?: number | undefined;
  /** Seconds that a transfer may be later than the clock of this machine; later ones are rejected. Default: any number. */
  readonly maxAhead?: number | undefined;
  /** Called for each rejected row once its batch is stored. If it throws, `ingest` rejects with that error, and the batch stays. */
  readonly onReject?: ((reject: Reject) => void) | undefined;
  /** Called for each transfer whose identity is stored with other values, as `onReject`. */
  readonly onConflict?: ((conflict: TransferConflict) => void) | undefined;
}

const optionNames: OptionNames<TransferIngestOptions> = {
  batchSize: true,
  maxAhead: true,
  onReject: true,
  onConflict: true,
  signal: true,
};

/** Errors: `invalid-input` for an option that does not exist, or a value that is none. */
export function checkTransferOptions(options: TransferIngestOptions): void {
  checkCallOptions('transfers.ingest', options, optionNames);
  checkSizes(options);
}

/** Stores transfers batch by batch, a transaction each. An error says what was stored before it. */
export async function ingestTransfers(
  session: StoreSession,
  source: TransferSource,
  options: TransferIngestOptions,
): Promise<TransfersResult> {
  const result: TransfersResult = { ...newIngestResult(), conflicts: [] };
  const equalRows = new EqualRows();
  const batches = transferItems(source, options.batchSize ?? 10_000)[Symbol.asyncIterator]();
  let firstRow = 0;
  try {
    for (;;) {
      const { done, value: batch } = await orAborted(options.signal, batches.next());
      if (done) return result;
      await writeBatch(session, { batch, firstRow, equalRows }, result, options);
      firstRow += batch.length;
    }
  } catch (error) {
    if (error instanceof SwapfoldError) error.result ??= result;
    throw error;
  } finally {
    const ended = batches.return?.(undefined).catch(() => undefined);
    // A source that does not answer, which may be why the call is aborted, does not end either.
    if (!options.signal?.aborted) await ended;
  }
}

interface GivenBatch {
  readonly batch: TransferBatch;
  /** The number of its first row in the whole input. */
  readonly firstRow: number;
  readonly equalRows: EqualRows;
}

/** Stores a batch in one transaction. What the checks find in it is reported once it is committed. */
async function writeBatch(
  session: StoreSession,
  { batch, firstRow, equalRows }: GivenBatch,
  result: TransfersResult,
  options: TransferIngestOptions,
): Promise<void> {
  const rejects: Reject[] = [];
  const conflicts: TransferConflict[] = [];
  const changes = newChanges(() => session.live.isWatched);
  const file = isColumns(batch) ? (batch.file ?? '') : '';
  const attempt = equalRows.attempt();
  // The checks let other work have its turn. They are inside the write, so that no later call overtakes this one meanwhile.
  const { applied, checked, unknown } = await session.write(
    { signal: options.signal, changes },
    async (writer) => {
      const reject = (rejected: Reject): unknown => rejects.push(rejected);
      const { valid: checked, unknown } = await checkBatch(session, { batch, firstRow }, options, reject);
      const context = { ...session.applyContext(), changes };
      const onConflict = (conflict: TransferConflict): unknown => conflicts.push(conflict);
      const applied = await applyTransfers(writer, context, checked, { equalRows: attempt, file, onConflict, reject });
      return { applied, checked, unknown, state: context.state };
    },
    ({ state }) => ({ ingest: state }),
  );
  equalRows.take(attempt);
  result.added += applied.added;
  result.duplicate += applied.duplicate;
  noteLookedThrough(result, checked);
  noteUnknownFields(result, unknown);
  for (const rejected of rejects.sort((a, b) => a.row - b.row)) {
    const reject = located(rejected, batch, firstRow);
    noteReject(result, reject);
    options.onReject?.(reject);
  }
  for (const found of conflicts.sort((a, b) => a.row - b.row)) {
    const conflict = located(found, batch, firstRow);
    noteConflict(result, conflict);
    options.onConflict?.(conflict);
  }
  if (session.keep !== undefined) await forgetDue(session, { signal: options.signal }, batch.length);
}

async function checkBatch(
  { config }: StoreSession,
  { batch, firstRow }: Omit<GivenBatch, 'equalRows'>,
  { maxAhead }: TransferIngestOptions,
  reject: (reject: Reject) => void,
): Promise<{ readonly valid: ValidTransfers; readonly unknown: Iterable<UnknownField> }> {
  const given = isColumns(batch);
  const unknown = given ? [] : await unknownFields(fieldsOfTransfers, batch);
  const columns = (given ? batch : await rowsToColumns(fieldsOfTransfers, batch)) as TransferColumns;
  const sound = await checkTransfers(columns, config, firstRow, reject, given ? undefined : batch);
  return { valid: maxAhead === undefined ? sound : rejectAhead(sound, wallClock() + maxAhead, reject), unknown };
}
