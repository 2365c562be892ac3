import { isTime } from '../response.ts';

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

/** The columns of objects that fit a schema, each with what the schema says of it. */
export function columnsOfSchema(schema: unknown): readonly (ExportColumn & { readonly meaning: string })[] {
  const { entries } = schema as { readonly entries: Readonly<Record<string, SchemaNode>> };
  return Object.entries(entries).map(([name, entry]) => {
    const parts = partsOf(entry);
    const meaning = parts.find(({ metadata }) => metadata?.description !== undefined)!.metadata!.description!;
    return { name, type: typeOf(parts), meaning };
  });
}

interface SchemaNode {
  readonly type: string;
  readonly metadata?: { readonly description?: string };
  readonly wrapped?: SchemaNode;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly SchemaNode[];
}

/** A schema and those that it is made of, but for the items of lists. */
function partsOf(node: SchemaNode): readonly SchemaNode[] {
  const { wrapped, options = [], pipe = [] } = node;
  const own = [wrapped, ...options, ...pipe].filter((part) => typeof part === 'object' && part !== node);
  return [node, ...(own as SchemaNode[]).flatMap(partsOf)];
}

function typeOf(parts: readonly SchemaNode[]): ExportType {
  const has = (type: string): boolean => parts.some((part) => part.type === type);
  if (has('date') || parts.some(isTime)) return 'time';
  if (has('number')) return has('integer') ? 'integer' : 'number';
  if (has('boolean')) return 'flag';
  return has('array') ? 'list' : 'text';
}

/** Objects, as the interface has them, as columns. */
export function batchOfRows(columns: readonly ExportColumn[], rows: readonly object[]): ExportBatch {
  const records = rows as readonly Readonly<Record<string, unknown>>[];
  const made = columns.map(({ name, type }): [string, ExportValues] => [name, valuesOf(type, name, records)]);
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
