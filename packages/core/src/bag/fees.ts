import type { Bag } from './bag.ts';

/** What a wallet paid the chain for transactions in which it has no trade, up to an as-of time, oldest first. `usd` as `fee_usd` in tables. */
export interface EntityFees {
  readonly time: readonly number[];
  readonly native: readonly number[];
  readonly usd: readonly number[];
}

export const noFees: EntityFees = { time: [], native: [], usd: [] };

/** Fees of one wallet, taken from the newest on. Reused from wallet to wallet. */
export class FeesFold {
  #fees = noFees;
  #row = 0;
  #usd = 0;
  #native = 0;
  #stale = 0;
  #unpriced = 0;

  begin(fees: EntityFees): void {
    this.#fees = fees;
    this.#row = fees.time.length;
    this.#usd = this.#native = this.#stale = this.#unpriced = 0;
  }

  /** Writes what the fees after `start` add up to. `start` comes down from call to call. */
  fill(bag: Bag, start: number): void {
    const { time, native, usd } = this.#fees;
    for (; this.#row > 0 && time[this.#row - 1]! > start; this.#row--) {
      const worth = usd[this.#row - 1]!;
      this.#native += native[this.#row - 1]!;
      if (Number.isNaN(worth)) this.#unpriced++;
      else this.#usd += Math.abs(worth);
      if (worth < 0) this.#stale++;
    }
    bag.bareFees = this.#usd;
    bag.bareFeesNative = this.#native;
    bag.bareStaleFees = this.#stale;
    bag.bareUnpricedFees = this.#unpriced;
  }
}
