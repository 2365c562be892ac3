import { type BlockId, type Notices, pause, type Trail } from '@swapfold/chain';
import type { SourceItem, TokenInput } from '@swapfold/core';
import { type Header, isInconsistent } from './blocks.ts';
import { findFork } from './fork.ts';
import { readHistory } from './history.ts';
import type { LatePools } from './late-pools.ts';
import { fetchAhead, type Piece, type Reading } from './pieces.ts';
import { type SwapRow, toColumns, transferColumns } from './rows.ts';
import { readTip } from './tip.ts';
import type { Undecoded } from './undecoded.ts';

/** Blocks below the newest one that are read one by one, along the chain of their parents; older ones by ranges. */
const UNSETTLED = 128;
/** Polls that have to see a branch which is no longer than the one followed, and was left before, until it is followed again. */
const PATIENCE = 5;

export interface Following extends Reading {
  readonly trail: Trail;
  readonly confirmations: number;
  readonly toBlock: number | undefined;
  readonly pollMs: number;
  readonly signal: AbortSignal;
  readonly notices: Notices;
  /** Counts, once the swaps are given. */
  readonly undecoded: Undecoded;
  readonly takeTokens: () => readonly TokenInput[];
  /** Forgets what was learnt of contracts since a block. */
  readonly forgetFrom: (block: number) => void;
  readonly latePools: LatePools;
}

/** Milliseconds after which a place is stored that has no more blocks, but tells how far pools are searched for. */
const SAVE_MS = 10_000;

const noDoubt = { hash: '', polls: 0 };

/** Follows a chain block by block, over reorganisations, until its last block is read or the signal aborts. */
export class ChainFollower {
  readonly #of: Following;
  /** Newest blocks of branches that were left. */
  readonly #left = new Set<string>();
  #lastHead: string | undefined;
  #doubt = noDoubt;
  #saved = performance.now();

  constructor(of: Following) {
    this.#of = of;
  }

  async *items(): AsyncGenerator<SourceItem> {
    const { blocks, trail, toBlock, confirmations, pollMs, signal, notices, latePools } = this.#of;
    const isRead = (): boolean => toBlock !== undefined && trail.next > toBlock;
    while (!isRead() || latePools.isOpen || latePools.isReady) {
      let isAtEnd = true;
      try {
        if (latePools.isReady) yield* this.#late();
        const head = await blocks.latest();
        const target = Math.min(head.number - confirmations, toBlock ?? Number.POSITIVE_INFINITY);
        if (!isRead() && head.hash !== this.#lastHead) isAtEnd = yield* this.#advance(head, target);
        this.#lastHead = isAtEnd && this.#isSeen(head) ? head.hash : undefined;
        notices.over('node lags', 'The node has the blocks again.');
      } catch (error) {
        if (!isInconsistent(error)) throw error;
        notices.say(
          'node lags',
          `The node's answers do not fit each other, which is asked again: ${(error as Error).message}`,
        );
      }
      if (latePools.isOpen && performance.now() - this.#saved > SAVE_MS) yield this.#rows([], false);
      if (isAtEnd && (!isRead() || latePools.isOpen)) await pause(pollMs, signal);
    }
  }

  /** Stores the swaps of pools that were found after their blocks had been read. */
  async *#late(): AsyncGenerator<SourceItem> {
    const { latePools, trail, undecoded } = this.#of;
    for await (const rows of latePools.read(this.#of, trail.next - 1)) {
      undecoded.searched_pools = Math.max(0, undecoded.searched_pools - rows.length);
      yield this.#rows(rows, true);
    }
  }

  /** Shape: an item whose place remembers the pools that are searched for as well. */
  #rows(rows: readonly SwapRow[], more: boolean): SourceItem {
    this.#saved = performance.now();
    return { rows: toColumns(rows), tokens: this.#of.takeTokens(), place: this.#place(), more };
  }

  #place(): string {
    return this.#of.trail.toPlace(this.#of.latePools.toPlace());
  }

  /** Whether nothing is left to do while this is the newest block: another node behind the same address may have answered in between. */
  #isSeen(head: Header): boolean {
    const { trail, confirmations } = this.#of;
    if (head.number >= trail.next) return trail.tip === undefined || trail.next > head.number - confirmations;
    return trail.hashOf(head.number) === head.hash;
  }

  /** Reads up to a block. Shape: whether there is nothing more to read now. */
  async *#advance(head: Header, target: number): AsyncGenerator<SourceItem, boolean> {
    const { trail } = this.#of;
    const settled = Math.min(target, head.number - UNSETTLED);
    if (trail.next > target) return yield* this.#checkFork(head);
    const { next } = trail;
    const tip = readTip(this.#of, Math.max(next, settled + 1), target, head);
    return yield* this.#take(fetchAhead(readHistory(this.#of, next, settled), tip), head, target);
  }

  /** Stores pieces, each of which has to follow what was read before. */
  async *#take(pieces: AsyncGenerator<Piece>, head: Header, target: number): AsyncGenerator<SourceItem, boolean> {
    const { trail } = this.#of;
    for await (const piece of pieces) {
      const { tip } = trail;
      if (tip !== undefined && piece.first.parentHash !== tip.hash) {
        await pieces.return(undefined);
        return yield* this.#checkFork(head);
      }
      trail.begin(piece.first.number);
      for (const header of piece.chain) trail.push(header);
      this.#doubt = noDoubt;
      yield this.#item(piece, trail.next <= target);
      if (!this.#of.latePools.isReady) continue;
      await pieces.return(undefined);
      return false;
    }
    return trail.next > target;
  }

  /** Goes back if the node has another chain than the one that was read. Shape: whether there is nothing more to read now. */
  async *#checkFork(head: Header): AsyncGenerator<SourceItem, boolean> {
    const { blocks, trail, notices } = this.#of;
    const { tip } = trail;
    if (tip === undefined) return true;
    const fork = await findFork(blocks, trail, head);
    if (fork === undefined) {
      if (head.number < tip.number)
        notices.say('behind', `The node is at block ${head.number}, behind block ${tip.number} that was read.`);
      else notices.over('behind', 'The node has caught up.');
      this.#doubt = noDoubt;
      return true;
    }
    if (this.#isDoubtful(head, tip)) return true;
    yield this.#rollBack(fork, tip);
    return false;
  }

  /** Whether a branch is to wait: it is shorter than the one followed, or as long and was left before. */
  #isDoubtful(head: Header, tip: BlockId): boolean {
    if (head.number > tip.number || (head.number === tip.number && !this.#left.has(head.hash))) return false;
    const polls = this.#doubt.hash === head.hash ? this.#doubt.polls + 1 : 1;
    this.#doubt = { hash: head.hash, polls };
    if (polls >= PATIENCE) return false;
    this.#of.notices.say(
      'branches',
      `The node gives another branch at block ${head.number}, which is not longer: it is followed once the node goes on giving it.`,
    );
    return true;
  }

  #rollBack(fork: BlockId, tip: BlockId): SourceItem {
    const { trail, notices, forgetFrom } = this.#of;
    const from = fork.number + 1;
    this.#left.add(tip.hash);
    this.#doubt = noDoubt;
    notices.tell(
      `The chain has changed from block ${from} on: what was read of blocks ${from} to ${tip.number} is taken back.`,
    );
    trail.cutTo(fork);
    forgetFrom(from);
    this.#of.latePools.forgetFrom(from);
    return { rollback: { from_block_slot: from }, place: this.#place() };
  }

  #item({ rows, undecoded, transfers }: Piece, more: boolean): SourceItem {
    for (const reason of Object.keys(undecoded) as (keyof Undecoded)[]) this.#of.undecoded[reason] += undecoded[reason];
    const moved = this.#of.transfers === undefined ? {} : { transfers: transferColumns(transfers), onlyKnown: true };
    return { ...this.#rows(rows, more), ...moved } as SourceItem;
  }
}
