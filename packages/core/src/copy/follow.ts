import { Book } from './book.ts';
import type { PoolPrint } from './depth.ts';
import { type Market, priceOf, type Quote } from './price.ts';

/** A trade of the leader. */
export interface LeaderTrade {
  readonly token: number;
  readonly isBuy: boolean;
  /** Of a sell: which part of its balance the leader sold, from 0 to 1. */
  readonly part: number;
  /** USD per token; `NaN` of a sell without a value. */
  readonly price: number;
  /** Which part of the tokens arrives, from 0 to 1: a token may take a tax. */
  readonly arriving: number;
}

/** How a follower trades; shares are parts of 1. */
export interface FollowTerms {
  /** USD that each buy takes, with the fee. */
  readonly size: number;
  readonly slippage: number;
  readonly unknown: number;
  /** How far over the leader's price it buys; `undefined` at any price. */
  readonly limit: number | undefined;
  readonly fee: { readonly usd: number; readonly share: number };
}

/** What a follower did when the leader traded. */
export interface Fill<P extends PoolPrint = PoolPrint> {
  /** USD per token with slippage and tax; `NaN` if there is no print to buy at. */
  readonly price: number;
  readonly quote: Quote<P> | undefined;
  /** Tokens bought or sold; 0 of a buy that is missed, and of a sell without anything to sell. */
  readonly tokens: number;
  /** USD that a buy took with its fee, or a sell brought after its fee. */
  readonly usd: number;
  readonly fee: number;
  /** USD that the sold lots cost; 0 of a buy. */
  readonly cost: number;
  readonly isMissed: boolean;
  /** Tokens that it held before. */
  readonly heldBefore: number;
  readonly heldAfter: number;
}

/** What a follower still holds of a token at the end, sold by the rule. */
export interface Rest<P extends PoolPrint = PoolPrint> extends Omit<Fill<P>, 'isMissed' | 'heldBefore' | 'heldAfter'> {
  readonly token: number;
}

/** Follows the trades of a leader, oldest first. */
export function follow<P extends PoolPrint>(
  trades: readonly LeaderTrade[],
  markets: readonly Market<P>[],
  terms: FollowTerms,
): { readonly fills: readonly Fill<P>[]; readonly books: ReadonlyMap<number, Book> } {
  const books = new Map<number, Book>();
  const fills = trades.map((trade, i): Fill<P> => {
    const book = books.get(trade.token) ?? new Book();
    books.set(trade.token, book);
    const heldBefore = book.tokens;
    const done = trade.isBuy ? bought(trade, book, markets[i]!, terms) : sold(trade, book, markets[i]!, terms);
    return { ...done, heldBefore, heldAfter: book.tokens };
  });
  return { fills, books };
}

type Done<P extends PoolPrint> = Omit<Fill<P>, 'heldBefore' | 'heldAfter'>;

function bought<P extends PoolPrint>(
  { price: leaderPrice, arriving }: LeaderTrade,
  book: Book,
  market: Market<P>,
  { size, slippage, unknown, limit, fee: { usd, share } }: FollowTerms,
): Done<P> {
  const fee = usd + size * share;
  const quote = priceOf(market, 'buy', size - fee, unknown);
  const price = quote === undefined ? Number.NaN : (quote.price * (1 + slippage)) / arriving;
  const isMissed = quote === undefined || (limit !== undefined && price > leaderPrice * (1 + limit));
  if (isMissed) return { price, quote, tokens: 0, usd: 0, fee: 0, cost: 0, isMissed };
  const tokens = (size - fee) / price;
  book.buy(tokens, size);
  return { price, quote, tokens, usd: size, fee, cost: 0, isMissed };
}

function sold<P extends PoolPrint>(
  { part, arriving }: Pick<LeaderTrade, 'part' | 'arriving'>,
  book: Book,
  market: Market<P>,
  { slippage, unknown, fee: { usd, share } }: FollowTerms,
): Done<P> {
  const tokens = part < 1 ? book.tokens * part : book.tokens;
  const quote = priceOf(market, 'sell', tokens * arriving, unknown);
  // Without a print that is not suspect nothing is known to have been paid.
  const price = (quote?.price ?? 0) * (1 - slippage) * arriving;
  if (tokens === 0) return { price, quote, tokens, usd: 0, fee: 0, cost: 0, isMissed: false };
  const proceeds = tokens * price;
  const fee = usd + proceeds * share;
  return { price, quote, tokens, usd: proceeds - fee, fee, cost: book.sell(part), isMissed: false };
}

/** What a follower finds at the end. */
export interface End<P extends PoolPrint = PoolPrint> {
  readonly market: Market<P>;
  /** As of a trade. */
  readonly arriving: number;
}

/** What is held in the end, as if it were sold then: the books are empty after it. */
export function restsOf<P extends PoolPrint>(
  books: ReadonlyMap<number, Book>,
  endOf: (token: number) => End<P>,
  terms: FollowTerms,
): readonly Rest<P>[] {
  const rests: Rest<P>[] = [];
  for (const [token, book] of books) {
    if (book.tokens === 0) continue;
    const { market, arriving } = endOf(token);
    const { isMissed: _, ...rest } = sold({ part: 1, arriving }, book, market, terms);
    rests.push({ token, ...rest });
  }
  return rests;
}
