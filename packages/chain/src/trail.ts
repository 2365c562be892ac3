import { SwapfoldError } from '@swapfold/core';

/** A block by its number and hash. */
export interface BlockId {
  readonly number: number;
  readonly hash: string;
}

/** Blocks below the newest one that are remembered one by one; further down every 8th, 16th, 32nd ... of them. */
const DENSE = 64;
/** Blocks below the newest one beyond which none is remembered. */
const LONGEST = 16_384;

/** Stands for the hash of the block below the first one that was read: of that one nothing is known. */
const START = '';

interface Place {
  readonly chain_id: number | string;
  /** The next block to read. */
  readonly next: number;
  readonly blocks: readonly (readonly [number, string])[];
}

/** The blocks that were read last: what a place in the store is made of, and what a fork is found by. */
export class Trail {
  readonly chainId: number | string;
  #next: number;
  #blocks: BlockId[];

  private constructor(chainId: number | string, next: number, blocks: BlockId[]) {
    this.chainId = chainId;
    this.#next = next;
    this.#blocks = blocks;
  }

  /** Nothing read yet. */
  static from(chainId: number | string, block: number): Trail {
    return new Trail(chainId, block, []);
  }

  /** Errors: `invalid-input` for a text that is no place of a source of a chain, or one of another chain. */
  static parse(place: string, chainId: number | string): Trail {
    const { chain_id, next, blocks } = parsed(place);
    if (chain_id !== chainId)
      throw new SwapfoldError(
        'invalid-input',
        `The store follows chain ${chain_id}, and the node is of chain ${chainId}: give a node of the same chain, or another store.`,
      );
    return new Trail(
      chain_id,
      next,
      blocks.map(([number, hash]) => ({ number, hash })),
    );
  }

  /** The next block to read. */
  get next(): number {
    return this.#next;
  }

  /** The newest block that was read; none at the beginning. */
  get tip(): BlockId | undefined {
    const last = this.#blocks.at(-1);
    return last !== undefined && Trail.isStart(last) ? undefined : last;
  }

  /** Whether it is the block below the first one that was read: if all above it have changed, reading begins again there. */
  static isStart({ hash }: BlockId): boolean {
    return hash === START;
  }

  /** Before the first block is pushed, whose number it takes. */
  begin(number: number): void {
    if (this.#blocks.length === 0 && number > 0) this.#blocks.push({ number: number - 1, hash: START });
  }

  /** Remembered blocks, the newest first. */
  get newestFirst(): readonly BlockId[] {
    return [...this.#blocks].reverse();
  }

  hashOf(number: number): string | undefined {
    return this.#blocks.findLast((block) => block.number === number)?.hash;
  }

  push(block: BlockId): void {
    this.#blocks.push(block);
    this.#next = block.number + 1;
    if (this.#blocks.length > 2 * DENSE) this.#thin();
  }

  /** Forgets all blocks above one. */
  cutTo({ number }: BlockId): void {
    this.#blocks = this.#blocks.filter((block) => block.number <= number);
    this.#next = number + 1;
  }

  /** The text that the store keeps. `more`: what the source itself remembers beside the blocks. */
  toPlace(more: Readonly<Record<string, unknown>> = {}): string {
    this.#thin();
    const blocks = this.#blocks.map(({ number, hash }) => [number, hash] as const);
    return JSON.stringify({ ...more, chain_id: this.chainId, next: this.#next, blocks } satisfies Place);
  }

  /** Forgets blocks so that those left lie the further apart the deeper they are: of 8, 16, 32 ... consecutive ones the oldest. */
  #thin(): void {
    const top = this.#next - 1;
    const taken = new Set<string>();
    this.#blocks = this.#blocks.filter(({ number, hash }) => {
      const depth = top - number;
      if (hash === START && depth >= DENSE) return false;
      const step = depth < DENSE ? 1 : 2 ** Math.floor(Math.log2(depth / DENSE) + 3);
      const place = `${step}:${Math.floor(number / step)}`;
      if (depth >= LONGEST || taken.has(place)) return false;
      taken.add(place);
      return true;
    });
  }
}

function parsed(place: string): Place {
  try {
    const value = JSON.parse(place) as Partial<Place>;
    if (/^(number|string)$/.test(typeof value.chain_id) && Number.isInteger(value.next) && Array.isArray(value.blocks))
      return value as Place;
  } catch {
    // Falls through to the same error.
  }
  throw new SwapfoldError('invalid-input', 'The place that the store remembers is none of a source of this chain.');
}
