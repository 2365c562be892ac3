// Generated from docs/guides/live.md by test/generate-docs/blocks.ts.
declare const dex: import('@swapfold/core').Swapfold;
declare const signal: AbortSignal;
declare function swapsOf(block: number): Promise<readonly import('@swapfold/core').SwapInput[]>;
import type { Source } from '@swapfold/core';

const source: Source = {
  name: 'blocks',
  async *read(after, { signal }) {
    for (let block = after === null ? 0 : Number(after) + 1; !signal.aborted; block++)
      yield { rows: await swapsOf(block), place: String(block) };
  },
};
await dex.follow(source, { signal });
export {};
