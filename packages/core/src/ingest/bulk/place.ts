import type { Roles } from '../../ledger/roles.ts';
import { type NativePrints, valueSwaps } from '../../ledger/value.ts';
import { MAX_SWAPS_A_SECOND, seqOf } from '../../records/chain-order.ts';
import type { Batch } from '../../records/columns.ts';
import { newBatch } from '../../records/columns.ts';
import { hash53 } from '../../records/hash.ts';
import type { nativePricesTable } from '../../records/tables.ts';
import { type Places, placesTable, type UnplacedSwaps } from '../../storage/bulk.ts';
import { yielder } from '../../yielder.ts';

/** Gives swaps that come in chain order their places and values. */
export class Placer {
  /** All so far. */
  readonly prints: NativePrints = { seq: [], price: [] };
  swaps = 0;
  transactions = 0;
  readonly #roles: Roles;
  readonly #dustUsd: number;
  #second = -1;
  #rank = 0;

  constructor(roles: Roles, dustUsd: number) {
    this.#roles = roles;
    this.#dustUsd = dustUsd;
  }

  /** Block time of the last swap; `null` before the first. */
  get lastTime(): number | null {
    return this.#second < 0 ? null : this.#second;
  }

  async placesOf(swaps: UnplacedSwaps): Promise<Places> {
    const { length, columns: c } = swaps;
    const pause = yielder();
    const places = newBatch(placesTable, length);
    const p = places.columns;
    for (let row = 0; row < length; row++) {
      const time = c.block_time[row]!;
      this.#rank = time === this.#second ? this.#rank + 1 : 0;
      if (this.#rank >= MAX_SWAPS_A_SECOND) throw new Error(`Second ${time} has more swaps than it has places for.`);
      this.#second = time;
      p.seq[row] = seqOf(time, this.#rank);
      const hash = c.tx_hash[row];
      if (hash != null) this.transactions++;
      p.tx_key[row] = hash == null ? Number.NaN : hash53(hash);
      p.tx[row] = this.transactions - 1;
    }
    await pause.yieldIfDue();
    const valued = { length, columns: { ...c, ...p } };
    const before = this.prints.price.at(-1) ?? Number.NaN;
    const { seq, price } = valueSwaps(valued, this.#roles, this.#dustUsd, before);
    for (let i = 0; i < seq.length; i++) {
      this.prints.seq.push(seq[i]!);
      this.prints.price.push(price[i]!);
    }
    this.swaps += length;
    return places;
  }

  nativePrices(): Batch<typeof nativePricesTable> {
    const { seq, price } = this.prints;
    return { length: seq.length, columns: { seq: Float64Array.from(seq), price: Float64Array.from(price) } };
  }
}
