import type { Side } from '../../copy/depth.ts';
import { sideOf } from '../../copy/depth.ts';
import type { Fill, Rest } from '../../copy/follow.ts';
import type { Market } from '../../copy/price.ts';
import { directions } from '../../ledger/trade.ts';
import { timeOf } from '../../records/chain-order.ts';
import { readTransactions, type TransactionRow } from '../../storage/reads.ts';
import { orNull, type QueryContext } from '../context.ts';
import { swapSymbols } from '../per-token.ts';
import type { Leader } from './leader.ts';
import type { FoundMarkets } from './markets.ts';
import type { PlacedPrint } from './prints.ts';
import type { SimulatedPair, SimulatedPrint, SimulatedRest } from './schema.ts';
import { type Followed, marketAtEnd } from './sums.ts';

/** What is served of a follower: some of its trades, and what it holds. */
interface Wanted {
  readonly leader: Leader;
  readonly markets: FoundMarkets;
  readonly followed: Followed;
  /** Numbers of the trades. */
  readonly shown: readonly number[];
  readonly explains: boolean;
}

interface Served {
  readonly pairs: readonly SimulatedPair[];
  readonly rests: readonly SimulatedRest[];
  /** Of the trades that are shown, and of their prints. */
  readonly transactions: ReadonlyMap<number, TransactionRow>;
}

/** Trades of a leader beside those of the follower, in the order of `shown`; what the follower holds only if it is explained. */
export async function servedPairs(
  context: QueryContext,
  { leader, markets, followed, shown, explains }: Wanted,
): Promise<Served> {
  const { reader, dictionary } = context;
  const rests = explains ? followed.rests : [];
  const decisive = [...shown.map((i) => followed.fills[i]!), ...rests].flatMap(({ quote }) => quote?.print ?? []);
  const met = explains
    ? [...shown.map((i) => markets.at[i]!), ...rests.map(({ token }) => marketAtEnd(markets.atEnd, token))].flatMap(
        ({ newest, next }) => [...newest, ...next],
      )
    : [];
  const prints = [...decisive, ...met];
  const trades = shown.map((i) => leader.trades[i]!);
  const tokens = Int32Array.from(new Set([...trades, ...rests].map(({ token }) => token)));
  const transactions = await readTransactions(
    reader,
    [...trades, ...prints].map(({ tx }) => tx),
  );
  await dictionary.load(reader, [...tokens, ...prints.map(({ wallet }) => wallet)]);
  const symbolOf = await swapSymbols(context, tokens);

  const servedPrint = ({ tx, swapIndex, seq, wallet, price, usd, isSuspect }: PlacedPrint): SimulatedPrint => ({
    tx_hash: transactions.get(tx)!.tx_hash,
    swap_index: swapIndex,
    block_time: timeOf(seq),
    wallet: dictionary.textOf(wallet),
    direction: sideOf({ usd }),
    price,
    usd_amount: Math.abs(usd),
    suspect: isSuspect,
  });
  const decided = (
    { price, quote, tokens: amount, usd, fee }: Pick<Fill<PlacedPrint>, 'price' | 'quote' | 'tokens' | 'usd' | 'fee'>,
    market: Market<PlacedPrint>,
    side: Side,
  ) => ({
    price: quote === undefined ? null : orNull(price),
    token_amount: amount,
    usd_amount: usd,
    fee,
    k: market.depth?.[side] ?? null,
    decided_by: quote?.decidedBy ?? null,
    print: quote === undefined ? null : servedPrint(quote.print),
    ...(explains
      ? {
          market: {
            k_buy: market.depth?.buy ?? null,
            k_sell: market.depth?.sell ?? null,
            buys: market.depth?.pairs.buy ?? null,
            sells: market.depth?.pairs.sell ?? null,
            reserve: quote?.reserve ?? null,
            newest: market.newest.map(servedPrint),
            next: market.next.map(servedPrint),
          },
        }
      : {}),
  });
  const pairOf = (i: number): SimulatedPair => {
    const [trade, fill] = [leader.trades[i]!, followed.fills[i]!];
    const { tx_hash, block_time } = transactions.get(trade.tx)!;
    return {
      tx_hash,
      trade_index: leader.rows.columns.trade_index[leader.rowOf[i]!]!,
      block_time,
      token: dictionary.textOf(trade.token),
      token_symbol: symbolOf(trade.token),
      direction: directions[trade.isBuy ? 0 : 1]!,
      leader_price: orNull(trade.price),
      ...decided(fill, markets.at[i]!, trade.isBuy ? 'buy' : 'sell'),
      realized_pnl: trade.isBuy ? null : fill.usd - fill.cost,
      missed: fill.isMissed,
    };
  };
  const restOf = (rest: Rest<PlacedPrint>): SimulatedRest => ({
    token: dictionary.textOf(rest.token),
    token_symbol: symbolOf(rest.token),
    ...decided(rest, marketAtEnd(markets.atEnd, rest.token), 'sell'),
    unrealized_pnl: rest.usd - rest.cost,
  });
  return { pairs: shown.map(pairOf), rests: rests.map(restOf), transactions };
}
