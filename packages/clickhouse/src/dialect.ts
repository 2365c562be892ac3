import { fragment, type ReadDialect } from '@swapfold/core';
import { type Names, rowsBefore } from './names.ts';
import type { View } from './view.ts';

/** How the rows that `view` sees are read. */
export function createDialect(names: Names, view: View): ReadDialect {
  return {
    rowsOf: ({ name }) => visibleRows(names, view, name),
    max: 'maxOrNull',
    isInList: (column, list) => fragment(`${column} in ?`, list),
    contains: (column) => `position(${column}, ?) > 0`,
    startsWith: (column) => `startsWith(${column}, ?)`,
    orderKey: (column, direction) => `${column} ${direction} nulls last`,

    latest({ table, columns, key, by, ties, keys, where }) {
      const best = `argMax(tuple(${columns.join(', ')}), tuple(${[by, ...ties].join(', ')}))`;
      const chosen = columns.map((_, i) => `tupleElement("best", ${i + 1})`).join(', ');
      const rows = `select ${best} as "best" from ${table} where ${key} in ${keys.sql} and ${where.sql} group by ${key}`;
      return { sql: `select ${chosen} from (${rows})`, values: [...keys.values, ...where.values] };
    },
  };
}

/** The rows that were added by writes up to the view's and not removed by one of them. */
function visibleRows(names: Names, view: View, table: string): string {
  const stored = view.tables.get(table)?.physical ?? table;
  const isVisible = [`"_row" < ${rowsBefore(view.write + 1)}`];
  if (view.removedFrom.has(stored)) {
    const removed = `select "row" from ${names.removed} where "physical" = '${stored}' and "write" <= ${view.write}`;
    isVisible.push(`"_row" not in (${removed})`);
  }
  return `(select * from ${names.of(stored)} where ${isVisible.join(' and ')})`;
}
