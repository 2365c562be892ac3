import { SELF, VOTE } from '@swapfold/core/engine';

/** The legs of swaps: the rule of prints as `printPrice` of the ledger has it. `standings` is the table of those that do not stand as expected, if there are any. */
export function legsOf(swaps: string, dustUsd: number, standings: string | undefined): string {
  const dust = `'${dustUsd}'::double`;
  const print = (usd: string, amount: string): string =>
    `case when ${usd} >= ${dust} and ${amount} > 0 and ${usd} / ${amount} > 0 and isfinite(${usd} / ${amount}) then ${usd} / ${amount} end`;
  const leg = (side: 'in' | 'out'): string =>
    `select token_${side} as token, seq, ${print(`usd_amount_${side}`, `token_amount_${side}`)} as price, usd_amount_${side} as usd_amount, token_symbol_${side} as symbol, case when price is null then 0 else ${VOTE} end as standing from ${swaps} where token_in <> token_out`;
  const self = `select token_in, seq, null, null, token_symbol_in, ${SELF} from ${swaps} where token_in = token_out`;
  const legs = `${leg('in')} union all ${leg('out')} union all ${self}`;
  if (standings === undefined) return legs;
  return `select leg.* replace (coalesce(other.standing, leg.standing) as standing) from (${legs}) leg left join ${standings} other on other.token = leg.token and other.seq = leg.seq`;
}
