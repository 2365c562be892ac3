import { type Lifetime, newLifetime, parseLifetime, unknownLifetime } from '../bag/lifetime.ts';
import { SwapfoldError } from '../errors.ts';
import type { RankedVote } from '../ledger/native-mark.ts';
import type { VotesData } from '../ledger/native-votes.ts';
import {
  carriedEntitiesTable,
  carriedLotsTable,
  carriedMovesTable,
  carriedPairsTable,
  carriedTables,
  TOKENS,
  WALLETS,
} from '../records/carried-tables.ts';
import { type Batch, columnsOf, filterRows, newBatch, type Table } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { type balancesTable, lotsTable, movesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { readHorizonText } from '../storage/meta.ts';
import { and, compare, isIn, type Predicate } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';

/**
 * Where a store begins: it has forgotten the swaps before `time`, Unix seconds, and carries where everything stood then. A fold from the
 * first swap on begins with what this file reads. A store that has forgotten nothing begins at 0, and carries nothing.
 */
export interface Horizon {
  readonly time: number;
  /** The votes for the native price that may count from there on. */
  readonly native: VotesData | null;
  /** The greatest block slot of what was forgotten. */
  readonly slot: number | null;
}

/** Days that a store keeps at least: the longest window has 30, and the horizon moves in whole days. */
export const LEAST_DAYS = 31;

/** The horizon, as the table of settings has it. */
export function parseHorizon(text: string | undefined): Horizon {
  if (text === undefined) return { time: 0, native: null, slot: null };
  return JSON.parse(text) as Horizon;
}

export async function readHorizon(reader: Reader): Promise<Horizon> {
  return parseHorizon((await readHorizonText(reader)) ?? undefined);
}

/** The tables of a store beside those that every store has. */
export function carriedTablesOf({ time }: Horizon): readonly Table[] {
  return time === 0 ? [] : carriedTables;
}

/** Says of something before the horizon that it was forgotten; `what` needs swaps from `needed` on. */
export function behindHorizon(what: string, needed: number, horizon: number): SwapfoldError {
  return new SwapfoldError(
    'behind-horizon',
    `${what} needs the swaps from ${formatTime(Math.max(0, needed))} on, and the store has forgotten those before ${formatTime(horizon)}.`,
  );
}

/** What a window ends with, and where the store begins. */
interface Ending {
  readonly asOf: number;
  readonly horizon: number;
}

/** Whether none of the swaps of a window that ends at the as-of time is forgotten. */
export function isKept({ asOf, horizon }: Ending, seconds: number): boolean {
  return horizon === 0 || asOf - seconds >= horizon - 1;
}

/** Errors: `behind-horizon` unless all swaps of a window that ends at the as-of time are kept. */
export function requireWindow(ending: Ending, seconds: number, what: string): void {
  const { asOf, horizon } = ending;
  if (!isKept(ending, seconds)) throw behindHorizon(`${what} as of ${formatTime(asOf)}`, asOf - seconds + 1, horizon);
}

/**
 * Before instants of wallets or tokens are answered, of which the first needs swaps from `needed` on.
 *
 * - Errors: `behind-horizon` where some of these are forgotten.
 */
export async function requireSince(
  { reader, horizon }: { readonly reader: Reader; readonly horizon: number },
  kind: EntityKind,
  ids: ArrayLike<number>,
  needed: number,
): Promise<void> {
  if (needed >= horizon) return;
  const { ids: carried } = await CarriedEntities.read(reader, horizon, kind, ids);
  if (carried.length > 0) throw behindHorizon('The first instant', needed, horizon);
}

/** Why a row at a time before the horizon is refused. */
export function behindReason(time: number, horizon: number): string {
  return `behind-horizon: the store has forgotten what was before ${formatTime(horizon)}, and takes nothing at ${formatTime(time)}`;
}

async function readCarried<T extends Table>(
  reader: Reader,
  horizon: number,
  table: T,
  where: Predicate,
): Promise<Batch<T>> {
  if (horizon === 0) return newBatch(table, 0);
  return (await reader.read({
    table,
    columns: columnsOf(table),
    where,
    order: ascending(...table.key),
  })) as Batch<T>;
}

export type CarriedPairs = Batch<typeof carriedPairsTable>;

/** What the store carries of the pairs that hold, ascending. */
export function carriedPairs(reader: Reader, horizon: number, where: Predicate): Promise<CarriedPairs> {
  return readCarried(reader, horizon, carriedPairsTable, where);
}

/** Those of them that have a trade. */
export function tradedPairs(pairs: CarriedPairs): CarriedPairs {
  const first = pairs.columns['metadata.first_trade_at'];
  return filterRows(pairs, (row) => !Number.isNaN(first[row]!));
}

/** The balances of carried pairs. */
export function balancesOf({ length, columns: c }: CarriedPairs): Batch<typeof balancesTable> {
  const { wallet, token, balance, received, flags } = c;
  return { length, columns: { pair: c.id, wallet, token, balance, received, flags } };
}

/** The lots that there were at the horizon, of the pairs that hold: by pair and ordinal. */
export async function carriedLots(reader: Reader, horizon: number, where: Predicate): Promise<Batch<typeof lotsTable>> {
  return horizon === 0 ? newBatch(lotsTable, 0) : readCarried(reader, horizon, carriedLotsTable, where);
}

/** What had moved at the horizon since the last trades of the pairs that hold. */
export async function carriedMoves(
  reader: Reader,
  horizon: number,
  where: Predicate,
): Promise<Batch<typeof movesTable>> {
  return horizon === 0 ? newBatch(movesTable, 0) : readCarried(reader, horizon, carriedMovesTable, where);
}

export const kindOf = { wallets: WALLETS, tokens: TOKENS } as const satisfies Readonly<Record<EntityKind, number>>;

/** What the store carries of wallets or tokens, by their ids. */
export class CarriedEntities {
  readonly #rows: Batch<typeof carriedEntitiesTable>;
  readonly #rowOf: ReadonlyMap<number, number>;

  private constructor(
    /** The horizon: 0 if nothing is carried. */
    readonly horizon: number,
    rows: Batch<typeof carriedEntitiesTable>,
  ) {
    this.#rows = rows;
    this.#rowOf = new Map(Array.from(rows.columns.id, (id, row) => [id, row]));
  }

  /** Those of `ids`; all of them if that is absent. */
  static async read(
    reader: Reader,
    horizon: number,
    kind: EntityKind,
    ids?: ArrayLike<number>,
  ): Promise<CarriedEntities> {
    const own = compare('kind', 'eq', kindOf[kind]);
    const where = ids === undefined ? own : and(own, isIn('id', Int32Array.from(ids)));
    return new CarriedEntities(horizon, await readCarried(reader, horizon, carriedEntitiesTable, where));
  }

  get ids(): Int32Array {
    return this.#rows.columns.id;
  }

  has(id: number): boolean {
    return this.#rowOf.has(id);
  }

  /** Of an entity: `NaN` where it has none, or is not carried. */
  numberOf(
    id: number,
    column: Exclude<keyof typeof carriedEntitiesTable.columns, 'kind' | 'id' | 'native_votes' | 'lifetime'>,
  ): number {
    const row = this.#rowOf.get(id);
    return row === undefined ? Number.NaN : this.#rows.columns[column][row]!;
  }

  /** What the newest swaps of a token say of its price in native tokens, from the newest on. */
  nativeVotesOf(token: number): readonly RankedVote[] {
    const row = this.#rowOf.get(token);
    const text = row === undefined ? null : this.#rows.columns.native_votes[row]!;
    return ((text === null ? [] : JSON.parse(text)) as [number, number, number][]).map(([price, wallet, rank]) => ({
      price,
      wallet,
      rank,
    }));
  }

  /** What the trades of a wallet behind the horizon add up to. What an older version did not carry is unknown. */
  lifetimeOf(id: number): Lifetime {
    const row = this.#rowOf.get(id);
    if (row === undefined) return newLifetime();
    const { lifetime, realized_pnl, last_trade_at } = this.#rows.columns;
    const hasTrades = !Number.isNaN(last_trade_at[row]!);
    return lifetime[row] === null && hasTrades ? unknownLifetime(realized_pnl[row]!) : parseLifetime(lifetime[row]!);
  }

  /** The open cost at the horizon: the trades from there on take it up. `undefined` of an entity that is not carried. */
  openCostOf(id: number): { readonly sum: number; readonly low: number; readonly positions: number } | undefined {
    const row = this.#rowOf.get(id);
    const c = this.#rows.columns;
    return row === undefined
      ? undefined
      : { sum: c.cost_sum[row]!, low: c.cost_low[row]!, positions: c.cost_positions[row]! };
  }
}
