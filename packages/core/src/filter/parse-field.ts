import { meantAddress } from '../addresses/address.ts';
import type { Clause } from './clause.ts';
import { conditionPredicate } from './condition.ts';
import { listed, quoted, shortName, suggestion } from './names.ts';
import { expected, readValue, showOperand, type Value } from './operand.ts';
import { type Operator, operators, operatorsByType } from './operators.ts';
import { isPlainObject } from './plain-object.ts';
import { checkItems, countCondition, faulty, hasEnoughFaults, noteFault, type Reading } from './reading.ts';
import { fieldHint, resolvePath, type Target } from './target.ts';

/** Reads what a filter says of one field: a value, or an object of operators. */
export function readField(reading: Reading, path: string, value: unknown, at: string): Clause[] {
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
  const { addressFormat = 'any' } = reading.context;
  return target.isAddress && typeof value === 'string' ? meantAddress(value, addressFormat) : value;
}

function operatorHint(key: string, target: Target, suited: readonly string[]): string {
  if (key === '$not') return ` Negate the whole condition: {"$not": {"${target.path}": ...}}.`;
  return suggestion(key, suited) || ` Use ${listed(suited)}.`;
}

function listHint(target: Target, operand: unknown): string {
  if (!Array.isArray(operand)) return '';
  return target.type === 'labels' ? ' (for several labels use $in or $all)' : ' (for several values use $in)';
}
