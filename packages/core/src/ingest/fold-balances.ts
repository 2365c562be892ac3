import { type Balance, newBalance, stepBalance } from '../ledger/balance.ts';
import type { Swaps } from '../ledger/value.ts';
import { pairOf, pairToken, pairWallet } from '../records/chain-order.ts';
import { type Batch, newBatch } from '../records/columns.ts';
import { balancesTable } from '../records/tables.ts';

export type Balances = Batch<typeof balancesTable>;

/** Steps the balances of the pairs in `wanted` (all pairs where it is absent) through swaps in chain order. */
export function stepBalances(states: Map<number, Balance>, swaps: Swaps, wanted?: ReadonlySet<number>): void {
  const c = swaps.columns;
  const step = (wallet: number, token: number, amount: number, reported: number): void => {
    const pair = pairOf(wallet, token);
    if (wanted !== undefined && !wanted.has(pair)) return;
    let state = states.get(pair);
    if (state === undefined) {
      state = newBalance();
      states.set(pair, state);
    }
    stepBalance(state, amount, reported);
  };
  for (let i = 0; i < swaps.length; i++) {
    if (c.token_in[i] === c.token_out[i]) continue;
    step(c.wallet[i]!, c.token_in[i]!, -c.token_amount_in[i]!, c.post_token_balance_in[i]!);
    step(c.wallet[i]!, c.token_out[i]!, c.token_amount_out[i]!, c.post_token_balance_out[i]!);
  }
}

export function loadBalances(rows: Balances): Map<number, Balance> {
  const states = new Map<number, Balance>();
  const c = rows.columns;
  for (let i = 0; i < rows.length; i++)
    states.set(c.pair[i]!, { balance: c.balance[i]!, received: c.received[i]!, isReported: c.is_reported[i] === 1 });
  return states;
}

export function balanceRows(states: ReadonlyMap<number, Balance>): Balances {
  const rows = newBatch(balancesTable, states.size);
  const c = rows.columns;
  let i = 0;
  for (const [pair, state] of states) {
    c.pair[i] = pair;
    c.wallet[i] = pairWallet(pair);
    c.token[i] = pairToken(pair);
    c.balance[i] = state.balance;
    c.received[i] = state.received;
    c.is_reported[i++] = state.isReported ? 1 : 0;
  }
  return rows;
}
