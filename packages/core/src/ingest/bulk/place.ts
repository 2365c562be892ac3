import type { Swaps } from '../../ledger/value.ts';
import { MAX_SWAPS_A_SECOND, seqOf } from '../../records/chain-order.ts';
import { concatBatches } from '../../records/columns.ts';
import { hash53 } from '../../records/hash.ts';
import { type OrderedSwaps, orderedColumns, stagedTable } from '../../storage/bulk.ts';

/** Swaps with their places; their values are not written yet. */
export interface PlacedSwaps {
  readonly swaps: Swaps;
  /** As in `placesTable`. */
  readonly txKeys: Float64Array;
}

/** Gives swaps that come in chain order their places. */
export class Placer {
  /** So far. */
  transactions = 0;
  #second = -1;
  #rank = 0;

  placed({ length, columns: c }: OrderedSwaps): PlacedSwaps {
    const { tx_hash: hashes, block_time: times, ...fields } = c;
    const seq = new Float64Array(length);
    const tx = new Int32Array(length);
    const txKeys = new Float64Array(length);
    for (let row = 0; row < length; row++) {
      const time = times[row]!;
      this.#rank = time === this.#second ? this.#rank + 1 : 0;
      if (this.#rank >= MAX_SWAPS_A_SECOND) throw new Error(`Second ${time} has more swaps than it has places for.`);
      this.#second = time;
      seq[row] = seqOf(time, this.#rank);
      const hash = hashes[row];
      if (hash != null) this.transactions++;
      txKeys[row] = hash == null ? Number.NaN : hash53(hash);
      tx[row] = this.transactions - 1;
    }
    const values = { usd_amount_in: new Float64Array(length), usd_amount_out: new Float64Array(length) };
    return { swaps: { length, columns: { ...fields, seq, tx, ...values } }, txKeys };
  }
}

/** Swaps in chain order as batches of at least so many, whole seconds each; the last may be smaller. */
export async function* wholeSeconds(pieces: AsyncIterable<OrderedSwaps>, least: number): AsyncGenerator<OrderedSwaps> {
  let open: OrderedSwaps[] = [];
  let length = 0;
  for await (const piece of pieces) {
    open.push(piece);
    length += piece.length;
    if (length < least) continue;
    const swaps = concatBatches(stagedTable, orderedColumns, open);
    const time = swaps.columns.block_time;
    let cut = length - 1;
    while (cut > 0 && time[cut - 1] === time[length - 1]) cut--;
    open = [rowsBetween(swaps, cut, length)];
    length -= cut;
    if (cut > 0) yield rowsBetween(swaps, 0, cut);
  }
  if (length > 0) yield concatBatches(stagedTable, orderedColumns, open);
}

function rowsBetween(swaps: OrderedSwaps, from: number, to: number): OrderedSwaps {
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [
      name,
      Array.isArray(column) ? column.slice(from, to) : (column as Float64Array).subarray(from, to),
    ]),
  );
  return { length: to - from, columns } as unknown as OrderedSwaps;
}
