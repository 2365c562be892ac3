import type { QuoteToken } from '../config.ts';
import { type Batch, takeRows } from '../records/columns.ts';
import { isInShard, type Shard, walletKey } from '../records/shard.ts';
import type { swapsTable } from '../records/tables.ts';
import { type ChainKeys, takeKeys } from './chain-keys.ts';

/**
 * Swaps that passed the checks, in the shape of the swaps table. Text ids are local: places in `texts`.
 *
 * - `seq` and `tx` of the swaps are not set yet; `keys` say where each belongs in chain order.
 * - `rows` says which input row each came from.
 */
export interface ValidSwaps {
  readonly swaps: Batch<typeof swapsTable>;
  readonly keys: ChainKeys;
  readonly rows: Float64Array;
  readonly texts: readonly string[];
}

/** Those of the valid swaps at `rows`. */
export function takeValid({ swaps, keys, rows: inputRows, texts }: ValidSwaps, rows: ArrayLike<number>): ValidSwaps {
  const inputs = Float64Array.from(rows, (row) => inputRows[row]!);
  return { swaps: takeRows(swaps, rows), keys: takeKeys(keys, rows), rows: inputs, texts };
}

/**
 * The valid swaps that a store of one shard of the wallets takes: the swaps of those wallets, and of all others those between the native
 * token and a stable one, from which each shard derives the native price for itself.
 */
export function selectShard(validSwaps: ValidSwaps, shard: Shard, quoteTokens: readonly QuoteToken[]): ValidSwaps {
  const { swaps, texts } = validSwaps;
  const kinds = new Map(quoteTokens.map(({ address, kind }) => [address, kind]));
  const kindOf = texts.map((text) => kinds.get(text));
  const { wallet, token_in: tokenIn, token_out: tokenOut } = swaps.columns;
  const isOwn = new Map<number, boolean>();
  const taken: number[] = [];
  for (let row = 0; row < swaps.length; row++) {
    let own = isOwn.get(wallet[row]!);
    if (own === undefined) {
      own = isInShard(walletKey(texts[wallet[row]!]!), shard);
      isOwn.set(wallet[row]!, own);
    }
    const [given, received] = [kindOf[tokenIn[row]!], kindOf[tokenOut[row]!]];
    if (own || (given === 'native' && received === 'stable') || (given === 'stable' && received === 'native'))
      taken.push(row);
  }
  if (taken.length === swaps.length) return validSwaps;
  return takeValid(validSwaps, taken);
}
