import { CONTRADICTED, type ViewSource } from '@swapfold/core/engine';
import { columnsOf, finite, joinTexts, literal, placeColumn, secondsOf, textOf, wordOf } from './columns.ts';
import { symbolOf } from './symbols.ts';
import type { View, ViewDialect } from './view.ts';

const texts = ['wallet', 'token_in', 'token_out', 'protocol', 'token_symbol_in', 'token_symbol_out', 'pool'];

export function swapsView(source: ViewSource, dialect: ViewDialect): View {
  const own = {
    token_symbol_in: symbolOf('token_symbol_in', 'token_in', source),
    token_symbol_out: symbolOf('token_symbol_out', 'token_out', source),
    token_price_in: priceOf('in'),
    token_price_out: priceOf('out'),
    block_slot: '"transaction"."block_slot"',
    block_time: dialect.time(secondsOf('"swap"."seq"')),
    tx_hash: '"transaction"."tx_hash"',
    tx_index: '"transaction"."tx_index"',
    swap_type: swapType(source),
    valued_by: valuedBy(source),
  };
  return {
    name: 'v_swaps',
    rows: 'A swap.',
    columns: [placeColumn('"swap"'), ...columnsOf('"swap"', source.swaps, { texts, own })],
    from: `from "swaps" "swap"
left join "transactions" "transaction" on "transaction"."tx" = "swap"."tx"
${joinTexts('"swap"', texts)}
left join "token_registry" "token_in_known" on "token_in_known"."id" = "swap"."token_in"
left join "token_registry" "token_out_known" on "token_out_known"."id" = "swap"."token_out"`,
  };
}

/** USD per token; a swap of no tokens has no price. */
function priceOf(side: 'in' | 'out'): string {
  return finite(`"swap"."usd_amount_${side}" / nullif("swap"."token_amount_${side}", 0)`);
}

/** The word; swaps whose feed was not believed have a code of their own for it. */
function valuedBy({ swaps }: ViewSource): string {
  const words = swaps.find(({ name }) => name === 'valued_by')!.words!;
  const code = '"swap"."valued_by"';
  return wordOf(`(case when ${code} >= 0 then ${code} % ${CONTRADICTED} end)`, words);
}

/** The word, by which of the two tokens are quote tokens. */
function swapType({ quotes, swaps }: ViewSource): string {
  const [buy, sell, neither, both] = swaps.find(({ name }) => name === 'swap_type')!.words!.map(literal);
  const listed = quotes.map(({ address }) => literal(address)).join(', ');
  const isQuote = (name: string): string => (listed === '' ? '1 = 0' : `${textOf(name)} in (${listed})`);
  const byToken = (ifQuote: string, ifNot: string): string =>
    `case when ${isQuote('token_out')} then ${ifQuote} else ${ifNot} end`;
  return `case when ${isQuote('token_in')} then ${byToken(both!, buy!)} else ${byToken(sell!, neither!)} end`;
}
