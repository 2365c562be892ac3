import type { Config } from '../config.ts';
import type { Reject } from '../ingest-result.ts';
import type { Roles } from '../ledger/roles.ts';
import type { TradePools, Trades } from '../ledger/trade.ts';
import type { Swaps } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import type { EntityKind, ProfileKind } from '../records/profile-fields.ts';
import { dirtyTable, type legsTable } from '../records/tables.ts';
import type { Writer } from '../storage/adapter.ts';
import { and, compare, isIn, type Predicate } from '../storage/predicate.ts';
import type { TransactionRow } from '../storage/reads.ts';
import type { Work } from '../work.ts';
import { ROWS_PER_CHECK, yielder } from '../yielder.ts';
import type { ChainKeys } from './chain-keys.ts';
import type { LookForSame } from './deduplicate.ts';
import type { Dictionary } from './dictionary.ts';
import type { Places } from './suspects.ts';
import type { IngestState } from './transactions.ts';
import type { TransferChange } from './transfers/check.ts';

/** Swaps that came after all stored ones, and what was derived from them, in chain order. */
export interface Appended {
  readonly swaps: Swaps;
  /** Block slot of each swap, `NaN` where it has none. */
  readonly slots: Float64Array;
  readonly legs: Batch<typeof legsTable>;
  readonly roles: Roles;
  readonly trades: Trades;
  readonly tradePools: TradePools;
  /** Where the swaps belong: `order` is the row of `keys` that each of them has. */
  readonly keys: ChainKeys;
  readonly order: Uint32Array;
}

/** Swaps and trades that a write added or changed in the middle of what is stored. */
export interface ChangedRows {
  readonly swaps: Swaps;
  readonly trades: Trades;
  /** Trades that the store has no more although their transactions stay. */
  readonly goneTrades: Trades;
  readonly tradePools: TradePools;
  readonly transactions: ReadonlyMap<number, TransactionRow>;
  /** Prints that are suspect and were not, or were and may be no longer. */
  readonly judged: readonly Places[];
}

/** What a rollback removes: the swaps from a block slot on; `fromTime` is the block time of the oldest, `null` where there were none. */
export interface RolledBack {
  readonly fromSlot: number;
  readonly fromTime: number | null;
}

/** Profiles that a refresh stored or removed, by their ids; `isAll` where it made all of them anew. */
export interface ChangedProfiles {
  readonly ids: Readonly<Record<ProfileKind, (Int32Array | Float64Array)[]>>;
  isAll: boolean;
}

/**
 * What a write changes, for the caches and subscriptions of this process. The table of dirty entities says the same for the next refresh.
 *
 * - `appended`: only new rows at the end of chain order: what is cached can be advanced.
 * - `touched`: rows of these wallets, tokens and pools changed in the middle: what is cached of them is deleted.
 */
export interface Changes {
  readonly appended: Appended[];
  readonly touched: Readonly<Record<'wallets' | 'tokens' | 'pools', Set<number>>>;
  /** The rows that changed in the middle, collected while `isWatched` says so. */
  readonly reprocessed: ChangedRows[];
  readonly isWatched: () => boolean;
  /** Transfers that were stored and removed, collected as `reprocessed`. */
  readonly transfers: TransferChange[];
  /** Rows changed in the middle that were not collected. */
  isIncomplete: boolean;
  profiles?: ChangedProfiles;
  rolledBack?: RolledBack;
  /** The name of the refresh that has brought everything up to date, if the next one may continue what this one has cached. */
  refreshed?: string;
  /** Other swaps and texts take the place of those there were, and other ids. */
  readonly isReplacing?: boolean;
  hasRegistryChanged: boolean;
  isEverything: boolean;
}

/** `isWatched`: whether subscriptions want to know each row that changes. */
export function newChanges(isWatched: () => boolean = () => false): Changes {
  return {
    appended: [],
    reprocessed: [],
    transfers: [],
    isWatched,
    isIncomplete: false,
    touched: { wallets: new Set(), tokens: new Set(), pools: new Set() },
    hasRegistryChanged: false,
    isEverything: false,
  };
}

/** The changes of a write that may change anything. */
export function everything(isWatched?: () => boolean): Changes {
  return { ...newChanges(isWatched), isEverything: true };
}

/** Stands for a change of an entity that changed none of its swaps. */
export const NO_SWAP = 2 ** 52;

/**
 * Marks entities for the next refresh, with the block time of their first swap that changed. An entity that is already marked keeps the
 * earlier time.
 */
export async function markDirty(writer: Writer, kind: EntityKind, since: ReadonlyMap<number, number>): Promise<void> {
  const where = and(compare('entity', 'eq', kind), isIn('id', Int32Array.from(since.keys())));
  const noted = await writer.read({ table: dirtyTable, columns: ['id', 'since'], where });
  const earliest = new Map(since);
  const later: number[] = [];
  for (let row = 0; row < noted.length; row++) {
    const id = noted.columns.id[row]!;
    if (noted.columns.since[row]! <= since.get(id)!) earliest.delete(id);
    else later.push(id);
  }
  if (later.length > 0) await writer.remove(dirtyTable, and(compare('entity', 'eq', kind), isIn('id', later)));
  await appendDirty(writer, kind, earliest);
}

const foldingName = (kind: EntityKind): string => `${kind}, folding`;

/** Rows of the entities that changed since the last refresh. */
export function isDirty(kind: EntityKind): Predicate {
  return isIn('entity', [kind, foldingName(kind)]);
}

/** Rows of the entities that a refresh beside other writes has begun to fold: what changes meanwhile is marked once more. */
export const isFolding: Predicate = isIn('entity', [foldingName('tokens'), foldingName('wallets')]);

/** Notes that all dirty entities are being folded. A refresh that never ends leaves them dirty. */
export async function beginFolding(writer: Writer): Promise<void> {
  for (const kind of ['tokens', 'wallets'] as const) {
    const since = new Map<number, number>();
    const { columns, length } = await writer.read({
      table: dirtyTable,
      columns: ['id', 'since'],
      where: isDirty(kind),
    });
    for (let row = 0; row < length; row++) {
      const [id, time] = [columns.id[row]!, columns.since[row]!];
      since.set(id, Math.min(since.get(id) ?? time, time));
    }
    if (length === 0) continue;
    await writer.remove(dirtyTable, isDirty(kind));
    await appendDirty(writer, foldingName(kind), since);
  }
}

async function appendDirty(writer: Writer, entity: string, since: ReadonlyMap<number, number>): Promise<void> {
  await writer.append(dirtyTable, {
    length: since.size,
    columns: {
      entity: new Array<string>(since.size).fill(entity),
      id: Int32Array.from(since.keys()),
      since: Float64Array.from(since.values()),
    },
  });
}

/** Marks the wallets and tokens of swaps that were added, derived again or removed. */
export async function markSwapsDirty(writer: Writer, changed: readonly Swaps[]): Promise<void> {
  const columns = changed.map((swaps) => swaps.columns);
  const pause = yielder();
  await markDirty(writer, 'wallets', await pause.run(firstTimes(columns.map((c) => [c.seq, c.wallet]))));
  const tokens = columns.flatMap((c) => [[c.seq, c.token_in] as const, [c.seq, c.token_out] as const]);
  await markDirty(writer, 'tokens', await pause.run(firstTimes(tokens)));
}

/** The block time of the first row of each id, of columns with the `seq` of their rows. */
function* firstTimes(columns: Iterable<readonly [seq: Float64Array, ids: Int32Array]>): Work<Map<number, number>> {
  const times = new Map<number, number>();
  for (const [seq, ids] of columns) {
    for (let row = 0; row < seq.length; row++) {
      const time = timeOf(seq[row]!);
      const first = times.get(ids[row]!);
      if (first === undefined || time < first) times.set(ids[row]!, time);
      if (row % ROWS_PER_CHECK === 0) yield;
    }
  }
  return times;
}

/** Entities of which no swap changed, as `markDirty` takes them. */
export function unswapped(ids: Iterable<number>): Map<number, number> {
  return new Map(Array.from(ids, (id) => [id, NO_SWAP]));
}

/** Entities of which everything may have changed, as `markDirty` takes them. */
export function fromTheStart(ids: Iterable<number>): Map<number, number> {
  return new Map(Array.from(ids, (id) => [id, 0]));
}

/** What a write of swaps works with. */
export interface ApplyContext {
  readonly config: Config;
  readonly roles: Roles;
  readonly dictionary: Dictionary;
  readonly state: IngestState;
  readonly changes?: Changes | undefined;
  /** Called for each new swap that the store has under another index; whether it is left out. */
  readonly same?: LookForSame | undefined;
  /** Called with how many more swaps nothing but hashes puts in order. */
  readonly onUnordered?: ((more: number) => void) | undefined;
  /** Leaves out the swaps of full seconds and calls this for each; without it a full second is an error. */
  readonly rejectFull?: ((reject: Reject) => void) | undefined;
}
