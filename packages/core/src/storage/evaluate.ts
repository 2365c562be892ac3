import { compareText } from '../records/chain-order.ts';
import { type Batch, type ColumnData, NO_ID } from '../records/columns.ts';
import { type CompareOp, type Predicate, textMatches } from './predicate.ts';

/** Whether a condition holds for the row of a batch at this index. */
export type RowTest = (row: number) => boolean;

/**
 * What a predicate means, over the columns of one batch.
 *
 * - Two-valued: a leaf on a null is false, `not` is the exact complement, and 0 equals -0.
 * - An id has no null; it is `missing` if it is `NO_ID`, and compares as the number it is.
 * - Errors: a bare `Error` for a column that the batch lacks or whose type does not suit the condition.
 *
 * @example
 * const isLarge = compilePredicate(compare('usd_amount', 'gte', 1000), trades);
 * isLarge(0); // true where trades.columns.usd_amount[0] >= 1000
 */
export function compilePredicate(predicate: Predicate, batch: Pick<Batch, 'columns'>): RowTest {
  switch (predicate.kind) {
    case 'and':
      return allOf(predicate.of.map((part) => compilePredicate(part, batch)));
    case 'or':
      return anyOf(predicate.of.map((part) => compilePredicate(part, batch)));
    case 'not': {
      const test = compilePredicate(predicate.of, batch);
      return (row) => !test(row);
    }
    case 'compare': {
      const column = columnOf(batch, predicate.column);
      if (Array.isArray(column))
        return compareTexts(column, predicate.op, textValue(predicate.column, predicate.value));
      return compareNumbers(column, predicate.op, numberValue(predicate.column, predicate.value));
    }
    case 'in':
      return isOneOf(columnOf(batch, predicate.column), predicate.values);
    case 'missing':
      return isMissing(columnOf(batch, predicate.column));
    case 'has':
      return textMatches.contains(textColumn(batch, predicate.column), `|${predicate.label}|`);
    default:
      return textMatches[predicate.kind](textColumn(batch, predicate.column), predicate.text);
  }
}

function allOf(tests: readonly RowTest[]): RowTest {
  if (tests.length === 0) return () => true;
  return tests.reduceRight((rest, test) => (row) => test(row) && rest(row));
}

function anyOf(tests: readonly RowTest[]): RowTest {
  if (tests.length === 0) return () => false;
  return tests.reduceRight((rest, test) => (row) => test(row) || rest(row));
}

/** NaN, the null of numbers, fails every comparison by itself. */
function compareNumbers(column: Int32Array | Float64Array, op: CompareOp, value: number): RowTest {
  switch (op) {
    case 'eq':
      return (row) => column[row] === value;
    case 'lt':
      return (row) => column[row]! < value;
    case 'lte':
      return (row) => column[row]! <= value;
    case 'gt':
      return (row) => column[row]! > value;
    case 'gte':
      return (row) => column[row]! >= value;
  }
}

/** Of two texts by their order. */
const orderTests: Readonly<Record<CompareOp, (order: number) => boolean>> = {
  eq: (order) => order === 0,
  lt: (order) => order < 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  gte: (order) => order >= 0,
};

function compareTexts(column: readonly (string | null)[], op: CompareOp, value: string): RowTest {
  if (op === 'eq') return (row) => column[row] === value;
  const isOrdered = orderTests[op];
  return (row) => {
    const text = column[row];
    return text != null && isOrdered(compareText(text, value));
  };
}

function isOneOf(column: ColumnData, values: ArrayLike<number | string>): RowTest {
  if (values.length === 0) return () => false;
  if (values.length === 1 && !Number.isNaN(values[0])) {
    const only = values[0];
    return (row) => column[row] === only;
  }
  const set = valueSet(values);
  return (row) => set.has(column[row]);
}

/** The values that an `in` names: a number that is missing equals none. */
export function valueSet(values: ArrayLike<number | string>): ReadonlySet<unknown> {
  const set = new Set<unknown>(Array.from(values));
  set.delete(Number.NaN);
  return set;
}

function isMissing(column: ColumnData): RowTest {
  if (column instanceof Int32Array) return (row) => column[row] === NO_ID;
  if (column instanceof Float64Array) return (row) => Number.isNaN(column[row]);
  return (row) => column[row] === null;
}

function columnOf(batch: Pick<Batch, 'columns'>, name: string): ColumnData {
  const column = (batch.columns as Readonly<Record<string, ColumnData>>)[name];
  if (column === undefined) throw new Error(`The batch has no column "${name}" that the predicate asks for.`);
  return column;
}

function textColumn(batch: Pick<Batch, 'columns'>, name: string): readonly (string | null)[] {
  const column = columnOf(batch, name);
  if (!Array.isArray(column)) throw new Error(`Column "${name}" holds numbers; the predicate asks for text.`);
  return column;
}

function numberValue(column: string, value: number | string): number {
  if (typeof value !== 'number')
    throw new Error(`Column "${column}" holds numbers and cannot be compared with the text "${value}".`);
  return value;
}

function textValue(column: string, value: number | string): string {
  if (typeof value !== 'string')
    throw new Error(`Column "${column}" holds text and cannot be compared with the number ${value}.`);
  return value;
}
