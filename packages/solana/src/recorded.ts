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
}

type Record = (SolanaBlock & { readonly slot?: number }) | SolanaTransaction;

/** Records that are stored at once with the place. */
const PIECE = 200;

/**
 * Swaps of recorded answers of a node, for `dex.follow`.
 *
 * - The slot of a block is its `slot`, if it has been recorded beside the answer, else the `parentSlot` of the block that follows it; else its
 *   swaps have none.
 * - The place is the number of records: run again, it goes on behind the last one that is stored.
 * - Errors: `invalid-input` for a record that is neither a block nor a transaction.
 */
export function recordedSource({ name, records }: RecordedOptions): SolanaSource {
  const undecoded = noneUndecoded();
  return {
    name,
    undecoded,
    async *read(after, { signal }): AsyncGenerator<SourceItem> {
      Object.assign(undecoded, noneUndecoded());
      const [reader, batch] = [new Reader(), new Batch(undecoded, undefined)];
      const done = Number(after ?? 0);
      let held: SolanaBlock | undefined;
      let [taken, stored] = [0, done];
      const readHeld = (next: Record | undefined): void => {
        if (held !== undefined) batch.add(reader.block(held, slotBefore(held, next) ?? Number.NaN));
        held = undefined;
      };
      for await (const given of records()) {
        signal.throwIfAborted();
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
          yield await batch.take(String(stored), true);
      }
      readHeld(undefined);
      if (!batch.isEmpty) yield await batch.take(String(taken), false);
    },
  };
}

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
