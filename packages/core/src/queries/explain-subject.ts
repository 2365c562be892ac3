import type { Bag } from '../bag/bag.ts';
import type { TermSource } from '../bag/spans.ts';
import { type Term, termTable } from '../bag/terms.ts';
import { type WindowSpec, windowSpecs } from '../bag/windows.ts';
import { isDirty, NO_SWAP } from '../ingest/changes.ts';
import { requireFunctions } from '../metrics/declaration.ts';
import { type Metric, metricPath } from '../metrics/metric.ts';
import type { EntityKind, ProfileKind } from '../profiles/fields.ts';
import type { Batch } from '../records/columns.ts';
import { dirtyTable } from '../records/tables.ts';
import type { TradeRows } from '../refresh/trade-log.ts';
import { requestError } from '../search/request-error.ts';
import { readProfilesAsOf } from '../storage/meta.ts';
import { and, compare, type Predicate } from '../storage/predicate.ts';
import { formatTime } from '../time.ts';
import type { QueryContext } from './context.ts';

/** A metric of a window. */
export interface Asked {
  readonly metric: Metric;
  readonly window: WindowSpec;
  /** The instant of the first page, where this is a later one. */
  readonly asOf: number | undefined;
}

/** What is explained, as of an instant. */
export interface Subject {
  readonly kind: ProfileKind;
  /** Of a position those of its wallet and its token. */
  readonly id: number;
  readonly token?: number;
  readonly asOf: number;
  /** Which trades are its own. */
  readonly trades: Predicate;
  /** The side of its trades that it is not. */
  readonly counterparty: 'wallet' | 'token';
  /** What is stored of it, if that is of the instant. */
  readonly stored?: StoredMetrics | undefined;
  /** Folds the window. */
  readonly fold: () => Promise<SubjectFold>;
}

/** The metrics of a stored profile. */
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

/** The windows of a kind of profile: positions have those of wallets. */
export function windowsOf(kind: ProfileKind): readonly WindowSpec[] {
  return windowSpecs[kind === 'positions' ? 'wallets' : kind];
}

/** Whether a metric takes something beside the trades of its window; one that names no terms may take anything. */
export function isReading({ terms }: Metric, what: NonNullable<Term['reads']>): boolean {
  return terms === undefined || terms.some((name) => (termTable[name] as Term).reads === what);
}

/** The instant that a stored row holds for: the last one, where a refresh has left it behind the others. */
export async function instantOf({ reader, asOf }: QueryContext, { columns }: Batch): Promise<number> {
  return Math.min((columns.fresh_until as Float64Array)[0]!, (await readProfilesAsOf(reader)) ?? asOf);
}

/** The metrics of the one row of a batch. */
export function storedMetrics({ columns }: Batch, isCurrent: boolean): StoredMetrics {
  return { isCurrent, numberOf: (column) => (columns[column] as Float64Array)[0]! };
}

/** The column of a metric in a window. */
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
export function requireFunction({ metric, asOf }: Asked): void {
  if (metric.isStoredOnly && asOf !== undefined) {
    const message = `"cursor" belongs to an explanation as of ${formatTime(asOf)}, and the profile was refreshed since; start without a cursor.`;
    throw requestError('invalid-cursor', 'cursor', message);
  }
  requireFunctions([metric], 'An explanation as of another instant');
}
