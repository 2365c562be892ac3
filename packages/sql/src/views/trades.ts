import { NO_ID, SEVERAL_POOLS, type ViewSource } from '@swapfold/core/engine';
import { columnsOf, finite, joinTexts, placeColumn, secondsOf, textOf } from './columns.ts';
import { symbolOf } from './symbols.ts';
import type { View, ViewDialect } from './view.ts';

const texts = ['wallet', 'token', 'quote', 'protocol', 'token_symbol', 'quote_symbol', 'pool'];

const price = '"trade"."usd_amount" / "trade"."token_amount"';

/** A result, which is exactly 0 within the rounding of what it is made of. */
function resultOf(cost: string, proceeds: string): string {
  const greater = `case when ${cost} > ${proceeds} then ${cost} else ${proceeds} end`;
  return `case when abs(${proceeds} - ${cost}) <= 1e-9 * (${greater}) then 0.0 else ${proceeds} - ${cost} end`;
}

export function tradesView(source: ViewSource, dialect: ViewDialect): View {
  const several = dialect.gathered({
    name: 'several',
    value: '"through_text"."text"',
    from: '"trade_pools" "through" join "texts" "through_text" on "through_text"."id" = "through"."pool"',
    key: '"through"."seq"',
    order: '"through"."place"',
    of: '"trade"."seq"',
  });
  // A registry that says 0 of a supply does not know it.
  const known = (supply: string): string =>
    `case when "token_known"."${supply}" > 0 then "token_known"."${supply}" end`;
  const own = {
    token_symbol: symbolOf('token_symbol', 'token', source),
    quote_symbol: symbolOf('quote_symbol', 'quote', source),
    token_price: finite(price),
    block_slot: '"transaction"."block_slot"',
    block_time: dialect.time(secondsOf('"trade"."seq"')),
    tx_hash: '"transaction"."tx_hash"',
    realized_pnl_usd: '"trade"."pnl"',
    realized_roi: '"trade"."pnl" / nullif("trade"."cost", 0) * 100',
    realized_pnl_native: resultOf('"trade"."cost_native"', '"trade"."proceeds_native"'),
    market_cap: finite(`${price} * coalesce(${known('circulating_supply')}, ${known('total_supply')})`),
    pools: `case "trade"."pool" when ${SEVERAL_POOLS} then ${several.value} when ${NO_ID} then ${dialect.none} else ${dialect.one(textOf('pool'))} end`,
    // A hash of the wallet and the token, which tell positions apart as well.
    position: null,
  };
  return {
    name: 'v_trades',
    rows: 'What one wallet did with one token in one transaction.',
    columns: [placeColumn('"trade"'), ...columnsOf('"trade"', source.trades, { texts, own })],
    from: `from "trades" "trade"
left join "transactions" "transaction" on "transaction"."tx" = "trade"."tx"
${joinTexts('"trade"', texts)}
left join "token_registry" "token_known" on "token_known"."id" = "trade"."token"
left join "token_registry" "quote_known" on "quote_known"."id" = "trade"."quote"
${several.from}`.trimEnd(),
  };
}
