import type * as v from 'valibot';

/**
 * What a column of an export holds.
 *
 * - `number`, `integer`: as in the interface. `flag`: true or false.
 * - `time`: an instant that the interface gives in Unix seconds; `date`: one that it gives as RFC 3339.
 * - `list`: texts.
 */
export type ExportType = 'text' | 'list' | 'number' | 'integer' | 'time' | 'date' | 'flag';

/** A column of an export, under the name that the interface has for it. */
export interface ExportColumn {
  readonly name: string;
  readonly type: ExportType;
}

/**
 * The values of a column: text with `null` if there is none, lists, or numbers with `NaN` if there is none (instants in Unix seconds,
 * flags as 0 and 1).
 */
export type ExportValues = Float64Array | readonly (string | null)[] | readonly (readonly string[])[];

/** Rows of an export as columns of equal length. */
export interface ExportBatch {
  readonly length: number;
  readonly columns: Readonly<Record<string, ExportValues>>;
}

/** The columns of objects that fit a schema. `times` are the fields in Unix seconds. */
export function columnsOfSchema(schema: unknown, times: readonly string[]): readonly ExportColumn[] {
  const { entries } = schema as { readonly entries: Readonly<Record<string, v.GenericSchema>> };
  return Object.entries(entries).map(([name, entry]) => ({
    name,
    type: times.includes(name) ? 'time' : typeOfSchema(entry),
  }));
}

interface SchemaNode {
  readonly type: string;
  readonly wrapped?: SchemaNode;
  readonly pipe?: readonly SchemaNode[];
}

function typeOfSchema(schema: object): ExportType {
  const { type, wrapped, pipe = [] } = schema as SchemaNode;
  if (wrapped !== undefined) return typeOfSchema(wrapped);
  if (type === 'number') return isWhole(pipe) ? 'integer' : 'number';
  if (type === 'boolean') return 'flag';
  return type === 'array' ? 'list' : 'text';
}

function isWhole(pipe: readonly SchemaNode[]): boolean {
  return pipe.some((part) => part.type === 'integer' || isWhole((part.pipe ?? []).filter((inner) => inner !== part)));
}

/** Objects, as the interface has them, as columns. */
export function batchOfRows(
  columns: readonly ExportColumn[],
  rows: readonly Readonly<Record<string, unknown>>[],
): ExportBatch {
  const made = columns.map(({ name, type }): [string, ExportValues] => [name, valuesOf(type, name, rows)]);
  return { length: rows.length, columns: Object.fromEntries(made) };
}

function valuesOf(type: ExportType, name: string, rows: readonly Readonly<Record<string, unknown>>[]): ExportValues {
  if (type === 'text') return rows.map((row) => (row[name] ?? null) as string | null);
  if (type === 'list') return rows.map((row) => (row[name] ?? []) as readonly string[]);
  const values = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const value = rows[i]![name] as string | number | boolean | null | undefined;
    values[i] = value == null ? Number.NaN : typeof value === 'string' ? Date.parse(value) / 1000 : Number(value);
  }
  return values;
}
