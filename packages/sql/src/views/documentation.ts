import type { View, ViewColumn, ViewDialect } from './view.ts';

const columns = ['view', 'name', 'type', 'meaning'] as const;

/** What the columns of the other views mean, for who has a store and no documentation. */
export function columnsView(views: readonly View[], { types, constant }: ViewDialect): View {
  const meanings = {
    view: 'Name of the view.',
    name: 'Name of the column.',
    type: 'What it holds.',
    meaning: 'What it means, with its unit.',
  } as const;
  const rows = views.flatMap((view) =>
    [...columnsByMeaning(view)].map(([said, names]) => [view.name, names, types[said.type], said.meaning]),
  );
  return {
    name: 'v_columns',
    rows: 'A column of another view.',
    columns: columns.map((name) => ({ name, type: 'text', meaning: meanings[name], sql: `"listed"."${name}"` })),
    from: `from ${constant(columns, 'name', rows)} "listed"`,
  };
}

/** A metric has a column a window, and one meaning: said once, the text of the view is a third, which every engine parses at every open. */
function columnsByMeaning({ columns }: View): Iterable<readonly [ViewColumn, readonly string[]]> {
  const groups = new Map<string, readonly [ViewColumn, string[]]>();
  for (const column of columns) {
    const key = `${column.type} ${column.meaning}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [column, [column.name]]);
    else group[1].push(column.name);
  }
  return groups.values();
}
