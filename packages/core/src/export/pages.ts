import type { Transfers } from '../ingest/transfers/check.ts';
import type { ProfileShape } from '../profiles/shape.ts';
import { lastSeq, type QueryContext } from '../queries/context.ts';
import { findIds } from '../queries/swaps.ts';
import { oldestFirst, transfersUntil } from '../queries/transfers.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import { type Batch, type ColumnName, columnsOf, filterRows, type Table } from '../records/columns.ts';
import { columnOf, isElapsed, labelsOf, type ProfileField } from '../records/profile-fields.ts';
import { transfersTable } from '../records/tables.ts';
import { ascending } from '../storage/adapter.ts';
import { and, compare, or, type Predicate } from '../storage/predicate.ts';
import { parseInstant } from '../time.ts';
import type { ExportBatch, ExportColumn, ExportType, ExportValues } from './column.ts';
import type { ExportRequest } from './request.ts';

/** Rows of a page: what is read beside them (transactions, texts) is read once a page. */
const PAGE = 20_000;

/** Rows of a table in chain order, of a range of time, page by page: a page is one statement, so that others may run between two. */
export async function* chainPages<T extends Table<{ readonly seq: 'long' }>, C extends ColumnName<T>>(
  context: QueryContext,
  scan: { readonly table: T; readonly columns: readonly C[]; readonly where: Predicate },
  { from, to }: ExportRequest,
): AsyncGenerator<Batch<T, C>> {
  const first = from === undefined ? 0 : firstSeqAt(parseInstant(from, 'from'));
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : firstSeqAt(parseInstant(to, 'to'));
  const last = Math.min(lastSeq(context), end - 1);
  for (let next = first; ; ) {
    const rows = await context.reader.read<T, C>({
      ...scan,
      where: and(scan.where, compare('seq', 'gte', next), compare('seq', 'lte', last)),
      order: [{ column: 'seq', direction: 'asc' }],
      limit: PAGE,
    });
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    next = (rows.columns as unknown as { readonly seq: Float64Array }).seq[rows.length - 1]! + 1;
  }
}

/** Transfers in chain order, as `chainPages`: a page is of whole seconds, since no column says the order within one. */
export async function* transferPages(context: QueryContext, request: ExportRequest): AsyncGenerator<Transfers> {
  const of = await addressCondition(context, request, (name, id) =>
    name === 'wallet' ? or(compare('sender', 'eq', id), compare('recipient', 'eq', id)) : compare(name, 'eq', id),
  );
  if (of === undefined) return;
  const to = request.to === undefined ? Number.MAX_SAFE_INTEGER : parseInstant(request.to, 'to');
  const wanted = and(of, compare('block_time', 'lt', to), transfersUntil(context));
  const read = (where: Predicate, limit?: number): Promise<Transfers> =>
    context.reader.read({
      table: transfersTable,
      columns: columnsOf(transfersTable),
      where: and(wanted, where),
      order: ascending('block_time'),
      limit,
    });
  let next = request.from === undefined ? 0 : parseInstant(request.from, 'from');
  for (;;) {
    const rows = await read(compare('block_time', 'gte', next), PAGE);
    const { block_time: times } = rows.columns;
    if (rows.length < PAGE) {
      if (rows.length > 0) yield oldestFirst(rows);
      return;
    }
    const last = times[rows.length - 1]!;
    const isOneSecond = times[0] === last;
    yield oldestFirst(
      isOneSecond ? await read(compare('block_time', 'eq', last)) : filterRows(rows, (row) => times[row]! < last),
    );
    next = isOneSecond ? last + 1 : last;
  }
}

/** The condition of the addresses in a request; `undefined` if one of them is not in the store, so that no row holds. */
export async function addressCondition(
  context: QueryContext,
  { wallet, token, pool }: ExportRequest,
  conditionOf: (name: 'wallet' | 'token' | 'pool', id: number) => Predicate,
): Promise<Predicate | undefined> {
  const ids = await findIds(context, { wallet, token, pool, limit: PAGE });
  if (ids === undefined) return undefined;
  const names = ['wallet', 'token', 'pool'] as const;
  return and(...names.flatMap((name) => (ids[name] === undefined ? [] : [conditionOf(name, ids[name])])));
}

/** Values of a page, so that one of a wide table has fewer rows. */
const PAGE_CELLS = 500_000;

/** What a column holds, by the type of its field. */
export const fieldTypes = {
  number: 'number',
  text: 'text',
  date: 'date',
  boolean: 'flag',
  labels: 'list',
} as const satisfies Readonly<Record<ProfileField['type'], ExportType>>;

/** Fields that responses have as columns, by their paths, as filters name them. */
export function profileColumns(fields: readonly ProfileField[]): readonly ExportColumn[] {
  return fields.filter((field) => !isElapsed(field)).map(({ path, type }) => ({ name: path, type: fieldTypes[type] }));
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

export function profileBatch({ byPath }: ProfileShape, wanted: readonly string[], rows: Batch): ExportBatch {
  const columns = wanted.map((path): [string, ExportValues] => {
    const field = byPath.get(path)!;
    const values = rows.columns[columnOf(field)] as Float64Array | readonly (string | null)[];
    return [path, field.type === 'labels' ? (values as readonly (string | null)[]).map(labelsOf) : values];
  });
  return { length: rows.length, columns: Object.fromEntries(columns) };
}
