import { checkSwaps } from '../ingest/batch-validator.ts';
import { type InputBatch, isColumns, objectsToColumns, unknownFields } from '../ingest/batches.ts';
import { rejectAhead } from '../ingest/reject-ahead.ts';
import type { Reject, UnknownField } from '../ingest/result.ts';
import { selectShard, type ValidSwaps } from '../ingest/valid-swaps.ts';
import type { IngestOptions } from '../swapfold-options.ts';
import { wallClock } from '../time.ts';
import { yielder } from '../yielder.ts';
import type { StoreSession } from './session.ts';

/** A batch, whose first row is number `firstRow` of the input. */
export interface GivenInput extends Pick<IngestOptions, 'maxAhead'> {
  readonly batch: InputBatch;
  readonly firstRow: number;
}

/** What the checks make of a batch: the swaps that the store takes. */
export interface CheckedInput {
  readonly swaps: ValidSwaps;
  readonly unknown: Iterable<UnknownField>;
}

export async function checkInput(
  { config, shard }: StoreSession,
  { batch, firstRow, maxAhead }: GivenInput,
  reject: (reject: Reject) => void,
): Promise<CheckedInput> {
  const unknown = isColumns(batch) ? [] : await unknownFields(batch);
  const sound = isColumns(batch)
    ? await checkSwaps(batch, config, firstRow, reject)
    : await checkSwaps(await objectsToColumns(batch), config, firstRow, reject, batch);
  const validSwaps = maxAhead === undefined ? sound : rejectAhead(sound, wallClock() + maxAhead, reject);
  const pause = yielder();
  const swaps = shard === undefined ? validSwaps : selectShard(validSwaps, shard, config.quote_tokens);
  await pause.yieldIfDue();
  return { swaps, unknown };
}
