import type { ViewDialect } from '@swapfold/sql';
import { queryOf } from '@swapfold/sql';

const empty = "in ('', '|', '||')";

/** SQLite has no types of times, lists and truth: times are texts that its functions read, lists JSON. A view keeps the comments in its text. */
export const sqliteViews: ViewDialect = {
  types: {
    text: 'text',
    list: 'text, a JSON array',
    number: 'real',
    integer: 'integer',
    time: 'text, `2025-01-01 00:00:00`',
    date: 'text, `2025-01-01 00:00:00`',
    flag: 'integer, 0 or 1',
  },
  // Rows of many columns hold 0 as an integer: it takes no room in the file.
  number: (column) => `cast(${column} as real)`,
  time: (seconds) => `datetime(${seconds}, 'unixepoch')`,
  list: (column) =>
    `case when coalesce(${column}, '') ${empty} then '[]' else '["' || replace(trim(${column}, '|'), '|', '","') || '"]' end`,
  one: (text) => `json_array(${text})`,
  none: "'[]'",
  gathered: ({ value, from, key, order, of }) => ({
    from: '',
    value: `(select json_group_array("value") from (select ${value} as "value" from ${from} where ${key} = ${of} order by ${order}))`,
  }),
  flag: (column) => column,
  divided: (whole, by) => `${whole} / ${by}`,
  price: (which, group) => ({
    inGroup: `${which === 'first' ? 'min' : 'max'}(case when "leg"."price" is not null then "leg"."seq" end)`,
    ofGroup: (seq) => `(select "price" from "legs" where "token" = ${group} and "seq" = ${seq})`,
  }),
  constant(names, listed, rows) {
    const columns = names.map((name, i) =>
      name === listed ? `"item"."value" as "${name}"` : `json_extract("row"."value", '$[${i}]') as "${name}"`,
    );
    const items = `json_each("row"."value", '$[${names.indexOf(listed)}]') "item"`;
    return `(select ${columns.join(', ')} from json_each('${JSON.stringify(rows).replaceAll("'", "''")}') "row", ${items})`;
  },
  joinsStatements: false,
  define: (view) => [
    `drop view if exists "${view.name}"`,
    `create view "${view.name}" as\n-- ${view.rows}\n${queryOf(view, (meaning) => ` -- ${meaning}`)}`,
  ],
};
