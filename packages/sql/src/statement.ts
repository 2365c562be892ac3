import type { ColumnType } from '@swapfold/core/engine';

/** SQL with `?` for its values, in order. Values never become text of a statement. */
export interface Statement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

/** A value as the type of the column it is held against; the driver binds it so. */
export type Bound =
  | { readonly kind: 'value'; readonly type: ColumnType; readonly value: number | string }
  | { readonly kind: 'list'; readonly type: ColumnType; readonly values: ListValues };

/** What an `in` looks in. Numbers are finite, and whole where the type is. */
export type ListValues = readonly number[] | readonly string[] | Float64Array | Int32Array;

/** The SQL of a part of a statement, with the values of its `?`. */
export interface Fragment {
  readonly sql: string;
  readonly values: readonly Bound[];
}

/** A part of a statement with its bound values. */
export function fragment(sql: string, ...values: Bound[]): Fragment {
  return { sql, values };
}

/** Several fragments as one, with a text between them. */
export function joinFragments(parts: readonly Fragment[], separator: string): Fragment {
  return { sql: parts.map(({ sql }) => sql).join(separator), values: parts.flatMap(({ values }) => values) };
}

/** A name from the records as an identifier. */
export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
