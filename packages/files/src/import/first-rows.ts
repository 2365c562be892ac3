import { type Config, memory, type SwapColumns, Swapfold } from '@swapfold/core';
import { rowsOfSwaps } from '../parts.ts';
import type { RowStore } from './row-store.ts';

/** Rows that are shown of each file. */
const SHOWN = 3;

/** The first rows of a file that could be stored. */
export class FirstRows {
  readonly #config: Config;
  readonly #store: RowStore;
  #rows: SwapColumns[] = [];

  constructor(config: Config, store: RowStore) {
    this.#config = config;
    this.#store = store;
  }

  add(batch: SwapColumns, refused: ReadonlySet<number>): void {
    for (let row = 0; row < batch.length && this.#rows.length < SHOWN; row++)
      if (!refused.has(row)) this.#rows.push(rowsOfSwaps(batch, Uint32Array.of(row)));
  }

  /** As a store answers with them, in the order of the file. Begins anew. */
  async stored(): Promise<object[]> {
    const { chain, address_format, quote_tokens, dust_usd } = this.#config;
    const dex = await Swapfold.open({ storage: memory(), config: { chain, address_format, quote_tokens, dust_usd } });
    try {
      const answers: object[] = [];
      const before = new Set<string>();
      for (const one of this.#rows) {
        const answer = await this.#store.answer(dex, one, before);
        if (answer === undefined) continue;
        answers.push(answer);
        before.add(JSON.stringify(answer));
      }
      return answers;
    } finally {
      this.#rows = [];
      await dex.close();
    }
  }
}
