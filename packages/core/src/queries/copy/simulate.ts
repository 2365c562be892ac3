import type { FollowTerms } from '../../copy/follow.ts';
import { atLeaderPrices } from '../../copy/leader.ts';
import { type Fault, faultError, orderFault } from '../../faults.ts';
import { show } from '../../nearest.ts';
import { timeOf } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { formatTime } from '../../time.ts';
import type { QueryContext } from '../context.ts';
import { cursorFaults, readCursorAsOf, seqOfPlace, writeCursorAsOf } from '../list-place.ts';
import { type LeaderRange, madeByLeader, readLeader } from './leader.ts';
import { type Delay, readMarkets } from './markets.ts';
import type { Simulation } from './schema.ts';
import { servedPairs } from './served.ts';
import { type Followed, following, marketAtEnd, servedResult } from './sums.ts';

/** What is asked of a simulation: times are Unix seconds, shares percent. */
export interface SimulateRequest {
  readonly wallet: string;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly size: number;
  readonly delay?: number | undefined;
  readonly slots?: number | undefined;
  readonly delays: readonly number[];
  readonly slippage: number;
  readonly unknown: number;
  readonly max_wait: number;
  readonly fee: { readonly usd: number; readonly percent: number };
  readonly limit?: number | undefined;
  readonly explain: boolean;
  readonly cursor?: string | undefined;
}

/** Seconds that a follower takes if nothing else is asked for. */
export const DEFAULT_DELAY = 5;
/** Pairs of a page. */
const PAGE = 100;
/** What cursors of simulations are of. */
const LIST = 'simulate';

/**
 * What following a wallet would have made (docs/reference/simulate.md).
 *
 * - Later pages end at the instant of the first. Nothing is written.
 * - Errors: `invalid-request`, `invalid-range`, `invalid-cursor`; `too-many-points` over 5,000 trades of the leader; `behind-horizon` where a
 *   trade or a print is needed that is forgotten.
 */
export async function simulate(context: QueryContext, request: SimulateRequest): Promise<Simulation> {
  const faults = simulateFaults(request);
  if (faults.length > 0) throw faultError(faults);
  const { wallet, cursor, explain } = request;
  // The limit of a request is no size of its pages.
  const key = { ...request, over: request.limit };
  const begun = cursor === undefined ? undefined : readCursorAsOf(LIST, key, cursor);
  const to = Math.min(begun?.asOf ?? Math.floor(request.to ?? context.asOf), context.asOf);
  const id = await context.dictionary.findOne(context.reader, wallet);
  const from = request.from === undefined ? undefined : Math.ceil(request.from);
  if (id === NO_ID) return nothing(request, to);
  const range: LeaderRange = { id, from, to };
  const leader = await readLeader(context, range);
  const delays = delaysOf(request);
  const found = await readMarkets(
    context,
    { wallet: id, trades: leader.trades, to, maxWait: request.max_wait },
    delays,
  );
  const terms = termsOf(request);
  const pause = context.yielder();
  const results: Followed[] = [];
  for (const markets of found) results.push(await pause.run(following(leader, markets, terms)));
  const [markets, main] = [found[0]!, results[0]!];
  const ofDelay = new Map(delays.map((delay, i) => ['seconds' in delay ? delay.seconds : undefined, results[i]!]));
  const before =
    begun === undefined ? Number.POSITIVE_INFINITY : await seqOfPlace(context.reader, 'trades', begun.place);
  const newest = Array.from(leader.trades.keys())
    .reverse()
    .filter((i) => leader.trades[i]!.seq < before);
  const shown = newest.slice(0, PAGE);
  const served = await servedPairs(context, { leader, markets, followed: main, shown, explains: explain });
  const last = leader.trades[shown.at(-1) ?? -1];
  const place = last && {
    transaction: served.transactions.get(last.tx)!,
    index: leader.rows.columns.trade_index[leader.rowOf[shown.at(-1)!]!]!,
    half: last.seq % 2,
  };
  const first = leader.rows.columns.seq[0];
  return {
    wallet,
    from: from === undefined ? (first === undefined ? null : formatTime(timeOf(first))) : formatTime(from),
    to: formatTime(to),
    leader: servedResult(
      atLeaderPrices(leader.trades, {
        size: terms.size,
        markets: markets.at,
        endOf: (token) => marketAtEnd(markets.atEnd, token),
      }),
    ),
    leader_actual: servedResult(await madeByLeader(context, range, wallet, leader)),
    follower: main.sums,
    decay: [...new Set(request.delays)].map((delay) => ({ delay, ...ofDelay.get(delay)!.sums })),
    unvalued_count: leader.unvalued,
    count: leader.trades.length,
    ...(newest.length > PAGE && place ? { cursor: writeCursorAsOf(LIST, key, to, place) } : {}),
    pairs: served.pairs,
    ...(explain ? { rests: served.rests } : {}),
  };
}

/** What is wrong with a request beyond its fields, of which some may be missing. */
export function simulateFaults(request: Partial<SimulateRequest>): readonly Fault[] {
  const { from, to, delay, slots, size, fee } = request;
  const order = from === undefined ? undefined : orderFault(from, to);
  const faults = order === undefined ? [] : [order];
  if (delay !== undefined && slots !== undefined)
    faults.push(fault('slots', '"delay" and "slots" are two ways to say how long a follower takes; leave one out.'));
  if (size !== undefined && fee !== undefined) {
    const paid = fee.usd + (size * fee.percent) / 100;
    if (paid >= size)
      faults.push(
        fault('size', `"size" includes the fee: ${show(size)} USD leave nothing after a fee of ${show(paid)} USD.`),
      );
  }
  return [...faults, ...cursorFaults(request)];
}

const fault = (path: string, message: string): Fault => ({ code: 'invalid-request', path, message });

/** The delay that is asked for, and the others, each once. */
function delaysOf({ delay = DEFAULT_DELAY, slots, delays }: SimulateRequest): readonly Delay[] {
  const others = [...new Set(delays)].filter((seconds) => slots !== undefined || seconds !== delay);
  return [slots === undefined ? { seconds: delay } : { slots }, ...others.map((seconds) => ({ seconds }))];
}

function termsOf({ size, slippage, unknown, limit, fee }: SimulateRequest): FollowTerms {
  return {
    size,
    slippage: slippage / 100,
    unknown: unknown / 100,
    limit: limit === undefined ? undefined : limit / 100,
    fee: { usd: fee.usd, share: fee.percent / 100 },
  };
}

/** The answer of a wallet that is not in the store. */
function nothing({ wallet, from, delays, explain }: SimulateRequest, to: number): Simulation {
  const made = servedResult({ realized: 0, unrealized: 0, cost: 0 });
  const counts = { fees: 0, trade_count: 0, missed_count: 0, missed_leader_pnl: 0, unknown_count: 0, kept_count: 0 };
  const follower = { ...made, ...counts };
  return {
    wallet,
    from: from === undefined ? null : formatTime(Math.ceil(from)),
    to: formatTime(to),
    leader: made,
    leader_actual: made,
    follower,
    decay: [...new Set(delays)].map((delay) => ({ delay, ...follower })),
    unvalued_count: 0,
    count: 0,
    pairs: [],
    ...(explain ? { rests: [] } : {}),
  };
}
