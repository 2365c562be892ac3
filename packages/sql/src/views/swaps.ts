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
    token_price_in: priceOf('in'),
    token_price_out: priceOf('out'),
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

/** USD per token; a swap of no tokens has no price. */
function priceOf(side: 'in' | 'out'): string {
  return finite(sql.over(`"swap"."usd_amount_${side}"`, `"swap"."token_amount_${side}"`));
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
