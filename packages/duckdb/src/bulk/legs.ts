/** The legs of swaps: the rule of prints as `printPrice` of the ledger has it. */
export function legsOf(swaps: string, dustUsd: number): string {
  const dust = `'${dustUsd}'::double`;
  const print = (usd: string, amount: string): string =>
    `case when ${usd} >= ${dust} and ${amount} > 0 and ${usd} / ${amount} > 0 and isfinite(${usd} / ${amount}) then ${usd} / ${amount} end`;
  const leg = (side: 'in' | 'out'): string =>
    `select token_${side} as token, seq, ${print(`usd_amount_${side}`, `token_amount_${side}`)} as price, usd_amount_${side} as usd_amount, token_symbol_${side} as symbol, 0 as is_self from ${swaps} where token_in <> token_out`;
  const self = `select token_in, seq, null, null, token_symbol_in, 1 from ${swaps} where token_in = token_out`;
  return `${leg('in')} union all ${leg('out')} union all ${self}`;
}
