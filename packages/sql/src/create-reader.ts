import {
  and,
  type Batch,
  type ColumnData,
  type ColumnName,
  type ColumnType,
  compare,
  concatBatches,
  everything,
  isIn,
  type Latest,
  type Leading,
  type Order,
  type Predicate,
  type Reader,
  type Scan,
  type Table,
  takeRows,
} from '@swapfold/core/engine';
import type { ReadDialect } from './dialect.ts';
import {
  compileCount,
  compileLatest,
  compileLeading,
  compileMax,
  compileScan,
  keysOfPage,
  LONGEST_PAGE,
  typesOf,
} from './select.ts';
import type { Session } from './session.ts';
import type { Statement } from './statement.ts';

/** The reads of one session. */
export function createReader(session: Session, dialect: ReadDialect): Reader {
  async function oneNumber(statement: Statement, type: ColumnType): Promise<number> {
    const [column] = await session.all(statement, [type]);
    return column![0] as number;
  }

  /** A page of which a sorted copy gives the keys: the engine finds their rows, and sorts slower than is done here. */
  async function readByKeys(scan: Scan, keys: Scan): Promise<Batch> {
    const { table, columns, where = everything, limit } = scan;
    const [values] = await session.all(compileScan(keys, dialect), typesOf(table, keys.columns));
    const [key] = keys.columns;
    const found = and(isIn(key!, values as Float64Array | Int32Array), where);
    const data = await session.all(compileScan({ table, columns, where: found }, dialect), typesOf(table, columns));
    const rows: Batch = toBatch(columns, data);
    return takeRows(rows, firstRows(rows.columns[key!] as Float64Array | Int32Array, keys.order![0]!, limit!));
  }

  /**
   * A page whose rows may lie anywhere, of no more rows than reach as far as its last one in the first column of its order: only of these
   * are the columns read that decide between equal ones, and the others.
   */
  async function bounded(scan: Scan): Promise<Scan> {
    const { table, where = everything, order, limit } = scan;
    const [first] = order ?? [];
    if (!dialect.sorting || first === undefined || order!.length === 1 || limit === undefined) return scan;
    const type = table.columns[first.column];
    if (limit > LONGEST_PAGE || type === 'text' || type === 'id') return scan;
    const values = compileScan({ table, columns: [first.column], where, order: [first], limit }, dialect);
    const [found] = (await session.all(values, typesOf(table, [first.column]))) as [Float64Array];
    const last = found[limit - 1] ?? Number.NaN;
    if (Number.isNaN(last)) return scan;
    return { ...scan, where: and(where, compare(first.column, first.direction === 'asc' ? 'lte' : 'gte', last)) };
  }

  return {
    async read<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): Promise<Batch<T, C>> {
      const { table, columns } = scan;
      const whole = scan as unknown as Scan;
      const keys = keysOfPage(whole, dialect);
      if (keys !== undefined) return (await readByKeys(whole, keys)) as unknown as Batch<T, C>;
      const data = await session.all(compileScan(await bounded(whole), dialect), typesOf(table, columns));
      return toBatch<T, C>(columns, data);
    },

    async *stream<T extends Table, C extends ColumnName<T>>(scan: Scan<T, C>): AsyncIterable<Batch<T, C>> {
      const { table, columns } = scan;
      const statement = compileScan(scan as unknown as Scan, dialect);
      for await (const data of session.pieces(statement, typesOf(table, columns))) yield toBatch<T, C>(columns, data);
    },

    async latest<T extends Table, C extends ColumnName<T>>(query: Latest<T, C>): Promise<Batch<T, C>> {
      const { table, columns, keys } = query;
      if (keys.length === 0) return concatBatches<T, C>(table, columns, []);
      const data = await session.all(compileLatest(query as unknown as Latest, dialect), typesOf(table, columns));
      return toBatch<T, C>(columns, data);
    },

    async count(table: Table, where?: Predicate): Promise<number> {
      return oneNumber(compileCount(table, where, dialect), 'long');
    },

    ...(dialect.indexes
      ? {
          async leading(query: Leading) {
            const [counts, keys] = await session.all(compileLeading(query, dialect), ['long', 'long']);
            const [count] = counts as Float64Array;
            const { length } = keys as Float64Array;
            const isWhole = length >= query.limit && length <= LONGEST_PAGE;
            return isWhole ? { count: count!, keys: keys as Float64Array } : { count: count! };
          },
        }
      : {}),

    async max<T extends Table>(table: T, column: ColumnName<T>, where?: Predicate): Promise<number | null> {
      // As `long` or `double` over no row the answer is null; an `id` column has no way to say so.
      const type = table.columns[column] === 'double' ? 'double' : 'long';
      const max = await oneNumber(compileMax(table, column, where, dialect), type);
      return Number.isNaN(max) ? null : max;
    },
  };
}

/** The first rows of an order by a column without nulls. */
function firstRows(values: Float64Array | Int32Array, { direction }: Order, limit: number): number[] {
  const sign = direction === 'asc' ? 1 : -1;
  return Array.from(values.keys())
    .sort((a, b) => (values[a]! - values[b]!) * sign)
    .slice(0, limit);
}

function toBatch<T extends Table, C extends ColumnName<T>>(
  names: readonly C[],
  data: readonly ColumnData[],
): Batch<T, C> {
  const columns: Record<string, ColumnData> = {};
  names.forEach((name, i) => {
    columns[name] = data[i]!;
  });
  return { length: data[0]?.length ?? 0, columns } as unknown as Batch<T, C>;
}
