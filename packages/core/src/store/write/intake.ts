import { invalidInput } from '../../errors.ts';
import { checkSwaps, type LookedThrough, lookThrough, rejectAhead } from '../../ingest/batch-validator.ts';
import { type InputBatch, isColumns, objectsToColumns, unknownFields } from '../../ingest/batches.ts';
import type { FilePlaces } from '../../ingest/file-order.ts';
import type { Conflict, IngestResult, Reject, SameSwap, UnknownField } from '../../ingest-result.ts';
import { show } from '../../nearest.ts';
import { checkCallOptions, type OptionNames } from '../../options.ts';
import { fieldsOfSwaps } from '../../records/swap-fields.ts';
import type { CallOptions } from '../../storage/abortable.ts';
import { wallClock } from '../../time.ts';
import type { StoreSession } from '../open/session.ts';

/** Rejects, and conflicts, that a result lists. */
const MOST_ROWS = 1000;

/** Unknown fields that a result lists. */
const MOST_FIELDS = 100;

/** Options of `dex.ingest`. */
export interface IngestOptions extends CallOptions {
  /** Single swaps of an iterable that are written in one transaction; each array and column batch is one of its own. Default 10,000. */
  readonly batchSize?: number | undefined;
  /** Seconds that a swap may be later than the clock of this machine; later ones are rejected. Default: any number. */
  readonly maxAhead?: number | undefined;
  /** Called for each rejected row once its batch is stored. If it throws, `ingest` rejects with that error, and the batch stays. */
  readonly onReject?: ((reject: Reject) => void) | undefined;
  /** Called for each swap whose identity is stored with other content, as `onReject`. */
  readonly onConflict?: ((conflict: Conflict) => void) | undefined;
  /**
   * Called for each new swap that the store had under another index before this call: of the same transaction and tokens, with amounts that
   * differ by at most 1e-9 of the larger. It may be another source's. Of several equal ones as many are the same as the store had. Not
   * called where `bulk` stores a source in one step, since the store is empty then.
   */
  readonly onSame?: ((same: SameSwap) => void) | undefined;
  /** Leaves such swaps out: they count as duplicates. Default false. */
  readonly skipSame?: boolean | undefined;
  /**
   * Of a source that ends: into an empty store, all of it is stored in one step at its end, on an engine that is much faster so (DuckDB);
   * into any other store batch by batch, as without it. A process that dies meanwhile leaves the store empty. Default false.
   */
  readonly bulk?: boolean | undefined;
  /**
   * Keeps the order of the source, which orders transactions that nothing else does but their hashes: as one file, or as the files that its
   * batches name (`SwapColumns.file`). A file that runs from new to old is read so, and files come behind those of earlier calls. Default false.
   */
  readonly keepOrder?: boolean | undefined;
  /** Called with the number of swaps that the hashes of transactions alone put in order among others of their token and second: after each batch that adds some, or for the whole source. */
  readonly onUnordered?: ((swaps: number) => void) | undefined;
  /** Swaps folded so far, while a source is stored in one step. */
  readonly onSwaps?: ((done: number) => void) | undefined;
}

const ingestNames: OptionNames<IngestOptions> = {
  batchSize: true,
  bulk: true,
  keepOrder: true,
  maxAhead: true,
  onReject: true,
  onConflict: true,
  onSame: true,
  skipSame: true,
  onSwaps: true,
  onUnordered: true,
  signal: true,
};

/** Errors: `invalid-input` for an option that does not exist, or a batch size that is no whole number from 1. */
export function checkIngestOptions(options: IngestOptions): void {
  checkCallOptions('ingest', options, ingestNames);
  checkSizes(options);
  for (const name of ['bulk', 'keepOrder', 'skipSame'] as const)
    if (options[name] !== undefined && typeof options[name] !== 'boolean')
      throw invalidInput(`"${name}": expected true or false, received ${show(options[name])}.`);
}

/** Errors: `invalid-input`. */
export function checkSizes(options: Pick<IngestOptions, 'batchSize' | 'maxAhead'>): void {
  checkMaxAhead(options);
  const { batchSize } = options;
  if (batchSize !== undefined && !(Number.isSafeInteger(batchSize) && batchSize >= 1))
    throw invalidInput(`"batchSize": expected a whole number from 1, received ${show(batchSize)}.`);
}

/** Errors: `invalid-input`. */
export function checkMaxAhead({ maxAhead }: Pick<IngestOptions, 'maxAhead'>): void {
  if (maxAhead === undefined || (typeof maxAhead === 'number' && maxAhead >= 0)) return;
  throw invalidInput(`"maxAhead": expected seconds from 0, received ${show(maxAhead)}.`);
}

/** A batch, whose first row is number `firstRow` of the input. */
export interface GivenInput extends Pick<IngestOptions, 'maxAhead'> {
  readonly batch: InputBatch;
  readonly firstRow: number;
  readonly places?: FilePlaces | undefined;
}

/** What the checks make of a batch: the swaps that the store takes. */
export async function checkInput(
  { config }: StoreSession,
  { batch, firstRow, places, maxAhead }: GivenInput,
  reject: (reject: Reject) => void,
): Promise<LookedThrough & { readonly unknown: Iterable<UnknownField> }> {
  const unknown = isColumns(batch) ? [] : await unknownFields(fieldsOfSwaps, batch);
  const sound = isColumns(batch)
    ? await checkSwaps(batch, config, firstRow, reject)
    : await checkSwaps(await objectsToColumns(batch), config, firstRow, reject, batch);
  if (places !== undefined)
    for (const [i, row] of sound.rows.entries())
      sound.keys.filePlace[i] = places.first + places.step * (row - firstRow);
  const timely = maxAhead === undefined ? sound : rejectAhead(sound, wallClock() + maxAhead, reject);
  return { ...lookThrough(timely, config), unknown };
}

/** Of an ingest that has stored nothing yet. */
export function newIngestResult(): IngestResult {
  return { added: 0, duplicate: 0, conflicting: 0, rejected: 0, rejects: [], conflicts: [], unknown_fields: [] };
}

/** What a result says of the input alone. */
type InputResult = Omit<IngestResult, 'conflicts'>;

export function noteLookedThrough(
  result: InputResult,
  { passedOver, oddHashes }: Pick<LookedThrough, 'passedOver' | 'oddHashes'>,
): void {
  addCount(result, 'passed_over', passedOver);
  addCount(result, 'odd_hashes', oddHashes);
}

/** Adds to a count that is absent while it is 0. */
export function addCount(result: InputResult, name: 'passed_over' | 'odd_hashes' | 'aggregates', count: number): void {
  if (count > 0) result[name] = (result[name] ?? 0) + count;
}

export function noteReject(result: InputResult, reject: Reject): void {
  result.rejected++;
  if (result.rejects.length < MOST_ROWS) result.rejects.push(reject);
}

export function noteConflict<C>(result: { conflicting: number; readonly conflicts: C[] }, conflict: C): void {
  result.conflicting++;
  if (result.conflicts.length < MOST_ROWS) result.conflicts.push(conflict);
}

export function noteUnknownFields(result: InputResult, fields: Iterable<UnknownField>): void {
  for (const found of fields) {
    const known = result.unknown_fields.find(({ field }) => field === found.field);
    if (known !== undefined) known.rows += found.rows;
    else if (result.unknown_fields.length < MOST_FIELDS) result.unknown_fields.push(found);
  }
}
