import { setImmediate } from 'node:timers/promises';
import { SwapfoldError } from '@swapfold/core';
import { Refusal } from './refusal.ts';

/** How much work the server takes on at once. */
export interface GateLimits {
  /** Requests in work. */
  readonly working: number;
  /** Requests that wait for their turn. */
  readonly waiting: number;
  /** How long one waits at most, seconds. */
  readonly patience: number;
  /**
   * Whether work begins in the next turn of the event loop. An engine that works within the turn would else hold it so long that
   * requests pile up unread, where none is counted or refused.
   */
  readonly isDeferred: boolean;
}

interface Waiting {
  readonly since: number;
  readonly isWanted: () => boolean;
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
    if (this.#working >= this.#limits.working && this.#queue.length >= this.#limits.waiting)
      throw new Refusal(
        'full',
        `The server works on ${this.#working} requests and ${this.#queue.length} more wait; try again later.`,
        1,
      );
  }

  /**
   * Runs `work` when there is a place for it.
   *
   * - Errors: `unavailable`, where too many wait or the wait was too long; `aborted` where it is no longer wanted when its turn comes; those of the work.
   */
  async run<T>(work: () => Promise<T>, isWanted: () => boolean): Promise<T> {
    if (this.#working < this.#limits.working) this.#working++;
    else {
      this.check();
      await this.#turn(isWanted);
    }
    try {
      if (this.#limits.isDeferred) await setImmediate();
      return await work();
    } finally {
      this.#leave();
    }
  }

  /** Resolves once the place of a request that has ended is handed over. */
  #turn(isWanted: () => boolean): Promise<void> {
    return new Promise((begin, refuse) => {
      this.#queue.push({ since: performance.now(), isWanted, begin, refuse });
      if (this.#timer === undefined) this.#refuseLateAfter(this.#limits.patience * 1000);
    });
  }

  #leave(): void {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      if (next.isWanted()) {
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
            `The request waited ${this.#limits.patience} s for its turn, behind others; try again later.`,
            1,
          ),
        );
    this.#timer = undefined;
    if (this.#queue.length > 0) this.#refuseLateAfter(this.#queue[0]!.since + patience - now);
  }

  #refuseLateAfter(milliseconds: number): void {
    this.#timer = setTimeout(() => this.#refuseLate(), Math.max(1, milliseconds)).unref();
  }
}
