import type { Batch } from '../records/columns.ts';
import type { swapsTable } from '../records/tables.ts';
import type { Roles } from './roles.ts';
import { valueRuleOf } from './value.ts';

type Exchanged = 'token_in' | 'token_out' | 'token_amount_in' | 'token_amount_out';

/** Swaps of a token among which its price in native tokens is looked for where it has no mark. */
export const MOST_SWAPS = 1000;

/** What a swap of a token against the native one says: native tokens per token. `undefined` of another swap, and without a finite price. */
export function nativePriceOf({ columns: c }: Batch<typeof swapsTable, Exchanged>, row: number, roles: Roles) {
  const isGiven = roles.isNative(c.token_in[row]!);
  if (isGiven === roles.isNative(c.token_out[row]!)) return undefined;
  const [token, amount, paid] = isGiven
    ? [c.token_out[row]!, c.token_amount_out[row]!, c.token_amount_in[row]!]
    : [c.token_in[row]!, c.token_amount_in[row]!, c.token_amount_out[row]!];
  const price = paid / amount;
  return price > 0 && Number.isFinite(price) ? { token, price } : undefined;
}

/**
 * The price of a token in native tokens by the swap of its mark, if that swap was valued by its native leg: then the mark moves with the
 * native price. `NaN` of any other.
 */
export function nativeMarkOf(
  swaps: Batch<typeof swapsTable, Exchanged | 'valued_by'>,
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
export function movedPrice(price: number, nativePrice: number, nativeUsd: number): number {
  const moved = nativePrice * nativeUsd;
  return Number.isFinite(moved) ? moved : price;
}

/** Votes that decide a price together, and how many of them one wallet may have. */
const MOST_VOTES = 9;
const MOST_OF_WALLET = 3;
/** How far from their median a vote may lie that gives the price. */
const NEAR = 1.25;

/** A price in native tokens that a transaction of a wallet made; `rank` is how many swaps of the token came after it. */
export interface NativeVote {
  readonly price: number;
  readonly wallet: number;
  readonly rank: number;
}

/** The prices in native tokens that the newest swaps of a token say, as they are added from the newest on. */
export class NativeVotes {
  readonly votes: NativeVote[] = [];
  #tx: number | undefined;

  /** `tx` is the id of the transaction, of which the last swap alone counts. */
  add(vote: NativeVote, tx?: number): void {
    if (tx !== undefined && tx === this.#tx) return;
    this.#tx = tx;
    if (this.isFull || vote.rank >= MOST_SWAPS) return;
    if (this.votes.filter(({ wallet }) => wallet === vote.wallet).length < MOST_OF_WALLET) this.votes.push(vote);
  }

  get isFull(): boolean {
    return this.votes.length === MOST_VOTES;
  }

  /** The newest price that lies near the lower median of all: a swap of dust is one vote among nine. `NaN` without any. */
  get price(): number {
    const sorted = this.votes.map(({ price }) => price).sort((a, b) => a - b);
    const median = sorted[((sorted.length + 1) >> 1) - 1] ?? Number.NaN;
    return this.votes.find(({ price }) => price >= median / NEAR && price <= median * NEAR)?.price ?? Number.NaN;
  }
}
