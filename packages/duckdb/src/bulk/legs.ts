import { COUNTED, SELF, SUSPECT } from '@swapfold/core/engine';

/** The legs of swaps: the rule of prints as `printPrice` of the ledger has it. `suspects` is the table of the suspect ones, if there are any. */
export function legsOf(swaps: string, dustUsd: number, suspects: string | undefined): string {
  const dust = `'${dustUsd}'::double`;
  const print = (usd: string, amount: string): string =>
    `case when ${usd} >= ${dust} and ${amount} > 0 and ${usd} / ${amount} > 0 and isfinite(${usd} / ${amount}) then ${usd} / ${amount} end`;
  const leg = (side: 'in' | 'out'): string =>
    `select token_${side} as token, seq, ${print(`usd_amount_${side}`, `token_amount_${side}`)} as price, usd_amount_${side} as usd_amount, token_symbol_${side} as symbol, ${COUNTED} as standing from ${swaps} where token_in <> token_out`;
  const self = `select token_in, seq, null, null, token_symbol_in, ${SELF} from ${swaps} where token_in = token_out`;
  const legs = `${leg('in')} union all ${leg('out')} union all ${self}`;
  if (suspects === undefined) return legs;
  return `select leg.* replace (case when suspect.seq is null then leg.standing else ${SUSPECT} end as standing) from (${legs}) leg left join ${suspects} suspect on suspect.token = leg.token and suspect.seq = leg.seq`;
}
