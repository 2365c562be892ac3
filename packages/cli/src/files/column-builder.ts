import type { DictionaryColumn } from '@swapfold/core';

export type ListColumn = readonly (readonly string[] | null)[];

/** A column as read: numbers (`NaN` is missing; booleans 1 and 0), dictionary ids, texts, or lists. */
export type ReadColumn = Float64Array | DictionaryColumn | readonly (string | null)[] | ListColumn;

/** Gathers one column, row by row. The setters answer with what is wrong with the value, or with nothing. */
export interface ColumnBuilder {
  setMissing(row: number): string | undefined;
  setText(row: number, text: string): string | undefined;
  /** From the bytes of a CSV field, not empty. */
  setBytes(row: number, bytes: Buffer, start: number, end: number, encoding: 'latin1' | 'utf8'): string | undefined;
  /** From a JSON or Parquet value. */
  setValue(row: number, value: unknown): string | undefined;
  /** The text that the row was set to, of a builder of texts. */
  textAt?(row: number): string | null;
  /** True once a time without a zone was set. */
  readonly isZoneless?: boolean;
  /** The first `length` rows; the builder starts anew. */
  take(length: number): ReadColumn;
}
