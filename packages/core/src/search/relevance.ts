import type { ProfileKind } from '../profiles/fields.ts';
import { compareText } from '../records/chain-order.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import type { SortTuple } from './keyset.ts';
import { matchRank } from './match.ts';
import { queryColumns, type TextQuery } from './query.ts';
import type { SortColumn } from './sort.ts';

/** A profile that matches a text query, with its place in the order. */
export interface Match {
  readonly id: number;
  readonly tuple: SortTuple;
}

/** What goes before what among profiles of equal rank. */
const boosts: Record<ProfileKind, readonly SortColumn[]> = {
  tokens: [
    { column: 'metadata.verified', direction: 'desc', type: 'long' },
    { column: 'market.liquidity', direction: 'desc', type: 'double' },
  ],
  wallets: [],
};

/** The order of relevance: the rank, which is computed, then the boosts; without the closing address. */
export function relevanceSort(kind: ProfileKind): readonly SortColumn[] {
  return [{ column: 'rank', direction: 'asc', type: 'long' }, ...boosts[kind]];
}

/** The columns that `rankMatches` reads. */
export function matchColumns(query: TextQuery, sort: readonly SortColumn[], isByRelevance: boolean): string[] {
  const sorted = isByRelevance ? sort.slice(1).map(({ column }) => column) : [];
  return [...new Set(['id', ...sorted, ...queryColumns(query)])];
}

/** The rows of `rows` that match `query`, each with its sort values where the order is that of relevance. */
export function rankMatches(
  rows: Batch,
  query: TextQuery,
  sort: readonly SortColumn[],
  isByRelevance: boolean,
): Match[] {
  const texts = queryColumns(query).map((column) => rows.columns[column] as (string | null)[]);
  const ids = rows.columns.id as Int32Array;
  const matches: Match[] = [];
  for (let row = 0; row < rows.length; row++) {
    const rank = matchRank(
      query,
      texts.map((column) => column[row] ?? null),
    );
    if (rank === undefined) continue;
    const tuple = isByRelevance
      ? [rank, ...sort.slice(1).map(({ column }) => boostValue(column, rows.columns[column]!, row))]
      : [];
    matches.push({ id: ids[row]!, tuple });
  }
  return matches;
}

/** The order of two tuples by `sort`: negative where `a` comes first. Missing values are last in both directions. */
export function compareTuples(sort: readonly SortColumn[], a: SortTuple, b: SortTuple): number {
  for (const [i, { direction }] of sort.entries()) {
    const x = a[i]!;
    const y = b[i]!;
    if (x === y) continue;
    if (x === null) return 1;
    if (y === null) return -1;
    const order = typeof x === 'string' ? compareText(x, y as string) : x - (y as number);
    if (order !== 0) return direction === 'asc' ? order : -order;
  }
  return 0;
}

/** A token that is not verified and one of which nothing is known are equals. */
function boostValue(column: string, values: ColumnData, row: number): number | string | null {
  const value = values[row]!;
  if (column === 'metadata.verified') return value === 1 ? 1 : 0;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}
