import type { Config } from '../config.ts';
import { readReferencePrices } from '../ingest/reference-prices.ts';
import { storedPools } from '../ingest/vote-pools.ts';
import type { Roles } from '../ledger/roles.ts';
import type { ReferencePrices } from '../ledger/value.ts';
import { timeOf } from '../records/chain-order.ts';
import { isMarking, isSuspect, VOTE } from '../records/standing.ts';
import { FIRST_POOL, referencePricesTable, votePair } from '../records/tables.ts';
import { ascending, type Reader } from '../storage/adapter.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { latestPrints, type Print } from './latest-prints.ts';

/** What marks are told from (docs/reference/metrics.md, "Prices"). */
export interface MarkContext {
  readonly reader: Reader;
  readonly config: Config;
  readonly roles: Roles;
}

/** The newest print that values what is held, of each token up to a seq. */
export type Marks = ReadonlyMap<number, Pick<Print, 'seq' | 'price'>>;

/** The marks of tokens; those without one are absent. A quote token that is worth a known price has the newest print as its mark, at that price. */
export async function latestMarks(context: MarkContext, tokens: Int32Array, until: number): Promise<Marks> {
  const { reader, config } = context;
  if (config.marks === 'last') return latestPrints(reader, tokens, { until });
  const { prices: known } = await knownPrices(context, tokens, timeOf(until));
  const judged = tokens.filter((token) => !known.has(token));
  const marks = new Map<number, Pick<Print, 'seq' | 'price'>>(await printMarks(reader, judged, until));
  for (const [token, { seq }] of await latestPrints(reader, Int32Array.from(known.keys()), { until }))
    marks.set(token, { seq, price: known.get(token)! });
  return marks;
}

/** Prices that are known, by token, and the last time at which the same are, as long as no reference price is written. */
export interface KnownPrices {
  readonly prices: ReadonlyMap<number, number>;
  readonly until: number;
}

/** What quote tokens among some are worth at a time by their reference price, or as stable ones. */
export async function knownPrices(context: MarkContext, tokens: Iterable<number>, time: number): Promise<KnownPrices> {
  const { reader, config, roles } = context;
  const prices = new Map<number, number>();
  let until = Number.POSITIVE_INFINITY;
  const quotes = Int32Array.from(tokens).filter((token) => roles.rankOf(token) >= 0);
  if (quotes.length === 0) return { prices, until };
  const { columns: c, length } = await reader.read({
    table: referencePricesTable,
    columns: ['token', 'time', 'usd_price'],
    where: and(isIn('token', quotes), compare('time', 'gte', time - config.reference_max_age)),
    order: ascending('time'),
  });
  for (let row = 0; row < length; row++) {
    if (c.time[row]! > time) {
      until = Math.min(until, c.time[row]! - 1);
      break;
    }
    prices.set(c.token[row]!, c.usd_price[row]!);
    until = Math.min(until, c.time[row]! + config.reference_max_age);
  }
  for (const token of quotes) if (roles.isStable(token) && !prices.has(token)) prices.set(token, 1);
  return { prices, until };
}

/** The reference prices that hold at any of some times. */
export function referencesOf(
  { reader, config, roles }: MarkContext,
  from: number,
  to: number,
): Promise<ReferencePrices> {
  return readReferencePrices(reader, { roles, maxAge: config.reference_max_age }, { from, to });
}

/** The newest prints up to a seq that are not suspect and have a voice; of tokens without a vote, those that are not suspect. */
export async function printMarks(
  reader: Reader,
  tokens: Int32Array,
  until: number,
): Promise<ReadonlyMap<number, Print>> {
  const marks = new Map(await latestPrints(reader, tokens, { until, prints: 'marking' }));
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
