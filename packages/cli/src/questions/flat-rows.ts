import type { ExportColumn, ExportType } from '@swapfold/core/host';

type Row = Readonly<Record<string, unknown>>;

/** Rows of one level, and their columns. */
export interface FlatRows {
  readonly columns: readonly ExportColumn[];
  readonly rows: readonly Row[];
}

/**
 * Objects of an answer as rows of one level: `metrics.7d.pnl` is the column of a value within. Lists of texts stay lists, other lists are JSON.
 *
 * - Columns: all that any object has, as they first come. Numbers are numbers, whole ones too; a column without a value is of text.
 */
export function flatRows(objects: readonly object[]): FlatRows {
  const types = new Map<string, ExportType | undefined>();
  const rows = objects.map((object) => {
    const row: Record<string, unknown> = {};
    for (const [name, value] of valuesOf(object, '')) {
      const type = typeOf(value);
      if (type !== undefined || !types.has(name)) types.set(name, type);
      row[name] = type === 'list' || typeof value !== 'object' || value === null ? value : JSON.stringify(value);
    }
    return row;
  });
  const columns = [...types].map(([name, type = 'text']) => ({ name, type }));
  return { columns, rows };
}

function* valuesOf(object: object, before: string): Generator<[string, unknown]> {
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const isWithin = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isWithin && Object.keys(value).length > 0) yield* valuesOf(value, `${before}${key}.`);
    else yield [before + key, value];
  }
}

function typeOf(value: unknown): ExportType | undefined {
  if (value === null) return undefined;
  if (typeof value === 'number') return 'number';
  if (typeof value === 'boolean') return 'flag';
  return Array.isArray(value) && value.every((item) => typeof item === 'string') ? 'list' : 'text';
}

/** The objects that an answer is a list of: itself, its `data`, or its only list of objects; else the answer is the one row. */
export function rowsOfAnswer(answer: unknown): readonly object[] {
  if (Array.isArray(answer)) return answer;
  const object = answer as Row;
  if (Array.isArray(object.data)) return object.data;
  const lists = Object.values(object).filter((value) => Array.isArray(value) && typeof value[0] === 'object');
  return lists.length === 1 ? (lists[0] as readonly object[]) : [object];
}
