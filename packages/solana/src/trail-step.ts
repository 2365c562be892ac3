import { Trail } from '@swapfold/chain';
import { SwapfoldError } from '@swapfold/core';
import type { SolanaBlock } from './raw.ts';

/**
 * How a block stands to those that were read.
 *
 * - `next`: it follows them. `known`: it is one of them. `gap`: a block between is missing, which was taken for a slot without one.
 * - `fork`: it is of another branch; `slot` of the last block that both have, if the trail says so.
 */
export type TrailStep =
  | { readonly kind: 'next' }
  | { readonly kind: 'known' }
  | { readonly kind: 'gap' }
  | { readonly kind: 'fork'; readonly slot: number | undefined };

export function stepOf(
  trail: Trail,
  slot: number,
  { blockhash, previousBlockhash, parentSlot }: SolanaBlock,
): TrailStep {
  const { tip } = trail;
  if (tip === undefined || tip.hash === previousBlockhash) return { kind: 'next' };
  if (trail.hashOf(slot) === blockhash) return { kind: 'known' };
  if (parentSlot > tip.number) return { kind: 'gap' };
  const isShared = trail.hashOf(parentSlot) === previousBlockhash;
  return { kind: 'fork', slot: isShared ? parentSlot : undefined };
}

/**
 * The newest remembered block, at most of a slot, whose hash the chain still has.
 *
 * - Errors: `source-failed` if it has none of them.
 */
export async function findFork(
  trail: Trail,
  highest: number,
  hashOf: (slot: number) => Promise<string | undefined>,
): Promise<number> {
  for (const { number, hash } of trail.newestFirst)
    if (Trail.isStart({ number, hash }) || (number <= highest && (await hashOf(number)) === hash)) return number;
  throw new SwapfoldError(
    'source-failed',
    `The node's chain has none of the blocks that were read last, down to slot ${trail.newestFirst.at(-1)?.number}: a fork deeper than what is remembered, or another chain. Nothing was changed; roll back by hand to a slot that both have, or follow into another store.`,
  );
}
