import { Book } from './book.ts';
import type { PoolPrint } from './depth.ts';
import type { LeaderTrade } from './follow.ts';
import type { Market } from './price.ts';

/** What trades made: of what was sold, and of what is held in the end. USD. */
export interface Made {
  readonly realized: number;
  readonly unrealized: number;
  /** Of all that was bought. */
  readonly cost: number;
}

/**
 * What buys of one size would have made at the leader's own prices, without slippage and fees; what is held in the end is worth the newest print.
 *
 * - `takes`: which of the trades count, by their number; sells count for what was bought.
 */
export function atLeaderPrices(
  trades: readonly LeaderTrade[],
  {
    size,
    markets,
    endOf,
    takes = () => true,
  }: {
    readonly size: number;
    readonly markets: readonly Market[];
    readonly endOf: (token: number) => Market;
    readonly takes?: (i: number) => boolean;
  },
): Made {
  const books = new Map<number, Book>();
  let [realized, unrealized, cost] = [0, 0, 0];
  for (const [i, { token, isBuy, part, price }] of trades.entries()) {
    const book = books.get(token) ?? new Book();
    books.set(token, book);
    if (isBuy) {
      if (!takes(i)) continue;
      book.buy(size / price, size);
      cost += size;
      continue;
    }
    if (book.tokens === 0) continue;
    const tokens = part < 1 ? book.tokens * part : book.tokens;
    realized += tokens * (Number.isNaN(price) ? cleanPrice(markets[i]!) : price) - book.sell(part);
  }
  for (const [token, book] of books)
    if (book.tokens > 0) unrealized += book.tokens * cleanPrice(endOf(token)) - book.cost;
  return { realized, unrealized, cost };
}

/** The price of the newest print that is not suspect; 0 if there is none. */
function cleanPrice({ newest }: Market<PoolPrint>): number {
  return newest.find(({ isSuspect }) => !isSuspect)?.price ?? 0;
}
