import type { PositionProfile } from '@swapfold/core';
import { formatTime, rfc3339Millis } from '@swapfold/core/host';
import type { Asked } from '../plugged.ts';
import type { Bars } from './resolution.ts';

/** Positions whose trades are marked: those that made or lost most. */
const MARKED = 20;

/** The range that a chart shows: its first and its last bar, both included. */
export interface MarkedRange {
  readonly token: string;
  readonly bars: Bars;
  readonly from: number;
  readonly to: number;
}

interface Mark {
  readonly id: string;
  readonly time: number;
  readonly color: 'green' | 'red';
  readonly label: 'B' | 'S';
  readonly text: string;
}

/**
 * Where the wallets that made most on a token opened their positions and closed them, as columns.
 *
 * - Of: the positions that were opened or closed in the range, those that made most; each mark is at the start of its bar.
 */
export async function marks(store: Asked, range: MarkedRange): Promise<object> {
  const { token, bars, from } = range;
  const within = { $gte: formatTime(from), $lt: formatTime(range.to + bars.length) };
  const { data } = (await store.call('positions.search', {
    filter: {
      token_address: token,
      $or: [{ 'metadata.opened_at': within }, { 'metadata.closed_at': within }],
    },
    sort: { field: 'holding.realized_pnl', direction: 'desc' },
    options: { include_metadata: true, include_holding: true },
    limit: MARKED,
  })) as { readonly data: readonly PositionProfile[] };
  const found = data.flatMap((position) => marksOf(position, range)).sort((a, b) => a.time - b.time);
  return {
    id: found.map(({ id }) => id),
    time: found.map(({ time }) => time),
    color: found.map(({ color }) => color),
    text: found.map(({ text }) => text),
    label: found.map(({ label }) => label),
    labelFontColor: 'white',
    minSize: 14,
  };
}

function marksOf({ position_address, wallet_address, metadata, holding }: PositionProfile, range: MarkedRange): Mark[] {
  const pnl = holding?.realized_pnl ?? null;
  const result = pnl === null ? 'an unknown result' : `a realised PnL of ${Math.round(pnl)} USD`;
  const kinds = [
    { label: 'B', color: 'green', at: metadata?.opened_at, verb: 'opened' },
    { label: 'S', color: 'red', at: metadata?.closed_at, verb: 'closed' },
  ] as const;
  return kinds.flatMap(({ label, color, at, verb }) => {
    const time = barOf(at, range);
    if (time === undefined) return [];
    return [{ id: `${position_address}-${label}`, time, color, label, text: `${wallet_address} ${verb}, ${result}` }];
  });
}

/** The start of the bar that an instant of the range is in. */
function barOf(at: string | null | undefined, { bars, from, to }: MarkedRange): number | undefined {
  if (at == null) return undefined;
  const bar = bars.startOf(rfc3339Millis(at)! / 1000);
  return bar >= bars.startOf(from) && bar <= to ? bar : undefined;
}
