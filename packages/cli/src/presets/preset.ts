import type { SwapFieldName } from '@swapfold/core';

/** A column by its name, in any case and with dots for what is nested; of several, the first one that the file has. */
export type Columns = string | readonly string[];

/** An amount: a column of whole tokens, or of the smallest units of a token with its decimals, given or in a column. */
export type AmountSource = Columns | { readonly column: Columns; readonly decimals: number | string };

/**
 * Where a field of a swap comes from.
 *
 * - A column, or an amount with decimals.
 * - `value`: the same text for every row. `join`: the texts of columns with `with` between; those that are missing are left out.
 * - `outer`, `inner` (only `swap_index`): outer x 4096 + (no inner ? 0 : inner + 1). `ending` (only `swap_index`): the same of the one or two
 *   numbers at the end of a text, such as `...-3-1`. `hash` (only `swap_index`): 31 bits of a hash of columns as they are written.
 */
export type PresetSource =
  | AmountSource
  | { readonly value: string }
  | { readonly join: readonly Columns[]; readonly with: string }
  | { readonly outer: Columns; readonly inner: Columns }
  | { readonly ending: Columns }
  | { readonly hash: readonly Columns[] };

/** One of the two tokens of a pool. `amount` is positive in one direction; or what went `in` and what came `out` are apart. */
export interface Leg {
  readonly token: Columns;
  readonly symbol?: Columns | undefined;
  readonly amount: AmountSource | { readonly in: Columns; readonly out: Columns };
}

/** The tokens of a pool, of which the sign of the amounts says which one the wallet gave. */
export interface Sides {
  readonly legs: readonly [Leg, Leg];
  /** The sign of the amount of the token that the wallet gave: positive where amounts are the pool's. */
  readonly given: 'positive' | 'negative';
}

/** Rows that are swaps have one of these texts in the column, in any case. A file without the column has only swaps. */
export interface RowRule {
  readonly column: Columns;
  readonly is: readonly string[];
}

/** The shape of a file of swaps from elsewhere, as data: a JSON file can hold one, too (docs/guides/import.md). */
export interface Preset {
  readonly name: string;
  /** What such a file is, for people. */
  readonly source: string;
  /** The format of its addresses, if it is always the same. */
  readonly addresses?: 'solana' | 'evm' | undefined;
  /** Where a JSON document holds its records: `data[].attributes`. An array's own items and an object a line are always read. */
  readonly records?: readonly string[] | undefined;
  /** Columns without which a file is not of this shape, beside those of required fields. */
  readonly requires?: readonly string[] | undefined;
  readonly fields: Readonly<Partial<Record<SwapFieldName, PresetSource>>>;
  readonly sides?: Sides | undefined;
  readonly rows?: readonly RowRule[] | undefined;
}

/** The columns of a choice. */
export function choices(columns: Columns): readonly string[] {
  return typeof columns === 'string' ? [columns] : columns;
}
