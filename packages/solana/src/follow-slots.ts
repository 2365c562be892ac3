import { type Notices, pause, type Trail } from '@swapfold/chain';
import type { SourceItem } from '@swapfold/core';
import type { Batch } from './batch.ts';
import type { Reader } from './block-reader.ts';
import type { NodeBlocks } from './node-blocks.ts';
import type { SolanaBlock } from './raw.ts';
import { SlotQueue } from './slot-queue.ts';
import { findFork, stepOf } from './trail-step.ts';

interface Following {
  readonly blocks: NodeBlocks;
  readonly reader: Reader;
  readonly batch: Batch;
  readonly trail: Trail;
  readonly toSlot: number | undefined;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly notices: Notices;
}

/** Slots without an answer that are passed over to find the block behind them: leaders have four in a row. */
const MOST_MISSING = 16;

/** Looks after which it is said that a block is late: of several nodes behind an address, one often lags for a moment. */
const LATE = 5;

/** Follows a chain slot by slot, over forks, until its last slot is read or the signal aborts. */
export class SlotFollower {
  readonly #of: Following;
  /** The next slot to ask for: behind the last block that was read, and behind slots without one. */
  #next: number;
  /** Looks in a row that found a block whose parent is not there. */
  #late = 0;

  constructor(of: Following) {
    this.#of = of;
    this.#next = of.trail.next;
  }

  async *items(): AsyncGenerator<SourceItem> {
    const { blocks, toSlot = Number.POSITIVE_INFINITY, pollMs, signal } = this.#of;
    while (this.#next <= toSlot || (await this.#lacksLast(toSlot))) {
      const newest = await blocks.newest();
      this.#sayIfBehind(newest);
      const before = this.#next;
      if (this.#next <= newest) yield* this.#read(Math.min(newest, toSlot));
      if (this.#next === before && this.#next <= toSlot) await pause(pollMs, signal);
    }
  }

  /** Whether the last slots of the range, which had no block, had one: the block behind the range follows it. */
  async #lacksLast(toSlot: number): Promise<boolean> {
    const { trail, blocks, notices, pollMs, signal } = this.#of;
    if (trail.next > toSlot) return false;
    const parent = await blocks.parentBehind(toSlot);
    if (parent === undefined || parent < trail.next) return false;
    notices.say(
      'gap',
      `The node says that there is no block from slot ${trail.next} to ${toSlot}, and slot ${parent} has one: it is asked again.`,
    );
    this.#next = trail.next;
    await pause(pollMs, signal);
    return true;
  }

  #sayIfLate(slot: number): void {
    const { trail, notices } = this.#of;
    if (++this.#late === LATE)
      notices.say(
        'late',
        `The node has the block of slot ${slot} and not the one that it follows, from slot ${trail.next} on: it is asked again.`,
      );
  }

  #sayIfBehind(newest: number): void {
    const { trail, notices } = this.#of;
    if (newest + 1 < trail.next)
      notices.say('behind', `The node is at slot ${newest}, behind slot ${trail.next - 1} that was read.`);
    else notices.over('behind', 'The node has caught up.');
  }

  /** Reads up to a slot, or to one that the node does not have yet. */
  async *#read(last: number): AsyncGenerator<SourceItem> {
    const { blocks, batch, trail } = this.#of;
    const queue = new SlotQueue(blocks, this.#next, last);
    let missing = 0;
    try {
      for (let taken = await queue.take(); taken !== undefined; taken = await queue.take()) {
        const { slot, answer } = taken;
        // A node says of a slot without a block for 13 seconds that it does not have it yet. The block behind it tells.
        if (answer === 'missing') {
          if (missing++ === MOST_MISSING) break;
          if (!batch.isEmpty) yield await batch.take(trail.toPlace(), false);
        }
        if (missing > 0 && (answer === 'missing' || answer === 'skipped')) continue;
        if (missing > 0 && answer instanceof Object && !this.#follows(answer.block)) {
          this.#sayIfLate(slot);
          break;
        }
        missing = 0;
        if (answer instanceof Object) {
          const isNext = this.#accept(slot, answer.block);
          if (isNext === 'gap') break;
          if (isNext === 'fork') {
            if (!batch.isEmpty) yield await batch.take(trail.toPlace(), true);
            yield await this.#rollBack(slot, answer.block);
            return;
          }
        }
        this.#next = slot + 1;
        if (!batch.isEmpty && (batch.isFull || !queue.isReady)) yield await batch.take(trail.toPlace(), slot < last);
      }
      if (!batch.isEmpty) yield await batch.take(trail.toPlace(), false);
    } finally {
      await queue.end();
    }
  }

  /** Whether no block is missing before one: its parent is the last that was read, or lies before the first slot that is wanted. */
  #follows({ parentSlot, previousBlockhash }: SolanaBlock): boolean {
    const { tip, next } = this.#of.trail;
    return tip === undefined ? parentSlot < next : previousBlockhash === tip.hash;
  }

  /** Takes a block that follows those that were read. */
  #accept(slot: number, block: SolanaBlock): 'next' | 'gap' | 'fork' {
    const { trail, reader, batch, notices } = this.#of;
    const isFirst = trail.tip === undefined;
    const step = isFirst && !this.#follows(block) ? ({ kind: 'gap' } as const) : stepOf(trail, slot, block);
    if (step.kind === 'gap') {
      notices.say(
        'gap',
        `The node says that there is no block between slots ${trail.next - 1} and ${slot}, whose parent is slot ${block.parentSlot}: it is asked again.`,
      );
      this.#next = trail.next;
      return 'gap';
    }
    if (step.kind === 'fork') return 'fork';
    if (step.kind === 'next') {
      notices.over('gap', 'The node has the blocks again.');
      notices.over('late', 'The node has the block now.');
      this.#late = 0;
      batch.add(reader.block(block, slot));
      trail.begin(slot);
      trail.push({ number: slot, hash: block.blockhash });
    }
    return 'next';
  }

  async #rollBack(slot: number, block: SolanaBlock): Promise<SourceItem> {
    const { trail, blocks, notices } = this.#of;
    const last = trail.next - 1;
    const step = stepOf(trail, slot, block);
    const shared = step.kind === 'fork' ? step.slot : undefined;
    const fork = shared ?? (await findFork(trail, block.parentSlot, (number) => blocks.hashOf(number)));
    notices.tell(
      `The chain has changed from slot ${fork + 1} on: what was read of slots ${fork + 1} to ${last} is taken back.`,
    );
    trail.cutTo({ number: fork, hash: '' });
    this.#next = fork + 1;
    return { rollback: { from_block_slot: fork + 1 }, place: trail.toPlace() };
  }
}
