import { DEPTH_PRINTS, depthOf } from '../../copy/depth.ts';
import type { LeaderTrade } from '../../copy/follow.ts';
import type { Market } from '../../copy/price.ts';
import { requestError } from '../../faults.ts';
import { behindHorizon, CarriedEntities } from '../../ingest/carried.ts';
import { lastSeqAt, SECOND, timeOf } from '../../records/chain-order.ts';
import { NO_ID } from '../../records/columns.ts';
import { distinctIds } from '../../records/key-index.ts';
import { readTransactions } from '../../storage/reads.ts';
import { formatTime } from '../../time.ts';
import { lastSeq, type QueryContext } from '../context.ts';
import { type PlacedPrint, PrintReader, type PrintScope } from './prints.ts';
import { PrintTape } from './tape.ts';

/** A trade of the leader that can be followed. */
export interface PlacedTrade extends LeaderTrade, PrintScope {
  readonly seq: number;
  readonly tx: number;
}

/** How long a follower takes: seconds of the chain's clock, or slots. */
export type Delay = { readonly seconds: number } | { readonly slots: number };

/** What a follower finds at each trade, and when it sells what is left of a token. */
export interface FoundMarkets {
  readonly at: readonly Market<PlacedPrint>[];
  readonly atEnd: ReadonlyMap<number, Market<PlacedPrint>>;
}

export interface MarketsRequest {
  /** The leader: its own prints are nobody else's. */
  readonly wallet: number;
  /** Oldest first. */
  readonly trades: readonly PlacedTrade[];
  /** When what is left is sold, Unix seconds. */
  readonly to: number;
  readonly maxWait: number;
}

/** Seconds in which the moments of most delays follow each other. */
const AROUND = 60;

/** A place in chain order at which a market is wanted. */
interface Moment {
  readonly place: number;
  readonly put: (market: Market<PlacedPrint>) => void;
}

/** What followers find that take their time, each print read once for all that it is needed for. */
export async function readMarkets(
  context: QueryContext,
  request: MarketsRequest,
  delays: readonly Delay[],
): Promise<readonly FoundMarkets[]> {
  const { trades, to } = request;
  const found = delays.map(() => ({
    at: [] as Market<PlacedPrint>[],
    atEnd: new Map<number, Market<PlacedPrint>>(),
  }));
  const last = new Map(trades.map((trade) => [trade.token, trade]));
  const carried = await carriedTokens(context, trades);
  const pause = context.yielder();
  for (const [scope, group] of groupsOf(trades)) {
    const pool = new PoolMarkets(context, scope, request, carried.has(scope.token));
    const moments: Moment[] = [];
    const bySlot: { readonly trade: PlacedTrade; readonly slots: number; readonly put: Moment['put'] }[] = [];
    for (const [d, delay] of delays.entries()) {
      for (const i of group) {
        const trade = trades[i]!;
        const put: Moment['put'] = (market) => {
          found[d]!.at[i] = market;
        };
        if ('slots' in delay) bySlot.push({ trade, slots: delay.slots, put });
        else moments.push({ place: lastSeqAt(timeOf(trade.seq) + delay.seconds), put });
      }
      const end = last.get(scope.token)!;
      if (end.pool !== scope.pool || !mayBeHeld(end)) continue;
      const put: Moment['put'] = (market) => found[d]!.atEnd.set(scope.token, market);
      moments.push({ place: lastSeqAt(to + ('seconds' in delay ? delay.seconds : 0)), put });
    }
    moments.sort((a, b) => a.place - b.place);
    const tape = pool.tape(moments.at(-1)?.place ?? 0);
    for (const { place, put } of moments) {
      put(await pool.at(tape, Math.min(place, lastSeq(context))));
      await pause.yieldIfDue();
    }
    const slotTape = pool.tape(lastSeq(context));
    for (const { trade, slots, put } of bySlot) {
      put(await pool.at(slotTape, await pool.endOfSlot(slotTape, trade, slots)));
      await pause.yieldIfDue();
    }
  }
  return found;
}

/** Whether a follower may hold something after the last trade of a token. */
const mayBeHeld = ({ isBuy, part }: PlacedTrade): boolean => isBuy || part < 1;

/** The trades of each pool by their numbers, in order. */
function groupsOf(trades: readonly PlacedTrade[]): ReadonlyMap<PrintScope, readonly number[]> {
  const byName = new Map<string, { readonly scope: PrintScope; readonly of: number[] }>();
  for (const [i, { token, pool }] of trades.entries()) {
    const name = `${token} ${pool}`;
    const group = byName.get(name) ?? { scope: { token, pool }, of: [] };
    byName.set(name, group);
    group.of.push(i);
  }
  return new Map(Array.from(byName.values(), ({ scope, of }) => [scope, of]));
}

/** Tokens of which swaps are forgotten. */
async function carriedTokens(
  { reader, horizon }: QueryContext,
  trades: readonly PlacedTrade[],
): Promise<ReadonlySet<number>> {
  if (horizon === 0) return new Set();
  const tokens = distinctIds(Int32Array.from(trades, ({ token }) => token));
  return new Set((await CarriedEntities.read(reader, horizon, 'tokens', tokens)).ids);
}

/** The markets of one pool at moments. */
class PoolMarkets {
  readonly #context: QueryContext;
  readonly #scope: PrintScope;
  readonly #request: MarketsRequest;
  readonly #isForgotten: boolean;
  readonly #slots = new Map<number, number>();

  constructor(context: QueryContext, scope: PrintScope, request: MarketsRequest, isForgotten: boolean) {
    this.#context = context;
    this.#scope = scope;
    this.#request = request;
    this.#isForgotten = isForgotten;
  }

  /** The prints for moments up to a place, and for the waits after them. */
  tape(place: number): PrintTape {
    const end = Math.min(this.#endOfWait(place), lastSeq(this.#context));
    return new PrintTape(this.#prints(this.#scope.pool), end, (this.#request.maxWait + AROUND) * SECOND);
  }

  async at(tape: PrintTape, place: number): Promise<Market<PlacedPrint>> {
    const prints = await tape.upTo(place);
    this.#requireAll(prints, place);
    const next: PlacedPrint[] = [];
    for await (const print of tape.after(place, this.#endOfWait(place))) {
      if (print.wallet === this.#request.wallet) continue;
      next.push(print);
      if (!print.isSuspect) break;
    }
    return { depth: depthOf(prints), newest: await this.#newest(prints, place), next };
  }

  /** The last place that counts so many slots after a trade: that of the trade itself, or of a print in these slots. */
  async endOfSlot(tape: PrintTape, trade: PlacedTrade, slots: number): Promise<number> {
    await this.#loadSlots([trade]);
    const last = this.#slots.get(trade.tx)! + slots;
    if (Number.isNaN(last))
      throw requestError(
        'invalid-request',
        'slots',
        '"slots" needs the slots of the blocks, and a trade of the wallet has none; use "delay".',
      );
    await tape.upTo(trade.seq);
    let place = trade.seq;
    for await (const { seq, tx } of tape.after(trade.seq, lastSeq(this.#context))) {
      if (!this.#slots.has(tx)) await this.#loadSlots(tape.prints);
      if (this.#slots.get(tx)! > last) break;
      place = seq;
    }
    return place;
  }

  #prints(pool: number): PrintReader {
    const { reader, horizon } = this.#context;
    return new PrintReader(reader, { token: this.#scope.token, pool }, horizon);
  }

  #endOfWait(place: number): number {
    return lastSeqAt(timeOf(place) + this.#request.maxWait);
  }

  /** The newest print that is not suspect, of any pool of the token if this one has none, and the suspect ones after it. */
  async #newest(prints: readonly PlacedPrint[], place: number): Promise<readonly PlacedPrint[]> {
    const clean = prints.findLastIndex(({ isSuspect }) => !isSuspect);
    if (clean >= 0) return prints.slice(clean);
    const all = await this.#prints(NO_ID).before(place, DEPTH_PRINTS);
    this.#requireAll(all, place);
    const other = all.findLast(({ isSuspect }) => !isSuspect);
    return other === undefined ? prints : [other, ...prints.filter(({ seq }) => seq > other.seq)];
  }

  /** Errors: `behind-horizon` if some of the prints are forgotten. */
  #requireAll(prints: readonly PlacedPrint[], place: number): void {
    if (prints.length >= DEPTH_PRINTS || !this.#isForgotten) return;
    const { horizon } = this.#context;
    throw behindHorizon(`What the market was at ${formatTime(timeOf(place))}`, horizon - 1, horizon);
  }

  async #loadSlots(rows: readonly { readonly tx: number }[]): Promise<void> {
    const unknown = rows.flatMap(({ tx }) => (this.#slots.has(tx) ? [] : tx));
    for (const [tx, { block_slot }] of await readTransactions(this.#context.reader, unknown))
      this.#slots.set(tx, block_slot);
  }
}
