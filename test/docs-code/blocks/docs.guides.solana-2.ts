// Generated from docs/guides/solana.md by test/generate-docs/blocks.ts.
import { Swapfold } from '@swapfold/core';
import { type SlotBlock, type SolanaBlock, solanaSource } from '@swapfold/solana';
import { sqlite } from '@swapfold/sqlite';

/** An archive with a file for each slot; a slot without a block has none. */
async function* archive(from: number): AsyncGenerator<SlotBlock> {
  for (let slot = from; slot <= 380_001_000; slot++) {
    const answer = await fetch(`https://archive.example/${slot}.json`);
    if (answer.ok) yield { ...((await answer.json()) as SolanaBlock), slot };
  }
}

const dex = await Swapfold.open({ storage: sqlite('dex.db') });
await dex.follow(solanaSource({ blocks: archive, from_slot: 380_000_000 }));
export {};
