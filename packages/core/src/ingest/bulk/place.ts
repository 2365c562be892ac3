import { MAX_SWAPS_A_SECOND, seqOf, timeOf } from '../../records/chain-order.ts';
import { type Batch, columnsOf, concatBatches, defineTable } from '../../records/columns.ts';
import { hash53 } from '../../records/hash.ts';
import { swapsTable } from '../../records/tables.ts';
import { type OrderedSwaps, placesTable } from '../../storage/bulk.ts';

/** Swaps with what `placesTable` has of them; their values are not written yet. */
const placedTable = defineTable({ ...swapsTable, columns: { ...swapsTable.columns, ...placesTable.columns } });

export type PlacedSwaps = Batch<typeof placedTable>;

/** Gives swaps that come in chain order their places. */
export class Placer {
  #transactions = 0;
  #second = -1;
  #rank = 0;

  /** The swaps of all pieces, as batches of whole seconds with at least so many swaps; the last may have fewer. */
  async *inSeconds(pieces: AsyncIterable<OrderedSwaps>, least: number): AsyncGenerator<PlacedSwaps> {
    let open: PlacedSwaps[] = [];
    let length = 0;
    for await (const piece of pieces) {
      open.push(this.#placed(piece));
      length += piece.length;
      if (length < least) continue;
      const swaps = concatBatches(placedTable, columnsOf(placedTable), open);
      const { seq } = swaps.columns;
      let cut = length - 1;
      while (cut > 0 && timeOf(seq[cut - 1]!) === timeOf(seq[length - 1]!)) cut--;
      open = [rowsBetween(swaps, cut, length)];
      length -= cut;
      if (cut > 0) yield rowsBetween(swaps, 0, cut);
    }
    if (length > 0) yield concatBatches(placedTable, columnsOf(placedTable), open);
  }

  #placed({ length, columns: c }: OrderedSwaps): PlacedSwaps {
    const { tx_hash: hashes, block_time: times, ...fields } = c;
    const seq = new Float64Array(length);
    const tx = new Int32Array(length);
    const tx_key = new Float64Array(length);
    for (let row = 0; row < length; row++) {
      const time = times[row]!;
      this.#rank = time === this.#second ? this.#rank + 1 : 0;
      if (this.#rank >= MAX_SWAPS_A_SECOND) throw new Error(`Second ${time} has more swaps than it has places for.`);
      this.#second = time;
      seq[row] = seqOf(time, this.#rank);
      const hash = hashes[row];
      if (hash != null) this.#transactions++;
      tx_key[row] = hash == null ? Number.NaN : hash53(hash);
      tx[row] = this.#transactions - 1;
    }
    const values = {
      usd_amount_in: new Float64Array(length),
      usd_amount_out: new Float64Array(length),
      valued_by: new Int32Array(length),
    };
    return { length, columns: { ...fields, seq, tx, tx_key, ...values } };
  }
}

function rowsBetween(swaps: PlacedSwaps, from: number, to: number): PlacedSwaps {
  const columns = Object.fromEntries(
    Object.entries(swaps.columns).map(([name, column]) => [name, column.subarray(from, to)]),
  );
  return { length: to - from, columns } as unknown as PlacedSwaps;
}
