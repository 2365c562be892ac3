import type { Fault } from '../../faults.ts';
import type { Batch } from '../../records/columns.ts';
import type { CompiledRule } from '../../refresh/labels.ts';
import type { ReadSearch, SearchPlan } from '../../search/plan.ts';
import { readProfilesAsOf } from '../../storage/meta.ts';
import { type Predicate, predicateColumns } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import {
  type ProfileSearch,
  type SearchAnswer,
  searchedAsOf,
  searchedPlan,
  searchFaults,
  searchIn,
} from '../profiles.ts';
import type { Profile } from '../serve-profile.ts';
import { type Completer, positionCompleter } from './complete.ts';
import { isStored, positionRows, withRules } from './rows.ts';

/**
 * One page of the stored positions that a request asks for.
 *
 * - Errors: the errors of `search`; `invalid-filter` for a filter or sort that reads what is computed when it is asked for, of too many positions.
 */
export async function searchPositions(context: QueryContext, request: ProfileSearch): Promise<SearchAnswer<Profile>> {
  const asOf = searchedAsOf(context, await readProfilesAsOf(context.reader));
  const completer = positionCompleter(context, asOf);
  return searchIn(context, 'positions', request, {
    rows: positionRows(context, completer),
    asOf,
    refine: (read) => refined(read, completer.rules),
  });
}

/** All stored positions that a filter finds, for who reads them page by page. */
export interface OpenPositions {
  readonly where: Predicate;
  readonly completer: Completer;
  /** All of them at once, where the filter reads what is computed: then they are few. */
  readonly candidates?: (columns: readonly string[]) => Promise<Batch>;
}

/** Errors: the errors of `searchPositions`. */
export async function openPositions(context: QueryContext, filter: object | undefined): Promise<OpenPositions> {
  const asOf = searchedAsOf(context, await readProfilesAsOf(context.reader));
  const completer = positionCompleter(context, asOf);
  const { positions } = context.shapes;
  const { where } = await searchedPlan(context, 'positions', filter, (read) => refined(read, completer.rules));
  if (isStored(positions, predicateColumns(where))) return { where, completer };
  const rows = positionRows(context, completer);
  return { where, completer, candidates: (columns) => rows.read(columns, where) };
}

/** Everything that is wrong with the parts of a search request that its schema leaves unread. */
export function positionSearchFaults(context: QueryContext, request: ProfileSearch): Promise<readonly Fault[]> {
  const { rules } = positionCompleter(context, context.asOf);
  return searchFaults(context, 'positions', request, (read) => refined(read, rules));
}

/** The plan with labels as the conditions of their rules. */
const refined = ({ plan }: ReadSearch, rules: readonly CompiledRule[]): SearchPlan => ({
  ...plan,
  where: withRules(plan.where, rules),
});
