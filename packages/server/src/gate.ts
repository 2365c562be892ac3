import { SwapfoldError } from '@swapfold/core';
import { Refusal } from './refusal.ts';
import type { Turns } from './turns.ts';

/** How much work the server takes on at once. */
export interface GateLimits {
  /** Requests in work. */
  readonly working: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** How long one waits at most, seconds. */
  readonly patience: number;
  /** When work begins. An engine that works within the turn would else hold it so long that callers pile up unseen. Default: at once. */
  readonly turns?: Turns;
}

/** Who asks for a place. */
interface Wanted {
  /** Whether the work is still wanted. */
  readonly isWanted: boolean;
}

interface Waiting {
  readonly since: number;
  readonly request: Wanted;
  readonly begin: () => void;
  readonly refuse: (error: SwapfoldError) => void;
}

/** Lets so many requests work at once, has so many more wait in the order they came, and refuses the others. */
export class Gate {
  readonly #limits: GateLimits;
  readonly #queue: Waiting[] = [];
  #working = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limits: GateLimits) {
    this.#limits = limits;
  }

  get working(): number {
    return this.#working;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Refuses what `run` would refuse now. It costs nothing, so it comes before the body of a request is read. */
  check(): void {
    if (this.#working < this.#limits.working || this.#queue.length < this.#limits.waiting) return;
    throw new Refusal(
      'full',
      `The server works on ${this.#working} requests and ${this.#queue.length} more wait; try again later.`,
      1,
    );
  }

  /**
   * Takes a place, which `leave` gives back: at once where nothing is returned, else when the promise resolves.
   *
   * - Errors: `unavailable`, where too many wait or the wait was too long; `aborted` where it is no longer wanted when its turn comes.
   */
  enter(request: Wanted): Promise<void> | undefined {
    if (this.#working >= this.#limits.working) {
      this.check();
      return this.#turn(request);
    }
    this.#working++;
    return this.#limits.turns?.next();
  }

  /** Resolves once the place of a request that has ended is handed over. */
  async #turn(request: Wanted): Promise<void> {
    await new Promise<void>((begin, refuse) => {
      this.#queue.push({ since: performance.now(), request, begin, refuse });
      if (this.#timer === undefined) this.#refuseLateAfter(this.#limits.patience * 1000);
    });
    await this.#limits.turns?.next();
  }

  /** Hands a place on to the next that waits and is still wanted. */
  leave(): void {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (next.request.isWanted) {
        next.begin();
        return;
      }
      next.refuse(new SwapfoldError('aborted', 'The caller hung up.'));
    }
    this.#working--;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #refuseLate(): void {
    const patience = this.#limits.patience * 1000;
    const now = performance.now();
    while (this.#queue.length > 0 && now - this.#queue[0]!.since >= patience - 1)
      this.#queue
        .shift()!
        .refuse(
          new Refusal(
            'waited-too-long',
            `The request waited ${patience / 1000} s for its turn, behind others; try again later.`,
            1,
          ),
        );
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#queue.length > 0) this.#refuseLateAfter(this.#queue[0]!.since + patience - now);
  }

  #refuseLateAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#refuseLate(), Math.max(1, milliseconds)).unref();
  }
}
