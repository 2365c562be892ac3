import type { Table } from '../records/columns.ts';
import type { Order } from '../storage/adapter.ts';
import type { Predicate } from '../storage/predicate.ts';
import { type Column, compareValues, valueAt } from './column.ts';
import { columnOf, type Segment } from './segment.ts';

/** A sorted list of the rows of each segment, by which a search finds them. */
export interface AccessPath {
  /** The columns that the list goes by: an index, then what is left of the key, so that its order is total. */
  readonly columns: readonly string[];
  /** Whether this is the order asked for, so that the first rows that hold are the answer. */
  readonly isOrdered: boolean;
  readonly isBackwards: boolean;
}

export type Span = readonly [from: number, to: number];

/** What the conditions that must all hold say of one column: one of `points`, in bounds that are inclusive and may be too wide. */
export interface Constraint {
  readonly points: ReadonlySet<number | string> | undefined;
  readonly least: number;
  readonly greatest: number;
}

export type Constraints = (column: string) => Constraint;

const anything: Constraint = { points: undefined, least: Number.NEGATIVE_INFINITY, greatest: Number.POSITIVE_INFINITY };

/** The columns that a sorted list of rows goes by: an index, then what is left of the key, so that its order is total. */
export function pathColumns(table: Table, columns: readonly string[]): readonly string[] {
  return [...columns, ...table.key.filter((name) => !columns.includes(name))];
}

/** The list that leaves the fewest rows of a segment or spares the sort; `undefined` if none helps. */
export function choosePath(
  table: Table,
  constraints: Constraints,
  order: readonly Order[],
  length: number,
): AccessPath | undefined {
  let best: AccessPath | undefined;
  let most = 0;
  for (const index of [table.key, ...table.indexes]) {
    if (index.length === 0) continue;
    const columns = pathColumns(table, index);
    const isOrdered = order.length > 0 && suits(table, columns, order, constraints);
    const worth = worthOf(constraints(columns[0]!), length) + (isOrdered ? 1 : 0);
    if (worth <= most) continue;
    most = worth;
    best = { columns, isOrdered, isBackwards: isOrdered && order[0]!.direction === 'desc' };
  }
  return best;
}

/** The first position in [from, to) whose value is not before `value`, or not at or before it with `after`. Nulls come last. */
export function seek(
  column: Column,
  rows: Int32Array,
  [from, to]: Span,
  value: number | string,
  after: boolean,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = compareValues(valueAt(column, rows[middle]!), value, 'asc');
    if (order < 0 || (after && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Reads off a predicate what it says of a column, once a column. */
export function constraintsOf(where: Predicate | undefined): Constraints {
  const conditions = where ? conditionsOf(where) : [];
  const known = new Map<string, Constraint>();
  return (column) => {
    const constraint = known.get(column) ?? constraintOn(column, conditions);
    known.set(column, constraint);
    return constraint;
  };
}

function conditionsOf(where: Predicate): readonly Predicate[] {
  return where.kind === 'and' ? where.of.flatMap(conditionsOf) : [where];
}

function constraintOn(column: string, conditions: readonly Predicate[]): Constraint {
  let { points, least, greatest } = anything;
  for (const condition of conditions) {
    if (condition.kind === 'in' && condition.column === column) points ??= pointsOf(condition.values);
    if (condition.kind !== 'compare' || condition.column !== column) continue;
    const { op, value } = condition;
    if (op === 'eq') points = pointsOf([value]);
    else if (typeof value !== 'number') continue;
    else if (op === 'gt' || op === 'gte') least = Math.max(least, value);
    else greatest = Math.min(greatest, value);
  }
  return { points, least, greatest };
}

function pointsOf(values: Iterable<number | string>): Set<number | string> {
  const points = new Set(values);
  points.delete(Number.NaN);
  return points;
}

function isBounded({ least, greatest }: Constraint): boolean {
  return least !== Number.NEGATIVE_INFINITY || greatest !== Number.POSITIVE_INFINITY;
}

/** A look-up of many points costs more than reading everything once. */
function worthOf(constraint: Constraint, length: number): number {
  if (constraint.points) return constraint.points.size * 16 < length + 64 ? 4 : 0;
  return isBounded(constraint) ? 2 : 0;
}

/** Whether rows in the order of `columns`, or backwards, are in `order`. Columns held to one value do not count. */
function suits(table: Table, columns: readonly string[], order: readonly Order[], constraints: Constraints): boolean {
  const isFixed = (column: string): boolean => constraints(column).points?.size === 1;
  const path = columns.filter((column) => !isFixed(column));
  const direction = order[0]!.direction;
  return order
    .filter(({ column }) => !isFixed(column))
    .every((key, i) => {
      if (key.column !== path[i] || key.direction !== direction) return false;
      return direction === 'asc' || table.columns[key.column] === 'id' || table.key.includes(key.column);
    });
}

/** Positions in `rows`, the segment's rows in the order of a path, outside of which none holds. */
export function spansOf(
  segment: Segment,
  rows: Int32Array,
  [first, second]: readonly string[],
  constraints: Constraints,
): readonly Span[] {
  const constraint = constraints(first!);
  const whole: Span = [0, rows.length];
  const values = columnOf(segment, first!);
  if (worthOf(constraint, rows.length) === 0) return [whole];
  if (!constraint.points) return [narrowed(values, rows, whole, constraint)];
  const next = second === undefined ? anything : constraints(second);
  const spans: Span[] = [];
  for (const point of [...constraint.points].sort((a, b) => compareValues(a, b, 'asc'))) {
    const from = seek(values, rows, whole, point, false);
    const span: Span = [from, seek(values, rows, [from, rows.length], point, true)];
    const narrow = span[0] < span[1] && second ? narrowed(columnOf(segment, second), rows, span, next) : span;
    if (narrow[0] < narrow[1]) spans.push(narrow);
  }
  return spans;
}

function narrowed(column: Column, rows: Int32Array, span: Span, { points, least, greatest }: Constraint): Span {
  const only = points?.size === 1 ? [...points][0]! : undefined;
  if (only === undefined && !isBounded({ points, least, greatest })) return span;
  return [seek(column, rows, span, only ?? least, false), seek(column, rows, span, only ?? greatest, true)];
}
