import type { ViewDialect } from '@swapfold/sql';
import { queryOf } from '@swapfold/sql';

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const duckdbViews: ViewDialect = {
  types: {
    text: 'varchar',
    list: 'varchar[]',
    number: 'double',
    integer: 'bigint',
    time: 'timestamp, UTC',
    date: 'timestamp, UTC',
    flag: 'boolean',
  },
  number: (column) => column,
  /** Without a zone: those with one are shown in that of the machine. */
  time: (seconds) => `make_timestamp(cast(${seconds} * 1000000 as bigint))`,
  list: (column) =>
    `case when coalesce(${column}, '') in ('', '|', '||') then cast([] as varchar[]) else string_split(trim(${column}, '|'), '|') end`,
  one: (text) => `[${text}]`,
  none: 'cast([] as varchar[])',
  /** A join with all lists: a subquery by row would be run whether the column is asked for or not. */
  gathered: ({ name, value, from, key, order, of }) => ({
    from: `left join (select ${key} as "key", list(${value} order by ${order}) as "values" from ${from} group by ${key}) "${name}" on "${name}"."key" = ${of}`,
    value: `"${name}"."values"`,
  }),
  flag: (column) => `${column} = 1`,
  divided: (whole, by) => `${whole} // ${by}`,
  price: (which) => ({
    inGroup: `${which === 'first' ? 'arg_min' : 'arg_max'}("leg"."price", "leg"."seq") filter (where "leg"."price" is not null)`,
    ofGroup: (price) => price,
  }),
  /** A list of a thousand values takes DuckDB ten times as long as a text that holds them, split. */
  constant(names, listed, rows) {
    const cells = rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : cell.join('\u001d'))));
    const lines = literal(cells.map((row) => row.join('\u001f')).join('\u001e'));
    const columns = names.map((name, i) => {
      const cell = `split_part("line", chr(31), ${i + 1})`;
      return `${name === listed ? `unnest(string_split(${cell}, chr(29)))` : cell} as "${name}"`;
    });
    return `(select ${columns.join(', ')} from (select unnest(string_split(${lines}, chr(30))) as "line"))`;
  },
  joinsStatements: true,
  define: (view) => [
    `create or replace view "${view.name}" as\n${queryOf(view)}`,
    `comment on view "${view.name}" is ${literal(view.rows)}`,
  ],
};
