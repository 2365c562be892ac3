import { meantAddress } from '../addresses/address.ts';
import { faultError, noteThrown } from '../faults.ts';
import { and, type CompareOp, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';
import { listed, quoted, shortName, suggestion } from './names.ts';
import { type GroupOperator, groupOperators, matchOf, type Operator, operators, operatorsByType } from './operators.ts';
import {
  type Clause,
  checkDepth,
  checkItems,
  countCondition,
  expected,
  type FilterContext,
  faulty,
  fieldHint,
  hasEnoughFaults,
  isPlainObject,
  type Notes,
  newNotes,
  newReading,
  noteFault,
  type Reading,
  readValue,
  resolvePath,
  showOperand,
  type Target,
  type Value,
} from './reading.ts';
import { fold, foldedColumn } from './words.ts';

/**
 * Reads a caller's filter, and keeps what it says beside what it means: `clausePredicate` gives that.
 *
 * - Nulls: as in MongoDB (docs/reference/search.md, "Missing values").
 * - Errors: `unknown-field`, `unknown-operator`, `invalid-filter`, each with the path of every fault found, such as `filter.$and.0.market.price.$gt`.
 */
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
  const of: Clause[] = [];
  for (const [i, part] of value.entries()) {
    of.push(readFilter(reading, part, `${at}.${i}`, depth + 1));
    if (hasEnoughFaults(reading)) break;
  }
  return { kind: 'group', operator: key, of };
}

function isGroupOperator(key: string): key is GroupOperator {
  return (groupOperators as readonly string[]).includes(key);
}

/** Reads what a filter says of one field: a value, or an object of operators. */
function readField(reading: Reading, path: string, value: unknown, at: string): Clause[] {
  const { context, root } = reading;
  const target = resolvePath(path, context.fields);
  if (target === undefined) {
    countCondition(reading, at);
    const message = `Unknown field ${quoted(path)} in ${root}.${fieldHint(path, context.fields)}`;
    return [noteFault(reading, 'unknown-field', at, message)];
  }
  if (!isPlainObject(value)) return [readCondition(reading, target, '$eq', value, at)];
  const keys = Object.keys(value);
  if (keys.length === 0) {
    countCondition(reading, at);
    return [
      noteFault(
        reading,
        'invalid-filter',
        at,
        `"${path}" in ${root} takes a value or an object of operators such as {"$eq": ...}, not an empty object.`,
      ),
    ];
  }
  const conditions: Clause[] = [];
  for (const key of keys) {
    conditions.push(readCondition(reading, target, key, value[key], `${at}.${shortName(key)}`));
    if (hasEnoughFaults(reading)) break;
  }
  return conditions;
}

function readCondition(reading: Reading, target: Target, key: string, operand: unknown, at: string): Clause {
  countCondition(reading, at);
  const suited: readonly string[] = operatorsByType[target.type];
  if (!suited.includes(key)) {
    const exists = (operators as readonly string[]).includes(key);
    const message = exists
      ? `Operator "${key}" does not suit "${target.path}" (${target.type}) in ${reading.root}; use ${listed(suited)}.`
      : `Unknown operator ${quoted(key)} for "${target.path}" in ${reading.root}.${operatorHint(key, target, suited)}`;
    return noteFault(reading, 'unknown-operator', at, message);
  }
  const operator = key as Operator;
  const value = readOperand(reading, target, operator, operand, at);
  if (value === undefined) return faulty;
  const { asOf } = reading.context;
  return {
    kind: 'condition',
    target,
    operator,
    operand,
    predicate: conditionPredicate(target, operator, value, asOf),
  };
}

function readOperand(
  reading: Reading,
  target: Target,
  operator: Operator,
  operand: unknown,
  at: string,
): Value | readonly Value[] | boolean | undefined {
  const refuse = (wanted: string, received: unknown, place = at): undefined => {
    const what = `"${operator}" of "${target.path}" in ${reading.root}`;
    const fault = received === undefined ? `is required: ${wanted}` : `takes ${wanted}, not ${showOperand(received)}`;
    noteFault(reading, 'invalid-filter', place, `${what} ${fault}.`);
  };
  switch (operator) {
    case '$exists':
      return typeof operand === 'boolean' ? operand : refuse('true or false', operand);
    case '$in':
    case '$nin':
    case '$all': {
      const wanted = `${expected[target.type]}${operator === '$all' ? '' : ' or null'}`;
      if (!Array.isArray(operand)) return refuse(`an array, each item ${wanted}`, operand);
      checkItems(reading, operator, operand, at);
      const values: Value[] = [];
      for (const [i, item] of operand.entries()) {
        const value = item === null && operator !== '$all' ? null : columnValue(reading, target, item);
        if (value === undefined) return refuse(`an array, each item ${wanted}`, item, `${at}.${i}`);
        noteLabel(reading, target, value, `${at}.${i}`);
        values.push(value);
      }
      return values;
    }
    case '$eq':
    case '$ne': {
      const value = operand === null ? null : columnValue(reading, target, operand);
      if (value !== undefined) noteLabel(reading, target, value, at);
      return value === undefined
        ? refuse(`${expected[target.type]} or null${listHint(target, operand)}`, operand)
        : value;
    }
    default:
      return columnValue(reading, target, operand) ?? refuse(expected[target.type], operand);
  }
}

function noteLabel({ notes, root }: Reading, target: Target, value: Value, path: string): void {
  if (target.type === 'labels' && typeof value === 'string') notes.labels.push({ label: value, path, root });
}

function columnValue(reading: Reading, target: Target, given: unknown): Value | undefined {
  const value = readValue(target.type, given);
  const { addressFormat = 'any', aliases } = reading.context;
  if (!target.isAddress || typeof value !== 'string') return value;
  const address = meantAddress(value, addressFormat);
  return (target.isToken ? aliases?.get(address) : undefined) ?? address;
}

function operatorHint(key: string, target: Target, suited: readonly string[]): string {
  if (key === '$not') return ` Negate the whole condition: {"$not": {"${target.path}": ...}}.`;
  return suggestion(key, suited) || ` Use ${listed(suited)}.`;
}

function listHint(target: Target, operand: unknown): string {
  if (!Array.isArray(operand)) return '';
  return target.type === 'labels' ? ' (for several labels use $in or $all)' : ' (for several values use $in)';
}

const nothing: Predicate = or();
const orderOps = { $gt: 'gt', $gte: 'gte', $lt: 'lt', $lte: 'lte' } as const;
const mirrored = { gt: 'lt', gte: 'lte', lt: 'gt', lte: 'gte', eq: 'eq' } as const;

/**
 * What one condition means, by the null rule: a missing value satisfies only equality with null, `$exists: false`, and the
 * negations of what it fails.
 *
 * `value` is a column's value; for `$in`, `$nin` and `$all` a list of them; for `$exists` a boolean.
 */
function conditionPredicate(
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
