import type { Arithmetic } from '../records/arithmetic.ts';
import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import { type NativeVote, VoteList } from './native-votes.ts';
import { type Exchanged, pooledIn, pooledOut } from './pooled.ts';
import type { Roles } from './roles.ts';
import { valueRuleOf } from './value.ts';

/** Swaps of a token among which its price in native tokens is looked for where it has no mark. */
export const MOST_SWAPS = 1000;

/** What a swap of a token against the native one says: native tokens per token. `undefined` of another swap, and without a finite price. */
export function nativePriceOf({ columns: c }: { readonly columns: Exchanged }, row: number, roles: Roles) {
  const isGiven = roles.isNative(c.token_in[row]!);
  if (isGiven === roles.isNative(c.token_out[row]!)) return undefined;
  const [token, amount, paid] = isGiven
    ? [c.token_out[row]!, pooledOut(c, row), pooledIn(c, row)]
    : [c.token_in[row]!, pooledIn(c, row), pooledOut(c, row)];
  const price = paid / amount;
  return price > 0 && Number.isFinite(price) ? { token, price } : undefined;
}

/**
 * The price of a token in native tokens by the swap of its mark, if that swap was valued by its native leg: then the mark moves with the
 * native price. `NaN` of any other.
 */
export function nativeMarkOf(
  swaps: { readonly columns: Exchanged & Batch<typeof swapsTable, 'valued_by'>['columns'] },
  row: number,
  token: number,
  roles: Roles,
): number {
  const paid = nativePriceOf(swaps, row, roles);
  if (paid === undefined) return Number.NaN;
  const rule = valueRuleOf(swaps.columns.valued_by[row]!);
  // A reference price may be the other token's.
  if (rule !== 'native' && !(rule === 'reference' && roles.rankOf(paid.token) < 0)) return Number.NaN;
  return roles.isNative(token) ? 1 : paid.price;
}

/** What a mark is worth in USD while the native token is worth `nativeUsd`: `price` is what its print said, `nativePrice` its price in native tokens if it moves. */
export function movedPrice<T>(m: Arithmetic<T>, price: T, nativePrice: T, nativeUsd: T): T {
  return m.or(m.times(nativePrice, nativeUsd), price);
}

/** The prices in native tokens that the newest swaps of a token say, as they are added from the newest on: votes of one time, by their ranks. */
export class TokenVotes extends VoteList {
  #tx: number | undefined;

  /** `rank` is how many swaps of the token came after it; `tx` the id of the transaction, of which the last swap alone counts. */
  addSwap({ rank, price, wallet }: RankedVote, tx?: number): void {
    if (tx !== undefined && tx === this.#tx) return;
    this.#tx = tx;
    if (rank < MOST_SWAPS) this.add({ seq: -rank, price, wallet, time: 0 });
  }

  get ranked(): readonly RankedVote[] {
    return this.votes.map(({ seq, price, wallet }) => ({ rank: -seq, price, wallet }));
  }
}

export interface RankedVote extends Pick<NativeVote, 'price' | 'wallet'> {
  readonly rank: number;
}
