import { faultError, noteThrown } from '../faults.ts';
import type { Predicate } from '../storage/predicate.ts';
import { type Clause, clausePredicate } from './clause.ts';
import { listed, quoted, shortName, suggestion } from './names.ts';
import { showOperand } from './operand.ts';
import { type GroupOperator, groupOperators, operators } from './operators.ts';
import { readField } from './parse-field.ts';
import { isPlainObject } from './plain-object.ts';
import {
  checkDepth,
  checkItems,
  countCondition,
  faulty,
  hasEnoughFaults,
  type Notes,
  newNotes,
  newReading,
  noteFault,
  type Reading,
} from './reading.ts';
import type { FilterContext } from './target.ts';

/**
 * Reads a caller's filter.
 *
 * - Shape: the predicate over the columns of the profile table; `{}` holds for every profile.
 * - Nulls: as in MongoDB (docs/guides/search.md, "Missing values").
 * - Errors: `unknown-field`, `unknown-operator`, `invalid-filter`, each with the path of every fault found, such as `filter.$and.0.market.price.$gt`.
 *
 * @example
 * parseFilter({ 'market.liquidity': { $gt: 10_000 } }, context);
 * // { kind: 'compare', column: 'market.liquidity', op: 'gt', value: 10000 }
 */
export function parseFilter(filter: unknown, context: FilterContext): Predicate {
  return clausePredicate(parseClauses(filter, context));
}

/** Reads a caller's filter, and keeps what it says beside what it means. */
export function parseClauses(filter: unknown, context: FilterContext): Clause {
  const notes = newNotes();
  const clause = readClauses(filter, context, notes);
  if (notes.faults.length > 0) throw faultError(notes.faults);
  return clause;
}

/** As `parseClauses`, for a part of a request: the clause counts only if no fault was noted. */
export function readClauses(filter: unknown, context: FilterContext, notes: Notes): Clause {
  const reading = newReading(context, notes);
  return noteThrown(notes.faults, () => readFilter(reading, filter, reading.root, 1)) ?? faulty;
}

function readFilter(reading: Reading, filter: unknown, at: string, depth: number): Clause {
  const { root } = reading;
  checkDepth(reading, depth, at);
  if (!isPlainObject(filter)) {
    return noteFault(
      reading,
      'invalid-filter',
      at,
      `${at === root ? root : `${at} in ${root}`} must be an object of conditions such as {"market.price": {"$gt": 1}}, not ${showOperand(filter)}.`,
    );
  }
  const keys = Object.keys(filter);
  if (keys.length === 0) countCondition(reading, at);
  const of: Clause[] = [];
  for (const key of keys) {
    if (key.startsWith('$')) of.push(readGroup(reading, key, filter[key], `${at}.${shortName(key)}`, depth));
    else of.push(...readField(reading, key, filter[key], `${at}.${shortName(key)}`));
    if (hasEnoughFaults(reading)) break;
  }
  return of.length === 1 ? of[0]! : { kind: 'group', operator: '$and', of };
}

function readGroup(reading: Reading, key: string, value: unknown, at: string, depth: number): Clause {
  const { root } = reading;
  if (!isGroupOperator(key)) {
    const isFieldOperator = (operators as readonly string[]).includes(key);
    const hint = isFieldOperator
      ? ` It stands inside a field, as in {"market.price": {"${key}": ...}}.`
      : suggestion(key, groupOperators);
    countCondition(reading, at);
    return noteFault(
      reading,
      'unknown-operator',
      at,
      `Unknown operator ${quoted(key)} at this place of ${root}.${hint || ` Use ${listed(groupOperators)}, or a field.`}`,
    );
  }
  if (key === '$not') return { kind: 'group', operator: key, of: [readFilter(reading, value, at, depth + 1)] };
  if (!Array.isArray(value) || value.length === 0) {
    countCondition(reading, at);
    return noteFault(
      reading,
      'invalid-filter',
      at,
      `"${key}" in ${root} takes an array of one or more filters, not ${showOperand(value)}.`,
    );
  }
  checkItems(reading, key, value, at);
  return {
    kind: 'group',
    operator: key,
    of: Array.from(value, (part, i) => readFilter(reading, part, `${at}.${i}`, depth + 1)),
  };
}

function isGroupOperator(key: string): key is GroupOperator {
  return (groupOperators as readonly string[]).includes(key);
}
