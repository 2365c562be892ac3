import { type Batch, takeRows } from '../records/columns.ts';
import type { lotsTable } from '../records/tables.ts';
import { groupRows, type RowGroups } from './key-index.ts';

export type Lots = Batch<typeof lotsTable>;

/** Open lots with those of each pair together, first in first. */
export class LotsByPair {
  readonly lots: Lots;
  readonly #groups: RowGroups;

  /** `lots`: all lots of each pair, in any order. */
  constructor(lots: Lots) {
    const { pair, ordinal } = lots.columns;
    this.#groups = groupRows(pair);
    const { index, starts, rows } = this.#groups;
    const order = new Int32Array(lots.length);
    for (let place = 0; place < index.length; place++) {
      const from = starts[place]!;
      // The ordinals of a pair are 0, 1, 2 ... of its lots.
      for (let i = from; i < starts[place + 1]!; i++) order[from + ordinal[rows[i]!]!] = rows[i]!;
    }
    this.lots = takeRows(lots, order);
  }

  get pairs(): Float64Array {
    return this.#groups.index.keys();
  }

  /** Where the lots of a pair begin and end; both the same for a pair without any. */
  rangeOf(pair: number): readonly [from: number, to: number] {
    const place = this.#groups.index.find(pair);
    return place < 0 ? [0, 0] : [this.#groups.starts[place]!, this.#groups.starts[place + 1]!];
  }
}
