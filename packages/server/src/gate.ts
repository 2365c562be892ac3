import { SwapfoldError } from '@swapfold/core';
import { type Share, threadTurns } from '@swapfold/core/host';
import { Overload } from './overload.ts';
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
  /** Whether work begins in a turn that it has been given among all long work. Default: it does not wait for that. */
  readonly isLong?: boolean;
}

/** Who asks for a place. */
export interface Wanted {
  /** Whether the work is still wanted. */
  readonly isWanted: boolean;
  /** Whose request it is. */
  readonly share: Share;
}

interface Waiting {
  readonly since: number;
  readonly request: Wanted;
  readonly begin: () => void;
  readonly refuse: (error: SwapfoldError) => void;
}

/**
 * Lets so many requests work at once, has so many more wait, and refuses the others.
 *
 * - One share may have all places while no other wants one. While all are taken, a share with nothing in work has one request begun beside
 *   them, up to as many again.
 * - Of those who wait, the share with the least in work is next.
 * - If as many wait as may, a request takes the place of the newest one of the share that has most of them waiting, if that has two more than
 *   its own.
 */
export class Gate {
  readonly #limits: GateLimits;
  readonly #queue: Waiting[] = [];
  readonly #inWork = new WeakMap<Share, number>();
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

  /** Refuses what `enter` would refuse now. It costs nothing, so it comes before the body of a request is read. */
  check(share: Share): void {
    if (this.#mayBegin(share) || this.#queue.length < this.#limits.waiting) return;
    if (this.#displacedBy(share) === undefined) throw this.#full();
  }

  /**
   * Takes a place, which `leave` gives back: at once where nothing is returned, else when the promise resolves.
   *
   * - Errors: `unavailable`, where too many wait or the wait was too long; `aborted` if it is no longer wanted when its turn comes.
   */
  enter(request: Wanted): Promise<void> | undefined {
    if (this.#mayBegin(request.share)) {
      this.#count(request.share, 1);
      return this.#turn(request.share);
    }
    this.check(request.share);
    if (this.#queue.length >= this.#limits.waiting)
      this.#remove(this.#displacedBy(request.share)!).refuse(this.#full());
    return this.#place(request);
  }

  /** Gives the place of a request back, to those that wait and are still wanted. */
  leave({ share }: Wanted): void {
    this.#count(share, -1);
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#remove(next);
      if (next.request.isWanted) {
        this.#count(next.request.share, 1);
        next.begin();
      } else next.refuse(new SwapfoldError('aborted', 'The caller hung up.'));
    }
    if (this.#queue.length > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Resolves once a request has been given a place, and its turn. */
  async #place(request: Wanted): Promise<void> {
    await new Promise<void>((begin, refuse) => {
      this.#queue.push({ since: performance.now(), request, begin, refuse });
      if (this.#timer === undefined) this.#refuseLateAfter(this.#limits.patience * 1000);
    });
    await this.#turn(request.share);
  }

  #turn(share: Share): Promise<void> | undefined {
    const { turns, isLong } = this.#limits;
    const quiet = turns?.next();
    return isLong ? (quiet ?? Promise.resolve()).then(() => threadTurns.next(share)) : quiet;
  }

  #mayBegin(share: Share): boolean {
    const { working } = this.#limits;
    return this.#working < working || ((this.#inWork.get(share) ?? 0) === 0 && this.#working < 2 * working);
  }

  #count(share: Share, change: 1 | -1): void {
    this.#working += change;
    this.#inWork.set(share, (this.#inWork.get(share) ?? 0) + change);
  }

  /** Of those that may begin, the one whose share has the least in work, and waits longest. */
  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const waiting of this.#queue) {
      const inWork = this.#inWork.get(waiting.request.share) ?? 0;
      if (inWork >= least || !this.#mayBegin(waiting.request.share)) continue;
      next = waiting;
      least = inWork;
    }
    return next;
  }

  /** Who has to go for a request of a share. */
  #displacedBy(share: Share): Waiting | undefined {
    const waiting = new Map<Share, number>();
    for (const { request } of this.#queue) waiting.set(request.share, (waiting.get(request.share) ?? 0) + 1);
    const [largest, most] = [...waiting].reduce((a, b) => (b[1] > a[1] ? b : a), [share, 0]);
    if (most < (waiting.get(share) ?? 0) + 2) return undefined;
    return this.#queue.findLast(({ request }) => request.share === largest);
  }

  #remove(waiting: Waiting): Waiting {
    this.#queue.splice(this.#queue.indexOf(waiting), 1);
    return waiting;
  }

  #full(): Overload {
    return new Overload(
      'full',
      `The server works on ${this.#working} requests and ${this.#queue.length} more wait; try again later.`,
      1,
    );
  }

  #refuseLate(): void {
    const patience = this.#limits.patience * 1000;
    const now = performance.now();
    while (this.#queue.length > 0 && now - this.#queue[0]!.since >= patience - 1)
      this.#queue
        .shift()!
        .refuse(
          new Overload(
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

/** Works with a place of the gate. Errors: those of `enter`, and of the work. */
export async function inTurn<R>(wanted: Wanted, gate: Gate, work: () => Promise<R>): Promise<R> {
  const turn = gate.enter(wanted);
  if (turn !== undefined) await turn;
  try {
    return await work();
  } finally {
    gate.leave(wanted);
  }
}
