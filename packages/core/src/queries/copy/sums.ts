import { type Fill, type FollowTerms, follow, type Rest, restsOf } from '../../copy/follow.ts';
import { atLeaderPrices, type Made } from '../../copy/leader.ts';
import type { Market } from '../../copy/price.ts';
import { percent } from '../../metrics/numbers.ts';
import type { Leader } from './leader.ts';
import type { FoundMarkets } from './markets.ts';
import type { PlacedPrint } from './prints.ts';
import type { SimulatedFollower } from './schema.ts';

/** What a follower did, and what that sums up to. */
export interface Followed {
  readonly fills: readonly Fill<PlacedPrint>[];
  readonly rests: readonly Rest<PlacedPrint>[];
  readonly sums: SimulatedFollower;
}

const nothing: Market<PlacedPrint> = { depth: undefined, newest: [], next: [] };

/** Follows a leader on the markets that were found. */
export function followed({ trades, left }: Leader, { at, atEnd }: FoundMarkets, terms: FollowTerms): Followed {
  const { fills, books } = follow(trades, at, terms);
  const arriving = new Map<number, number>();
  for (const { token, arriving: part } of trades) arriving.set(token, Math.min(arriving.get(token) ?? 1, part));
  const rests = restsOf(
    books,
    (token) => ({ market: marketAtEnd(atEnd, token), arriving: arriving.get(token)! }),
    terms,
  );
  let [realized, unrealized, cost, fees, made, missed, unknown] = [0, 0, 0, 0, 0, 0, 0];
  for (const [i, fill] of fills.entries()) {
    if (trades[i]!.isBuy) cost += fill.usd;
    else realized += fill.usd - fill.cost;
    fees += fill.fee;
    if (fill.isMissed) missed++;
    else if (fill.tokens > 0) made++;
    if ((fill.isMissed || fill.tokens > 0) && at[i]!.depth === undefined) unknown++;
  }
  for (const rest of rests) unrealized += rest.usd - rest.cost;
  const lost = atLeaderPrices(trades, {
    size: terms.size,
    markets: at,
    endOf: (token) => marketAtEnd(atEnd, token),
    takes: (i) => fills[i]!.isMissed,
  });
  const sums = {
    ...servedResult({ realized, unrealized, cost }),
    fees,
    trade_count: made,
    missed_count: missed,
    missed_leader_pnl: lost.realized + lost.unrealized,
    unknown_count: unknown,
    kept_count: left.filter(({ token, seq }) => isHeld(trades, fills, token, seq)).length,
  };
  return { fills, rests, sums };
}

export const marketAtEnd = (atEnd: FoundMarkets['atEnd'], token: number): Market<PlacedPrint> =>
  atEnd.get(token) ?? nothing;

/** Whether a follower held a token at a place in chain order: that of the leader's trades. */
function isHeld(trades: Leader['trades'], fills: readonly Fill[], token: number, seq: number): boolean {
  const last = trades.findLastIndex((trade) => trade.token === token && trade.seq <= seq);
  return last >= 0 && fills[last]!.heldAfter > 0;
}

export function servedResult({ realized, unrealized, cost }: Made) {
  return {
    realized_pnl: realized,
    unrealized_pnl: unrealized,
    cost,
    roi: percent(realized + unrealized, cost),
  };
}
