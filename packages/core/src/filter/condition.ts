import { and, type CompareOp, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';
import { fold, foldedColumn } from './fold.ts';
import type { Value } from './operand.ts';
import { matchOf, type Operator } from './operators.ts';
import type { Target } from './target.ts';

const nothing: Predicate = or();
const orderOps = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const;
const mirrored = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq' } as const;

/**
 * What one condition means, by the null rule: a missing value satisfies only equality with null, `$exists: false`, and the
 * negations of what it fails.
 *
 * `value` is a column's value; for `$in`, `$nin` and `$all` a list of them; for `$exists` a boolean.
 */
export function conditionPredicate(
  target: Target,
  operator: Operator,
  value: Value | readonly Value[] | boolean,
  asOf: number,
): Predicate {
  switch (operator) {
    case '$eq':
      return equals(target, value as Value, asOf);
    case '$ne':
      return not(equals(target, value as Value, asOf));
    case '$in':
      return isOneOf(target, value as readonly Value[], asOf);
    case '$nin':
      return not(isOneOf(target, value as readonly Value[], asOf));
    case '$all': {
      const labels = value as readonly string[];
      return labels.length === 0 ? nothing : and(...labels.map((label) => equals(target, label, asOf)));
    }
    case '$exists':
      return value === true ? not(isMissing(target)) : isMissing(target);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return ordered(target, orderOps[operator], value as number | string, asOf);
    default:
      return value === ''
        ? not(isMissing(target))
        : { kind: matchOf.get(operator)!, column: foldedColumn(target.column), text: fold(value as string) };
  }
}

/** `labels` is a list and never missing: empty if there are none. */
function isMissing(target: Target): Predicate {
  return target.type === 'labels' ? nothing : { kind: 'missing', column: target.column };
}

function equals(target: Target, value: Value, asOf: number): Predicate {
  if (value === null) return isMissing(target);
  if (target.type === 'labels')
    return isStorableLabel(value as string) ? { kind: 'has', column: target.column, label: value as string } : nothing;
  return ordered(target, 'eq', value, asOf);
}

function isOneOf(target: Target, values: readonly Value[], asOf: number): Predicate {
  const given = values.filter((value) => value !== null);
  const missing = given.length < values.length ? [isMissing(target)] : [];
  if (target.type === 'labels') return or(...given.map((label) => equals(target, label, asOf)), ...missing);
  const held = given
    .map((value) => equals(target, value, asOf))
    .filter((one) => one.kind === 'compare')
    .map((one) => one.value);
  return or(isIn(target.column, held as number[] | string[]), ...missing);
}

function ordered(target: Target, op: CompareOp, value: number | string, asOf: number): Predicate {
  if (typeof value === 'string') return compare(target.column, op, value);
  if (target.isElapsed) {
    const bound = wholeBound(op, value);
    return bound === undefined ? nothing : compare(target.column, mirrored[op], asOf - bound);
  }
  if (target.type !== 'date') return compare(target.column, op, value);
  const bound = wholeBound(op, value);
  return bound === undefined ? nothing : compare(target.column, op, bound);
}

/** The whole number that whole numbers compare with as they do with `value`; `undefined` if none equals it. */
function wholeBound(op: CompareOp, value: number): number | undefined {
  if (op === 'eq') return Number.isInteger(value) ? value : undefined;
  return op === 'gt' || op === 'lte' ? Math.floor(value) : Math.ceil(value);
}

/** Label sets are stored as `|a|b|`: a name with a bar, or none, is no label. */
function isStorableLabel(label: string): boolean {
  return label !== '' && !label.includes('|');
}
