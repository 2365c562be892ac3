import { compareValues } from '../memory/column.ts';
import type { Page, PageScan } from '../memory/column-table.ts';
import type { OrderTuple } from '../memory/first-rows.ts';
import {
  isMoving,
  leastAbove,
  leastFrom,
  movedPredicate,
  movedRows,
  nativeColumns,
  nextNumber,
  previousNumber,
  withNative,
} from '../profiles/moving.ts';
import type { Batch, ColumnData } from '../records/columns.ts';
import type { Order } from '../storage/adapter.ts';
import { and, not } from '../storage/predicate.ts';
import type { ProfileRows } from './rows.ts';

/**
 * Stored token profiles as they are while the native token is worth `nativeUsd`: what moves with it is computed in rows, conditions and orders.
 *
 * An order by what moves is that of two lists, the profiles that move and those that do not, each of which the source has in order: a column
 * that moves stands there before the one of the same in native tokens (`withNativeOrder`), so that a cursor names a place in either list.
 */
export function movingRows(source: ProfileRows, nativeUsd: number): ProfileRows {
  if (Number.isNaN(nativeUsd)) return source;
  const moved = (page: Page): Page => ({ ...page, rows: movedRows(page.rows, nativeUsd) });
  return {
    read: async (columns, where) =>
      movedRows(await source.read(withNative(columns), movedPredicate(where, nativeUsd)), nativeUsd),
    async page(asked) {
      const scan: PageScan = {
        ...asked,
        columns: withNative(asked.columns),
        ...(asked.sufficient === undefined ? {} : { sufficient: withNative(asked.sufficient) }),
        where: movedPredicate(asked.where, nativeUsd),
      };
      if (!asked.order.some(({ column }) => column in nativeColumns)) return moved(await source.page(scan));
      const pageOf = async (list: List): Promise<Page> => {
        const { where, order, after } = scan;
        return moved(
          await source.page({
            ...scan,
            where: and(where, list === 'moving' ? isMoving : not(isMoving)),
            order: order.filter((key) => isKeyOf(list, key)),
            after: after && placeIn(list, order, after, nativeUsd),
          }),
        );
      };
      return merged(await pageOf('fixed'), await pageOf('moving'), scan);
    },
  };
}

/** The order of a request, in which each column that moves is followed by the one of the same in native tokens. */
export function withNativeOrder<O extends Order>(order: readonly O[]): O[] {
  return order.flatMap((key) => {
    const column = nativeColumns[key.column];
    return column === undefined ? [key] : [key, { ...key, column }];
  });
}

type List = 'moving' | 'fixed';

const inNative = new Set(Object.values(nativeColumns));

/** Each list is in the order of the column that it has, and lacks the other. */
function isKeyOf(list: List, { column }: Order): boolean {
  return list === 'moving' ? !(column in nativeColumns) : !inNative.has(column);
}

/** The place in a list behind which the rows come that follow a row of the whole order. */
function placeIn(list: List, order: readonly Order[], tuple: OrderTuple, nativeUsd: number): OrderTuple {
  const place: (number | string | null)[] = [];
  for (let i = 0; i < order.length; i++) {
    const { column, direction } = order[i]!;
    if (!(column in nativeColumns)) {
      place.push(tuple[i]!);
      continue;
    }
    const [value, native] = [tuple[i] as number | null, tuple[++i] as number | null];
    const isOfList = (native !== null) === (list === 'moving');
    if (value === null || isOfList) {
      place.push(value === null ? null : list === 'moving' ? native : value);
      continue;
    }
    // Among equal values those of the list that moves come first. Nothing comes after the missing values that close the place.
    place.push(list === 'moving' ? boundary(value, direction, nativeUsd) : besides(value, direction));
    while (place.length < order.filter((key) => isKeyOf(list, key)).length) place.push(null);
    return place;
  }
  return place;
}

/** The last price in native tokens that is not beyond a value. */
function boundary(value: number, direction: 'asc' | 'desc', nativeUsd: number): number {
  return direction === 'asc' ? previousNumber(leastAbove(value, nativeUsd)) : leastFrom(value, nativeUsd);
}

/** The number right before a value in an order. */
function besides(value: number, direction: 'asc' | 'desc'): number {
  return direction === 'asc' ? previousNumber(value) : nextNumber(value);
}

/** The first rows of two pages, in order. */
function merged(a: Page, b: Page, { order, limit }: PageScan): Page {
  const taken: (readonly [page: Page, row: number])[] = [];
  let [i, j] = [0, 0];
  while (taken.length < limit && (i < a.rows.length || j < b.rows.length)) {
    const isFirst = j >= b.rows.length || (i < a.rows.length && standing(a.rows, i, b.rows, j, order) <= 0);
    taken.push(isFirst ? [a, i++] : [b, j++]);
  }
  const columns = Object.keys(a.rows.columns).map((name): [string, ColumnData] => {
    const values = taken.map(([{ rows }, row]) => (rows.columns as Columns)[name]![row]!);
    const data = (a.rows.columns as Columns)[name]!;
    if (Array.isArray(data)) return [name, values as (string | null)[]];
    return [
      name,
      data instanceof Int32Array ? Int32Array.from(values as number[]) : Float64Array.from(values as number[]),
    ];
  });
  return {
    count: a.count + b.count,
    rows: { length: taken.length, columns: Object.fromEntries(columns) },
    ...(a.places === undefined || b.places === undefined
      ? {}
      : { places: taken.map(([{ places }, row]) => places![row]!) }),
    hasMore: a.hasMore || b.hasMore || i < a.rows.length || j < b.rows.length,
  };
}

type Columns = Readonly<Record<string, ColumnData>>;

/** How a row of one batch stands to a row of another: negative where it comes first. */
function standing(a: Batch, i: number, b: Batch, j: number, order: readonly Order[]): number {
  for (const { column, direction } of order) {
    const result = compareValues((a.columns as Columns)[column]![i]!, (b.columns as Columns)[column]![j]!, direction);
    if (result !== 0) return result;
  }
  return 0;
}
