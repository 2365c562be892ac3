import type { ViewSource } from '@swapfold/core/engine';
import { storedColumns } from './columns.ts';
import type { View, ViewDialect } from './view.ts';

export function tokensView({ registries }: ViewSource, dialect: ViewDialect): View {
  return {
    name: 'v_tokens',
    rows: 'A token of the registry. Those without a row there are in `v_token_profiles`.',
    columns: storedColumns('"token"', registries.tokens, dialect),
    from: 'from "token_registry" "token"',
  };
}

export function walletsView({ registries }: ViewSource, dialect: ViewDialect): View {
  return {
    name: 'v_wallets',
    rows: 'A wallet of the registry. Those without a row there are in `v_wallet_profiles`.',
    columns: storedColumns('"wallet"', registries.wallets, dialect),
    from: 'from "wallet_registry" "wallet"',
  };
}
