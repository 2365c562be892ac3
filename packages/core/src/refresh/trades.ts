import type { EntityTrades } from '../bag/entity.ts';
import { type Lifetime, parseLifetime } from '../bag/lifetime.ts';
import { windowSpecs } from '../bag/windows.ts';
import type { CarriedEntities } from '../ingest/carried.ts';
import { NO_SWAP } from '../ingest/changes.ts';
import { QUOTE_QUOTE } from '../ledger/trade.ts';
import { lastSeqAt, timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { tradesTable } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, compare, everything, isIn, not, type Predicate } from '../storage/predicate.ts';
import { type Yielder, yielder } from '../yielder.ts';
import type { RefreshCache } from './refresh-cache.ts';
import {
  type Checkpoint,
  type OpenCost,
  type TokenFacts,
  TradeLog,
  type TradeRows,
  tradeColumns,
} from './trade-log.ts';

export interface EntityScan {
  readonly kind: EntityKind;
  /** Ascending. */
  readonly ids: Int32Array;
  readonly asOf: number;
  /** What is known of the entities from their stored profiles, where that may be used. */
  readonly stored?: StoredEntities | undefined;
  /** Trades that the process caches; used with `stored` only. */
  readonly cached?: RefreshCache | undefined;
  /** Block times of the newest swaps by id, `NaN` without one, where all swaps were looked at. */
  readonly newest?: Float64Array | undefined;
  /** What the store carries of the entities. */
  readonly carried?: CarriedEntities | undefined;
  /** Where the trades after this time are enough: what was open before them is then left out. */
  readonly after?: number | undefined;
  /** Where nothing is asked that is made of the prints of tokens. */
  readonly isWithoutPrints?: boolean | undefined;
}

/** Trades that were read of entities, and how the trades of each entity are put together. */
export interface TradeReads {
  readonly plans: ReadonlyMap<number, Plan>;
  /** Rows by group of the plans, by entity and oldest first within it. */
  readonly runs: ReadonlyMap<number, readonly TradeRows[]>;
}

/** Trades of one entity: the trades of a log or of a checkpoint, and the rows of a group after a time. */
interface Plan {
  readonly group: number;
  readonly after: number;
  readonly log?: TradeLog | undefined;
  readonly checkpoint?: Checkpoint | undefined;
}

const nothingOpen: OpenCost = { sum: 0, low: 0, positions: 0 };

/** Groups whose numbers are not an age: without a checkpoint, continued from a log or from nothing, with all that is needed in a log. */
const [ALL, CONTINUED, COMPLETE] = [-1, -2, -3];

/** Reads trades of the entities up to the as-of time, as far back as needed: those whose checkpoints are about as old are read together. */
export async function readTrades(reader: Reader, scan: EntityScan): Promise<TradeReads> {
  const plans = new Map<number, Plan>();
  const groups = new Map<number, { ids: number[]; after: number }>();
  for (const id of scan.ids) {
    const plan = planOf(id, scan);
    plans.set(id, plan);
    if (plan.group === COMPLETE) continue;
    const group = groups.get(plan.group) ?? { ids: [], after: Number.POSITIVE_INFINITY };
    group.ids.push(id);
    group.after = Math.min(group.after, plan.after);
    groups.set(plan.group, group);
  }
  const runs = new Map<number, TradeRows[]>();
  for (const [number, { ids, after }] of groups) {
    const pieces: TradeRows[] = [];
    const wanted = { ids: Int32Array.from(ids), after, isRecent: number === CONTINUED };
    for await (const piece of streamTrades(reader, scan, wanted)) pieces.push(piece);
    runs.set(number, pieces);
  }
  return { plans, runs };
}

/** All trades of the entities, by entity and oldest first within it, where nothing is stored of them. */
export function allTrades({ runs }: TradeReads): readonly TradeRows[] {
  return runs.get(ALL) ?? [];
}

/** The times of the newest trades that were read and count, by entity. */
export async function newestTrades({ kind }: EntityScan, reads: TradeReads): Promise<Map<number, number>> {
  const newest = new Map<number, number>();
  for (const [id, { log }] of reads.plans)
    if (log !== undefined && log.trades.length > 0) newest.set(id, log.trades.time[log.trades.length - 1]!);
  const pause = yielder();
  for (const { columns: c, length } of [...reads.runs.values()].flat()) {
    const ids = kind === 'wallets' ? c.wallet : c.token;
    for (let i = 0; i < length; i++) {
      if (kind === 'wallets' && c.swap_type[i] === QUOTE_QUOTE) continue;
      newest.set(ids[i]!, Math.max(newest.get(ids[i]!) ?? 0, timeOf(c.seq[i]!)));
    }
    await pause.yieldIfDue();
  }
  return newest;
}

function planOf(id: number, { kind, asOf, stored, cached, carried, after }: EntityScan): Plan {
  if (after !== undefined) return { group: 0, after, checkpoint: { time: after, openCost: nothingOpen } };
  const start = asOf - windowSpecs[kind][0]!.seconds;
  const since = stored?.since(id) ?? 0;
  const isForgotten = carried !== undefined && since < carried.horizon;
  const log = stored === undefined || isForgotten ? undefined : cached?.tradesOf(kind, id, since, start);
  if (log !== undefined) {
    log.cut(since);
    return { group: since === NO_SWAP ? COMPLETE : CONTINUED, after: since - 1, log };
  }
  const checkpoint = stored?.checkpointOf(id);
  const openCost = carried?.openCostOf(id);
  // Trades between the checkpoint and the horizon are forgotten: they are in what the store carries.
  if (openCost !== undefined && (checkpoint === undefined || checkpoint.time < carried!.horizon - 1))
    return {
      group: ALL,
      after: -1,
      checkpoint: { time: carried!.horizon - 1, openCost, lifetime: carried!.lifetimeOf(id) },
    };
  if (stored?.isNew(id)) return { group: CONTINUED, after: since - 1 };
  if (checkpoint === undefined) return { group: ALL, after: -1 };
  // Checkpoints of one group lie within a day, or within twice the time from the as-of time to the younger of them.
  const days = (start - checkpoint.time) / 86_400;
  return { group: days <= 1 ? 0 : Math.ceil(Math.log2(days)), after: checkpoint.time, checkpoint };
}

/** A wallet's swaps between quote tokens change money, they do not trade: they count for the token's profile only. */
export function countedTrades(kind: EntityKind): Predicate {
  return kind === 'wallets' ? not(compare('swap_type', 'eq', QUOTE_QUOTE)) : everything;
}

function streamTrades(
  reader: Reader,
  { kind, asOf }: EntityScan,
  { ids, after, isRecent }: { readonly ids: Int32Array; readonly after: number; readonly isRecent: boolean },
): AsyncIterable<TradeRows> {
  const key = kind === 'wallets' ? 'wallet' : 'token';
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const from = after < 0 ? [] : [compare('seq', 'gt', lastSeqAt(after))];
  return reader.stream({
    table: tradesTable,
    columns: tradeColumns,
    where: and(isIn(key, ids), ...from, until),
    order: ascending(key, 'seq'),
    isRecent,
  });
}

/** Gives the trades of one entity after the other. */
export class EntityCursor {
  readonly #scan: EntityScan;
  readonly #reads: TradeReads;
  readonly #facts: TokenFacts;
  readonly #places: ReadonlyMap<number, RunPlace>;
  readonly #shared = new TradeLog();
  #log = this.#shared;

  constructor(scan: EntityScan, reads: TradeReads, facts: TokenFacts) {
    this.#scan = scan;
    this.#reads = reads;
    this.#facts = facts;
    this.#places = new Map(Array.from(reads.runs, ([group, pieces]) => [group, { pieces, piece: 0, row: 0 }]));
  }

  /** Trades of an entity; ids have to ascend. The object is reused: it is the caller's until the next call. Pauses where the trades are many. */
  async take(id: number, pause: Yielder): Promise<EntityTrades> {
    const { group, after, log, checkpoint } = this.#reads.plans.get(id)!;
    this.#log = log ?? this.#shared;
    if (log === undefined) this.#shared.begin(checkpoint);
    const place = this.#places.get(group);
    if (place !== undefined) await this.#addRows(id, place, lastSeqAt(after), pause);
    const { kind, stored, cached } = this.#scan;
    if (stored !== undefined && stored.since(id) < NO_SWAP) cached?.putTrades(kind, id, this.#log);
    return this.#log.trades;
  }

  get log(): TradeLog {
    return this.#log;
  }

  /** Where the trades of the entity that was taken can be taken up again: at the start of its longest window. */
  get checkpoint(): Checkpoint {
    return this.#log.checkpointAt(this.#start);
  }

  /** What the trades of the wallet that was taken add up to: until that start, and all of them. */
  get lifetimes(): readonly [until: Lifetime, all: Lifetime] {
    return this.#log.lifetimes(this.#start);
  }

  get #start(): number {
    const { kind, asOf } = this.#scan;
    return asOf - windowSpecs[kind][0]!.seconds;
  }

  async #addRows(id: number, place: RunPlace, after: number, pause: Yielder): Promise<void> {
    for (;;) {
      const rows = place.pieces[place.piece];
      if (rows === undefined) return;
      const { seq, wallet, token } = rows.columns;
      const ids = this.#scan.kind === 'wallets' ? wallet : token;
      const { length } = rows;
      while (place.row < length && (ids[place.row]! < id || (ids[place.row] === id && seq[place.row]! <= after)))
        place.row++;
      const from = place.row;
      while (place.row < length && ids[place.row] === id) place.row++;
      await pause.run(this.#log.makingRoom(place.row - from));
      if (this.#scan.kind === 'wallets') this.#log.addOfWallet(rows, from, place.row, this.#facts);
      else this.#log.add(rows, from, place.row, wallet, this.#facts);
      if (place.row < length) return;
      place.piece++;
      place.row = 0;
      await pause.yieldIfDue();
    }
  }
}

/** How far the rows of one run have been taken. */
interface RunPlace {
  readonly pieces: readonly TradeRows[];
  piece: number;
  row: number;
}

/** What the stored profiles of entities say of what was there before the swaps that changed. */
export class StoredEntities {
  readonly #rows: ReadonlyMap<number, number>;

  constructor(
    readonly kind: EntityKind,
    readonly rows: Batch,
    /** Block time of the first swap of an entity that changed since its profile was folded; `NO_SWAP` if none did. */
    readonly since: (id: number) => number,
    /** Block times of the newest swaps of entities, as far as they are known. */
    readonly newest: ReadonlyMap<number, number> = new Map(),
  ) {
    this.#rows = new Map(Array.from(rows.columns.id as Int32Array, (id, row) => [id, row]));
  }

  /** Whether everything of an entity came after the refresh before: a refresh stores a profile of each that has a swap. */
  isNew(id: number): boolean {
    return !this.#rows.has(id) && this.since(id) < NO_SWAP;
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
      lifetime: this.#lifetimeOf(row),
    };
  }

  /** Read where profiles are folded, for no explanation. */
  #lifetimeOf(row: number): Lifetime | undefined {
    const stored = this.rows.columns.lifetime_before as (string | null)[] | undefined;
    return stored && parseLifetime(stored[row]!);
  }

  #number(column: string, row: number): number {
    return (this.rows.columns[column] as Float64Array)[row]!;
  }
}
