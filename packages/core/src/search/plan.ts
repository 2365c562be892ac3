import { noteThrown, requestError } from '../faults.ts';
import { readClauses } from '../filter/parse.ts';
import {
  type Clause,
  clausePredicate,
  type FilterContext,
  type Notes,
  newNotes,
  resolvePath,
} from '../filter/reading.ts';
import type { OrderTuple } from '../memory/first-rows.ts';
import type { Metric } from '../metrics/metric.ts';
import { profileFields, tieFields } from '../profiles/sections/sections.ts';
import type { FieldType, ProfileKind } from '../records/profile-fields.ts';
import { and, type Predicate } from '../storage/predicate.ts';
import type { Yielder } from '../yielder.ts';
import { type CursorValue, checkCursor, readCursor, requestKey } from './cursor.ts';
import { type DynamicLabel, parseLabels } from './labels.ts';
import { queryPredicate } from './match.ts';
import { withNativeOrder } from './moving-rows.ts';
import { parseQuery, type TextQuery } from './query.ts';
import { relevanceSort } from './relevance.ts';
import { parseSort, type SortColumn, type SortKey } from './sort.ts';

/** Items of a page where a request does not say. */
export const DEFAULT_LIMIT = 20;

/** A search whose operation has checked `limit` and `explain`; every other part is checked here. Keys that are not listed only bind the cursor. */
export interface SearchRequest {
  readonly query?: unknown;
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly dynamic_labels?: unknown;
  readonly explain?: boolean | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: unknown;
}

/** What a search is run against. */
export interface SearchContext extends Omit<FilterContext, 'path'> {
  /** The order of a search with neither `sort` nor `query`. */
  readonly defaultSort: SortKey;
  /** The columns that the caller wants of the page. */
  readonly columns: readonly string[];
  /** How the search lets others have their turn. */
  readonly yielder: () => Yielder;
}

/** A search, read: what to find, in which order, after which row. */
export interface SearchPlan {
  readonly key: string;
  readonly clause: Clause;
  /** The filter, and what of the query an engine can decide. */
  readonly where: Predicate;
  readonly query: TextQuery | undefined;
  /** Ends in the address, or both of a position, which is unique. */
  readonly sort: readonly SortColumn[];
  readonly isByRelevance: boolean;
  readonly labels: readonly DynamicLabel[];
  readonly after: OrderTuple | undefined;
  readonly limit: number;
  readonly explain: boolean;
}

/** A search request, read: the plan counts only if no fault was noted. */
export interface ReadSearch {
  readonly plan: SearchPlan;
  readonly notes: Notes;
}

/** Reads a search request, without touching a store; all that is wrong with it is in `notes`, but for labels that the store does not know. */
export function readSearch(request: SearchRequest, context: Omit<SearchContext, 'yielder'>): ReadSearch {
  const notes = newNotes();
  const { faults } = notes;
  const { kind } = context;
  const { limit = DEFAULT_LIMIT, explain = false } = request;
  const clause = readClauses(request.filter === undefined ? {} : request.filter, context, notes);
  const query = request.query === undefined ? undefined : parseQuery(request.query, context, faults);
  const labels = request.dynamic_labels === undefined ? [] : parseLabels(request.dynamic_labels, context, notes);
  const isByRelevance = query !== undefined && request.sort === undefined;
  const sort = [
    ...(isByRelevance
      ? relevanceSort(kind)
      : withNativeOrder(parseSort(request.sort === undefined ? context.defaultSort : request.sort, context, faults))),
    ...tieFields[kind].map((column): SortColumn => ({ column, direction: 'asc', type: 'text' })),
  ];
  if (explain && faults.length === 0) noteThrown(faults, () => checkExplained(request));
  const key = faults.length === 0 ? requestKey(kind, request) : '';
  const { cursor } = request;
  const after = noteThrown(faults, () => {
    if (cursor === undefined) return undefined;
    // Of a request at fault nobody can tell whether the cursor is its own.
    if (key !== '') return readCursor(cursor, key, cursorValues(sort, tieFields[kind].length, isByRelevance));
    checkCursor(cursor);
    return undefined;
  });
  const where = query === undefined ? clausePredicate(clause) : and(clausePredicate(clause), queryPredicate(query));
  return { plan: { key, clause, where, query, sort, isByRelevance, labels, after, limit, explain }, notes };
}

/** Every column of the order may be missing in a row but the closing addresses and the computed rank. */
function cursorValues(sort: readonly SortColumn[], ties: number, isByRelevance: boolean): readonly CursorValue[] {
  return sort.map(({ type }, i) => ({
    type: type === 'text' ? 'text' : 'number',
    isNullable: i < sort.length - ties && !(isByRelevance && i === 0),
  }));
}

/** Characters of JSON that the filter and the labels of a request with `explain` may take: the answer repeats them for each profile. */
const MAX_EXPLAINED = 65_536;

function checkExplained({ filter, dynamic_labels }: SearchRequest): void {
  const { length } = JSON.stringify([filter, dynamic_labels]);
  if (length <= MAX_EXPLAINED) return;
  throw requestError(
    'invalid-request',
    'explain',
    `"explain" repeats "filter" and "dynamic_labels" for each profile: together they may take ${MAX_EXPLAINED} characters of JSON, not ${length}.`,
  );
}

/** Every path that filters and sorts of a kind take, aliases included, with the type of what it stands for. */
export function filterPaths(kind: ProfileKind, metrics: readonly Metric[]): ReadonlyMap<string, FieldType> {
  const fields = new Map(profileFields(kind, metrics).map((field) => [field.path, field]));
  const paths = [...fields.keys()];
  const aliases = paths.map((path) => path.replace(/\.pnl$/, '.cumulative_pnl')).filter((path) => !fields.has(path));
  return new Map([...new Set([...paths, ...aliases])].map((path) => [path, resolvePath(path, fields)!.type]));
}
