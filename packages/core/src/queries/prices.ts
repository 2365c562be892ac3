import * as v from 'valibot';
import type { LatestPrint, MarkPrint } from '../cache/regions.ts';
import { isKept, requireWindow } from '../ingest/carried.ts';
import { movedPrice } from '../ledger/native-mark.ts';
import { latestPrints, type Print } from '../market-data/latest-prints.ts';
import { knownPrices, type PrintSwaps, printMarks, swapsOfPrints } from '../market-data/marks.ts';
import { numbers } from '../records/arithmetic.ts';
import { carriedLegsTable } from '../records/carried-tables.ts';
import { firstSeqAt, lastSeqAt, timeOf } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { isSuspect } from '../records/standing.ts';
import { legsTable } from '../records/tables.ts';
import { type Answer, flag, integer, integerOrNull, named, number, numberOrNull, text } from '../response.ts';
import { ascending } from '../storage/adapter.ts';
import { and, between, isIn } from '../storage/predicate.ts';
import { readTransactions } from '../storage/reads.ts';
import { windowSeconds } from '../time.ts';
import { lastSeq, orNull, type QueryContext } from './context.ts';
import { nativeUsdOf } from './native-price.ts';
import { type FoundAnswer, perToken, type TokenQuestion } from './per-token.ts';

const statWindows = ['5m', '1h', '6h', '12h', '1d', '7d', '30d'] as const;
type StatWindow = (typeof statWindows)[number];

/** Ages at which a swap leaves a window or the window before it, ascending. */
const edges = [...new Set(statWindows.flatMap((window) => [windowSeconds[window], 2 * windowSeconds[window]]))].sort(
  (a, b) => a - b,
);
const longest = edges[edges.length - 1]!;

interface TokenWindows {
  readonly volumes: (window: StatWindow) => readonly [volume: number, previous: number];
  /** The last price that is not suspect; `NaN` without one. */
  readonly price: number;
  /** Such a price when the window began; `NaN` before the first. */
  readonly priceBefore: (window: StatWindow) => number;
  /** The last as-of time for which this holds while the token is not traded: then a swap passes the edge of a window. */
  readonly until: number;
}

/** The swaps of a token by age, and its prices that are not suspect: bucket `i` holds what is younger than `edges[i]` and not in the bucket before. */
interface AgeBuckets {
  readonly volumes: Float64Array;
  readonly prices: Float64Array;
  readonly older: number;
  until: number;
  newest: number;
}

function newAgeBuckets(older: number): AgeBuckets {
  return {
    volumes: new Float64Array(edges.length),
    prices: new Float64Array(edges.length).fill(Number.NaN),
    older,
    until: Number.POSITIVE_INFINITY,
    newest: edges.length - 1,
  };
}

/** Adds a swap, oldest first: the age only falls, and the bucket with it. */
function addSwap(ageBuckets: AgeBuckets, asOf: number, time: number, price: number, usd: number): void {
  let bucket = ageBuckets.newest;
  while (bucket > 0 && asOf - time < edges[bucket - 1]!) bucket--;
  ageBuckets.newest = bucket;
  if (!Number.isNaN(usd)) ageBuckets.volumes[bucket]! += usd;
  if (!Number.isNaN(price)) ageBuckets.prices[bucket] = price;
  ageBuckets.until = Math.min(ageBuckets.until, time + edges[bucket]! - 1);
}

/** What the windows of tokens hold at the as-of time: reads each swap of twice the longest window once. */
async function readWindows(
  { asOf, reader }: QueryContext,
  tokens: Int32Array,
): Promise<(token: number) => TokenWindows> {
  const found = new Map<number, AgeBuckets>();
  const older = await latestPrints(reader, tokens, { until: lastSeqAt(asOf - longest), prints: 'clean' });
  for (const token of tokens) found.set(token, newAgeBuckets(older.get(token)?.price ?? Number.NaN));
  const scan = reader.stream({
    table: legsTable,
    columns: ['token', 'seq', 'price', 'usd_amount', 'standing'],
    where: and(isIn('token', tokens), between('seq', firstSeqAt(Math.max(0, asOf - longest + 1)), lastSeqAt(asOf))),
    order: ascending('token', 'seq'),
  });
  for await (const { columns: c, length } of scan)
    for (let i = 0; i < length; i++) {
      const price = isSuspect(c.standing[i]!) ? Number.NaN : c.price[i]!;
      addSwap(found.get(c.token[i]!)!, asOf, timeOf(c.seq[i]!), price, c.usd_amount[i]!);
    }
  return (token) => windowsOf(found.get(token)!);
}

function windowsOf({ volumes, prices, older, until }: AgeBuckets): TokenWindows {
  const volumeBetween = (from: number, to: number): number =>
    edges.reduce((sum, edge, i) => (edge > from && edge <= to ? sum + volumes[i]! : sum), 0);
  const priceAt = (age: number): number => {
    const bucket = edges.findIndex((edge, i) => edge > age && !Number.isNaN(prices[i]!));
    return bucket < 0 ? older : prices[bucket]!;
  };
  return {
    until,
    price: priceAt(0),
    volumes(window) {
      const length = windowSeconds[window];
      return [volumeBetween(0, length), volumeBetween(length, 2 * length)];
    },
    priceBefore: (window) => priceAt(windowSeconds[window]),
  };
}

export const latestPriceSchema = named(
  'LatestPrice',
  v.strictObject({
    token: text('Address.'),
    usd_price: number('USD per token.'),
    block_slot: integerOrNull('Slot or number of the block of the last print.'),
    block_time: integer('Unix seconds, UTC, of the last print.'),
    suspect: flag('Whether the last print is far off those before it.'),
    clean_usd_price: numberOrNull('USD per token: the mark now, which is what the token is worth; null without one.'),
  }),
);

/** The last print of a token in chain order. */
export interface LatestPrice extends Answer<typeof latestPriceSchema> {}

export const priceStatsSchema = named(
  'PriceStats',
  v.strictObject({
    ...latestPriceSchema.entries,
    ...eachWindow('usd_price_change', (window) =>
      numberOrNull(`Percent against ${window} ago, without suspect prints; null without a price at both ends.`),
    ),
    ...eachWindow('usd_volume', (window) => number(`USD in the last ${window}.`)),
    ...eachWindow('usd_volume_change', (window) => numberOrNull(`Percent against the ${window} before.`)),
  }),
);

/** Latest price, the changes of the last price that is not suspect in percent, USD volumes and their changes in percent. */
export interface PriceStats extends Answer<typeof priceStatsSchema> {}

function eachWindow<const N extends string, S>(name: N, schema: (window: StatWindow) => S) {
  const entries = statWindows.map((window) => [`${name}_${window}`, schema(window)]);
  return Object.fromEntries(entries) as { [K in `${N}_${StatWindow}`]: S };
}

interface TokensRequest {
  readonly tokens: readonly string[];
}

/** Latest prices in the order of the request; duplicates are answered once, tokens without a print are left out. */
export async function latestPrices(context: QueryContext, request: TokensRequest): Promise<readonly LatestPrice[]> {
  const tokens = await findTokens(context, request.tokens);
  const prices = await latestPricesOf(context, tokens.ids);
  const nativeUsd = await nativeUsdFor(context, prices.values(), ({ clean }) => clean);
  return tokens.answer((token, id) => {
    const price = prices.get(id);
    return price === undefined ? undefined : servedPrice(token, price, nativeUsd);
  });
}

/** Every field by its name: copying objects whole takes several times as long, for a thousand tokens longer than all else. */
function servedPrice(
  token: string,
  { usd_price, block_slot, block_time, suspect, clean }: LatestPrint,
  nativeUsd: number,
): LatestPrice {
  return {
    token,
    usd_price,
    block_slot,
    block_time,
    suspect,
    clean_usd_price: movedCleanPrice(clean, nativeUsd),
  };
}

function movedCleanPrice(clean: MarkPrint | null, nativeUsd: number): number | null {
  return clean === null ? null : orNull(movedPrice(numbers, clean.usd_price, clean.native_price, nativeUsd));
}

interface FoundTokens {
  /** Ids of the tokens that the store knows, each once. */
  readonly ids: Int32Array;
  /** The answers of those that have one, in the order of the request. */
  readonly answer: <T>(of: (token: string, id: number) => T | undefined) => T[];
}

async function findTokens(context: QueryContext, tokens: readonly string[]): Promise<FoundTokens> {
  const distinct = [...new Set(tokens)];
  const ids = await context.dictionary.find(context.reader, distinct);
  return {
    ids: ids.filter((id) => id !== NO_ID),
    answer: (of) => distinct.flatMap((token, i) => (ids[i] === NO_ID ? [] : (of(token, ids[i]!) ?? []))),
  };
}

const latestPrice: TokenQuestion<LatestPrint> = {
  region: 'prices',
  async ask(context, tokens) {
    const until = lastSeq(context);
    const prints = await latestPrints(context.reader, tokens, { until });
    const others = Int32Array.from(tokens).filter((token) => prints.get(token)?.isMarking === false);
    const marks = await printMarks(context.reader, others, until);
    const swaps = await swapsOfPrints(context, [...prints.values(), ...marks.values()]);
    const { nativePriceOf } = swaps;
    const slotOf = await slotsOf(context, [...prints.values()], swaps);
    return new Map(
      Array.from(prints, ([token, print]): [number, FoundAnswer<LatestPrint>] => {
        const { seq, price, isSuspect } = print;
        const clean = print.isMarking ? print : marks.get(token);
        const value = {
          usd_price: price,
          block_slot: orNull(slotOf(seq)),
          block_time: timeOf(seq),
          suspect: isSuspect,
          native_price: nativePriceOf(token, seq),
          clean:
            clean === undefined
              ? null
              : {
                  usd_price: clean.price,
                  block_time: timeOf(clean.seq),
                  native_price: nativePriceOf(token, clean.seq),
                  isMarking: clean.isMarking,
                },
        };
        return [token, { value }];
      }),
    );
  },
};

/** What quote tokens are known to be worth at the as-of time, whatever their prints say. */
const knownUsdPrice: TokenQuestion<{ readonly usd: number; readonly since: number | undefined }> = {
  region: 'known',
  async ask(context, tokens) {
    const { prices, times, until } = await knownPrices(context, tokens, context.asOf);
    return new Map(
      Array.from(tokens, (token) => {
        const value = { usd: prices.get(token) ?? Number.NaN, since: times.get(token) };
        return [token, { value, until }];
      }),
    );
  },
};

/** Latest prices by token id; tokens without a print are absent. */
async function latestPricesOf(context: QueryContext, ids: Int32Array): Promise<ReadonlyMap<number, LatestPrint>> {
  const prints = await perToken(context, latestPrice, ids);
  const quotes = ids.filter((token) => context.roles.rankOf(token) >= 0 && prints.has(token));
  if (quotes.length === 0) return prints;
  const latest = new Map(prints);
  for (const [token, { usd, since }] of await perToken(context, knownUsdPrice, quotes)) {
    const print = prints.get(token)!;
    const clean = { usd_price: usd, block_time: since ?? print.block_time, native_price: Number.NaN, isMarking: true };
    if (!Number.isNaN(usd)) latest.set(token, { ...print, clean });
  }
  return latest;
}

/** Tokens whose marks are looked up before others may have their turn: of fewer, an engine would look more often. */
const TOGETHER = 16_384;

/** What values what is held, by token id, `usd_price` as it is at the as-of time; tokens without a mark are absent. */
export async function latestMarksOf(context: QueryContext, ids: Int32Array): Promise<ReadonlyMap<number, MarkPrint>> {
  const marks = new Map<number, MarkPrint>();
  const pause = context.yielder();
  for (let from = 0; from < ids.length; from += TOGETHER) {
    await addMarks(context, ids.slice(from, from + TOGETHER), marks);
    await pause.yieldIfDue();
  }
  return marks;
}

async function addMarks(context: QueryContext, ids: Int32Array, marks: Map<number, MarkPrint>): Promise<void> {
  const prints = await latestPricesOf(context, ids);
  const markOf = (print: LatestPrint) => (context.config.marks === 'last' ? print : print.clean);
  const nativeUsd = await nativeUsdFor(context, prints.values(), markOf);
  for (const [id, print] of prints) {
    const mark = markOf(print);
    if (mark === null) continue;
    const { usd_price, block_time, native_price } = mark;
    marks.set(id, { usd_price: movedPrice(numbers, usd_price, native_price, nativeUsd), block_time, native_price });
  }
}

/** USD per native token at the as-of time, `NaN` if it is unknown, or no mark moves with it. */
async function nativeUsdFor(
  context: QueryContext,
  prints: Iterable<LatestPrint>,
  markOf: (print: LatestPrint) => MarkPrint | null,
): Promise<number> {
  for (const print of prints) if (!Number.isNaN(markOf(print)?.native_price ?? Number.NaN)) return nativeUsdOf(context);
  return Number.NaN;
}

async function slotsOf(
  { reader, horizon }: QueryContext,
  prints: readonly Print[],
  { txOf }: PrintSwaps,
): Promise<(seq: number) => number> {
  const transactions = await readTransactions(reader, Int32Array.from(prints.flatMap(({ seq }) => txOf(seq) ?? [])));
  const slots = new Map<number, number>();
  const forgotten = prints.filter(({ seq }) => timeOf(seq) < horizon).map(({ seq }) => seq);
  if (forgotten.length > 0) {
    const { columns: c } = await reader.read({
      table: carriedLegsTable,
      columns: ['seq', 'block_slot'],
      where: isIn('seq', forgotten),
    });
    for (const [i, seq] of c.seq.entries()) slots.set(seq, c.block_slot[i]!);
  }
  return (seq) => {
    const tx = txOf(seq);
    return (tx === undefined ? slots.get(seq) : transactions.get(tx)?.block_slot) ?? Number.NaN;
  };
}

/** Price statistics in the order of the request; duplicates are answered once, tokens without a print are left out. */
export async function priceStats(context: QueryContext, request: TokensRequest): Promise<readonly PriceStats[]> {
  requireWindow(context, windowSeconds['30d'], 'The volume of 30 days');
  const tokens = await findTokens(context, request.tokens);
  const stats = await perToken(context, tokenStats, tokens.ids);
  const prints = await latestPricesOf(context, tokens.ids);
  const nativeUsd = await nativeUsdFor(context, prints.values(), ({ clean }) => clean);
  const unknown = Object.fromEntries(windowsBehind(context).map((window) => [`usd_volume_change_${window}`, null]));
  return tokens.answer((token, id) => {
    const found = stats.get(id);
    if (found === undefined) return undefined;
    const clean_usd_price = movedCleanPrice(prints.get(id)?.clean ?? null, nativeUsd);
    return { ...found, token, clean_usd_price, ...unknown };
  });
}

/** The windows before which there is one that begins before the horizon. */
function windowsBehind(context: QueryContext): readonly StatWindow[] {
  return statWindows.filter((window) => !isKept(context, 2 * windowSeconds[window]));
}

const tokenStats: TokenQuestion<PriceStats> = { region: 'stats', ask: readStats };

async function readStats(
  context: QueryContext,
  ids: Int32Array,
): Promise<ReadonlyMap<number, FoundAnswer<PriceStats>>> {
  // The volumes of a token that everybody trades are sums over millions of legs.
  context.requireScan();
  const latest = await latestPricesOf(context, ids);
  if (latest.size === 0) return new Map();
  const priced = Int32Array.from(latest.keys());
  const windowsOf = await readWindows(context, priced);
  const answers = new Map<number, FoundAnswer<PriceStats>>();
  // What reaches behind the horizon is not served, and is no more than part of a volume: it holds until it would be served.
  const served = windowsBehind(context).map((window) => context.horizon - 2 + 2 * windowSeconds[window]);
  for (const [id, print] of latest) {
    const stats: Record<string, number | null> = {};
    const { until, volumes, price, priceBefore } = windowsOf(id);
    for (const window of statWindows) {
      const [volume, previous] = volumes(window);
      stats[`usd_price_change_${window}`] = orNull((price / priceBefore(window) - 1) * 100);
      stats[`usd_volume_${window}`] = volume;
      stats[`usd_volume_change_${window}`] = previous === 0 ? null : orNull((volume / previous - 1) * 100);
    }
    // Whoever serves it puts the token and the mark in: copied as one object it takes a thirtieth of the time of two.
    const value = { ...servedPrice('', print, Number.NaN), ...stats } as PriceStats;
    answers.set(id, { value, until: Math.min(until, ...served) });
  }
  return answers;
}
