import { addTo } from '../../records/key-index.ts';
import type { Transfers } from './check.ts';
import { isMade, ordinalOf } from './indexes.ts';
import { contradictedField, isUnsaid, saidColumns } from './payload.ts';

interface Standing {
  readonly content: (row: number) => number;
  /** By row, 1 if it stands in the end. */
  readonly stands: Uint8Array;
  /** By row, 1 if it says something else than it did. */
  readonly isOther: Uint8Array;
  /** The first row that is not stored. */
  readonly from: number;
}

/** A row that gives way to one with a given index; `field`: in what the two contradict each other, if they do. */
interface Superseded {
  readonly row: number;
  readonly field: string | undefined;
}

/**
 * Equal rows of a transaction that came in two ways: with given indexes, as from a node, and with made ones, as from files. The larger number
 * of both counts. So as many with made indexes give way as have given ones, and what they alone say goes over to these; what the stored one
 * of the two said stays.
 */
export class EqualTransfers {
  readonly #all: Transfers;
  readonly #o: Standing;

  constructor(all: Transfers, o: Standing) {
    this.#all = all;
    this.#o = o;
  }

  /** Of the rows of one transaction. */
  *settle(rows: Iterable<number>): Iterable<Superseded> {
    const { transfer_index: index } = this.#all.columns;
    const standing = [...rows].filter((row) => this.#o.stands[row] === 1).sort((a, b) => index[a]! - index[b]!);
    const made = standing.filter((row) => isMade(index[row]!));
    if (made.length === 0 || made.length === standing.length) return;
    const given = new Map<number, number[]>();
    for (const row of standing) if (!isMade(index[row]!)) addTo(given, this.#o.content(row), row);
    for (const row of made) {
      const other = given.get(this.#o.content(row))?.[ordinalOf(index[row]!)];
      if (other === undefined) continue;
      this.#o.stands[row] = 0;
      yield* this.#handOver(row, other);
    }
  }

  #handOver(made: number, given: number): readonly Superseded[] {
    const { columns: c } = this.#all;
    const isFirst = made < this.#o.from && given >= this.#o.from;
    const field = contradictedField(this.#all, made, given);
    for (const name of saidColumns) {
      if (isUnsaid(this.#all, name, made) || c[name][made] === c[name][given]) continue;
      if (!isFirst && !isUnsaid(this.#all, name, given)) continue;
      c[name][given] = c[name][made]!;
      this.#o.isOther[given] = 1;
    }
    if (!isFirst) return [{ row: made, field }];
    return field === undefined ? [] : [{ row: given, field }];
  }
}
