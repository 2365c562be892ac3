import type { PoolPrint } from '../../copy/depth.ts';
import { isExchanged, isPrint } from '../../market-data/latest-prints.ts';
import { firstSeqAt } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { isSuspect } from '../../records/standing.ts';
import { legsTable, poolSwapsTable, swapsTable } from '../../records/tables.ts';
import type { Reader } from '../../storage/adapter.ts';
import { and, compare, isIn, or, type Predicate } from '../../storage/predicate.ts';

/** A print with the place of its swap. */
export interface PlacedPrint extends PoolPrint {
  readonly seq: number;
  readonly tx: number;
  readonly swapIndex: number;
  readonly wallet: number;
}

/** Where prints are read: those of a token, in one pool unless it is `NO_ID`. */
export interface PrintScope {
  readonly token: number;
  readonly pool: number;
}

interface PrintRows {
  readonly prints: readonly PlacedPrint[];
  /** The last place that was read, a print or none; `undefined` if the range ended first. */
  readonly last: number | undefined;
}

/** Reads prints since the horizon by their places, a few at a time. */
export class PrintReader {
  readonly #reader: Reader;
  readonly #scope: PrintScope;
  readonly #horizon: number;

  constructor(reader: Reader, scope: PrintScope, horizon: number) {
    this.#reader = reader;
    this.#scope = scope;
    this.#horizon = horizon;
  }

  /** The newest prints up to a place, the oldest first: so many, or all that there are. */
  async before(until: number, count: number): Promise<readonly PlacedPrint[]> {
    const found: PlacedPrint[] = [];
    for (let end: number | undefined = until; end !== undefined && found.length < count; ) {
      const from = firstSeqAt(this.#horizon);
      const range = and(compare('seq', 'gte', from), compare('seq', 'lte', end));
      const { prints, last }: PrintRows = await this.#read(range, 'desc', count);
      found.push(...prints);
      end = last === undefined ? undefined : last - 1;
    }
    return found.slice(0, count).reverse();
  }

  /** Prints after a place up to another one, the oldest first, and up to where these are all. */
  async after(
    from: number,
    until: number,
    count: number,
  ): Promise<{ readonly prints: readonly PlacedPrint[]; readonly until: number }> {
    const range = and(compare('seq', 'gt', from), compare('seq', 'lte', until));
    const { prints, last = until } = await this.#read(range, 'asc', count);
    return { prints, until: last };
  }

  async #read(range: Predicate, direction: 'asc' | 'desc', limit: number): Promise<PrintRows> {
    const { token, pool } = this.#scope;
    const order = [{ column: 'seq', direction }] as const;
    const legs = and(compare('token', 'eq', token), isExchanged, isPrint);
    if (pool === NO_ID) {
      const where = and(legs, range);
      const rows = await this.#reader.read({ table: legsTable, columns: legColumns, where, order, limit });
      const last = rows.length < limit ? undefined : rows.columns.seq[limit - 1];
      return { prints: await this.#placed(rows.columns), last };
    }
    const ofToken = or(compare('token', 'eq', token), compare('other', 'eq', token));
    const { columns: places, length } = await this.#reader.read({
      table: poolSwapsTable,
      columns: ['seq'],
      where: and(compare('pool', 'eq', pool), range, ofToken),
      order,
      limit,
    });
    const last = length < limit ? undefined : places.seq[limit - 1];
    if (length === 0) return { prints: [], last };
    const where = and(legs, isIn('seq', places.seq));
    const rows = await this.#reader.read({ table: legsTable, columns: legColumns, where, order });
    return { prints: await this.#placed(rows.columns), last };
  }

  async #placed(legs: {
    readonly seq: Float64Array;
    readonly price: Float64Array;
    readonly usd_amount: Float64Array;
    readonly standing: Int32Array;
  }): Promise<readonly PlacedPrint[]> {
    if (legs.seq.length === 0) return [];
    const { columns: c } = await this.#reader.read({
      table: swapsTable,
      columns: ['seq', 'tx', 'swap_index', 'wallet', 'token_out'],
      where: isIn('seq', legs.seq),
    });
    const rowOf = new Map(Array.from(c.seq, (seq, row) => [seq, row]));
    return Array.from(legs.seq).flatMap((seq, i) => {
      const row = rowOf.get(seq);
      if (row === undefined) return [];
      return {
        seq,
        tx: c.tx[row]!,
        swapIndex: c.swap_index[row]!,
        wallet: c.wallet[row]!,
        price: legs.price[i]!,
        usd: c.token_out[row] === this.#scope.token ? legs.usd_amount[i]! : -legs.usd_amount[i]!,
        isSuspect: isSuspect(legs.standing[i]!),
      };
    });
  }
}

const legColumns = ['seq', 'price', 'usd_amount', 'standing'] as const;
