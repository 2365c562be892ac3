import type { Settled } from '../options.ts';
import type { Random } from '../random.ts';
import { type Due, DueQueue } from './due-queue.ts';
import type { LaunchpadWallets } from './wallets.ts';

const DAY = 86_400;

/** A wallet that trades a token, and the swaps that it makes of it, 1 to 3. */
export interface Visit {
  readonly wallet: number;
  readonly swaps: number;
}

/** A wallet that has swaps left. */
interface Returning extends Due {
  readonly wallet: number;
  readonly left: number;
  /** Usual seconds from one visit to the next. */
  readonly gap: number;
}

/** Wallets that arrive evenly over the period, each with a number of swaps to make: 3 in the median, of some up to hundreds. */
export class Visitors {
  readonly #returning = new DueQueue<Returning>();
  readonly #first: number;
  readonly #count: number;
  #arrived = 0;

  constructor(
    { wallets }: Settled,
    { firstVisitor }: LaunchpadWallets,
    private readonly random: Random,
  ) {
    this.#first = firstVisitor;
    this.#count = wallets - firstVisitor;
  }

  /** The visitor whose turn it is when `part` of the market is over; `undefined` if none is due. */
  next(time: number, part: number): Visit | undefined {
    if (this.#returning.next <= time) return this.#visit(this.#returning.take(), time);
    if (this.#arrived >= this.#count * part) return undefined;
    const left = this.#swaps();
    const span = this.random.decades(3, 6) * (left > 12 ? 3 : 0.3);
    return this.#visit({ time, wallet: this.#first + this.#arrived++, left, gap: span / left }, time);
  }

  #visit({ wallet, left, gap }: Returning, time: number): Visit {
    const u = this.random.unit();
    const swaps = Math.min(left, u < 0.72 ? 1 : u < 0.96 ? 2 : 3);
    if (left > swaps) {
      const wait = Math.min(5 * DAY, gap * (this.random.pareto(20) - 0.9));
      this.#returning.add({ time: time + 1 + Math.floor(wait), wallet, left: left - swaps, gap });
    }
    return { wallet, swaps };
  }

  /** Swaps that a wallet will make. */
  #swaps(): number {
    const u = this.random.unit();
    if (u < 0.64) return u < 0.19 ? 1 : u < 0.4 ? 2 : 3;
    return 4 + Math.floor(2 * this.random.pareto(400));
  }
}
