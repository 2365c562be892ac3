import type { ViewDefinition, ViewSource } from '@swapfold/core/engine';
import type { Session } from '../session.ts';
import { fragment, quote } from '../statement.ts';
import { candlesView } from './candles.ts';
import { storedColumns } from './columns.ts';
import { columnsView } from './documentation.ts';
import { holdingsView } from './holdings.ts';
import { positionsView, tokenProfilesView } from './profiles.ts';
import { swapsView } from './swaps.ts';
import { tradesView } from './trades.ts';
import { transfersView } from './transfers.ts';
import type { View, ViewDialect } from './view.ts';

/** A new view is a row here. */
const views: readonly ((source: ViewSource, dialect: ViewDialect) => View)[] = [
  swapsView,
  tradesView,
  transfersView,
  ({ registries }, dialect) => ({
    name: 'v_tokens',
    rows: 'A token of the registry. Those without a row there are in `v_token_profiles`.',
    columns: storedColumns('"token"', registries.tokens, dialect),
    from: 'from "token_registry" "token"',
  }),
  ({ registries }, dialect) => ({
    name: 'v_wallets',
    rows: 'A wallet of the registry. Those without a row there are in `v_wallet_profiles`.',
    columns: storedColumns('"wallet"', registries.wallets, dialect),
    from: 'from "wallet_registry" "wallet"',
  }),
  ({ profiles }, dialect) => ({
    name: 'v_wallet_profiles',
    rows: 'The stored profile of a wallet, as of the last refresh.',
    columns: storedColumns('"profile"', profiles.wallets, dialect),
    from: 'from "wallet_profiles" "profile"',
  }),
  tokenProfilesView,
  positionsView,
  holdingsView,
  candlesView,
];

/** The views of a store, as an engine writes them. */
export function viewsOf(source: ViewSource, dialect: ViewDialect): readonly View[] {
  const made = views.map((view) => view(source, dialect));
  return [...made, columnsView(made, dialect)];
}

/** The statements of the views of a store; none for an engine without a way to write them. */
export function definitionsOf(source: ViewSource, dialect: ViewDialect | undefined): readonly ViewDefinition[] {
  if (dialect === undefined) return [];
  return viewsOf(source, dialect).map((view) => ({ name: view.name, statements: dialect.define(view) }));
}

/** Makes views. Who made a table of a view's name in the file keeps it: `tables` are the tables of the store, by name. */
export async function defineViews(
  session: Session,
  views: readonly ViewDefinition[],
  { tables, dialect }: { readonly tables: ReadonlyMap<string, unknown>; readonly dialect: ViewDialect | undefined },
): Promise<void> {
  const statements = views.filter(({ name }) => !tables.has(name)).flatMap((view) => view.statements);
  for (const sql of dialect?.joinsStatements ? [statements.join(';\n')] : statements) await session.run(fragment(sql));
}

/** The query that a view is. `commentOf` says beside a column what it holds, beside the first of those that hold the same in other windows. */
export function queryOf({ columns, from }: View, commentOf: (meaning: string) => string = () => ''): string {
  const said = new Set<string>();
  const lines = columns.map(({ sql, name, meaning }, i) => {
    const comment = said.has(meaning) ? '' : commentOf(meaning);
    said.add(meaning);
    return `  ${sql} as ${quote(name)}${i < columns.length - 1 ? ',' : ''}${comment}`;
  });
  return `select\n${lines.join('\n')}\n${from}`;
}
