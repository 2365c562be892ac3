import { windowSpecs } from '../bag/windows.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import type { Print, Prints } from '../market-data/latest-prints.ts';
import type { EntityKind } from '../profiles/fields.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { type Batch, NO_ID, type Table } from '../records/columns.ts';
import { legsTable, SUSPECT } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, isIn } from '../storage/predicate.ts';

/** The open cost of an entity at an instant: a sum of two doubles (Neumaier), and the number of positions with an open cost. */
export interface OpenCost {
  readonly sum: number;
  readonly low: number;
  readonly positions: number;
}

/** Where the trades of an entity can be taken up: those at or before `time` are in it. */
export interface Checkpoint {
  readonly time: number;
  readonly openCost: OpenCost;
}

/** What has been read of the swaps that changed, for all entities at once. */
export interface News {
  /** Block time of the newest swap since an entity changed; `undefined` where it has to be looked up. */
  readonly newestSwap: (id: number) => number | undefined;
  /** Of tokens only. */
  readonly legs?: NewLegs | undefined;
}

/** What the stored profiles of entities say of what was there before the swaps that changed. */
export class StoredEntities {
  readonly #rows: ReadonlyMap<number, number>;

  constructor(
    readonly kind: EntityKind,
    readonly rows: Batch,
    /** Block time of the first swap of an entity that changed since its profile was folded; `NO_SWAP` if none did. */
    readonly since: (id: number) => number,
    readonly news: News = { newestSwap: () => undefined },
  ) {
    this.#rows = new Map(Array.from(rows.columns.id as Int32Array, (id, row) => [id, row]));
  }

  /** The end of the longest window's past when the profile was folded, unless something changed before it. */
  checkpointOf(id: number): Checkpoint | undefined {
    const row = this.#rows.get(id);
    if (row === undefined) return undefined;
    const time = this.#number('folded_as_of', row) - windowSpecs[this.kind][0]!.seconds;
    if (this.since(id) <= time) return undefined;
    return {
      time,
      openCost: {
        sum: this.#number('cost_sum', row),
        low: this.#number('cost_low', row),
        positions: this.#number('cost_positions', row),
      },
    };
  }

  /** Block time of the newest swap; `undefined` where it has to be looked up. */
  newestSwap(id: number): number | undefined {
    return this.#unchanged(id, 'updated_at') ?? this.news.newestSwap(id);
  }

  /** Price of the newest print that values what is held, `NaN` without one; `undefined` where it has to be looked up. */
  price(id: number, marks: Prints): number | undefined {
    const { legs } = this.news;
    const isMark = ({ isSuspect }: Print): boolean => marks === 'all' || !isSuspect;
    const price = this.#unchanged(id, 'market.price') ?? legs?.prints(id).findLast(isMark)?.price;
    if (price !== undefined || legs?.has(id) !== true) return price;
    const row = this.#rows.get(id);
    return row === undefined ? undefined : this.#number('market.price', row);
  }

  /** A number that follows from the swaps of an entity alone, as stored, if none of them changed. */
  #unchanged(id: number, column: 'updated_at' | 'market.price'): number | undefined {
    const row = this.#rows.get(id);
    return row === undefined || this.since(id) < NO_SWAP ? undefined : this.#number(column, row);
  }

  /**
   * Block time of the newest trade that the stored profile knows of, `NaN` without one; `undefined` where a swap at that time or before
   * it changed, so that the trade may be gone.
   */
  lastTradeAt(id: number): number | undefined {
    const row = this.#rows.get(id);
    const time = row === undefined ? Number.NaN : this.#number('metadata.last_trade_at', row);
    return this.since(id) <= time ? undefined : time;
  }

  #number(column: string, row: number): number {
    return (this.rows.columns[column] as Float64Array)[row]!;
  }
}

export async function readStored(
  reader: Reader,
  kind: EntityKind,
  table: Table,
  ids: Int32Array,
  { since, news }: { readonly since: (id: number) => number; readonly news: News },
): Promise<StoredEntities> {
  const columns = [
    'id',
    'folded_as_of',
    'cost_sum',
    'cost_low',
    'cost_positions',
    'updated_at',
    'metadata.last_trade_at',
  ];
  if (kind === 'tokens') columns.push('market.price');
  const rows = (await reader.read({ table, columns, where: isIn('id', ids) })) as Batch;
  return new StoredEntities(kind, rows, since, news);
}

/**
 * What the newest swap of each entity says; entities without one are absent, or `NaN`. It is what is `known` of the stored profile,
 * else what the newest of the swaps since the first that changed says, and only if there is none of them, of all.
 */
export async function newestOf(
  ids: Int32Array,
  stored: StoredEntities | undefined,
  known: (stored: StoredEntities, id: number) => number | undefined,
  ask: (ids: Int32Array, from: number) => Promise<ReadonlyMap<number, number>>,
): Promise<ReadonlyMap<number, number>> {
  if (stored === undefined) return ask(ids, 0);
  const newest = new Map<number, number>();
  let since = NO_SWAP;
  for (const id of ids) {
    const same = known(stored, id);
    if (same === undefined) since = Math.min(since, stored.since(id));
    else newest.set(id, same);
  }
  for (const from of since < NO_SWAP ? [firstSeqAt(since), 0] : [0]) {
    const unknown = ids.filter((id) => !newest.has(id));
    if (unknown.length > 0) for (const [id, value] of await ask(unknown, from)) newest.set(id, value);
  }
  return newest;
}

/** Legs of a token that have come since it changed. */
interface LegsOfToken {
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
      order: ascending('token', 'seq'),
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
