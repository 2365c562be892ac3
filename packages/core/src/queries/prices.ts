import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import { windowSeconds } from '../time.ts';
import { lastSeq, orNull, type QueryContext } from './context.ts';
import { latestPrints, type Print } from './latest-prints.ts';
import { readTransactions } from './transactions.ts';

/** Windows of the price statistics, as they stand on the wire. */
export const statWindows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'] as const;
type StatWindow = (typeof statWindows)[number];

/** The last print of a token in chain order. */
export interface LatestPrice {
  readonly token: string;
  readonly usd_price: number;
  readonly block_slot: number | null;
  readonly block_time: number;
}

/** Latest price, its changes in percent, USD volumes and their changes in percent. */
export type PriceStats = LatestPrice &
  Readonly<Record<`usd_price_change_${StatWindow}`, number | null>> &
  Readonly<Record<`usd_volume_${StatWindow}`, number>> &
  Readonly<Record<`usd_volume_change_${StatWindow}`, number | null>>;

export interface TokensRequest {
  readonly tokens: readonly string[];
}

/** Latest prices in the order of the request; duplicates are answered once, tokens without a print are left out. */
export async function latestPrices(context: QueryContext, request: TokensRequest): Promise<readonly LatestPrice[]> {
  return (await readLatest(context, request.tokens)).map(({ price }) => price);
}

interface KnownToken {
  readonly id: number;
  readonly price: LatestPrice;
}

async function readLatest(context: QueryContext, tokens: readonly string[]): Promise<KnownToken[]> {
  const { reader } = context;
  const distinct = [...new Set(tokens)];
  const ids = await context.dictionary.find(reader, distinct);
  const prints = await latestPrints(
    reader,
    ids.filter((id) => id !== NO_ID),
    lastSeq(context),
  );
  const slots = await slotsOf(context, [...prints.values()]);
  return distinct.flatMap((token, i) => {
    const print = prints.get(ids[i]!);
    if (print === undefined) return [];
    return [
      {
        id: ids[i]!,
        price: { token, usd_price: print.price, block_slot: orNull(slots(print.seq)), block_time: timeOf(print.seq) },
      },
    ];
  });
}

async function slotsOf(context: QueryContext, prints: readonly Print[]): Promise<(seq: number) => number> {
  const swaps = await context.reader.read({
    table: swapsTable,
    columns: ['seq', 'tx'],
    where: isIn(
      'seq',
      Float64Array.from(prints, (print) => print.seq),
    ),
  });
  const transactions = await readTransactions(context.reader, swaps.columns.tx);
  const slots = new Map(
    Array.from(swaps.columns.seq, (seq, i) => [seq, transactions.get(swaps.columns.tx[i]!)!.block_slot]),
  );
  return (seq) => slots.get(seq) ?? Number.NaN;
}

/** Price statistics in the order of the request; duplicates are answered once, tokens without a print are left out. */
export async function priceStats(context: QueryContext, request: TokensRequest): Promise<readonly PriceStats[]> {
  const known = await readLatest(context, request.tokens);
  const ids = Int32Array.from(known, ({ id }) => id);
  const volumes = await readVolumes(context, ids);
  const before = new Map<StatWindow, ReadonlyMap<number, Print>>();
  for (const window of statWindows)
    before.set(window, await latestPrints(context.reader, ids, lastSeqAt(context.asOf - windowSeconds[window])));
  return known.map(({ id, price }) => {
    const stats: Record<string, number | null> = {};
    for (const [w, window] of statWindows.entries()) {
      const then = before.get(window)!.get(id)?.price ?? Number.NaN;
      const [volume, previous] = volumes(id, w);
      stats[`usd_price_change_${window}`] = orNull((price.usd_price / then - 1) * 100);
      stats[`usd_volume_${window}`] = volume;
      stats[`usd_volume_change_${window}`] = previous === 0 ? null : orNull((volume / previous - 1) * 100);
    }
    return { ...price, ...stats } as PriceStats;
  });
}

/** USD volume of each token in each window and in the window before it. */
async function readVolumes(
  context: QueryContext,
  tokens: Int32Array,
): Promise<(token: number, window: number) => readonly [volume: number, previous: number]> {
  const { asOf } = context;
  const longest = 2 * windowSeconds['30d'];
  const sums = new Map<number, Float64Array>();
  const scan = context.reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'usd_amount'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(Math.max(0, asOf - longest + 1)), lastSeqAt(asOf))),
    order: [
      { column: 'token', direction: 'asc' },
      { column: 'seq', direction: 'asc' },
    ],
  });
  for await (const rows of scan) {
    const c = rows.columns;
    for (let i = 0; i < rows.length; i++) {
      const usd = c.usd_amount[i]!;
      if (Number.isNaN(usd)) continue;
      let sum = sums.get(c.token[i]!);
      if (sum === undefined) {
        sum = new Float64Array(statWindows.length * 2);
        sums.set(c.token[i]!, sum);
      }
      const age = asOf - timeOf(c.seq[i]!);
      for (const [w, window] of statWindows.entries()) {
        const length = windowSeconds[window];
        if (age < length) sum[w * 2]! += usd;
        else if (age < 2 * length) sum[w * 2 + 1]! += usd;
      }
    }
  }
  return (token, window) => {
    const sum = sums.get(token);
    return sum === undefined ? [0, 0] : [sum[window * 2]!, sum[window * 2 + 1]!];
  };
}
