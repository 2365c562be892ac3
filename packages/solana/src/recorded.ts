import { createHash } from 'node:crypto';
import { type SourceItem, SwapfoldError } from '@swapfold/core';
import { Batch } from './batch.ts';
import { type Read, Reader } from './block-reader.ts';
import type { SolanaBlock, SolanaTransaction } from './raw.ts';
import type { SolanaSource } from './solana-source.ts';
import { noneUndecoded } from './undecoded.ts';

/** Options of `recordedSource`. */
export interface RecordedOptions {
  /** What the store remembers the source by, such as the path of the file. */
  readonly name: string;
  /** Recorded answers in their order: results of `getBlock` or `getTransaction`, also within the whole answer. */
  readonly records: () => AsyncIterable<unknown>;
  /** As of `solanaSource`. */
  readonly transfers?: boolean | undefined;
}

type Record = (SolanaBlock & { readonly slot?: number }) | SolanaTransaction;

/** Records that are stored at once with the place. */
const PIECE = 200;

/**
 * Swaps of recorded answers of a node, for `dex.follow`.
 *
 * - The slot of a block is its `slot`, if it has been recorded beside the answer, else the `parentSlot` of the block that follows it; else its
 *   swaps have none.
 * - The place is the number of records and a hash of the first: run again, it goes on behind the last one that is stored, of another file at
 *   its beginning.
 * - Errors: `invalid-input` for a record that is neither a block nor a transaction.
 */
export function recordedSource({ name, records, transfers }: RecordedOptions): SolanaSource {
  const undecoded = noneUndecoded();
  return {
    name,
    undecoded,
    async *read(after, { signal }): AsyncGenerator<SourceItem> {
      Object.assign(undecoded, noneUndecoded());
      const reader = new Reader({ transfers });
      const batch = new Batch(undecoded, undefined, { onlyKnown: true });
      const place = placeOf(after);
      let done = place.records;
      let head = place.head;
      let held: SolanaBlock | undefined;
      let [taken, stored] = [0, done];
      const readHeld = (next: Record | undefined): void => {
        if (held !== undefined) batch.add(reader.block(held, slotBefore(held, next) ?? Number.NaN));
        held = undefined;
      };
      for await (const given of records()) {
        signal.throwIfAborted();
        if (taken === 0) {
          const own = hashOf(given);
          // Another file under the same name.
          if (head !== undefined && head !== own) done = stored = 0;
          head = own;
        }
        if (taken++ < done) continue;
        const record = recordOf(given, taken);
        if (held !== undefined) {
          readHeld(record);
          stored = taken - 1;
        }
        const isHeld = 'blockhash' in record && record.slot === undefined;
        if (isHeld) held = record;
        else {
          batch.add(readOf(reader, record));
          stored = taken;
        }
        if (batch.isFull || (!batch.isEmpty && (stored - done) % PIECE === PIECE - 1))
          yield await batch.take(JSON.stringify({ records: stored, head }), true);
      }
      readHeld(undefined);
      if (!batch.isEmpty) yield await batch.take(JSON.stringify({ records: taken, head }), false);
    },
  };
}

interface Place {
  readonly records: number;
  /** Hash of the first record; absent in the places of earlier versions. */
  readonly head?: string;
}

/** Earlier versions kept the number alone. */
function placeOf(after: string | null): Place {
  const place = JSON.parse(after ?? '0') as number | Place;
  return typeof place === 'number' ? { records: place } : place;
}

const hashOf = (record: unknown): string =>
  createHash('sha256').update(JSON.stringify(record)).digest('hex').slice(0, 16);

function readOf(reader: Reader, record: Record): Read {
  return 'blockhash' in record ? reader.block(record, record.slot!) : reader.transaction(record);
}

const slotBefore = ({ blockhash }: SolanaBlock, next: Record | undefined): number | undefined =>
  next !== undefined && 'blockhash' in next && next.previousBlockhash === blockhash ? next.parentSlot : undefined;

function recordOf(given: unknown, line: number): Record {
  const { result = given } = Object(given) as { result?: unknown };
  const { blockhash, transactions, transaction, slot } = Object(result) as Partial<SolanaBlock & SolanaTransaction>;
  const isBlock = typeof blockhash === 'string' && Array.isArray(transactions);
  if (isBlock || (transaction instanceof Object && Number.isSafeInteger(slot))) return result as Record;
  throw new SwapfoldError(
    'invalid-input',
    `Record ${line} is no answer of a node: expected a result of getBlock with "blockhash" and "transactions", or one of getTransaction with "slot" and "transaction".`,
  );
}
