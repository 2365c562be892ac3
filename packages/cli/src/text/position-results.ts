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

export function boughtText(holding: Holding, sums: UnknownSums): string {
  return spentText(holding?.buy_count, holding?.bought_usd, sums);
}

export function soldText(holding: Holding, sums: UnknownSums): string {
  return spentText(holding?.sell_count, holding?.sold_usd, sums);
}

/** What trades were worth. Every known value is above 0. */
function spentText(count = 0, usd: number | null | undefined, sums: UnknownSums): string {
  return sums.text('USD', count > 0 && usd === 0, () => formatUsd(usd ?? null));
}
