import type { Candle } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import type { Asked } from '../plugged.ts';

/** The most candles of one question to the store. */
const BATCH = 5000;

/** The most bars of an answer: of a longer range the newest ones. `limitedServerResponse` of the library then asks for the rest. */
export const MAX_BARS = 20_000;

/** What the library asks for: bars that begin before `to`, the newest `countback` of them or those from `from` on. */
export interface HistoryRequest {
  readonly token: string;
  /** Seconds of a bar. */
  readonly interval: number;
  /** Unix seconds. */
  readonly from: number;
  /** Unix seconds, not inclusive. */
  readonly to: number;
  /** `from` means nothing beside it. */
  readonly countback: number | undefined;
}

/** The bars of a request as the protocol has them: a column each. Without a bar, `nextTime` is the newest one before, in milliseconds. */
export async function history(store: Asked, request: HistoryRequest): Promise<object> {
  const bars = await barsOf(store, request);
  if (bars.length > 0) return { s: 'ok', ...columnsOf(bars) };
  const [before] = request.countback === undefined ? await candlesBefore(store, request, request.from, 1) : [];
  return { s: 'no_data', ...(before === undefined ? {} : { nextTime: before.timestamp * 1000 }) };
}

async function barsOf(store: Asked, request: HistoryRequest): Promise<readonly Candle[]> {
  const { from, to, countback } = request;
  const least = countback === undefined ? from : 0;
  const most = Math.min(countback ?? MAX_BARS, MAX_BARS);
  let bars: readonly Candle[] = [];
  let end = to;
  while (bars.length < most) {
    const count = Math.min(BATCH, most - bars.length);
    const older = await candlesBefore(store, request, end, count);
    const wanted = older.filter(({ timestamp }) => timestamp >= least);
    bars = [...wanted, ...bars];
    if (older.length < count || wanted.length < older.length) break;
    end = older[0]!.timestamp;
  }
  return bars;
}

/** The newest candles that begin before an instant, oldest first. */
async function candlesBefore(
  store: Asked,
  { token, interval }: HistoryRequest,
  to: number,
  count: number,
): Promise<readonly Candle[]> {
  return (await store.call('prices.candles', { token, interval, to: formatTime(to), count })) as readonly Candle[];
}

function columnsOf(bars: readonly Candle[]): object {
  return {
    t: bars.map(({ timestamp }) => timestamp),
    o: bars.map(({ open }) => open),
    h: bars.map(({ high }) => high),
    l: bars.map(({ low }) => low),
    c: bars.map(({ close }) => close),
    v: bars.map(({ volume }) => volume),
  };
}
