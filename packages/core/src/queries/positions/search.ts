import type { Fault } from '../../faults.ts';
import { type Clause, clausePredicate } from '../../filter/reading.ts';
import type { ProfileShape } from '../../profiles/shape.ts';
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
import { isStored, MAX_CANDIDATES, namesEntities, positionRows, withRules } from './rows.ts';

/**
 * One page of the stored positions that a request asks for.
 *
 * - Errors: the errors of `search`; `invalid-filter` for a filter or sort that reads what is computed when it is asked for, of all positions or too
 *   many.
 */
export async function searchPositions(context: QueryContext, request: ProfileSearch): Promise<SearchAnswer<Profile>> {
  const asOf = searchedAsOf(context, await readProfilesAsOf(context.reader));
  const completer = positionCompleter(context, asOf);
  const { positions } = context.shapes;
  return searchIn(context, 'positions', request, {
    rows: positionRows(context, completer),
    asOf,
    refine: (read) => refined(read, positions, completer.rules),
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
  const { where } = await searchedPlan(context, 'positions', filter, (read) =>
    refined(read, positions, completer.rules),
  );
  if (isStored(positions, predicateColumns(where))) return { where, completer };
  const rows = positionRows(context, completer);
  return { where, completer, candidates: (columns) => rows.read(columns, where) };
}

/** Everything that is wrong with the parts of a search request that its schema leaves unread. */
export function positionSearchFaults(context: QueryContext, request: ProfileSearch): Promise<readonly Fault[]> {
  const { rules } = positionCompleter(context, context.asOf);
  return searchFaults(context, 'positions', request, (read) => refined(read, context.shapes.positions, rules));
}

/** The plan with labels as the conditions of their rules, and a fault for each part of it that would have to compute columns of all positions. */
function refined({ plan, notes }: ReadSearch, shape: ProfileShape, rules: readonly CompiledRule[]): SearchPlan {
  const where = withRules(plan.where, rules);
  if (!namesEntities(where)) {
    const inFilter = computedIn(plan.clause, shape, rules);
    if (inFilter !== undefined) notes.faults.push(faultOf('filter', `${inFilter} in filter`));
    const inSort = plan.sort.find(({ column }) => !isStored(shape, [column]));
    if (inSort !== undefined) notes.faults.push(faultOf('sort', `"${inSort.column}" in sort`));
  }
  return { ...plan, where };
}

/** The first of the conditions that no table can decide, as a message names it. */
function computedIn(clause: Clause, shape: ProfileShape, rules: readonly CompiledRule[]): string | undefined {
  if (clause.kind === 'group') {
    for (const part of clause.of) {
      const found = computedIn(part, shape, rules);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const { target, operator } = clause;
  const columns = predicateColumns(withRules(clausePredicate(clause), rules));
  if (isStored(shape, columns)) return undefined;
  if (target.type === 'labels') {
    const read = [...columns].filter((column) => !isStored(shape, [column]));
    return `"labels" (whose rules read ${read.map((column) => `"${column}"`).join(', ')})`;
  }
  return isStored(shape, [target.column]) ? `"${operator}" of "${target.path}"` : `"${target.path}"`;
}

function faultOf(path: string, what: string): Fault {
  const message = `${what} is computed when it is asked for: give "filter" a condition on "wallet_address" or "token_address" ($eq or $in, outside of $or, $nor and $not) that leaves at most ${MAX_CANDIDATES} positions.`;
  return { code: 'invalid-filter', path, message };
}
