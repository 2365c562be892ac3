import type { CandleLegs } from '../market-data/candle-fold.ts';
import { isExchanged } from '../market-data/latest-prints.ts';
import { compareText, firstSeqAt } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { legsTable, poolSwapsTable } from '../records/tables.ts';
import type { Reader } from '../storage/adapter.ts';
import { and, compare, isIn, not, or, type Predicate } from '../storage/predicate.ts';
import { lastSeq, type QueryContext } from './context.ts';

/** The legs that candles are folded from, in chain order, swaps of a token for itself left out. */
export interface CandleSource {
  /** The legs in [from, below). */
  range(from: number, below: number): AsyncIterable<CandleLegs>;
  /** The last `limit` legs before a seq, newest first; fewer if there are no more. */
  last(below: number, limit: number): Promise<CandleLegs>;
}

const columns = ['seq', 'price', 'usd_amount', 'standing'] as const;

export function legsOfToken(reader: Reader, token: number): CandleSource {
  const legs = and(compare('token', 'eq', token), isExchanged);
  return {
    range: (from, below) =>
      reader.stream({
        table: legsTable,
        columns,
        where: and(legs, compare('seq', 'gte', from), compare('seq', 'lt', below)),
        order: [{ column: 'seq', direction: 'asc' }],
      }),
    last: (below, limit) =>
      reader.read({
        table: legsTable,
        columns,
        where: and(legs, compare('seq', 'lt', below)),
        order: [{ column: 'seq', direction: 'desc' }],
        limit,
      }),
  };
}

/** Swaps of a pool that are read at once. */
const CHUNK = 20_000;

/** The legs of a token in the swaps of one pool since the horizon: found by pool, and read by their places. */
export function legsInPool(reader: Reader, token: number, pool: number, horizon: number): CandleSource {
  const swaps = and(
    compare('pool', 'eq', pool),
    or(compare('token', 'eq', token), compare('other', 'eq', token)),
    isExchange,
    ...(horizon === 0 ? [] : [compare('seq', 'gte', firstSeqAt(horizon))]),
  );
  async function legsAt(where: Predicate, direction: 'asc' | 'desc', limit: number): Promise<CandleLegs> {
    const order = [{ column: 'seq', direction }] as const;
    const places = await reader.read({
      table: poolSwapsTable,
      columns: ['seq'],
      where: and(swaps, where),
      order,
      limit,
    });
    const isPlace = isIn('seq', places.columns.seq);
    return reader.read({ table: legsTable, columns, where: and(compare('token', 'eq', token), isPlace), order });
  }
  return {
    async *range(from, below) {
      for (let next = from; ; ) {
        const legs = await legsAt(and(compare('seq', 'gte', next), compare('seq', 'lt', below)), 'asc', CHUNK);
        yield legs;
        if (legs.length < CHUNK) return;
        next = legs.columns.seq[legs.length - 1]! + 1;
      }
    },
    last: (below, limit) => legsAt(compare('seq', 'lt', below), 'desc', limit),
  };
}

/** No swap of a token for itself. */
const isExchange = not(isIn('other', [NO_ID]));

/** The first tokens of a pool that are looked for at once. */
const FIRST = 64;

/** Every token that was exchanged in a pool up to a seq. */
async function tokensOfPool(reader: Reader, pool: number, until: number): Promise<ReadonlySet<number>> {
  const found = new Set<number>();
  for (let limit = FIRST; ; limit *= 4) {
    const known = Int32Array.from(found);
    const { columns: c, length } = await reader.read({
      table: poolSwapsTable,
      columns: ['token', 'other'],
      where: and(
        compare('pool', 'eq', pool),
        compare('seq', 'lte', until),
        isExchange,
        not(and(isIn('token', known), isIn('other', known))),
      ),
      limit,
    });
    for (let row = 0; row < length; row++) found.add(c.token[row]!).add(c.other[row]!);
    if (length < limit) return found;
  }
}

/**
 * The token that a pool stands for: of those that are no quote tokens, else of all, the one whose address sorts first.
 *
 * - `NO_ID` for a pool in which nothing was exchanged up to the as-of time.
 */
export async function tokenOfPool(context: QueryContext, pool: number): Promise<number> {
  const { reader, dictionary, roles } = context;
  const tokens = Array.from(await tokensOfPool(reader, pool, lastSeq(context)));
  const traded = tokens.filter((token) => roles.rankOf(token) < 0);
  const candidates = traded.length > 0 ? traded : tokens;
  await dictionary.load(reader, candidates);
  return candidates.reduce(
    (first, token) =>
      first === NO_ID || compareText(dictionary.textOf(token), dictionary.textOf(first)) < 0 ? token : first,
    NO_ID,
  );
}
