import type { Config } from '../config.ts';
import { storedPools } from '../ingest/vote-pools.ts';
import { nativeMarkOf } from '../ledger/native-mark.ts';
import { exchangedFields } from '../ledger/pooled.ts';
import type { Roles } from '../ledger/roles.ts';
import { carriedLegsTable } from '../records/carried-tables.ts';
import { timeOf } from '../records/chain-order.ts';
import type { Batch } from '../records/columns.ts';
import { isMarking, isSuspect, VOTE } from '../records/standing.ts';
import { FIRST_POOL, referencePricesTable, swapsTable, votePair } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, between, compare, isIn } from '../storage/predicate.ts';
import { latestPrints, type Print, recentPrints } from './latest-prints.ts';

/** What marks depend on (docs/reference/metrics.md, "Prices"). */
export interface MarkContext {
  readonly reader: Reader;
  readonly config: Config;
  readonly roles: Roles;
  /** Unix seconds: what was before is forgotten, and carried. */
  readonly horizon: number;
  /** Without any, none are looked for. */
  readonly hasReferencePrices: boolean;
}

/** What values a token at an instant: the price of a print, and its price in native tokens if it moves with the native price (`movedPrice`). */
export interface Mark extends Pick<Print, 'seq' | 'price'> {
  readonly nativePrice: number;
}

/**
 * The marks of tokens up to a seq, by the configuration; those without one are absent. A quote token that is worth a known price has the newest
 * print as its mark, at that price, which does not move.
 */
export async function latestMarks(
  context: MarkContext,
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, Mark>> {
  const { reader, config } = context;
  const isLast = config.marks === 'last';
  const known = isLast ? new Map<number, number>() : (await knownPrices(context, tokens, timeOf(until))).prices;
  const judged = tokens.filter((token) => !known.has(token));
  const prints = isLast
    ? await recentPrints(reader, tokens, { until })
    : await printMarks(reader, judged, until, recentPrints);
  const { nativePriceOf } = await swapsOfPrints(context, prints.values());
  const marks = new Map<number, Mark>();
  for (const [token, { seq, price }] of prints)
    marks.set(token, { seq, price, nativePrice: nativePriceOf(token, seq) });
  for (const [token, { seq }] of await recentPrints(reader, Int32Array.from(known.keys()), { until }))
    marks.set(token, { seq, price: known.get(token)!, nativePrice: Number.NaN });
  return marks;
}

/** Swaps that are looked up together. */
const TOGETHER = 10_000;

/** What the swaps of prints say beside the prices. */
export interface PrintSwaps {
  /**
   * The price of the token in native tokens by the swap of a print: how the print moves with the native price. `NaN` of a print whose value is
   * not that of a native leg.
   */
  readonly nativePriceOf: (token: number, seq: number) => number;
  /** The id of the transaction; `undefined` of a swap that is forgotten. */
  readonly txOf: (seq: number) => number | undefined;
}

/** The swaps of prints, each read once. */
export async function swapsOfPrints(
  { reader, roles, horizon }: Pick<MarkContext, 'reader' | 'roles' | 'horizon'>,
  prints: Iterable<{ readonly seq: number }>,
): Promise<PrintSwaps> {
  const all = [...new Set(Array.from(prints, ({ seq }) => seq))];
  const found = new Map<number, { readonly swaps: Batch<typeof swapsTable, SwapOfPrint>; readonly row: number }>();
  const carried = new Map<string, number>();
  for (let from = 0; from < all.length; from += TOGETHER) {
    const seqs = Float64Array.from(all.slice(from, from + TOGETHER));
    const swaps = await reader.read({ table: swapsTable, columns: swapOfPrint, where: isIn('seq', seqs) });
    for (let row = 0; row < swaps.length; row++) found.set(swaps.columns.seq[row]!, { swaps, row });
    const forgotten = seqs.filter((seq) => timeOf(seq) < horizon);
    if (forgotten.length === 0) continue;
    const { columns: c, length } = await reader.read({
      table: carriedLegsTable,
      columns: ['seq', 'token', 'native_price'],
      where: isIn('seq', forgotten),
    });
    for (let row = 0; row < length; row++) carried.set(`${c.token[row]} ${c.seq[row]}`, c.native_price[row]!);
  }
  return {
    txOf(seq) {
      const at = found.get(seq);
      return at?.swaps.columns.tx[at.row];
    },
    nativePriceOf(token, seq) {
      const at = found.get(seq);
      return at === undefined
        ? (carried.get(`${token} ${seq}`) ?? Number.NaN)
        : nativeMarkOf(at.swaps, at.row, token, roles);
    },
  };
}

const swapOfPrint = ['seq', 'tx', ...exchangedFields, 'valued_by'] as const;
type SwapOfPrint = (typeof swapOfPrint)[number];

/**
 * Prices that are known, by token, and the last time at which the same are, as long as no reference price is written. `times`: since when
 * reference prices are known, Unix seconds.
 */
export interface KnownPrices {
  readonly prices: ReadonlyMap<number, number>;
  readonly times: ReadonlyMap<number, number>;
  readonly until: number;
}

/** What quote tokens among some are worth at a time by their reference price, or as stable ones. */
export async function knownPrices(
  context: Omit<MarkContext, 'horizon'>,
  tokens: Iterable<number>,
  time: number,
): Promise<KnownPrices> {
  const { reader, config, roles, hasReferencePrices } = context;
  const prices = new Map<number, number>();
  const times = new Map<number, number>();
  const quotes = Int32Array.from(tokens).filter((token) => roles.rankOf(token) >= 0);
  const addStable = (): void => {
    for (const token of quotes) if (roles.isStable(token) && !prices.has(token)) prices.set(token, 1);
  };
  if (quotes.length === 0 || !hasReferencePrices) {
    addStable();
    return { prices, times, until: Number.POSITIVE_INFINITY };
  }
  const maxAge = config.reference_max_age;
  const { columns: c, length } = await reader.read({
    table: referencePricesTable,
    columns: ['token', 'time', 'usd_price'],
    where: and(isIn('token', quotes), between('time', Math.max(0, time - maxAge), time)),
    order: ascending('time'),
  });
  const next = await reader.read({
    table: referencePricesTable,
    columns: ['time'],
    where: and(isIn('token', quotes), compare('time', 'gt', time)),
    order: ascending('time'),
    limit: 1,
  });
  let until = (next.columns.time[0] ?? Number.POSITIVE_INFINITY) - 1;
  for (let row = 0; row < length; row++) {
    prices.set(c.token[row]!, c.usd_price[row]!);
    times.set(c.token[row]!, c.time[row]!);
  }
  for (const since of times.values()) until = Math.min(until, since + maxAge);
  addStable();
  return { prices, times, until };
}

/** The newest prints up to a seq that are not suspect and have a voice; of tokens without a vote, those that are not suspect. */
export async function printMarks(
  reader: Reader,
  tokens: Int32Array,
  until: number,
  read: typeof recentPrints = latestPrints,
): Promise<ReadonlyMap<number, Print>> {
  const marks = new Map(await read(reader, tokens, { until, prints: 'marking' }));
  const others = tokens.filter((token) => !marks.has(token));
  const voted = await votedBy(reader, others, timeOf(until));
  const unvoted = others.filter((token) => !voted.has(token));
  for (const [token, print] of await latestPrints(reader, unvoted, { until, prints: 'clean' })) marks.set(token, print);
  return marks;
}

/** Those of tokens that have a vote at a time. */
export async function votedBy(reader: Reader, tokens: Int32Array, time: number): Promise<ReadonlySet<number>> {
  if (tokens.length === 0) return new Set();
  const firsts = await storedPools(
    reader,
    Array.from(tokens, (token) => votePair(token, FIRST_POOL)),
  );
  return new Set(
    tokens.filter((token) => (firsts.get(votePair(token, FIRST_POOL))?.ownSince ?? Number.POSITIVE_INFINITY) <= time),
  );
}

/** Tells of the prints of one token, in chain order, which are marks: what `printMarks` says at each instant. */
export class MarkCourse {
  #isVoted: boolean;

  /** `isVoted`: whether the token had a vote before. */
  constructor(isVoted: boolean) {
    this.#isVoted = isVoted;
  }

  takes(standing: number): boolean {
    if ((standing & VOTE) !== 0) this.#isVoted = true;
    return isMarking(standing) || (!this.#isVoted && !isSuspect(standing));
  }
}
