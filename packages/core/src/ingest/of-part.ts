import type { QuoteToken } from '../config.ts';
import { takeRows } from '../records/columns.ts';
import type { Candidates } from './candidates.ts';
import { type Part, partOf } from './part.ts';

/**
 * The candidates that a store of one part of the wallets takes: the swaps of those wallets, and of all others those between the native
 * token and a stable one, from which each part derives the native price for itself.
 */
export function ofPart(candidates: Candidates, part: Part, quoteTokens: readonly QuoteToken[]): Candidates {
  const { swaps, texts } = candidates;
  const kinds = new Map(quoteTokens.map(({ address, kind }) => [address, kind]));
  const kindOf = texts.map((text) => kinds.get(text));
  const { wallet, token_in: tokenIn, token_out: tokenOut } = swaps.columns;
  const isOwn = new Map<number, boolean>();
  const taken: number[] = [];
  for (let row = 0; row < swaps.length; row++) {
    let own = isOwn.get(wallet[row]!);
    if (own === undefined) {
      own = partOf(texts[wallet[row]!]!, part.of) === part.index;
      isOwn.set(wallet[row]!, own);
    }
    const [given, received] = [kindOf[tokenIn[row]!], kindOf[tokenOut[row]!]];
    if (own || (given === 'native' && received === 'stable') || (given === 'stable' && received === 'native'))
      taken.push(row);
  }
  if (taken.length === swaps.length) return candidates;
  return {
    swaps: takeRows(swaps, taken),
    rows: Float64Array.from(taken, (row) => candidates.rows[row]!),
    txHash: taken.map((row) => candidates.txHash[row]!),
    blockTime: Float64Array.from(taken, (row) => candidates.blockTime[row]!),
    blockSlot: Float64Array.from(taken, (row) => candidates.blockSlot[row]!),
    txIndex: Float64Array.from(taken, (row) => candidates.txIndex[row]!),
    texts,
  };
}
