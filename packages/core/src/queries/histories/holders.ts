import { balanceFields } from '../../ingest/balances.ts';
import { type Balance, newBalance, settledBalance, stepBalance } from '../../ledger/position.ts';
import { isExchanged } from '../../market-data/latest-prints.ts';
import { lastSeqAt, timeOf } from '../../records/chain-order.ts';
import { legsTable, swapsTable } from '../../records/tables.ts';
import { and, compare, isIn } from '../../storage/predicate.ts';
import type { QueryContext } from '../context.ts';
import type { Instants } from './instants.ts';

const columns = ['seq', ...balanceFields] as const;

/** How many wallets have a positive balance of a token, at each instant: balances are stepped from the first swap on. */
export async function holdersAt(context: QueryContext, token: number, { times }: Instants): Promise<Float64Array> {
  const { reader } = context;
  const pause = context.yielder();
  const holders = new Float64Array(times.length);
  const count = new HolderCount();
  let next = 0;
  const passUntil = (time: number): void => {
    for (; next < times.length && times[next]! < time; next++) holders[next] = count.holders;
  };
  const legs = reader.stream({
    table: legsTable,
    columns: ['seq'],
    where: and(compare('token', 'eq', token), isExchanged, compare('seq', 'lte', lastSeqAt(times.at(-1)!))),
    order: [{ column: 'seq', direction: 'asc' }],
  });
  for await (const leg of legs) {
    const { columns: c, length } = await reader.read({
      table: swapsTable,
      columns,
      where: isIn('seq', leg.columns.seq),
      order: [{ column: 'seq', direction: 'asc' }],
    });
    for (let row = 0; row < length; row++) {
      passUntil(timeOf(c.seq[row]!));
      if (c.token_in[row] === token)
        count.step(c.wallet[row]!, -c.token_amount_in[row]!, c.post_token_balance_in[row]!);
      else count.step(c.wallet[row]!, c.token_amount_out[row]!, c.post_token_balance_out[row]!);
    }
    await pause.yieldIfDue();
  }
  passUntil(Number.POSITIVE_INFINITY);
  return holders;
}

/** The balances of wallets in one token, of which it counts the positive ones. */
class HolderCount {
  holders = 0;
  readonly #balances = new Map<number, Balance>();

  step(wallet: number, amount: number, reported: number): void {
    const state = this.#balances.get(wallet) ?? newBalance();
    this.#balances.set(wallet, state);
    const before = settledBalance(state.balance, state.received, state.isReported);
    stepBalance(state, amount, reported);
    const after = settledBalance(state.balance, state.received, state.isReported);
    this.holders += Number(after > 0) - Number(before > 0);
  }
}
