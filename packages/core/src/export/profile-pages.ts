import { columnOf, isElapsed, type ProfileField } from '../profiles/fields.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import type { QueryContext } from '../queries/context.ts';
import type { Batch, Table } from '../records/columns.ts';
import { and, compare, type Predicate } from '../storage/predicate.ts';
import type { ExportBatch, ExportColumn, ExportType, ExportValues } from './column.ts';

/** Values of a page, so that one of a wide table has fewer rows. */
const PAGE_CELLS = 500_000;

const types = {
  number: 'number',
  text: 'text',
  date: 'date',
  boolean: 'flag',
  labels: 'list',
} as const satisfies Readonly<Record<ProfileField['type'], ExportType>>;

/** Fields that responses have as columns, by their paths, as filters name them. */
export function profileColumns(fields: readonly ProfileField[]): readonly ExportColumn[] {
  return fields.filter((field) => !isElapsed(field)).map(({ path, type }) => ({ name: path, type: types[type] }));
}

/** The rows of a table of profiles that hold, by id, page by page. */
export async function* profilePages(
  { reader }: QueryContext,
  scan: { readonly table: Table; readonly columns: readonly string[]; readonly where: Predicate },
): AsyncGenerator<Batch> {
  const columns = [...new Set(['id', ...scan.columns])];
  const limit = Math.max(100, Math.floor(PAGE_CELLS / columns.length));
  for (let after = -1; ; ) {
    const rows = await reader.read<Table, string>({
      table: scan.table,
      columns,
      where: and(scan.where, compare('id', 'gt', after)),
      order: [{ column: 'id', direction: 'asc' }],
      limit,
    });
    if (rows.length > 0) yield rows;
    if (rows.length < limit) return;
    after = (rows.columns.id as Float64Array)[rows.length - 1]!;
  }
}

/** Rows of profiles as the columns of an export. */
export function profileBatch({ byPath }: ProfileShape, wanted: readonly string[], rows: Batch): ExportBatch {
  const columns = wanted.map((path): [string, ExportValues] => {
    const field = byPath.get(path)!;
    const values = rows.columns[columnOf(field)] as Float64Array | readonly (string | null)[];
    return [path, field.type === 'labels' ? (values as readonly (string | null)[]).map(labelsOf) : values];
  });
  return { length: rows.length, columns: Object.fromEntries(columns) };
}

/** Labels as they are stored, `|a|b|`, as a list. */
function labelsOf(stored: string | null): readonly string[] {
  return (stored ?? '').split('|').filter((label) => label !== '');
}
