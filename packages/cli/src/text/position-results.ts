import type { PositionProfile } from '@swapfold/core';
import { formatCompact, formatPercent, formatUsd } from './numbers.ts';
import type { UnknownSums } from './unknown-sums.ts';

type Holding = PositionProfile['holding'];

/** The symbol of the native token, if something is known in it of one of the positions: columns of dashes would be noise. */
export function nativeOf(positions: readonly PositionProfile[], symbol: string | undefined): string | undefined {
  const isKnown = ({ holding }: PositionProfile): boolean =>
    holding?.cost_basis_native != null || holding?.realized_roi_native != null;
  return positions.some(isKnown) ? symbol : undefined;
}

/** Titles of `resultCells`, and of the columns after them. `native`: the symbol of the native token, if there is one. */
export function resultTitles(native: string | undefined, more: readonly string[]): string[] {
  const inNative = (title: string): string[] => (native === undefined ? [] : [`${title} ${native}`]);
  return [
    'realized pnl',
    ...inNative('realized'),
    'realized roi',
    ...inNative('roi'),
    'unrealized pnl',
    ...inNative('unrealized'),
    ...more,
  ];
}

/** What came of a position and what would come of selling it now, in USD and in the native token. */
export function resultCells(holding: Holding, native: string | undefined, sums: UnknownSums): string[] {
  const inNative = (text: (symbol: string) => string): string[] => (native === undefined ? [] : [text(native)]);
  const sells = holding?.sell_count ?? 0;
  const nativeRoi = holding?.realized_roi_native ?? null;
  return [
    sums.text('USD', sells > 0 && holding?.sold_usd === 0 && holding.realized_pnl === 0, () =>
      formatUsd(holding?.realized_pnl ?? null),
    ),
    ...inNative((symbol) =>
      sums.text(symbol, sells > 0 && nativeRoi === null, () => formatCompact(holding?.realized_pnl_native ?? null)),
    ),
    formatPercent(holding?.realized_roi ?? null),
    ...inNative(() => formatPercent(nativeRoi)),
    formatUsd(holding?.unrealized_pnl ?? null),
    ...inNative(() => formatCompact(holding?.unrealized_pnl_native ?? null)),
  ];
}

/** Titles of `TradedSums.cells`. */
export const tradedTitles = ['bought', 'sold', 'no known cost'] as const;

/** What was bought and sold, and what of that was sold without a known cost, in USD: with the realised result they add up. */
export class TradedSums {
  readonly #sums: UnknownSums;
  #isUnmatched = false;

  constructor(sums: UnknownSums) {
    this.#sums = sums;
  }

  cells(holding: Holding): string[] {
    const unmatched = holding?.unmatched_proceeds ?? null;
    if ((unmatched ?? 0) > 0) this.#isUnmatched = true;
    return [
      this.#text(holding?.buy_count, holding?.bought_usd),
      this.#text(holding?.sell_count, holding?.sold_usd),
      this.#sums.text('USD', isUnknown(holding?.sell_count, holding?.sold_usd), () => formatUsd(unmatched)),
    ];
  }

  /** What the sums mean, if any of them needs it. */
  get lines(): string[] {
    return this.#isUnmatched
      ? [
          '"no known cost" is the part of "sold" that was never bought at a known cost: no profit has it. The rest, less its cost, is "realized pnl".',
        ]
      : [];
  }

  #text(count: number | undefined, usd: number | null | undefined): string {
    return this.#sums.text('USD', isUnknown(count, usd), () => formatUsd(usd ?? null));
  }
}

/** Whether none of the trades has a known value: every known one is above 0. */
const isUnknown = (count = 0, usd: number | null | undefined): boolean => count > 0 && usd === 0;
