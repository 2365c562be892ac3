import type { PositionProfile, Swapfold, Transfer } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { shortAddress } from '../text/address.ts';
import { formatCompact, formatUsd } from '../text/numbers.ts';
import { shownText } from '../text/shown-text.ts';
import { tableLines } from '../text/table.ts';

const ROWS = 5;

/** Positions that are shown of which a part is away. */
const AWAY = 3;

/** What moved without a swap. */
export interface Moved {
  /** The newest ones. */
  readonly transfers: readonly Transfer[];
  /** Of what left at a cost, the dearest. */
  readonly away: readonly PositionProfile[];
}

/** What came to a wallet and left it without a swap. */
export async function movedOf(dex: Swapfold, wallet: string): Promise<Moved> {
  const { data: transfers } = await dex.transfers.list({ wallet, limit: ROWS });
  const { data: away } = await dex.positions.search({
    filter: { wallet_address: wallet, 'holding.away_cost': { $gt: 0 } },
    sort: { field: 'holding.away_cost', direction: 'desc' },
    options: { include_metadata: true, include_holding: true },
    limit: AWAY,
  });
  return { transfers, away };
}

/** What came to a wallet and left it without a swap, the newest first, and which lots that took along. */
export function movedLines({ transfers, away }: Moved, wallet: string): string[] {
  if (transfers.length === 0) return ['Nothing.'];
  const columns = [
    { title: 'time', align: 'left' },
    { title: 'way', align: 'left' },
    { title: 'token', align: 'left' },
    { title: 'amount', align: 'right' },
    { title: 'kind', align: 'left' },
  ] as const;
  const rows = transfers.map(({ block_time: time, to, token, token_symbol: symbol, token_amount: amount, kind }) => [
    formatTime(time),
    to === wallet ? 'in' : 'out',
    symbol ?? shortAddress(token),
    formatCompact(amount),
    kind ?? '',
  ]);
  return [...tableLines(columns, rows), ...(away.length === 0 ? [] : ['', ...away.map(awayLine)])];
}

function awayLine({ token_address: token, metadata, holding }: PositionProfile): string {
  const name = shownText(metadata?.symbol ?? shortAddress(token));
  return `${formatCompact(holding?.away_amount ?? null)} ${name} left at their cost of ${formatUsd(holding?.away_cost ?? null)}: no profit and no loss, until they come back.`;
}
