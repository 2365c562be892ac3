import type { ViewType } from '@swapfold/core/engine';

/** A column of a view: a field of the interface, and the SQL of its value. */
export interface ViewColumn {
  readonly name: string;
  readonly type: ViewType;
  readonly meaning: string;
  readonly sql: string;
}

/** A view for people: everything that the engine and the documentation say of it derives from this. */
export interface View {
  readonly name: string;
  /** What a row is. */
  readonly rows: string;
  readonly columns: readonly ViewColumn[];
  /** What follows the columns: `from` and the rest. */
  readonly from: string;
}

/** A value of the rows of a group that comes first or last: what the group computes, and what a query over the groups makes of that. */
export interface Ranked {
  readonly inGroup: string;
  readonly ofGroup: (computed: string) => string;
}

/** Texts of rows that share a key: SQL of the value, of what it is read from, of the key in it, of the order, and of the key to look for. */
export interface GatheredTexts {
  readonly name: string;
  readonly value: string;
  readonly from: string;
  readonly key: string;
  readonly order: string;
  readonly of: string;
}

/** How an engine writes in views what engines write differently. Arguments are SQL. */
export interface ViewDialect {
  /** What the engine gives for each type, as documentation names it. */
  readonly types: Readonly<Record<ViewType, string>>;
  /** A double of a column of doubles, which an engine without types of columns may hold as a whole number. */
  number(column: string): string;
  /** A timestamp of Unix seconds, null for null. */
  time(seconds: string): string;
  /** A list of texts of a column that holds them as `|a|b|`. */
  list(column: string): string;
  /** A list of one text, and of none. */
  readonly one: (text: string) => string;
  readonly none: string;
  /** The texts of many rows as a list a key: what is joined for it, and its value. */
  gathered(texts: GatheredTexts): { readonly from: string; readonly value: string };
  /** True or false of a 1, a 0 or a null. */
  flag(column: string): string;
  /** A whole number divided by another, without the rest. */
  divided(whole: string, by: number): string;
  /** The price of the first or last leg of a group of legs that has one; `group` is the token's id as the groups have it. */
  price(which: 'first' | 'last', group: string): Ranked;
  /** What rows of texts are selected from, under `names`: a literal that is parsed at once. Of `listed` a row has a list, and is a row an item. */
  constant(
    names: readonly string[],
    listed: string,
    rows: readonly (readonly (string | readonly string[])[])[],
  ): string;
  /** The statements that make a view in place of the one of its name, with what it says of itself. */
  define(view: View): readonly string[];
  /** Whether the engine takes several statements as one text, which costs it less than one after the other. */
  readonly joinsStatements: boolean;
}
