import type { Roles } from '../ledger/roles.ts';
import { isContradicted, type Swaps } from '../ledger/value.ts';
import { columnsOf, NO_ID } from '../records/columns.ts';
import { valueCountsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { isIn } from '../storage/predicate.ts';

/** Swaps without a value, and those whose feed was not believed. */
export interface ValueCount {
  unvalued: number;
  contradicted: number;
}

/** Counts of swaps by quote token that they exchange, and of all by `NO_ID`: what `valueCountsTable` has. */
export class ValueCounts {
  readonly #counts = new Map<number, ValueCount>();
  readonly #roles: Roles;

  constructor(roles: Roles) {
    this.#roles = roles;
  }

  /** Counts valued swaps; `sign` -1 takes them back. */
  add({ columns: c, length }: Swaps, sign: 1 | -1 = 1): void {
    for (let row = 0; row < length; row++) {
      const valuedBy = c.valued_by[row]!;
      if ((valuedBy !== NO_ID && !isContradicted(valuedBy)) || c.token_in[row] === c.token_out[row]) continue;
      const field = valuedBy === NO_ID ? 'unvalued' : 'contradicted';
      for (const token of [NO_ID, c.token_in[row]!, c.token_out[row]!])
        if (token === NO_ID || this.#roles.rankOf(token) >= 0) this.#of(token)[field] += sign;
    }
  }

  /** Adds them to the stored counts. */
  async addTo(writer: Writer): Promise<void> {
    const changed = this.#changed();
    if (changed.length === 0) return;
    const tokens = Int32Array.from(changed, ([token]) => token);
    const { columns: c, length } = await writer.read({
      table: valueCountsTable,
      columns: columnsOf(valueCountsTable),
      where: isIn('token', tokens),
    });
    for (let row = 0; row < length; row++) {
      const count = this.#of(c.token[row]!);
      count.unvalued += c.unvalued[row]!;
      count.contradicted += c.contradicted[row]!;
    }
    if (length > 0) await writer.remove(valueCountsTable, isIn('token', tokens));
    await this.appendTo(writer);
  }

  /** Writes them; none are stored yet. */
  async appendTo(writer: Pick<Writer, 'append'>): Promise<void> {
    const rows = this.#changed().sort(([a], [b]) => a - b);
    if (rows.length === 0) return;
    await writer.append(valueCountsTable, {
      length: rows.length,
      columns: {
        token: Int32Array.from(rows, ([token]) => token),
        unvalued: Float64Array.from(rows, ([, { unvalued }]) => unvalued),
        contradicted: Float64Array.from(rows, ([, { contradicted }]) => contradicted),
      },
    });
  }

  #changed(): [number, ValueCount][] {
    return [...this.#counts].filter(([, { unvalued, contradicted }]) => unvalued !== 0 || contradicted !== 0);
  }

  #of(token: number): ValueCount {
    let count = this.#counts.get(token);
    if (count === undefined) {
      count = { unvalued: 0, contradicted: 0 };
      this.#counts.set(token, count);
    }
    return count;
  }
}
