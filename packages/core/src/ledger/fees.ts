import { type Batch, enlarged, newBatch, sliceRows } from '../records/columns.ts';
import { bareFeesTable } from '../records/tables.ts';
import { finiteOrNaN } from './value.ts';

export type BareFees = Batch<typeof bareFeesTable>;

/** A native price that fees are worth; stale beyond the age up to which it is good for anything else. */
export interface FeePrice {
  readonly price: number;
  readonly isStale: boolean;
}

/** Of what the swaps say that their wallet paid the chain for the transaction: the greatest; `NaN` if none does. */
export function greatestFee(fees: Float64Array, rows: readonly number[]): number {
  let greatest = Number.NaN;
  for (const row of rows) if (!(fees[row]! <= greatest) && !Number.isNaN(fees[row]!)) greatest = fees[row]!;
  return greatest;
}

/** `fee_usd` as tables have it: below 0 if the price of it was stale, `NaN` without a price. A fee of 0 needs none. */
export function pricedFee(native: number, price: FeePrice | undefined): number {
  if (native === 0) return 0;
  if (price === undefined) return Number.NaN;
  const usd = finiteOrNaN(native * price.price);
  return price.isStale ? -usd : usd;
}

export class BareFeesBuilder {
  #fees = newBatch(bareFeesTable, 16);
  #length = 0;

  add(fee: Readonly<Record<keyof BareFees['columns'], number>>): void {
    if (this.#length === this.#fees.length) this.#fees = enlarged(bareFeesTable, this.#fees, this.#length * 2);
    const row = this.#length++;
    for (const name of Object.keys(fee) as (keyof typeof fee)[]) this.#fees.columns[name][row] = fee[name];
  }

  build(): BareFees {
    return sliceRows(this.#fees, 0, this.#length);
  }
}
