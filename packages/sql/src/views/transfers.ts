import type { Transfer } from '@swapfold/core';
import { transfersTable, type ViewSource } from '@swapfold/core/engine';
import { columnsOf, joinTexts, quoteSymbol, textOf, valuesOf } from './columns.ts';
import type { View, ViewDialect } from './view.ts';

export function transfersView(source: ViewSource, dialect: ViewDialect): View {
  const values: Readonly<Record<keyof Transfer | 'tx_index', string>> = {
    ...valuesOf('"transfer"', transfersTable),
    token_symbol: quoteSymbol('"token_known"."symbol"', 'token', source),
    block_time: dialect.time('"transfer"."block_time"'),
    from: textOf('sender'),
    to: textOf('recipient'),
    includes_swaps: dialect.flag('"transfer"."includes_swaps"'),
  };
  return {
    name: 'v_transfers',
    rows: 'What moved without a swap.',
    columns: columnsOf(source.transfers, values),
    from: `from "transfers" "transfer"
${joinTexts('"transfer"', transfersTable)}
left join "token_registry" "token_known" on "token_known"."id" = "transfer"."token"`,
  };
}
