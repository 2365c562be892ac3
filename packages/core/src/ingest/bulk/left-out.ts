import { columnsOf, concatBatches, takeRows } from '../../records/columns.ts';
import { type BulkLoad, type StagedSwaps, stagedTable } from '../../storage/bulk.ts';
import { payload, payloadConflict, same, type TransactionKeys, transactionDifference } from '../deduplicate.ts';
import type { Conflict } from '../result.ts';

/** What of the staged swaps is not to be stored. */
export interface LeftOut {
  readonly duplicate: number;
  /** By row. */
  readonly conflicts: readonly Conflict[];
}

/** Leaves out the swaps that are staged a second time, by the rule of `deduplicate`: the first row wins. */
export async function leaveOutRepeated(load: BulkLoad): Promise<LeftOut> {
  const conflicts: Conflict[] = [];
  const gone: number[] = [];
  let duplicate = 0;
  for await (const { swaps, from, to } of transactions(load.repeated())) {
    const c = swaps.columns;
    const keys: TransactionKeys = { time: c.block_time, slot: c.block_slot, index: c.tx_index };
    const known = new Map<number, number>();
    for (let row = from; row < to; row++) {
      const first = known.get(c.swap_index[row]!);
      let reason = transactionDifference(keys, from, keys, row);
      if (reason === undefined && first === undefined) {
        known.set(c.swap_index[row]!, row);
        continue;
      }
      gone.push(c.row[row]!);
      const field = reason === undefined ? payloadDifference(swaps, row, first!) : undefined;
      if (field !== undefined) reason = payloadConflict(field);
      if (reason === undefined) duplicate++;
      else conflicts.push({ row: c.row[row]!, tx_hash: c.tx_hash[row]!, swap_index: c.swap_index[row]!, reason });
    }
  }
  if (gone.length > 0) await load.leaveOut(Float64Array.from(gone));
  return { duplicate, conflicts: conflicts.sort((a, b) => a.row - b.row) };
}

interface TransactionRows {
  readonly swaps: StagedSwaps;
  readonly from: number;
  readonly to: number;
}

/** The rows of one hash after the other, of swaps that come by hash. */
async function* transactions(batches: AsyncIterable<StagedSwaps>): AsyncGenerator<TransactionRows> {
  let open: StagedSwaps | undefined;
  for await (const batch of batches) {
    const swaps = open === undefined ? batch : concatBatches(stagedTable, columnsOf(stagedTable), [open, batch]);
    const hash = swaps.columns.tx_hash;
    let from = 0;
    for (let row = 1; row < swaps.length; row++) {
      if (hash[row] === hash[from]) continue;
      yield { swaps, from, to: row };
      from = row;
    }
    open = takeRows(
      swaps,
      Array.from({ length: swaps.length - from }, (_, i) => from + i),
    );
  }
  if (open !== undefined && open.length > 0) yield { swaps: open, from: 0, to: open.length };
}

function payloadDifference({ columns }: StagedSwaps, a: number, b: number): string | undefined {
  return payload.find((name) => {
    const column = columns[name as keyof typeof columns] as Float64Array | Int32Array;
    return !same(column[a]!, column[b]!);
  });
}
