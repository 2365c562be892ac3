import { CarriedEntities } from '../ingest/carried.ts';
import { MOST_SWAPS, nativePriceOf, TokenVotes } from '../ledger/native-mark.ts';
import { exchangedFields } from '../ledger/pooled.ts';
import { isExchanged } from '../market-data/latest-prints.ts';
import { nativePriceAt } from '../market-data/native-price.ts';
import { firstSeqAt } from '../records/chain-order.ts';
import { legsTable, swapsTable } from '../records/tables.ts';
import { and, compare, isIn } from '../storage/predicate.ts';
import { type QueryContext, untilAsOf } from './context.ts';
import { perToken, type TokenQuestion } from './per-token.ts';

const nativeUsdPrice: TokenQuestion<{ readonly usd: number }> = {
  region: 'native',
  async ask(context) {
    const usd = await nativePriceAt(context, context.asOf);
    return new Map([[context.roles.native, { value: { usd }, until: context.asOf }]]);
  },
};

/** USD per native token at the as-of time, `NaN` if it is unknown. */
export async function nativeUsdOf(context: QueryContext): Promise<number> {
  const { native } = context.roles;
  if (native < 0) return Number.NaN;
  return (await perToken(context, nativeUsdPrice, Int32Array.of(native))).get(native)?.usd ?? Number.NaN;
}

/** What a token is worth: the mark in USD at the as-of time, and its price in native tokens if the native token valued it. */
interface Marked {
  readonly usd_price: number;
  readonly native_price: number;
}

/**
 * Native tokens per token at the as-of time: what the swap of its mark paid, if the native token valued it; else the mark in USD over the native
 * price, if both are known; else what its newest swaps against the native token say. Tokens without any are absent.
 */
export async function pricesInNative(
  context: QueryContext,
  tokens: Int32Array,
  markOf: (token: number) => Marked | undefined,
): Promise<ReadonlyMap<number, number>> {
  const { native } = context.roles;
  const found = new Map<number, number>();
  if (native < 0) return found;
  const usd = await nativeUsdOf(context);
  const unknown: number[] = [];
  for (const token of tokens) {
    const { usd_price = Number.NaN, native_price = Number.NaN } = markOf(token) ?? {};
    const price = token === native ? 1 : Number.isNaN(native_price) ? usd_price / usd : native_price;
    if (Number.isFinite(price)) found.set(token, price);
    else unknown.push(token);
  }
  const carried =
    unknown.length === 0
      ? undefined
      : await CarriedEntities.read(context.reader, context.horizon, 'tokens', Int32Array.from(unknown));
  for (const token of unknown) {
    const price = await votedPrice(context, token, carried!);
    if (!Number.isNaN(price)) found.set(token, price);
  }
  return found;
}

/** Swaps of a token that are read first: among them are mostly enough against the native token. */
const FIRST = 50;

/** What the newest swaps of a token say of its price in native tokens, `NaN` if none of them is against the native one. */
async function votedPrice(context: QueryContext, token: number, carried: CarriedEntities): Promise<number> {
  for (const limit of [FIRST, MOST_SWAPS]) {
    const legs = await context.reader.read({
      table: legsTable,
      columns: ['seq'],
      where: and(compare('token', 'eq', token), isExchanged, untilAsOf(context)),
      order: [{ column: 'seq', direction: 'desc' }],
      limit,
    });
    const votes = await votesAt(context, token, legs.columns.seq);
    if (votes.isFullSince(0) || legs.length < limit || limit === MOST_SWAPS) {
      // What is behind the horizon is carried, as if it came last.
      const later = legs.columns.seq.filter((seq) => seq >= firstSeqAt(context.horizon)).length;
      for (const vote of carried.nativeVotesOf(token)) votes.addSwap({ ...vote, rank: vote.rank + later });
      return votes.price(votes.votes.length);
    }
  }
  return Number.NaN;
}

/** What swaps at these places, the newest first, say of a token. */
async function votesAt({ reader, roles }: QueryContext, token: number, seqs: Float64Array): Promise<TokenVotes> {
  const swaps = await reader.read({
    table: swapsTable,
    columns: ['seq', 'tx', 'wallet', ...exchangedFields],
    where: isIn('seq', seqs),
    order: [{ column: 'seq', direction: 'desc' }],
  });
  const votes = new TokenVotes();
  for (let row = 0; row < swaps.length; row++) {
    const paid = nativePriceOf(swaps, row, roles);
    if (paid?.token !== token) continue;
    votes.addSwap({ price: paid.price, wallet: swaps.columns.wallet[row]!, rank: row }, swaps.columns.tx[row]!);
  }
  return votes;
}
