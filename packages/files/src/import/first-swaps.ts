import { type Config, memory, type SwapColumns, Swapfold } from '@swapfold/core';
import { rowsOfSwaps } from '../parts.ts';

/** Swaps that are shown of each file. */
const SHOWN = 3;

/** The first swaps of a file that could be stored. */
export class FirstSwaps {
  readonly #config: Config;
  #rows: SwapColumns[] = [];

  constructor(config: Config) {
    this.#config = config;
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
      const swaps: object[] = [];
      for (const one of this.#rows) {
        const { added } = await dex.ingest(one);
        if (added === 0) continue;
        const [[hash], [index]] = [one.columns.tx_hash, one.columns.swap_index];
        const { data } = await dex.swaps.list({ limit: 10 });
        const swap = data.find((found) => digitsOf(found.tx_hash) === digitsOf(hash!) && found.swap_index === index);
        if (swap !== undefined) swaps.push(swap);
      }
      return swaps;
    } finally {
      this.#rows = [];
      await dex.close();
    }
  }
}

/** A hash without what its chain may read it with or without. */
const digitsOf = (hash: string): string => hash.toLowerCase().replace(/^0x/, '');
