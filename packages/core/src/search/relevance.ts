import { compareValues } from '../memory/column.ts';
import type { OrderTuple } from '../memory/first-rows.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import type { ProfileKind } from '../records/profile-fields.ts';
import type { Work } from '../work.ts';
import { createRanker } from './match.ts';
import { queryColumns, type TextQuery } from './query.ts';
import type { SortColumn } from './sort.ts';

/** Profiles that match a text query: rows of `from`, with their ranks. */
export interface Matches {
  readonly from: Batch;
  readonly rows: readonly number[];
  readonly ranks: readonly number[];
}

/** Rows ranked before others may have their turn: with many words and typos one takes some hundredths of a millisecond. */
const RANKED = 64;
/** Matches put in order before others may have their turn. */
const PLACED = 1024;

/** What goes before what among profiles of equal rank. */
const boosts: Record<ProfileKind, readonly SortColumn[]> = {
  tokens: [
    { column: 'metadata.verified', direction: 'desc', type: 'long' },
    { column: 'market.liquidity', direction: 'desc', type: 'double' },
  ],
  wallets: [],
  positions: [],
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

/** The rows of `from` that match `query`. */
export function* rankMatches(from: Batch, query: TextQuery): Work<Matches> {
  const rankOf = createRanker(query);
  const texts = queryColumns(query).map((name) => (from.columns as Record<string, (string | null)[]>)[name]!);
  const found: number[] = [];
  const ranks: number[] = [];
  for (let row = 0; row < from.length; row++) {
    if (row % RANKED === 0) yield;
    const rank = rankOf(texts.map((values) => values[row]!));
    if (rank === undefined) continue;
    found.push(row);
    ranks.push(rank);
  }
  return { from, rows: found, ranks };
}

export function matchIds({ from, rows }: Matches): Int32Array {
  const ids = from.columns.id as Int32Array;
  return Int32Array.from(rows, (row) => ids[row]!);
}

export interface Placed {
  /** Its row in `from`. */
  readonly row: number;
  readonly id: number;
  readonly tuple: OrderTuple;
}

/** The first `count` matches in the order of `sort`, of those that come after `after`. */
export function* firstMatches(
  matches: Matches,
  sort: readonly SortColumn[],
  after: OrderTuple | undefined,
  count: number,
): Work<Placed[]> {
  const { from, rows, ranks } = matches;
  const columns = sort.slice(1).map(({ column }) => ({ column, values: from.columns[column]! }));
  const ids = from.columns.id as Int32Array;
  const first: Placed[] = [];
  for (const [i, row] of rows.entries()) {
    if (i % PLACED === 0) yield;
    const tuple = [ranks[i]!, ...columns.map(({ column, values }) => boostValue(column, values, row))];
    if (after !== undefined && compareTuples(sort, tuple, after) <= 0) continue;
    if (first.length === count && compareTuples(sort, tuple, first[count - 1]!.tuple) > 0) continue;
    let at = first.length;
    while (at > 0 && compareTuples(sort, tuple, first[at - 1]!.tuple) < 0) at--;
    first.splice(at, 0, { row, id: ids[row]!, tuple });
    if (first.length > count) first.pop();
  }
  return first;
}

/** The order of two tuples by `sort`: negative where `a` comes first. Missing values are last in both directions. */
export function compareTuples(sort: readonly SortColumn[], a: OrderTuple, b: OrderTuple): number {
  for (const [i, { direction }] of sort.entries()) {
    const order = compareValues(a[i]!, b[i]!, direction);
    if (order !== 0) return order;
  }
  return 0;
}

/** A token that is not verified and one of which nothing is known are equals. */
function boostValue(column: string, values: ColumnData, row: number): number | string | null {
  const value = values[row]!;
  if (column === 'metadata.verified') return value === 1 ? 1 : 0;
  return typeof value === 'number' && Number.isNaN(value) ? null : value;
}
