import { LRUCache } from 'lru-cache';
import type { Changes } from '../ingest/changes.ts';
import type { KeptPart } from './kept.ts';

/** Lists whose rows are counted: swaps or trades, of a wallet or of a token. */
export type CountedList = 'swaps' | 'trades';
export type CountedBy = 'wallet' | 'token';

const MOST = 200_000;

/** How many rows lists of one wallet or one token hold. */
export class KeptCounts implements KeptPart {
  readonly #counts = {
    swaps: { wallet: newCounts(), token: newCounts() },
    trades: { wallet: newCounts(), token: newCounts() },
  };

  get(list: CountedList, by: CountedBy, id: number): number | undefined {
    return this.#counts[list][by].get(id);
  }

  set(list: CountedList, by: CountedBy, id: number, count: number): void {
    this.#counts[list][by].set(id, count);
  }

  commit({ appended, touched }: Changes): void {
    for (const { swaps, legs, trades } of appended) {
      this.#add('swaps', 'wallet', swaps.columns.wallet);
      this.#add('swaps', 'token', legs.columns.token);
      this.#add('trades', 'wallet', trades.columns.wallet);
      this.#add('trades', 'token', trades.columns.token);
    }
    for (const list of ['swaps', 'trades'] as const) {
      for (const wallet of touched.wallets) this.#counts[list].wallet.delete(wallet);
      for (const token of touched.tokens) this.#counts[list].token.delete(token);
    }
  }

  clear(): void {
    for (const { wallet, token } of Object.values(this.#counts)) {
      wallet.clear();
      token.clear();
    }
  }

  #add(list: CountedList, by: CountedBy, ids: Int32Array): void {
    const counts = this.#counts[list][by];
    if (counts.size === 0) return;
    for (const id of ids) {
      const count = counts.peek(id);
      if (count !== undefined) counts.set(id, count + 1);
    }
  }
}

function newCounts(): LRUCache<number, number> {
  return new LRUCache({ maxSize: MOST, sizeCalculation: () => 1 });
}
