import { type ColumnType, type CompareOp, NO_ID, type Predicate, type Table } from '@swapfold/core/engine';
import type { ReadDialect } from './dialect.ts';
import { type Bound, type Fragment, fragment, joinFragments, type ListValues, quote } from './statement.ts';

const always = fragment('1 = 1');
const never = fragment('1 = 0');

const operators: Record<CompareOp, string> = { eq: '=', lt: '<', lte: '<=', gt: '>', gte: '>=' };

/** The whole numbers that a column of the type can hold. */
const wholeRange = {
  id: { least: -(2 ** 31), greatest: 2 ** 31 - 1 },
  long: { least: -(2 ** 53), greatest: 2 ** 53 },
} as const;

/**
 * A predicate as the condition of a `where`, true of the same rows as `compilePredicate`.
 *
 * SQL has three truth values and predicates two. Negation is pushed down to the leaves, where it is `column is null or not (...)`; what
 * remains are `and` and `or` over leaves, in which null does what false does. So a condition keeps the plain form that engines prune by.
 */
export function compileWhere(predicate: Predicate, table: Table, dialect: ReadDialect): Fragment {
  return compile(predicate, false, table, dialect);
}

function compile(predicate: Predicate, isNegated: boolean, table: Table, dialect: ReadDialect): Fragment {
  switch (predicate.kind) {
    case 'not':
      return compile(predicate.of, !isNegated, table, dialect);
    case 'and':
    case 'or': {
      const isAll = (predicate.kind === 'and') !== isNegated;
      if (predicate.of.length === 0) return isAll ? always : never;
      const parts = predicate.of.map((part) => compile(part, isNegated, table, dialect));
      const { sql, values } = joinFragments(parts, isAll ? ' and ' : ' or ');
      return { sql: `(${sql})`, values };
    }
    default: {
      const type = typeOf(table, predicate.column);
      const leaf = compileLeaf(predicate, type, table, dialect);
      if (!isNegated) return leaf;
      const isDefinite = type === 'id' || predicate.kind === 'missing';
      return isDefinite ? opposite(leaf) : complement(leaf, quote(predicate.column));
    }
  }
}

/** The negation of a leaf that is never null. */
function opposite(leaf: Fragment): Fragment {
  if (leaf === always) return never;
  if (leaf === never) return always;
  return { sql: `not (${leaf.sql})`, values: leaf.values };
}

/** The negation of a leaf that is null where its column is. */
function complement(leaf: Fragment, column: string): Fragment {
  if (leaf === never) return always;
  return { sql: `(${column} is null or not (${leaf.sql}))`, values: leaf.values };
}

type Leaf = Exclude<Predicate, { kind: 'and' | 'or' | 'not' }>;

function compileLeaf(leaf: Leaf, type: ColumnType, table: Table, dialect: ReadDialect): Fragment {
  const column = quote(leaf.column);
  switch (leaf.kind) {
    case 'compare':
      return compileCompare(
        leaf,
        type,
        leaf.holds_mostly && dialect.projections ? dialect.projections.unindexed(column, type) : column,
      );
    case 'in':
      return compileIn(leaf, type, table, dialect);
    case 'missing':
      return type === 'id' ? fragment(`${column} = ${NO_ID}`) : fragment(`${column} is null`);
    case 'has':
      return fragment(dialect.contains(column), textBound(leaf.column, type, `|${leaf.label}|`));
    default:
      return fragment(dialect[leaf.kind](column), textBound(leaf.column, type, leaf.text));
  }
}

type Comparison = Extract<Leaf, { kind: 'compare' }>;
type Listing = Extract<Leaf, { kind: 'in' }>;

/** `column`: the column as SQL. */
function compileCompare({ column: name, op, value }: Comparison, type: ColumnType, column: string): Fragment {
  if (type === 'text') return fragment(`${column} ${operators[op]} ?`, textBound(name, type, value));
  if (typeof value !== 'number')
    throw new Error(`Column "${name}" holds numbers and cannot be compared with the text "${value}".`);
  if (Number.isNaN(value)) return never;
  if (type === 'double') return fragment(`${column} ${operators[op]} ?`, { kind: 'value', type, value });

  const { least, greatest } = wholeRange[type];
  const isUpper = op === 'lt' || op === 'lte';
  if (value < least || value > greatest) {
    if (op === 'eq' || isUpper !== value > 0) return never;
    return type === 'id' ? always : fragment(`${column} is not null`);
  }
  if (Number.isInteger(value)) return fragment(`${column} ${operators[op]} ?`, { kind: 'value', type, value });
  if (op === 'eq') return never;
  const whole = isUpper ? Math.floor(value) : Math.ceil(value);
  return fragment(`${column} ${isUpper ? '<=' : '>='} ?`, { kind: 'value', type, value: whole });
}

function compileIn({ column: name, values }: Listing, type: ColumnType, table: Table, dialect: ReadDialect): Fragment {
  const kept = storable(type, values);
  if (kept.length === 0) return never;
  if (kept.length === 1)
    return compileCompare({ kind: 'compare', column: name, op: 'eq', value: kept[0]! }, type, quote(name));
  return dialect.isInList(quote(name), { kind: 'list', type, values: kept }, name === table.key[0]);
}

/** The values that a column of the type can hold. */
export function storable(type: ColumnType, values: ListValues): ListValues {
  if (type === 'text' || (type === 'id' && values instanceof Int32Array)) return values;
  const numbers = values as readonly number[];
  if (type === 'double') return numbers.every(Number.isFinite) ? values : numbers.filter(Number.isFinite);
  const { least, greatest } = wholeRange[type];
  const fits = (value: number): boolean => Number.isInteger(value) && value >= least && value <= greatest;
  return numbers.every(fits) ? values : numbers.filter(fits);
}

function textBound(column: string, type: ColumnType, value: number | string): Bound {
  if (type !== 'text') throw new Error(`Column "${column}" holds numbers; the predicate asks for text.`);
  if (typeof value !== 'string')
    throw new Error(`Column "${column}" holds text and cannot be compared with the number ${value}.`);
  return { kind: 'value', type, value };
}

/** The type of a column; a bare `Error` where the table has none of this name. */
export function typeOf(table: Table, column: string): ColumnType {
  const type = Object.hasOwn(table.columns, column) ? table.columns[column] : undefined;
  if (type === undefined) throw new Error(`Table "${table.name}" has no column "${column}".`);
  return type;
}
