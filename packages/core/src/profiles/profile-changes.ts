import type { Batch, ColumnData } from '../records/columns.ts';
import type { KeptRows } from './kept-rows.ts';

/** Rows of a table of profiles that were written and ids that were removed, until they can be applied to the kept rows. */
export class ProfileChanges {
  #batches: Batch[] = [];
  /** Ids removed and not written again since. */
  readonly #gone = new Set<number>();
  /** Rows that wait. */
  length = 0;
  /** As-of time of the profiles from here on, where it changes. */
  asOf: number | undefined;

  /** The batch stays its owner's: it is copied. */
  write(batch: Batch): void {
    this.#add(copyOf(batch));
  }

  remove(ids: Iterable<number>): void {
    for (const id of ids) this.#gone.add(id);
  }

  /** Continues with what another list has after this one. */
  append(later: ProfileChanges): void {
    for (const batch of later.#batches) this.#add(batch);
    this.remove(later.#gone);
    this.asOf = later.asOf ?? this.asOf;
  }

  /** Writes the rows that wait, in pieces of at most `most` rows; after each it asks whether to go on. Removals wait for `finish`. */
  async writeTo(rows: KeptRows, most: number, goesOn: () => Promise<boolean>): Promise<void> {
    const batches = this.#batches;
    this.#batches = [];
    this.length = 0;
    for (const batch of batches) {
      for (let from = 0; from < batch.length; from += most) {
        if (!(await goesOn())) return;
        rows.write(batch, from, Math.min(batch.length, from + most));
      }
    }
  }

  /** Writes the rows that wait and removes what is gone. */
  finish(rows: KeptRows): void {
    for (const batch of this.#batches) rows.write(batch, 0, batch.length);
    rows.remove(this.#gone);
    rows.asOf = this.asOf ?? rows.asOf;
  }

  #add(batch: Batch): void {
    for (const id of batch.columns.id as Int32Array) this.#gone.delete(id);
    this.#batches.push(batch);
    this.length += batch.length;
  }
}

function copyOf({ length, columns }: Batch): Batch {
  const copies = Object.entries(columns).map(([name, column]): [string, ColumnData] => [name, column.slice()]);
  return { length, columns: Object.fromEntries(copies) };
}
