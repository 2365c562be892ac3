import type { GrownTable } from './sorted-tables.ts';

/** The columns of the store's tables, in the store's order. */
export type Layout = Map<string, readonly string[]>;

/** What a transaction changes besides rows. */
export interface Change {
  readonly layout: Layout;
  readonly grown: Map<string, GrownTable>;
}
