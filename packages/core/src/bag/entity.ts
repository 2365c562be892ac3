import { firstAfter } from '../records/columns.ts';

/**
 * The trades of one entity (a wallet or a token) up to an as-of time, at least those of the longest window, oldest first, as the fold reads them: columns, and the curve of its open cost.
 * Reused from entity to entity: only the first `length` rows count.
 */
export interface EntityTrades {
  length: number;
  time: Float64Array;
  isBuy: Uint8Array;
  /** Number of the counterparty among the entity's counterparties, from 0. */
  counterparty: Int32Array;
  counterparties: number;
  tokenAmount: Float64Array;
  usd: Float64Array;
  marketCap: Float64Array;
  cost: Float64Array;
  proceeds: Float64Array;
  /** `NaN` unless the row is a realised or a small sell. */
  pnl: Float64Array;
  /** `NaN` unless the row is a realised sell. */
  holding: Float64Array;
  /** In native tokens: what the row is worth, and what a sell cost and made; `NaN` if it is unknown. */
  native: Float64Array;
  costNative: Float64Array;
  pnlNative: Float64Array;
  /** What the wallet paid the chain for the row, in native tokens and USD, the latter below 0 at a stale price; `NaN` if it is unknown. */
  feeNative: Float64Array;
  feeUsd: Float64Array;
  /** Seconds from the token's creation to the row; `NaN` unless the row is a buy that opens a position and the creation is known. */
  entryDelay: Float64Array;
  /** Open cost of the entity after the row, and before the first one. */
  openCost: Float64Array;
  openBefore: number;
}

export function newEntityTrades(capacity: number): EntityTrades {
  const doubles = (): Float64Array => new Float64Array(capacity);
  return {
    length: 0,
    time: doubles(),
    isBuy: new Uint8Array(capacity),
    counterparty: new Int32Array(capacity),
    counterparties: 0,
    tokenAmount: doubles(),
    usd: doubles(),
    marketCap: doubles(),
    cost: doubles(),
    proceeds: doubles(),
    pnl: doubles(),
    holding: doubles(),
    native: doubles(),
    costNative: doubles(),
    pnlNative: doubles(),
    feeNative: doubles(),
    feeUsd: doubles(),
    entryDelay: doubles(),
    openCost: doubles(),
    openBefore: 0,
  };
}

/** Open cost of the entity at a time: after the trades at it. */
export function openCostAt(trades: EntityTrades, time: number): number {
  const after = firstAfter(trades.time, trades.length, time);
  return after === 0 ? trades.openBefore : trades.openCost[after - 1]!;
}

/** Prints of one token that are not suspect, up to an as-of time, oldest first: those of the longest window and the last one before it. */
export interface EntityPrints {
  length: number;
  time: Float64Array;
  price: Float64Array;
}

export const noPrints: EntityPrints = { length: 0, time: new Float64Array(0), price: new Float64Array(0) };

export { firstAfter };
