import { type Fill, type FollowTerms, follow, type Rest, restsOf } from '../../copy/follow.ts';
import { atLeaderPrices, type Made } from '../../copy/leader.ts';
import type { Market } from '../../copy/price.ts';
import { percent } from '../../metrics/numbers.ts';
import { firstAfter } from '../../records/columns.ts';
import { addTo } from '../../records/key-index.ts';
import type { Work } from '../../work.ts';
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

/** Follows a leader on the markets that were found. Others may have their turn meanwhile. */
export function* following({ trades, left }: Leader, { at, atEnd }: FoundMarkets, terms: FollowTerms): Work<Followed> {
  const { fills, books } = follow(trades, at, terms);
  yield;
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
  yield;
  const sums = {
    ...servedResult({ realized, unrealized, cost }),
    fees,
    trade_count: made,
    missed_count: missed,
    missed_leader_pnl: lost.realized + lost.unrealized,
    unknown_count: unknown,
    kept_count: yield* counting(left, heldAt(trades, fills)),
  };
  return { fills, rests, sums };
}

export const marketAtEnd = (atEnd: FoundMarkets['atEnd'], token: number): Market<PlacedPrint> =>
  atEnd.get(token) ?? nothing;

type Left = Leader['left'][number];

/** Whether a follower held a token at a place in chain order: after the last of the leader's trades up to it. */
function heldAt(trades: Leader['trades'], fills: readonly Fill[]): (left: Left) => boolean {
  const rowsOf = new Map<number, number[]>();
  for (const [i, { token }] of trades.entries()) addTo(rowsOf, token, i);
  const seqsOf = new Map(
    Array.from(rowsOf, ([token, rows]) => [token, Float64Array.from(rows, (i) => trades[i]!.seq)]),
  );
  return ({ token, seq }) => {
    const seqs = seqsOf.get(token);
    const last = seqs === undefined ? -1 : firstAfter(seqs, seqs.length, seq) - 1;
    return last >= 0 && fills[rowsOf.get(token)![last]!]!.heldAfter > 0;
  };
}

/** Places that are looked at before others may have their turn. */
const TURN = 4096;

function* counting(left: Leader['left'], holds: (left: Left) => boolean): Work<number> {
  let count = 0;
  for (const [i, one] of left.entries()) {
    if (i % TURN === 0) yield;
    if (holds(one)) count++;
  }
  return count;
}

export function servedResult({ realized, unrealized, cost }: Made) {
  return {
    realized_pnl: realized,
    unrealized_pnl: unrealized,
    cost,
    roi: percent(realized + unrealized, cost),
  };
}
