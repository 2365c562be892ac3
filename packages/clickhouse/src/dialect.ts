import { type Bound, type Fragment, fragment, joinFragments, type ReadDialect, type StoredRows } from '@swapfold/sql';
import { type Names, rowsBefore } from './names.ts';
import { bitmapOfRemoved } from './removed.ts';
import type { View } from './view.ts';

type LatestParts = Parameters<ReadDialect['latest']>[0];
type KeyList = Bound & { readonly kind: 'list' };

/** How the rows that `view` sees are read. */
export function createDialect(names: Names, view: View): ReadDialect {
  return {
    rowsOf: ({ name }) => visibleRows(names, view, name),
    max: 'maxOrNull',
    projections: {
      // A bare column of the key is looked for in every piece of the table and of each projection: half of what a page of a list takes. So is
      // one in a function that keeps the order.
      unindexed: (column, type) => (type === 'long' || type === 'id' ? `bitOr(${column}, 0)` : column),
    },
    isInList: (column, list) => fragment(`${column} in ?`, list),
    contains: (column) => `position(${column}, ?) > 0`,
    startsWith: (column) => `startsWith(${column}, ?)`,
    orderKey: (column, direction) => `${column} ${direction} nulls last`,

    latest(query) {
      const { table, columns, key, by, ties, keys, most, where } = query;
      if (most > 1) return lastOfEach(query);
      const [list] = keys.values;
      if (list?.kind === 'list' && list.values.length > 0 && list.values.length <= FEW) return firstOfEach(query, list);
      const best = `argMax(tuple(${columns.join(', ')}), tuple(${[by, ...ties].join(', ')}))`;
      const chosen = columns.map((_, i) => `tupleElement("best", ${i + 1})`).join(', ');
      const rows = `select ${best} as "best" from ${table} where ${key} in ${keys.sql} and ${where.sql} group by ${key}`;
      return { sql: `select ${chosen} from (${rows})`, values: [...keys.values, ...where.values] };
    },
  };
}

/** Keys whose rows are better looked for one by one. */
const FEW = 8;

/** Each key's row by itself: the table is read backwards in its order, and no further than to the first row that holds. */
function firstOfEach({ table, columns, key, by, ties, keyType, where }: LatestParts, { values }: KeyList): Fragment {
  const order = [key, by, ...ties].map((column) => `${column} desc`).join(', ');
  const branches = Array.from(new Set<number | string>(values), (value) =>
    joinFragments(
      [
        fragment(`(select ${columns.join(', ')} from ${table} where ${key} = ? and `, {
          kind: 'value',
          type: keyType,
          value,
        }),
        where,
        fragment(` order by ${order} limit 1)`),
      ],
      '',
    ),
  );
  return joinFragments(branches, ' union all ');
}

/** The last rows of each key, by key. */
function lastOfEach({ table, columns, key, by, ties, keys, most, where }: LatestParts): Fragment {
  const order = [by, ...ties].map((column) => `${column} desc`).join(', ');
  const needed = [...new Set([...columns, key, by, ...ties])].join(', ');
  const rows = `select ${needed} from ${table} where ${key} in ${keys.sql} and ${where.sql} order by ${key}, ${order} limit ${most} by ${key}`;
  const sql = `select ${columns.join(', ')} from (${rows}) order by ${[key, by, ...ties].join(', ')}`;
  return { sql, values: [...keys.values, ...where.values] };
}

/** The rows that the writes of the view added and did not remove. */
function visibleRows(names: Names, view: View, table: string): StoredRows {
  const stored = view.tables.get(table)?.physical ?? table;
  const isVoid = `bitShiftRight("_row", 32) in (${view.voids.join(', ')})`;
  const committed = `"_row" < ${rowsBefore(view.write + 1)}${view.voids.length === 0 ? '' : ` and not ${isVoid}`}`;
  const removed = view.removed.get(stored);
  const rows = { from: names.of(stored), where: committed, first: 'prewhere' };
  if (removed === undefined) return rows;
  // As an expression: of a bare column ClickHouse sorts a set to see which blocks it leaves out, six times the work for none.
  const isGone =
    removed === null
      ? `bitmapContains((${bitmapOfRemoved(names, stored, view)}), "_row")`
      : `identity("_row") in (${removed})`;
  return { ...rows, where: `${committed} and not ${isGone}` };
}
