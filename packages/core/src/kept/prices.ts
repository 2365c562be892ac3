import { LRUCache } from 'lru-cache';
import type { Appended, Changes } from '../ingest/changes.ts';
import { timeOf } from '../records/chain-order.ts';
import type { KeptPart } from './kept.ts';
import type { TokenShelf } from './tokens.ts';

/** What the last print of a token says of it: `usd_price` USD per token, `block_time` Unix seconds. */
export interface LatestPrint {
  readonly usd_price: number;
  readonly block_slot: number | null;
  readonly block_time: number;
}

/** The latest price of tokens, continued by every swap that comes; `null` stands for a token without a print. */
export class KeptPrices implements KeptPart, TokenShelf<LatestPrint> {
  readonly #most: number;
  readonly #prices: LRUCache<number, { readonly print: LatestPrint | null }>;

  /** `most`: tokens that are kept at most; 0 keeps none. */
  constructor(most: number) {
    this.#most = most;
    this.#prices = new LRUCache({ maxSize: Math.max(1, most), sizeCalculation: () => 1 });
  }

  /** Whether there is room without giving up what is kept. */
  get hasRoom(): boolean {
    return this.#prices.size < this.#most;
  }

  get(token: number, asOf: number): LatestPrint | null | undefined {
    const print = this.#prices.get(token)?.print;
    return print === undefined || print === null || print.block_time <= asOf ? print : undefined;
  }

  set(token: number, { value }: { readonly value: LatestPrint | null }): void {
    if (this.#most > 0) this.#prices.set(token, { print: value });
  }

  commit({ appended, touched }: Changes): void {
    for (const rows of appended) this.#continue(rows);
    for (const token of touched.tokens) this.#prices.delete(token);
  }

  clear(): void {
    this.#prices.clear();
  }

  #continue({ swaps, slots, legs }: Appended): void {
    const { token, seq, price } = legs.columns;
    const last = new Map<number, number>();
    for (let leg = 0; leg < legs.length; leg++) if (!Number.isNaN(price[leg]!)) last.set(token[leg]!, leg);
    let swap = swaps.length - 1;
    for (const [id, leg] of [...last].sort((a, b) => b[1] - a[1])) {
      while (swaps.columns.seq[swap] !== seq[leg]) swap--;
      const slot = slots[swap]!;
      const print = {
        usd_price: price[leg]!,
        block_slot: Number.isNaN(slot) ? null : slot,
        block_time: timeOf(seq[leg]!),
      };
      this.set(id, { value: print });
    }
  }
}
