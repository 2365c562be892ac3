import { compareText } from '../records/chain-order.ts';
import { NO_ID } from '../records/columns.ts';
import { tokensOfPool } from './candle-legs.ts';
import { lastSeq, type QueryContext } from './context.ts';

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
