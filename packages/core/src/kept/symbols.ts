import { LRUCache } from 'lru-cache';
import type { Changes } from '../ingest/changes.ts';
import { NO_ID } from '../records/columns.ts';
import type { KeptPart } from './kept.ts';
import type { TokenShelf } from './tokens.ts';

/** The id of a symbol in the dictionary. */
export interface SymbolId {
  readonly id: number;
}

const MOST = 500_000;

/** What the newest swap that names a token calls it, continued by every swap that comes; `null` stands for a token that none names. */
export class KeptSymbols implements KeptPart, TokenShelf<SymbolId> {
  readonly #symbols = new LRUCache<number, { readonly symbol: SymbolId | null }>({
    maxSize: MOST,
    sizeCalculation: () => 1,
  });

  /** Whether there is room without giving up what is kept. */
  get hasRoom(): boolean {
    return this.#symbols.size < MOST;
  }

  get(token: number): SymbolId | null | undefined {
    return this.#symbols.get(token)?.symbol;
  }

  set(token: number, { value }: { readonly value: SymbolId | null }): void {
    this.#symbols.set(token, { symbol: value });
  }

  commit({ appended, touched }: Changes): void {
    for (const { legs } of appended) {
      const { token, symbol } = legs.columns;
      for (let leg = 0; leg < legs.length; leg++)
        if (symbol[leg] !== NO_ID && this.#symbols.peek(token[leg]!)?.symbol?.id !== symbol[leg])
          this.set(token[leg]!, { value: { id: symbol[leg]! } });
    }
    for (const token of touched.tokens) this.#symbols.delete(token);
  }

  clear(): void {
    this.#symbols.clear();
  }
}
