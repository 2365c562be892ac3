/**
 * Conditions on the rows of a table, as data: what filters, labels and scans are made of.
 *
 * Two-valued: a leaf on a null is false, and `not` is the exact complement. `missing` is how a null is asked for,
 * and the id of nothing (`NO_ID`), which otherwise compares as the number it is.
 * Text compares by code point. `has` is membership in a label set, stored as `|a|b|`.
 * Empty `and` is true, empty `or` is false, empty `in` is false.
 */
export type Predicate =
  | { readonly kind: 'and'; readonly of: readonly Predicate[] }
  | { readonly kind: 'or'; readonly of: readonly Predicate[] }
  | { readonly kind: 'not'; readonly of: Predicate }
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly op: CompareOp;
      readonly value: number | string;
      /** It holds for nearly every row, so that to look it up in an index is in vain. */
      readonly holds_mostly?: true;
    }
  | {
      readonly kind: 'in';
      readonly column: string;
      readonly values: readonly number[] | readonly string[] | Float64Array | Int32Array;
    }
  | { readonly kind: 'missing'; readonly column: string }
  | { readonly kind: TextMatch; readonly column: string; readonly text: string }
  | { readonly kind: 'has'; readonly column: string; readonly label: string };

/** How a column is compared with a value. */
export type CompareOp = 'eq' | 'lt' | 'lte' | 'gt' | 'gte';

/** Holds for every row. */
export const everything: Predicate = { kind: 'and', of: [] };

/** Holds if all of them hold. */
export function and(...of: Predicate[]): Predicate {
  return of.length === 1 ? of[0]! : { kind: 'and', of };
}

/** Holds if any of them holds. */
export function or(...of: Predicate[]): Predicate {
  return of.length === 1 ? of[0]! : { kind: 'or', of };
}

/** Holds if the other does not hold. */
export function not(of: Predicate): Predicate {
  return { kind: 'not', of };
}

/** Compares a column with a value. */
export function compare(column: string, op: CompareOp, value: number | string): Predicate {
  return { kind: 'compare', column, op, value };
}

/** `compare` where nearly every row holds: an engine need not look for those that do not. */
export function compareMostly(column: string, op: CompareOp, value: number | string): Predicate {
  return { kind: 'compare', column, op, value, holds_mostly: true };
}

/** Rows whose `column` lies in [from, to], ends included. */
export function between(column: string, from: number, to: number): Predicate {
  return { kind: 'and', of: [compare(column, 'gte', from), compare(column, 'lte', to)] };
}

/** Holds if the column has one of the values. */
export function isIn(
  column: string,
  values: readonly number[] | readonly string[] | Float64Array | Int32Array,
): Predicate {
  return { kind: 'in', column, values };
}

/** Makes the test of a row of a text column, which is false of a missing text. */
type Matcher = (column: readonly (string | null)[], text: string) => (row: number) => boolean;

/**
 * The ways to match a text as it is stored, unit by unit: fold the case on both sides before. The kinds of predicates, the operators of
 * filters and the schema of a plan derive from these; each dialect of SQL writes them for its engine.
 */
export const textMatches = {
  contains: (column, text) => (row) => column[row]?.includes(text) === true,
  startsWith: (column, text) => (row) => column[row]?.startsWith(text) === true,
} as const satisfies Readonly<Record<string, Matcher>>;

/** How a text is looked for in a column. */
export type TextMatch = keyof typeof textMatches;

export const textMatchNames = Object.keys(textMatches) as readonly TextMatch[];

/** The conditions that must all hold for one to hold. */
export function conjunctsOf(where: Predicate): readonly Predicate[] {
  return where.kind === 'and' ? where.of.flatMap(conjunctsOf) : [where];
}

/** A condition that has no parts. */
export type Leaf = Exclude<Predicate, { readonly kind: 'and' | 'or' | 'not' }>;

export function leavesOf(predicate: Predicate): readonly Leaf[] {
  const leaves: Leaf[] = [];
  const left: Predicate[] = [predicate];
  for (let part = left.pop(); part !== undefined; part = left.pop()) {
    if (part.kind === 'and' || part.kind === 'or') left.push(...part.of);
    else if (part.kind === 'not') left.push(part.of);
    else leaves.push(part);
  }
  return leaves;
}

/** The columns that a condition reads. */
export function predicateColumns(predicate: Predicate): ReadonlySet<string> {
  return new Set(leavesOf(predicate).map(({ column }) => column));
}
