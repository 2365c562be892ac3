import type { PositionProfile } from '@swapfold/core';
import { formatCount } from '../text/numbers.ts';
import { nativeOf, resultCells, resultTitles, TradedSums, tradedTitles } from '../text/position-results.ts';
import { tableLines } from '../text/table.ts';
import { UnknownSums } from '../text/unknown-sums.ts';

/** How positions stand in a table. */
interface PositionTable {
  /** The symbol of the native token. */
  readonly native: string | undefined;
  /** Which of their trades is shown: the newest by default. */
  readonly trade?: 'first' | 'last';
  /** What a position is of, beside the wallet: nothing where all are of one token. */
  readonly nameOf?: (position: PositionProfile) => string;
}

/** Positions with what came of them, one a line. */
export function positionLines(positions: readonly PositionProfile[], o: PositionTable): string[] {
  if (positions.length === 0) return ['Nobody has traded it.'];
  const { trade = 'last', nameOf } = o;
  const native = nativeOf(positions, o.native);
  const sums = new UnknownSums();
  const traded = new TradedSums(sums);
  const columns = [
    { title: '#', align: 'right' },
    { title: 'wallet', align: 'left' },
    ...(nameOf === undefined ? [] : [{ title: 'token', align: 'left' } as const]),
    { title: 'state', align: 'left' },
    ...resultTitles(native, [...tradedTitles, 'trades']).map((title) => ({ title, align: 'right' }) as const),
    { title: `${trade} trade`, align: 'left' },
  ] as const;
  const rows = positions.map((position, i) => {
    const { wallet_address: wallet, metadata, holding } = position;
    return [
      String(i + 1),
      wallet,
      ...(nameOf === undefined ? [] : [nameOf(position)]),
      metadata?.state ?? '',
      ...resultCells(holding, native, sums),
      ...traded.cells(holding),
      formatCount((holding?.buy_count ?? 0) + (holding?.sell_count ?? 0)),
      metadata?.[`${trade}_trade_at`] ?? '',
    ];
  });
  return [...tableLines(columns, rows), ...traded.lines, ...sums.lines];
}
