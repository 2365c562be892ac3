import type { Bag } from '../bag/bag.ts';
import { noPrints } from '../bag/entity.ts';
import type { TermSource } from '../bag/spans.ts';
import { type Term, termTable } from '../bag/terms.ts';
import { type WindowSpec, windowSpecs } from '../bag/windows.ts';
import { requestError } from '../faults.ts';
import { CarriedEntities, carriedPairs, tradedPairs } from '../ingest/carried.ts';
import { isDirty, NO_SWAP } from '../ingest/changes.ts';
import { type Metric, metricPath, requireFunctions } from '../metrics/metric.ts';
import { resumeColumns } from '../profiles/shape.ts';
import { lastSeqAt, pairOf } from '../records/chain-order.ts';
import { type Batch, NO_ID, type Table } from '../records/columns.ts';
import type { EntityKind, ProfileKind } from '../records/profile-fields.ts';
import {
  dirtyTable,
  legsTable,
  swapsTable,
  tokenRegistryTable,
  tradesTable,
  walletRegistryTable,
} from '../records/tables.ts';
import { foldEntity } from '../refresh/fold.ts';
import { storedBag } from '../refresh/position-rows.ts';
import { foldPositions } from '../refresh/positions.ts';
import type { TradeRows } from '../refresh/trade-log.ts';
import { countedTrades, type EntityScan, StoredEntities } from '../refresh/trades.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { and, compare, type Predicate } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';
import { noPosition, type PositionKey } from './positions/get.ts';
import { foldPairs, ofMetrics } from './positions/metrics.ts';
import { notFound } from './profiles.ts';

export interface Asked {
  readonly metric: Metric;
  readonly window: WindowSpec;
  /** The instant of the first page, where this is a later one. */
  readonly asOf: number | undefined;
}

export interface Subject {
  readonly asOf: number;
  readonly trades: Predicate;
  /** The side of its trades that it is not. */
  readonly counterparty: 'wallet' | 'token';
  readonly stored?: StoredMetrics | undefined;
  readonly fold: () => Promise<SubjectFold>;
}

export interface StoredMetrics {
  /** No swap up to the instant has come since. */
  readonly isCurrent: boolean;
  /** The number in a column that was wanted, `NaN` if it is undefined. */
  readonly numberOf: (column: string) => number;
}

/** A window as a fold leaves it: what its terms are read from. */
export interface SubjectFold extends Omit<TermSource, 'window'> {
  readonly bag: Bag;
  /** The trades as they are stored, oldest first, where counterparties are compared. */
  readonly rows: readonly TradeRows[];
}

/** The windows of a kind of profile: positions have the windows of wallets. */
export function windowsOf(kind: ProfileKind): readonly WindowSpec[] {
  return windowSpecs[kind === 'positions' ? 'wallets' : kind];
}

/** Whether a metric takes something beside the trades of its window; one that names no terms may take anything. */
export function isReading({ terms }: Metric, what: NonNullable<Term['reads']>): boolean {
  return terms === undefined || terms.some((name) => (termTable[name] as Term).reads === what);
}

/** The instant that a stored row holds for: the last one, where a refresh has left it behind the others. */
async function instantOf({ reader, asOf }: QueryContext, { columns }: Batch): Promise<number> {
  return Math.min((columns.fresh_until as Float64Array)[0]!, (await readProfilesAsOf(reader)) ?? asOf);
}

function storedMetrics({ columns }: Batch, isCurrent: boolean): StoredMetrics {
  return { isCurrent, numberOf: (column) => (columns[column] as Float64Array)[0]! };
}

export function columnOf(metric: Metric, { name }: WindowSpec): string {
  return `metrics.${name}.${metricPath(metric)}`;
}

/** Block time of the first swap of an entity that changed since its profile was folded. */
export async function changedSince({ reader }: QueryContext, kind: EntityKind, id: number): Promise<number> {
  const { columns } = await reader.read({
    table: dirtyTable,
    columns: ['since'],
    where: and(isDirty(kind), compare('id', 'eq', id)),
  });
  return Math.min(NO_SWAP, ...columns.since);
}

/**
 * Before another instant than that of the stored profile is explained.
 *
 * - Errors, if the function of the metric is not here: `invalid-cursor` for a later page than the first, else `store-mismatch`.
 */
function requireFunction({ metric, asOf }: Asked): void {
  if (metric.isStoredOnly && asOf !== undefined) {
    const message = `"cursor" belongs to an explanation as of ${formatTime(asOf)}, and the profile was refreshed since; start without a cursor.`;
    throw requestError('invalid-cursor', 'cursor', message);
  }
  requireFunctions([metric], 'An explanation as of another instant');
}

/** A wallet or token to be explained. `columns`: the wanted columns of its profile. Errors: `not-found`; the errors of `requireFunction`. */
export async function findEntity(
  context: QueryContext,
  kind: EntityKind,
  address: string,
  asked: Asked,
  columns: readonly string[],
): Promise<Subject> {
  const { reader } = context;
  const id = await context.dictionary.findOne(reader, address);
  if (id === NO_ID) throw notFound(kind, address);
  const rows = context.isAsOfAsked ? undefined : await storedRow(context, kind, id, columns);
  if (rows?.length === 0) throw notFound(kind, address);
  const instant = rows && (await instantOf(context, rows));
  if (rows === undefined || instant === undefined || (asked.asOf ?? instant) !== instant) {
    requireFunction(asked);
    const asOf = asked.asOf ?? context.asOf;
    if (!(await isKnown(context, kind, id, asOf))) throw notFound(kind, address);
    return entitySubject(context, asked, { kind, ids: Int32Array.of(id), asOf });
  }
  const since = await changedSince(context, kind, id);
  const stored = new StoredEntities(kind, rows, () => since);
  return {
    ...entitySubject(context, asked, { kind, ids: Int32Array.of(id), asOf: instant, stored }),
    stored: storedMetrics(rows, since > instant),
  };
}

function entitySubject(context: QueryContext, { metric, window }: Asked, scan: EntityScan): Subject {
  const { kind, asOf } = scan;
  const [own, counterparty] = kind === 'wallets' ? (['wallet', 'token'] as const) : (['token', 'wallet'] as const);
  const read: EntityScan = {
    ...scan,
    after: isReading(metric, 'past') ? undefined : asOf - window.seconds,
    isWithoutPrints: !isReading(metric, 'prints'),
  };
  return {
    asOf,
    trades: and(compare(own, 'eq', scan.ids[0]!), countedTrades(kind)),
    counterparty,
    async fold() {
      const carried = await CarriedEntities.read(context.reader, context.horizon, kind, scan.ids);
      return foldEntity(context, { ...read, carried }, window, context.yielder());
    },
  };
}

async function storedRow(
  { reader, shapes }: QueryContext,
  kind: EntityKind,
  id: number,
  wanted: readonly string[],
): Promise<Batch> {
  const columns = ['id', 'fresh_until', ...Object.keys(resumeColumns), ...wanted];
  return (await reader.read({ table: shapes[kind].table, columns, where: compare('id', 'eq', id) })) as Batch;
}

/** Whether an entity has a profile at an instant: a swap by then, or a row of the registry. */
async function isKnown(
  { reader, horizon }: QueryContext,
  kind: EntityKind,
  id: number,
  asOf: number,
): Promise<boolean> {
  const until = compare('seq', 'lte', lastSeqAt(asOf));
  const [swaps, key] = kind === 'tokens' ? ([legsTable, 'token'] as const) : ([swapsTable, 'wallet'] as const);
  const first = { columns: ['seq'], where: and(compare(key, 'eq', id), until), limit: 1 };
  if ((await reader.read({ table: swaps as Table, ...first })).length > 0) return true;
  if ((await CarriedEntities.read(reader, horizon, kind, [id])).has(id)) return true;
  const table: Table = kind === 'tokens' ? tokenRegistryTable : walletRegistryTable;
  return (await reader.read({ table, columns: ['id'], where: compare('id', 'eq', id) })).length > 0;
}

/**
 * A position to be explained. One that swaps have changed since it was stored is folded anew, as one of another instant is.
 *
 * - `columns`: the wanted columns of the stored position.
 * - Errors: `not-found`; the errors of `requireFunction`.
 */
export async function findPosition(
  context: QueryContext,
  { wallet, token }: PositionKey,
  asked: Asked,
  columns: readonly string[],
): Promise<Subject> {
  const { reader, dictionary, shapes } = context;
  const missing = noPosition({ wallet, token });
  const [walletId, tokenId] = (await dictionary.find(reader, [wallet, token])) as unknown as [number, number];
  if (walletId === NO_ID || tokenId === NO_ID) throw missing;
  // No position is stored with another metric than its own five.
  requireFunction(asked);
  const pair = pairOf(walletId, tokenId);
  const subject = { context, asked, wallet: walletId, token: tokenId };
  const folded = async (asOf: number): Promise<Subject> => {
    if (!(await isTraded(subject, asOf))) throw missing;
    return positionSubject(subject, asOf, () => foldPositions({ ...context, asOf }, Float64Array.of(pair)));
  };
  if (context.isAsOfAsked) return folded(context.asOf);
  const rows = (await reader.read({
    table: shapes.positions.table,
    columns: [...new Set([...ofMetrics, ...columns])],
    where: compare('id', 'eq', pair),
  })) as Batch;
  if (rows.length === 0) throw missing;
  const instant = await instantOf(context, rows);
  if ((asked.asOf ?? instant) !== instant) return folded(asked.asOf!);
  if ((await changedSince(context, 'wallets', walletId)) <= instant) return folded(instant);
  return { ...positionSubject(subject, instant, async () => rows), stored: storedMetrics(rows, true) };
}

interface OfPosition {
  readonly context: QueryContext;
  readonly asked: Asked;
  readonly wallet: number;
  readonly token: number;
}

/** `readRow`: gives the position at the instant, as it is stored. */
function positionSubject(position: OfPosition, asOf: number, readRow: () => Promise<Batch>): Subject {
  const { context, asked } = position;
  const { metric, window } = asked;
  // What is stored adds up in another order than what is computed.
  const isStored = columnOf(metric, window) in context.shapes.positions.table.columns;
  return {
    asOf,
    trades: tradesOf(position),
    counterparty: 'token',
    async fold(): Promise<SubjectFold> {
      const scan = { rows: await readRow(), instants: Float64Array.of(asOf), seconds: window.seconds };
      for await (const { trades, bags } of foldPairs(context, scan)) {
        const bag = isStored ? storedBag(trades, window, asOf) : bags[windowsOf('positions').indexOf(window)]!;
        return { trades, prints: noPrints, rows: [], bag };
      }
      throw new Error('the one position of a scan is folded');
    },
  };
}

function tradesOf({ wallet, token }: OfPosition): Predicate {
  return and(compare('wallet', 'eq', wallet), compare('token', 'eq', token));
}

async function isTraded(position: OfPosition, asOf: number): Promise<boolean> {
  const where = and(tradesOf(position), compare('seq', 'lte', lastSeqAt(asOf)));
  const { reader, horizon } = position.context;
  const { length } = await reader.read({ table: tradesTable, columns: ['seq'], where, limit: 1 });
  if (length > 0) return true;
  const carried = await carriedPairs(reader, horizon, compare('id', 'eq', pairOf(position.wallet, position.token)));
  return tradedPairs(carried).length > 0;
}
