import {
  movedPrice,
  nativeColumns,
  type PositionColumn,
  type PositionPath,
  type PositionRule,
  positionRules,
  type ViewSource,
} from '@swapfold/core/engine';
import { quote } from '../statement.ts';
import { sql, storedColumns } from './columns.ts';
import type { View, ViewDialect } from './view.ts';

export function tokenProfilesView({ profiles }: ViewSource, dialect: ViewDialect): View {
  return {
    name: 'v_token_profiles',
    rows: 'The stored profile of a token, as of the last refresh.',
    columns: storedColumns('"profile"', profiles.tokens, dialect).map((column) => {
      const path = movingPaths.find((name) => name.replaceAll('.', '_') === column.name);
      return path === undefined ? column : { ...column, sql: atNativePrice('"profile"', path) };
    }),
    from: 'from "token_profiles" "profile"',
  };
}

/** USD per native token as of the stored profiles. */
const nativeUsd = `(select cast("value" as double) from "meta" where "name" = 'profiles_native_price')`;

const movingPaths = Object.keys(nativeColumns);

/** A column of token profiles as of the last refresh, moved with the native price. */
export function atNativePrice(table: string, path: string): string {
  return movedPrice(sql, `${table}.${quote(path)}`, `${table}.${quote(nativeColumns[path]!)}`, nativeUsd);
}

type Shown = keyof typeof positionRules | 'holding.price';

/** What is said of the computed fields of positions that the view has. */
const meanings: Readonly<Record<Shown, string> & Record<Exclude<PositionPath<'query'>, Shown>, null>> = {
  position_address: null,
  'metadata.symbol': null,
  'holding.realized_roi_native':
    'Percent: holding_realized_pnl_native / cost of what was sold, in native tokens, x 100.',
  'holding.price': 'USD per token, as of the last refresh.',
  'holding.value': 'USD: holding_balance x holding_price.',
  'holding.unrealized_pnl': 'USD: tokens in the open lots of known cost x holding_price - holding_cost_basis.',
  'holding.unrealized_pnl_native': null,
  'holding.unrealized_roi': 'Percent: holding_unrealized_pnl / holding_cost_basis x 100.',
  'holding.price_age': null,
};

function sqlOf(column: PositionColumn): string {
  if (column === 'holding.price') return atNativePrice('"priced"', 'market.price');
  const rule = (positionRules as Readonly<Record<string, PositionRule>>)[column];
  return rule === undefined ? `"held".${quote(column)}` : rule.value(sql, ...rule.of.map(sqlOf));
}

export function positionsView({ profiles }: ViewSource, dialect: ViewDialect): View {
  const computed = (Object.entries(meanings) as [PositionPath<'query'>, string | null][]).flatMap(([path, meaning]) =>
    meaning === null ? [] : [{ name: path.replaceAll('.', '_'), type: 'number' as const, meaning, sql: sqlOf(path) }],
  );
  return {
    name: 'v_positions',
    rows: "What a wallet holds of a token and has made of it, as of the last refresh, and what the token's price then makes of that.",
    columns: [...storedColumns('"held"', profiles.positions, dialect), ...computed],
    from: `from "position_profiles" "held"
left join "token_profiles" "priced" on "priced"."id" = "held"."token"`,
  };
}
