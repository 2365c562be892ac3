import type { NodeBlocks, SlotAnswer } from './node-blocks.ts';

/** The answer for a slot, and whether it is there already. */
interface Entry {
  readonly slot: number;
  readonly answer: Promise<SlotAnswer>;
  ready?: SlotAnswer;
}

/** Slots in their order, the next ones asked for while one is stored: as many at once as the node takes. */
export class SlotQueue {
  readonly #blocks: NodeBlocks;
  readonly #last: number;
  readonly #ahead: Entry[] = [];
  #next: number;

  /** From one slot to another, both included. */
  constructor(blocks: NodeBlocks, from: number, to: number) {
    this.#blocks = blocks;
    this.#next = from;
    this.#last = to;
  }

  /** The next slot, once its answer is there; nothing behind the last one. */
  async take(): Promise<{ readonly slot: number; readonly answer: SlotAnswer } | undefined> {
    this.#fetch();
    const first = this.#ahead.shift();
    if (first === undefined) return undefined;
    const answer = await first.answer;
    this.#fetch();
    return { slot: first.slot, answer };
  }

  /** Whether the answer for the next slot is there already. */
  get isReady(): boolean {
    return this.#ahead[0]?.ready !== undefined;
  }

  /** Waits for what was asked for and is no longer wanted. */
  async end(): Promise<void> {
    await Promise.allSettled(this.#ahead.map(({ answer }) => answer));
  }

  #fetch(): void {
    while (this.#next <= this.#last && this.#ahead.length < this.#blocks.atOnce) {
      const slot = this.#next++;
      const entry: Entry = { slot, answer: this.#blocks.block(slot) };
      this.#ahead.push(entry);
      // Whoever takes the slot sees an error; until then it is nobody's.
      entry.answer.then(
        (ready) => {
          entry.ready = ready;
        },
        () => undefined,
      );
    }
  }
}
