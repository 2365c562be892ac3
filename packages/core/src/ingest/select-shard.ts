import type { QuoteToken } from '../config.ts';
import { takeRows } from '../records/columns.ts';
import { type Shard, shardOf } from './shard.ts';
import type { ValidSwaps } from './valid-swaps.ts';

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
      own = shardOf(texts[wallet[row]!]!, shard.of) === shard.index;
      isOwn.set(wallet[row]!, own);
    }
    const [given, received] = [kindOf[tokenIn[row]!], kindOf[tokenOut[row]!]];
    if (own || (given === 'native' && received === 'stable') || (given === 'stable' && received === 'native'))
      taken.push(row);
  }
  if (taken.length === swaps.length) return validSwaps;
  return {
    swaps: takeRows(swaps, taken),
    rows: Float64Array.from(taken, (row) => validSwaps.rows[row]!),
    txHash: taken.map((row) => validSwaps.txHash[row]!),
    blockTime: Float64Array.from(taken, (row) => validSwaps.blockTime[row]!),
    blockSlot: Float64Array.from(taken, (row) => validSwaps.blockSlot[row]!),
    txIndex: Float64Array.from(taken, (row) => validSwaps.txIndex[row]!),
    texts,
  };
}
