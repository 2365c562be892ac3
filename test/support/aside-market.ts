import { smallMarket } from './market.ts';

/** Swaps that are ingested at once. */
export const ROWS = 10;
/** Times that swaps come in while one refresh runs. */
export const BESIDE = 4;

/** A market for so many refreshes, with what comes in beside them. */
export const asideMarket = (refreshes: number): ReturnType<typeof smallMarket> =>
  smallMarket({ seed: 17, swaps: (refreshes + 1) * (BESIDE + 1) * ROWS, wallets: 20, tokens: 8 });
