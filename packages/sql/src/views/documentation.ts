import type { View, ViewDialect } from './view.ts';

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
    view.columns.map(({ name, type, meaning }) => [view.name, name, types[type], meaning]),
  );
  return {
    name: 'v_columns',
    rows: 'A column of another view.',
    columns: columns.map((name) => ({ name, type: 'text', meaning: meanings[name], sql: `"listed"."${name}"` })),
    from: `from ${constant(columns, rows)} "listed"`,
  };
}
