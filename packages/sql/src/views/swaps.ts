import type { Swap } from '@swapfold/core';
import { swapsTable, swapTypeOf, swapTypes, type ViewSource } from '@swapfold/core/engine';
import {
  columnsOf,
  finite,
  joinTexts,
  literal,
  placeColumn,
  secondsOf,
  sql,
  symbolOf,
  textOf,
  valuesOf,
} from './columns.ts';
import type { View, ViewDialect } from './view.ts';

export function swapsView(source: ViewSource, dialect: ViewDialect): View {
  const values: Readonly<Record<keyof Swap | 'tx_index', string>> = {
    ...valuesOf('"swap"', swapsTable),
    token_symbol_in: symbolOf('token_symbol_in', 'token_in', source),
    token_symbol_out: symbolOf('token_symbol_out', 'token_out', source),
    token_price_in: priceOf('in', source),
    token_price_out: priceOf('out', source),
    block_slot: '"transaction"."block_slot"',
    block_time: dialect.time(secondsOf('"swap"."seq"')),
    tx_hash: '"transaction"."tx_hash"',
    tx_index: '"transaction"."tx_index"',
    swap_type: swapType(source),
  };
  return {
    name: 'v_swaps',
    rows: 'A swap.',
    columns: [placeColumn('"swap"'), ...columnsOf(source.swaps, values)],
    from: `from "swaps" "swap"
left join "transactions" "transaction" on "transaction"."tx" = "swap"."tx"
${joinTexts('"swap"', swapsTable)}
left join "token_registry" "token_in_known" on "token_in_known"."id" = "swap"."token_in"
left join "token_registry" "token_out_known" on "token_out_known"."id" = "swap"."token_out"`,
  };
}

/** USD per token, by what the pool got and gave where the row says it; a swap of no tokens has no price. */
function priceOf(side: 'in' | 'out', { quotes }: ViewSource): string {
  const order = (name: string): string => {
    const places = quotes.map(({ address }, i) => `when ${literal(address)} then ${i}`).join(' ');
    return places === '' ? '0' : `case ${textOf(name)} ${places} else ${quotes.length} end`;
  };
  const share = (of: 'in' | 'out'): string => sql.over(`"swap"."pool_amount_${of}"`, `"swap"."token_amount_${of}"`);
  const [usd, pooled] = [`"swap"."usd_amount_${side}"`, `"swap"."pool_amount_${side}"`];
  const byPool = sql.over(
    sql.times(
      usd,
      `case when ${order('token_out')} < ${order('token_in')} then ${share('out')} else ${share('in')} end`,
    ),
    pooled,
  );
  const price = sql.over(usd, `"swap"."token_amount_${side}"`);
  return finite(`(case when ${pooled} is null then ${price} else ${byPool} end)`);
}

/** The word, by which of the two tokens are quote tokens. */
function swapType({ quotes }: ViewSource): string {
  const listed = quotes.map(({ address }) => literal(address)).join(', ');
  const isQuote = (name: string): string => (listed === '' ? '1 = 0' : `${textOf(name)} in (${listed})`);
  const word = (inIsQuote: boolean, outIsQuote: boolean): string =>
    literal(swapTypes[swapTypeOf(inIsQuote, outIsQuote)]!);
  const byOut = (inIsQuote: boolean): string =>
    `case when ${isQuote('token_out')} then ${word(inIsQuote, true)} else ${word(inIsQuote, false)} end`;
  return `case when ${isQuote('token_in')} then ${byOut(true)} else ${byOut(false)} end`;
}
