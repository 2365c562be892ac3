import type { Trade } from '@swapfold/core';
import {
  knownSupply,
  NO_ID,
  percentOf,
  resultIn,
  SEVERAL_POOLS,
  tradesTable,
  type ViewSource,
} from '@swapfold/core/engine';
import { columnsOf, finite, joinTexts, placeColumn, secondsOf, sql, symbolOf, textOf, valuesOf } from './columns.ts';
import type { View, ViewDialect } from './view.ts';

const price = sql.over('"trade"."usd_amount"', '"trade"."token_amount"');
const supply = knownSupply(sql, '"token_known"."circulating_supply"', '"token_known"."total_supply"');

export function tradesView(source: ViewSource, dialect: ViewDialect): View {
  const several = dialect.gathered({
    name: 'several',
    value: '"through_text"."text"',
    from: '"trade_pools" "through" join "texts" "through_text" on "through_text"."id" = "through"."pool"',
    key: '"through"."seq"',
    order: '"through"."place"',
    of: '"trade"."seq"',
  });
  const stored = valuesOf('"trade"', tradesTable);
  const values: Readonly<Record<keyof Trade, string | null>> = {
    ...stored,
    token_symbol: symbolOf('token_symbol', 'token', source),
    quote_symbol: symbolOf('quote_symbol', 'quote', source),
    token_price: finite(price),
    block_slot: '"transaction"."block_slot"',
    block_time: dialect.time(secondsOf('"trade"."seq"')),
    tx_hash: '"transaction"."tx_hash"',
    realized_pnl_usd: stored.pnl,
    realized_roi: percentOf(sql, stored.pnl, stored.cost),
    realized_pnl_native: resultIn(sql, stored.cost_native, stored.proceeds_native),
    gap_before: sql.or('"moved"."gap"', sql.number(0)),
    returned_cost: sql.or('"moved"."returned_cost"', sql.number(0)),
    market_cap: finite(sql.times(price, supply)),
    pools: `case "trade"."pool" when ${SEVERAL_POOLS} then ${several.value} when ${NO_ID} then ${dialect.none} else ${dialect.one(textOf('pool'))} end`,
    // A hash of the wallet and the token, which tell positions apart as well.
    position: null,
  };
  return {
    name: 'v_trades',
    rows: 'What one wallet did with one token in one transaction.',
    columns: [placeColumn('"trade"'), ...columnsOf(source.trades, values)],
    from: `from "trades" "trade"
left join "moves" "moved" on "moved"."wallet" = "trade"."wallet" and "moved"."seq" = "trade"."seq"
left join "transactions" "transaction" on "transaction"."tx" = "trade"."tx"
${joinTexts('"trade"', tradesTable)}
left join "token_registry" "token_known" on "token_known"."id" = "trade"."token"
left join "token_registry" "quote_known" on "quote_known"."id" = "trade"."quote"
${several.from}`.trimEnd(),
  };
}
