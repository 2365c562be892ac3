import type { PositionProfile, Swapfold } from '@swapfold/core';
import { shortAddress } from '../text/address.ts';
import { formatDuration, formatPercent, formatUsd } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

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

/** What came of positions, what would come of selling now, and how old the price is that says so. */
export function positionLines(positions: readonly PositionProfile[]): string[] {
  const columns = [
    { title: 'token', align: 'left' },
    { title: 'state', align: 'left' },
    { title: 'realized pnl', align: 'right' },
    { title: 'realized roi', align: 'right' },
    { title: 'unrealized pnl', align: 'right' },
    { title: 'unrealized roi', align: 'right' },
    { title: 'price age', align: 'right' },
  ] as const;
  const rows = positions.map(({ token_address: token, metadata, holding }) => [
    metadata?.symbol ?? shortAddress(token),
    metadata?.state ?? '',
    formatUsd(holding?.realized_pnl ?? null),
    formatPercent(holding?.realized_roi ?? null),
    formatUsd(holding?.unrealized_pnl ?? null),
    formatPercent(holding?.unrealized_roi ?? null),
    formatDuration(holding?.price_age ?? null),
  ]);
  return tableLines(columns, rows);
}
