import type { PositionProfile, Swapfold } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { formatDuration, formatPercent } from '../text/numbers.ts';
import { nativeOf, resultCells, resultTitles, TradedSums, tradedTitles } from '../text/position-results.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

const ROWS = 5;

/** A search of the positions that earned a wallet most, of its whole history. */
export function bestPositions(wallet: string) {
  return {
    filter: { wallet_address: wallet },
    sort: { field: 'holding.realized_pnl', direction: 'desc' },
    options: { include_metadata: true, include_holding: true },
    limit: ROWS,
  } as const;
}

/** The positions that earned a wallet most, and how many it has. */
export async function walletPositions(
  dex: Swapfold,
  wallet: string,
): Promise<{ readonly count: number; readonly best: readonly PositionProfile[] }> {
  const { count, data } = await dex.positions.search(bestPositions(wallet));
  return { count, best: data };
}

/** What came of positions, in USD and in the token of this symbol, what would come of selling now, and how old the price is that says so. */
export function positionLines(positions: readonly PositionProfile[], symbol?: string): string[] {
  const native = nativeOf(positions, symbol);
  const sums = new UnknownSums();
  const traded = new TradedSums(sums);
  const columns = [
    { title: 'token', align: 'left' },
    { title: 'state', align: 'left' },
    ...resultTitles(native, ['unrealized roi', 'price age', ...tradedTitles]).map(
      (title) => ({ title, align: 'right' }) as const,
    ),
  ] as const;
  const rows = positions.map(({ token_address: token, metadata, holding }) => [
    metadata?.symbol ?? shortAddress(token),
    metadata?.state ?? '',
    ...resultCells(holding, native, sums),
    formatPercent(holding?.unrealized_roi ?? null),
    formatDuration(holding?.price_age ?? null),
    ...traded.cells(holding),
  ]);
  return [...tableLines(columns, rows), ...traded.lines, ...sums.lines];
}
