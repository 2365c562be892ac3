import { nativeColumns, type ViewSource } from '@swapfold/core/engine';
import { quote } from '../statement.ts';
import { storedColumns } from './columns.ts';
import type { View, ViewDialect } from './view.ts';

export function walletProfilesView({ profiles }: ViewSource, dialect: ViewDialect): View {
  return {
    name: 'v_wallet_profiles',
    rows: 'The stored profile of a wallet, as of the last refresh.',
    columns: storedColumns('"profile"', profiles.wallets, dialect),
    from: 'from "wallet_profiles" "profile"',
  };
}

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

/** A column of token profiles as of the last refresh, atNativePrice with the native price. */
function atNativePrice(table: string, path: string): string {
  return `coalesce(${table}.${quote(nativeColumns[path]!)} * ${nativeUsd}, ${table}.${quote(path)})`;
}

const [price, basis] = [atNativePrice('"priced"', 'market.price'), '"held"."holding.cost_basis"'];
const unrealized = `"held"."lot_amount" * ${price} - ${basis}`;

export function positionsView({ profiles }: ViewSource, dialect: ViewDialect): View {
  return {
    name: 'v_positions',
    rows: "What a wallet holds of a token and has made of it, as of the last refresh, and what the token's price then makes of that.",
    columns: [
      ...storedColumns('"held"', profiles.positions, dialect),
      {
        name: 'holding_realized_roi_native',
        type: 'number',
        meaning: 'Percent: holding_realized_pnl_native / cost of what was sold, in native tokens, x 100.',
        sql: '"held"."holding.realized_pnl_native" / nullif("held"."matched_cost_native", 0) * 100',
      },
      { name: 'holding_price', type: 'number', meaning: 'USD per token, as of the last refresh.', sql: price },
      {
        name: 'holding_value',
        type: 'number',
        meaning: 'USD: holding_balance x holding_price.',
        sql: `"held"."holding.balance" * ${price}`,
      },
      {
        name: 'holding_unrealized_pnl',
        type: 'number',
        meaning: 'USD: tokens in the open lots of known cost x holding_price - holding_cost_basis.',
        sql: unrealized,
      },
      {
        name: 'holding_unrealized_roi',
        type: 'number',
        meaning: 'Percent: holding_unrealized_pnl / holding_cost_basis x 100.',
        sql: `(${unrealized}) / nullif(${basis}, 0) * 100`,
      },
    ],
    from: `from "position_profiles" "held"
left join "token_profiles" "priced" on "priced"."id" = "held"."token"`,
  };
}
