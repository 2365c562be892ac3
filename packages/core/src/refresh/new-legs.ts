import type { Print } from '../market-data/latest-prints.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { legsTable, SUSPECT } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, between, isIn } from '../storage/predicate.ts';

/** Legs of a token that have come since it changed. */
interface LegsOfToken {
  /** Block time of the newest swap. */
  newestSwap: number;
  symbol: number | undefined;
  /** Oldest first. */
  readonly prints: Print[];
}

/**
 * The legs that have come since the refresh before, of the tokens of which nothing else changed: one read for what is newest of them, and
 * for the prints to go on with.
 */
export class NewLegs {
  readonly #since: ReadonlyMap<number, number>;
  readonly #legs = new Map<number, LegsOfToken>();

  private constructor(since: ReadonlyMap<number, number>) {
    this.#since = since;
  }

  /** `since`: block time of the first leg of each token that changed; those that are not after `known` are left out, which the refresh before knew. */
  static async read(
    reader: Reader,
    {
      since,
      known,
      asOf,
    }: { readonly since: ReadonlyMap<number, number>; readonly known: number; readonly asOf: number },
  ): Promise<NewLegs> {
    const fresh = new Map([...since].filter(([, time]) => time > known && time <= asOf));
    const read = new NewLegs(fresh);
    if (fresh.size === 0) return read;
    const first = [...fresh.values()].reduce((least, time) => Math.min(least, time));
    const rows = reader.stream({
      table: legsTable,
      columns: ['token', 'seq', 'price', 'symbol', 'standing'],
      where: and(isIn('token', Int32Array.from(fresh.keys())), between('seq', firstSeqAt(first), lastSeqAt(asOf))),
      order: [
        { column: 'token', direction: 'asc' },
        { column: 'seq', direction: 'asc' },
      ],
    });
    for await (const { columns: c, length } of rows)
      for (let i = 0; i < length; i++)
        read.#add(c.token[i]!, c.symbol[i]!, {
          seq: c.seq[i]!,
          price: c.price[i]!,
          isSuspect: c.standing[i] === SUSPECT,
        });
    return read;
  }

  #add(token: number, symbol: number, print: Print): void {
    let legs = this.#legs.get(token);
    if (legs === undefined) {
      legs = { newestSwap: 0, symbol: undefined, prints: [] };
      this.#legs.set(token, legs);
    }
    legs.newestSwap = timeOf(print.seq);
    if (symbol !== NO_ID) legs.symbol = symbol;
    if (!Number.isNaN(print.price)) legs.prints.push(print);
  }

  /** Whether all that has changed of a token is here. */
  has(token: number): boolean {
    return this.#since.has(token);
  }

  /** Block time of the newest swap; `undefined` if none has come. */
  newestSwap(token: number): number | undefined {
    return this.#legs.get(token)?.newestSwap;
  }

  /** What the newest swap that names the token calls it. */
  symbol(token: number): number | undefined {
    return this.#legs.get(token)?.symbol;
  }

  prints(token: number): readonly Print[] {
    return this.#legs.get(token)?.prints ?? [];
  }
}
