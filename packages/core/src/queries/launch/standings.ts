import { findingHere } from '../../ledger/here.ts';
import { settledBalance } from '../../ledger/lot-rows.ts';
import { resultOf } from '../../ledger/result.ts';
import { BUY } from '../../ledger/trade.ts';
import { pairOf, pairWallet } from '../../records/chain-order.ts';
import { tradesTable } from '../../records/tables.ts';
import { heldOf } from '../../refresh/positions.ts';
import { ascending } from '../../storage/adapter.ts';
import { and, compare, isIn } from '../../storage/predicate.ts';
import { lastSeq, type QueryContext } from '../context.ts';
import { latestMarksOf } from '../prices.ts';

/** A buy or a sell of a wallet: how many whole tokens, in which transaction. */
export interface OwnTrade {
  readonly tx: number;
  readonly isBuy: boolean;
  readonly amount: number;
}

/** Where a wallet stands in a token. Amounts in whole tokens, `NaN` is unknown. */
export interface Standing {
  /** In chain order. */
  readonly trades: readonly OwnTrade[];
  /** `NaN` if the wallet never had the token, as far as the store knows. */
  readonly held: number;
  /** USD: the results of its sells, and that of its lots of known cost at the mark. */
  readonly made: number;
}

/** What each wallet did with a token up to the as-of time, what it holds, and what it made. */
export async function readStandings(
  context: QueryContext,
  token: number,
  wallets: Iterable<number>,
): Promise<ReadonlyMap<number, Standing>> {
  const ids = Int32Array.from(new Set(wallets)).sort();
  const found = new Map(Array.from(ids, (id) => [id, { trades: [] as OwnTrade[], held: Number.NaN, made: 0 }]));
  if (ids.length === 0) return found;
  const { reader } = context;
  const stream = reader.stream({
    table: tradesTable,
    columns: ['tx', 'wallet', 'direction', 'token_amount', 'cost', 'proceeds'],
    where: and(compare('token', 'eq', token), isIn('wallet', ids), compare('seq', 'lte', lastSeq(context))),
    order: ascending('seq'),
  });
  for await (const { length, columns: c } of stream) {
    for (let row = 0; row < length; row++) {
      const own = found.get(c.wallet[row]!)!;
      own.trades.push({ tx: c.tx[row]!, isBuy: c.direction[row] === BUY, amount: c.token_amount[row]! });
      if (!Number.isNaN(c.cost[row]!)) own.made += resultOf(c.cost[row]!, c.proceeds[row]!);
    }
  }
  const { balances, lots } = await heldOf(
    context,
    Float64Array.from(ids, (wallet) => pairOf(wallet, token)),
  );
  const { columns: b } = balances;
  for (let row = 0; row < balances.length; row++) {
    const own = found.get(pairWallet(b.pair[row]!));
    if (own !== undefined) own.held = settledBalance(b.balance[row]!, b.received[row]!, b.flags[row]!);
  }
  const price = (await latestMarksOf(context, Int32Array.of(token))).get(token)?.usd_price ?? Number.NaN;
  const isHere = await context.yielder().run(findingHere(lots));
  const { columns: l } = lots;
  for (let row = 0; row < lots.length; row++) {
    if (isHere[row] === 0 || Number.isNaN(l.unit_cost[row]!)) continue;
    const own = found.get(pairWallet(l.pair[row]!));
    if (own !== undefined) own.made += l.amount[row]! * (price - l.unit_cost[row]!);
  }
  return found;
}
