import { invalidInput } from '../errors.ts';
import { CarriedEntities, carriedPairs } from '../ingest/carried.ts';
import { isDirty, NO_SWAP } from '../ingest/changes.ts';
import { latestMarks } from '../market-data/marks.ts';
import { show } from '../nearest.ts';
import { firstSeqAt, lastSeqAt, pairOf, timeOf } from '../records/chain-order.ts';
import type { Batch, Table } from '../records/columns.ts';
import { KeyIndex } from '../records/key-index.ts';
import type { EntityKind } from '../records/profile-fields.ts';
import { dirtyTable, swapsTable, tokenRegistryTable, transfersTable, walletRegistryTable } from '../records/tables.ts';
import { and, between, compare, isIn, or, type Predicate } from '../storage/predicate.ts';
import type { FoldContext } from './context.ts';
import { isHiding } from './positions.ts';
import { TouchedBalances } from './touched-balances.ts';

/** Which profiles a refresh folds. */
export interface StaleScope {
  /** Every entity anew: the as-of time went back, or metrics or rules changed. */
  readonly isFull: boolean;
  /** Whether those too that only time has changed (`fresh_until` has passed), and not only those that were traded. */
  readonly isAging: boolean;
}

/** Entities to fold, ascending, and the block time of the first swap that changed, of those with one. */
export interface StaleEntities {
  readonly ids: Int32Array;
  readonly since: ReadonlyMap<number, number>;
  /** The swaps of each, where all are folded. */
  readonly swaps?: SwapsById | undefined;
}

/** What a pass over all swaps says of the entities of a kind, by id. */
export interface SwapsById {
  /** How many there are; one of a token for itself counts twice. */
  readonly count: Uint32Array;
  /** Of wallets, the block time of the newest one up to the as-of time; `NaN` without one. */
  readonly newest?: Float64Array;
}

const scopes = ['all', 'traded'] as const;

/** Whether a refresh folds those too that time alone has changed. Errors: `invalid-input` for an unknown scope. */
export function isAging(scope: (typeof scopes)[number] | undefined): boolean {
  if (scope === undefined || scopes.includes(scope)) return scope !== 'traded';
  throw invalidInput(`"scope" of a refresh must be "all" or "traded", not ${show(scope)}.`, {
    details: [{ path: 'scope', message: 'expected "all" or "traded"' }],
  });
}

/**
 * The entities of a kind whose stored profiles do not hold at the as-of time; all of them if `isFull`. What makes one stale:
 *
 * - A write, which marked it dirty.
 * - Time, if `isAging`: its `fresh_until` has passed.
 * - A reference price, which moved its mark, of a quote token.
 * - The native price, which turned its labels: `turned` holds for its stored row.
 */
export async function findStale(
  context: FoldContext,
  kind: EntityKind,
  { isFull, isAging, turned = nothing }: StaleScope & { readonly turned?: Predicate },
): Promise<StaleEntities> {
  const { reader, shapes, asOf, horizon } = context;
  const since = new Map<number, number>();
  const dirty = { table: dirtyTable, columns: ['id', 'since'], where: isDirty(kind) } as const;
  for await (const { columns, length } of reader.stream(dirty))
    for (let row = 0; row < length; row++)
      since.set(columns.id[row]!, Math.min(since.get(columns.id[row]!) ?? NO_SWAP, columns.since[row]!));
  // What changed and was forgotten since can't be read again: everything of such an entity may be other than stored.
  for (const [id, time] of since) if (time < horizon) since.set(id, 0);
  const ids = new Set(since.keys());
  if (kind === 'tokens' && !isFull) for (const id of await revaluedTokens(context, ids)) ids.add(id);
  const swaps = isFull ? await readSwapsById(context, kind) : undefined;
  const { table } = shapes[kind];
  const take = async (rows: AsyncIterable<Batch>): Promise<void> => {
    for await (const { columns } of rows)
      for (const column of Object.values(columns)) for (const id of column as Int32Array) ids.add(id);
  };
  if (swaps !== undefined) {
    const registry: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
    for (const [id, count] of swaps.count.entries()) if (count > 0) ids.add(id);
    await take(reader.stream({ table: registry, columns: ['id'] }));
    for (const id of (await CarriedEntities.read(reader, horizon, kind)).ids) ids.add(id);
  } else if (isAging) {
    await take(reader.stream({ table, columns: ['id'], where: compare('fresh_until', 'lt', asOf) }));
  }
  if (swaps === undefined && !isNothing(turned)) await take(reader.stream({ table, columns: ['id'], where: turned }));
  return { ids: Int32Array.from(ids).sort(), since, swaps };
}

const nothing: Predicate = or();

function isNothing(where: Predicate): boolean {
  return where.kind === 'or' && where.of.every(isNothing);
}

/** The quote tokens, of others than `stale`, whose mark is another than their stored profile has: a reference price moves it without a swap. */
async function revaluedTokens(context: FoldContext, stale: ReadonlySet<number>): Promise<number[]> {
  const { reader, roles, shapes, asOf } = context;
  const others = Int32Array.from(roles.known).filter((token) => !stale.has(token));
  if (others.length === 0) return [];
  const { columns, length } = await reader.read({
    table: shapes.tokens.table,
    columns: ['id', 'market.price'],
    where: isIn('id', others),
  });
  if (length === 0) return [];
  const marks = await latestMarks(context, columns.id as Int32Array, lastSeqAt(asOf));
  const ids: number[] = [];
  for (let row = 0; row < length; row++) {
    const id = columns.id![row] as number;
    if (!Object.is(marks.get(id)?.price ?? Number.NaN, columns['market.price']![row])) ids.push(id);
  }
  return ids;
}

/**
 * Looks at all swaps. Not at the stored profiles: they may be those that are dropped, or lost. An engine with indexes finds wallets and
 * their times in one, tokens in the rows: one pass for both took SQLite longer than two, and a refresh of everything 1.06 times as long.
 */
async function readSwapsById({ reader, asOf }: FoldContext, kind: EntityKind): Promise<SwapsById> {
  const found = new GrowingSwaps();
  if (kind === 'tokens') {
    for await (const { columns: c } of reader.stream({ table: swapsTable, columns: ['token_in', 'token_out'] }))
      for (const ids of [c.token_in, c.token_out]) for (const id of ids) found.add(id, Number.NaN);
    return { count: found.count };
  }
  const until = lastSeqAt(asOf);
  for await (const { columns: c, length } of reader.stream({ table: swapsTable, columns: ['wallet', 'seq'] }))
    for (let row = 0; row < length; row++) {
      const time = c.seq[row]! > until ? Number.NaN : timeOf(c.seq[row]!);
      found.add(c.wallet[row]!, time);
    }
  return found;
}

class GrowingSwaps implements SwapsById {
  count = new Uint32Array(1 << 16);
  newest = new Float64Array(1 << 16).fill(Number.NaN);

  add(id: number, time: number): void {
    if (id >= this.count.length) this.#grow(2 ** Math.ceil(Math.log2(id + 1)));
    this.count[id]!++;
    if (time > this.newest[id]! || Number.isNaN(this.newest[id]!)) this.newest[id] = time;
  }

  #grow(length: number): void {
    const [count, newest] = [this.count, this.newest];
    this.count = new Uint32Array(length);
    this.newest = new Float64Array(length).fill(Number.NaN);
    this.count.set(count);
    this.newest.set(newest);
  }
}

/** Positions to fold. The stored positions of all other pairs hold. */
export interface StalePositions {
  /** Pairs whose stored position has trades that may have changed: they are folded from the first swap on. */
  readonly refolded: Float64Array;
  /** Pairs whose stored position, if there is one, has trades that are as they were: those since their wallet's first change come after. Ascending. */
  readonly continued: Float64Array;
  readonly touched: Float64Array;
  readonly balances: TouchedBalances;
  /** Block time of the newest swap of a pair, if there is one since the first change of its wallet; else `undefined`. */
  readonly newestSwap: (pair: number) => number | undefined;
  /**
   * Wallets with swaps that changed, by how far back to read for them; for none of the others, which would be read as far. First those of which
   * some changed that the refresh before knew, then those that have new ones alone.
   */
  readonly changed: readonly [known: ChangedWallets, fresh: ChangedWallets];
  /** Block time of the first swap of a wallet that changed; `NO_SWAP` if none did. */
  readonly sinceOf: (wallet: number) => number;
  /** Block times of the newest swaps of entities: of wallets with swaps that changed, of tokens with swaps that the refresh before did not know. */
  readonly newest: Readonly<Record<EntityKind, ReadonlyMap<number, number>>>;
}

interface ChangedWallets {
  readonly wallets: Int32Array;
  readonly since: number;
}

/**
 * Finds the pairs that changed, or whose positions time has passed by, of the wallets that changed and of those stored. `known`: the newest
 * block time that the refresh before knew.
 */
export async function findStalePositions(
  context: FoldContext,
  { since }: StaleEntities,
  { isAging, known }: StaleScope & { readonly known: number },
): Promise<StalePositions> {
  const { reader, shapes, asOf } = context;
  const sinceOf = (wallet: number): number => since.get(wallet) ?? NO_SWAP;
  const changed = changedWallets(since, known);
  const touched = new KeyIndex();
  const newest: number[] = [];
  const newestOf = { tokens: new Map<number, number>(), wallets: new Map<number, number>() };
  const note = (of: Map<number, number>, id: number, time: number) => of.set(id, Math.max(of.get(id) ?? 0, time));
  for (const { wallets, since } of changed) {
    const columns = ['wallet', 'seq', 'token_in', 'token_out'] as const;
    const where = and(isIn('wallet', wallets), between('seq', firstSeqAt(since), lastSeqAt(asOf)));
    for await (const { columns: c, length } of reader.stream({ table: swapsTable, columns, where })) {
      for (let i = 0; i < length; i++) {
        const time = timeOf(c.seq[i]!);
        const wallet = c.wallet[i]!;
        if (time < sinceOf(wallet)) continue;
        note(newestOf.wallets, wallet, time);
        for (const token of [c.token_in[i]!, c.token_out[i]!]) {
          if (time > known) note(newestOf.tokens, token, time);
          if (c.token_in[i] === c.token_out[i]) continue;
          const place = touched.placeOf(pairOf(wallet, token));
          newest[place] = Math.max(newest[place] ?? 0, time);
        }
      }
    }
  }
  const refolded = new KeyIndex();
  const aged = new KeyIndex();
  // What a transfer moved may have been known otherwise: when the position opened and closed is found anew.
  for (const pair of await movedPairs(context, changed, sinceOf)) {
    touched.placeOf(pair);
    refolded.placeOf(pair);
  }
  await takeForgotten(context, since, (pair, time) => {
    const place = touched.placeOf(pair);
    newest[place] = Math.max(newest[place] ?? 0, time);
    refolded.placeOf(pair);
  });
  const take = async (
    pairs: KeyIndex,
    where: Predicate,
    isTaken: (wallet: number, updatedAt: number) => boolean = () => true,
  ): Promise<void> => {
    const columns = ['id', 'wallet', 'updated_at'];
    for await (const rows of reader.stream({ table: shapes.positions.table, columns, where })) {
      const [id, wallet, updatedAt] = columns.map((name) => rows.columns[name] as Float64Array);
      for (let i = 0; i < rows.length; i++) if (isTaken(wallet![i]!, updatedAt![i]!)) pairs.placeOf(id![i]!);
    }
  };
  // A position whose newest swap is older than what changed has all its swaps as they were.
  const [late] = changed;
  if (late.wallets.length > 0)
    await take(
      refolded,
      and(isIn('wallet', late.wallets), compare('updated_at', 'gte', late.since)),
      (wallet, updatedAt) => updatedAt >= sinceOf(wallet),
    );
  if (isAging) await take(aged, compare('fresh_until', 'lt', asOf));
  const all = new KeyIndex();
  for (const pair of [...touched.keys(), ...aged.keys()]) all.placeOf(pair);
  const isRefolded = isHiding(context);
  if (isRefolded) for (const pair of all.keys()) refolded.placeOf(pair);
  return {
    refolded: refolded.keys(),
    continued: all
      .keys()
      .filter((pair) => refolded.find(pair) < 0)
      .sort(),
    touched: touched.keys(),
    balances: new TouchedBalances(reader, touched.keys()),
    newestSwap: (pair) => (isRefolded ? undefined : newest[touched.find(pair)]),
    changed,
    sinceOf,
    newest: newestOf,
  };
}

/** The pairs of changed wallets that a transfer has moved since the first change of their wallet. */
async function movedPairs(
  { reader, hasTransfers }: FoldContext,
  changed: StalePositions['changed'],
  sinceOf: StalePositions['sinceOf'],
): Promise<ReadonlySet<number>> {
  const pairs = new Set<number>();
  if (!hasTransfers) return pairs;
  for (const { wallets, since } of changed) {
    if (wallets.length === 0) continue;
    const own = new Set(wallets);
    const columns = ['sender', 'recipient', 'token', 'block_time'] as const;
    const where = and(or(isIn('sender', wallets), isIn('recipient', wallets)), compare('block_time', 'gte', since));
    for await (const { columns: c, length } of reader.stream({ table: transfersTable, columns, where }))
      for (let i = 0; i < length; i++)
        for (const wallet of [c.sender[i]!, c.recipient[i]!])
          if (own.has(wallet) && c.block_time[i]! >= sinceOf(wallet)) pairs.add(pairOf(wallet, c.token[i]!));
  }
  return pairs;
}

/** The carried pairs of the wallets of which something changed that was forgotten since, and the times of their newest swaps there. */
async function takeForgotten(
  { reader, horizon }: FoldContext,
  since: ReadonlyMap<number, number>,
  take: (pair: number, newestSwap: number) => void,
): Promise<void> {
  const wallets = Int32Array.from([...since].filter(([, time]) => time < horizon).map(([wallet]) => wallet));
  if (wallets.length === 0) return;
  const { columns: c } = await carriedPairs(reader, horizon, isIn('wallet', wallets));
  for (const [row, pair] of c.id.entries()) take(pair, c.updated_at[row]!);
}

/** Wallets with late swaps, and those with new swaps alone: the first are few, and may reach far back. */
function changedWallets(since: ReadonlyMap<number, number>, known: number): StalePositions['changed'] {
  const swapped = [...since].filter(([, time]) => time < NO_SWAP);
  const those = (some: typeof swapped): ChangedWallets => ({
    wallets: Int32Array.from(some, ([wallet]) => wallet),
    since: some.reduce((least, [, time]) => Math.min(least, time), NO_SWAP),
  });
  return [those(swapped.filter(([, time]) => time <= known)), those(swapped.filter(([, time]) => time > known))];
}
