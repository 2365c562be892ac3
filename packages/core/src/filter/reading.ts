import type { AddressFormat } from '../addresses/address.ts';
import type { ErrorCode, SwapfoldError } from '../errors.ts';
import { type Fault, faultError, MAX_FAULTS } from '../faults.ts';
import { nearestPath, show } from '../nearest.ts';
import { columnOf, type FieldType, isElapsed, type ProfileField, type ProfileKind } from '../records/profile-fields.ts';
import { and, not, or, type Predicate } from '../storage/predicate.ts';
import { isTime, rfc3339Millis } from '../time.ts';
import { filterLimits, type GroupOperator, type Operator } from './operators.ts';

export interface Notes {
  readonly faults: Fault[];
  /** Labels that its filters ask for. Only the store knows all that there are. */
  readonly labels: LabelUse[];
}

export interface LabelUse {
  readonly label: string;
  /** Where it stands in the request. */
  readonly path: string;
  readonly root: string;
}

export function newNotes(): Notes {
  return { faults: [], labels: [] };
}

/** A filter while it is read. `root` is its name in messages. */
export interface Reading {
  readonly context: FilterContext;
  readonly root: string;
  readonly notes: Notes;
  conditions: number;
}

/** What stands for a clause at fault, until the reading ends in an error. */
export const faulty: Clause = { kind: 'group', operator: '$or', of: [] };

export function newReading(context: FilterContext, notes: Notes): Reading {
  return { context, root: context.path ?? 'filter', notes, conditions: 0 };
}

/** Notes a fault; reading goes on, to find more. */
export function noteFault(reading: Reading, code: ErrorCode, path: string, message: string): Clause {
  reading.notes.faults.push({ code, path, message });
  return faulty;
}

export function hasEnoughFaults(reading: Reading): boolean {
  return reading.notes.faults.length >= MAX_FAULTS;
}

export function checkDepth({ root }: Reading, depth: number, at: string): void {
  if (depth <= filterLimits.depth) return;
  throw overLimit(at, `${root} nests deeper than ${filterLimits.depth} levels; flatten it.`);
}

/** Counts a condition; an empty filter counts as one. */
export function countCondition(reading: Reading, at: string): void {
  reading.conditions += 1;
  const most = filterLimits.conditions;
  if (reading.conditions <= most) return;
  const advice = 'use $in for lists of values, or fewer conditions';
  throw overLimit(at, `${reading.root} holds more than ${most} conditions; ${advice}.`);
}

export function checkItems({ root }: Reading, operator: string, items: readonly unknown[], at: string): void {
  const most = filterLimits.items;
  if (items.length <= most) return;
  throw overLimit(at, `"${operator}" in ${root} holds ${items.length} items; at most ${most} may be.`);
}

function overLimit(path: string, message: string): SwapfoldError {
  return faultError([{ code: 'invalid-filter', path, message }]);
}

/** A value of a filter as a column holds it. A time between two seconds is the earlier one plus a half. */
export type Value = number | string | null;

/** What a field of each type takes, as a message says it. */
export const expected: Record<FieldType, string> = {
  number: 'a finite number',
  text: 'a text (without NUL and lone surrogates)',
  date: 'an RFC 3339 time such as "2024-01-05T00:00:00Z"',
  boolean: 'true or false',
  labels: 'a label (a text without NUL and lone surrogates)',
};

/** The value that `given` stands for, or `undefined` where a field of `type` cannot hold it. */
export function readValue(type: FieldType, given: unknown): Exclude<Value, null> | undefined {
  switch (type) {
    case 'number':
      return typeof given === 'number' && Number.isFinite(given) ? given : undefined;
    case 'text':
    case 'labels':
      return isText(given) ? given : undefined;
    case 'date':
      if (isTime(given)) return readInstant(given.toISOString());
      return typeof given === 'string' ? readInstant(given) : undefined;
    case 'boolean':
      return typeof given === 'boolean' ? Number(given) : undefined;
  }
}

/** Text that every engine can store and compare. */
export function isText(given: unknown): given is string {
  return typeof given === 'string' && !/[\0\p{Surrogate}]/u.test(given);
}

/** A received value for a message; structures are not spelled out, because they can be of any size and depth. */
export function showOperand(given: unknown): string {
  if (Array.isArray(given)) return `an array of ${given.length}`;
  if (given instanceof Date && !isTime(given)) return show(given);
  if (typeof given === 'object' && given !== null) return 'an object';
  if (typeof given === 'number') return String(given);
  if (typeof given === 'bigint') return `${given}n`;
  return show(typeof given === 'string' ? given.slice(0, 100) : given);
}

function readInstant(text: string): number | undefined {
  if (text.length > 64 || rfc3339Millis(text) === undefined) return undefined;
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const seconds = rfc3339Millis(text.replace(/\.\d+/, ''))! / 1000;
  return /[1-9]/.test(fraction) ? seconds + 0.5 : seconds;
}

export type Clause = Group | Condition;

interface Group {
  readonly kind: 'group';
  readonly operator: GroupOperator;
  readonly of: readonly Clause[];
}

export interface Condition {
  readonly kind: 'condition';
  readonly target: Target;
  readonly operator: Operator;
  /** As the caller gave it. */
  readonly operand: unknown;
  readonly predicate: Predicate;
}

export function clausePredicate(clause: Clause): Predicate {
  if (clause.kind === 'condition') return clause.predicate;
  const of = clause.of.map(clausePredicate);
  switch (clause.operator) {
    case '$and':
      return and(...of);
    case '$or':
      return or(...of);
    case '$nor':
    case '$not':
      return not(or(...of));
  }
}

export interface FilterContext {
  readonly kind: ProfileKind;
  readonly fields: ReadonlyMap<string, ProfileField>;
  /** Unix seconds, whole: what the fields that are the time since a date count to. */
  readonly asOf: number;
  /** Where the filter stands in the request, for messages. Default `filter`. */
  readonly path?: string;
  /** Addresses given in a filter are compared as this format stores them. Default `any`. */
  readonly addressFormat?: AddressFormat;
  /** The address of a quote token by its aliases, which addresses of tokens may be. Default: none. */
  readonly aliases?: ReadonlyMap<string, string>;
}

/** What a path stands for: a column, or the seconds since the time in it. */
export interface Target {
  readonly path: string;
  readonly type: FieldType;
  readonly column: string;
  readonly isElapsed: boolean;
  readonly isAddress: boolean;
  readonly isToken: boolean;
}

/** What `path` means, or `undefined` where it means nothing. */
export function resolvePath(path: string, fields: ReadonlyMap<string, ProfileField>): Target | undefined {
  const field = fields.get(path) ?? fields.get(path.replace(/\.cumulative_pnl$/, '.pnl'));
  if (field === undefined) return undefined;
  return {
    path: field.path,
    type: field.type,
    column: columnOf(field),
    isElapsed: isElapsed(field),
    isAddress: field.isAddress === true,
    isToken: field.isToken === true,
  };
}

/** Paths of what profiles have on request alone: no table has it. */
const onRequest = /^launch(\..*)?$|^metadata\.roles$|^metrics\.\w+\.sniper_entry_count$/;

/** What helps with an unknown path: the one that it is most likely meant to be, else what there is. */
export function fieldHint(path: string, fields: ReadonlyMap<string, ProfileField>): string {
  if (onRequest.test(path))
    return ' It is computed for profiles whose request has "options.include_launch": no search can filter or sort by it.';
  const paths = [...fields.keys()];
  const near = nearestPath(path, paths);
  if (near !== undefined) return ` Did you mean "${near}"?`;
  return ` Known: ${[...new Set(paths.map(sectionOf))].join(', ')}.`;
}

/** `metadata.*` for `metadata.name`, `metrics.7d.*` for `metrics.7d.pnl`; a path of one part as it is. */
function sectionOf(path: string): string {
  const parts = path.split('.');
  return parts.length === 1 ? path : `${parts.slice(0, parts[0] === 'metrics' ? 2 : 1).join('.')}.*`;
}

/** An object as JSON makes them: not an array, not an instance of a class. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
