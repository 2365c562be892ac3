import { type Notices, Trail } from '@swapfold/chain';
import { type SourceItem, SwapfoldError } from '@swapfold/core';
import type { Batch } from './batch.ts';
import type { Reader } from './block-reader.ts';
import type { SolanaBlock } from './raw.ts';
import { stepOf } from './trail-step.ts';

/** A result of `getBlock` with the slot that it is of. */
export interface SlotBlock extends SolanaBlock {
  readonly slot: number;
}

interface Following {
  /** The blocks from a slot on. */
  readonly open: (slot: number) => AsyncIterable<SlotBlock>;
  readonly reader: Reader;
  readonly batch: Batch;
  readonly trail: Trail;
  readonly toSlot: number | undefined;
  readonly notices: Notices;
}

/**
 * Follows blocks that something else reads: a stream, an archive.
 *
 * - A block of another branch takes back what was read above its parent. If its parent was not read, as of a branch that grew while the
 *   process was down, the blocks are opened again from an older slot.
 * - Errors: `source-failed` if a block between two is missing.
 */
export async function* followStream(of: Following): AsyncGenerator<SourceItem> {
  const { open, trail } = of;
  const lost: Lost = { at: undefined, hasBegunAgain: false };
  for (let from = trail.next; yield* followFrom(of, open(from), lost); ) {
    lost.at = trail.next;
    from = trail.newestFirst.slice(0, BACK).at(-1)!.number;
  }
}

/** Blocks of the trail that are opened again: no branch of Solana is longer, and the trail has each of them. */
const BACK = 32;

/** What was done since blocks did not follow those that were read. */
interface Lost {
  /** The next slot when that was so last. */
  at: number | undefined;
  /** Whether all was taken back: a stream that does not fit itself would go on like that for ever. */
  hasBegunAgain: boolean;
}

/**
 * Follows blocks to their end. Whether one is of a branch that was not read. If none was read since that was so before, what was opened again
 * does not have the branch either: then all is taken back, once and as long as the first block is remembered, and else it is an error.
 */
async function* followFrom(
  of: Following,
  blocks: AsyncIterable<SlotBlock>,
  lost: Lost,
): AsyncGenerator<SourceItem, boolean> {
  const { reader, batch, trail, toSlot = Number.POSITIVE_INFINITY } = of;
  for await (const block of blocks) {
    const { slot } = checked(block);
    if (slot > toSlot) return false;
    if (trail.tip === undefined && slot < trail.next) continue;
    const step = stepOf(trail, slot, block);
    if (step.kind === 'known') continue;
    const isLost = step.kind === 'gap' || (step.kind === 'fork' && step.slot === undefined);
    if (isLost && trail.next !== lost.at) return true;
    const start = trail.newestFirst.find(Trail.isStart);
    if (isLost && step.kind === 'fork' && start !== undefined && !lost.hasBegunAgain) {
      lost.hasBegunAgain = true;
      yield takeBack(of, start.number);
      return true;
    }
    if (isLost)
      throw new SwapfoldError(
        'source-failed',
        `The block of slot ${slot} follows slot ${block.parentSlot}, and slot ${trail.next - 1} was read last: "blocks" has to give the blocks between, or those of the other branch.`,
      );
    if (step.kind === 'fork') {
      yield takeBack(of, step.slot!);
    }
    trail.begin(slot);
    batch.add(reader.block(block, slot));
    trail.push({ number: slot, hash: block.blockhash });
    yield await batch.take(trail.toPlace(), false);
  }
  return false;
}

/** Takes back what was read above a slot. */
function takeBack({ trail, notices }: Following, fork: number): SourceItem {
  notices.tell(`The chain has changed from slot ${fork + 1} on: what was read from there on is taken back.`);
  trail.cutTo({ number: fork, hash: '' });
  return { rollback: { from_block_slot: fork + 1 }, place: trail.toPlace(), more: true };
}

/** Errors: `invalid-input` for what is no block. */
function checked(block: SlotBlock): SlotBlock {
  const { slot, blockhash, previousBlockhash, parentSlot, transactions } = Object(block) as Partial<SlotBlock>;
  const isBlock =
    Number.isSafeInteger(slot) &&
    Number.isSafeInteger(parentSlot) &&
    typeof blockhash === 'string' &&
    typeof previousBlockhash === 'string' &&
    Array.isArray(transactions);
  if (isBlock) return block;
  throw new SwapfoldError(
    'invalid-input',
    '"blocks" of solanaSource: expected results of getBlock with "slot", "blockhash", "previousBlockhash", "parentSlot", "blockTime" and "transactions".',
  );
}
