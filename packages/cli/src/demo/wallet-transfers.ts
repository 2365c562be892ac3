import type { Swapfold, Transfer } from '@swapfold/core';
import { formatTime } from '@swapfold/core/host';
import { shortAddress } from '../text/address.ts';
import { formatCompact } from '../text/numbers.ts';
import { tableLines } from '../text/table.ts';

const ROWS = 5;

/** The newest transfers of a wallet. */
export async function walletTransfers(dex: Swapfold, wallet: string): Promise<readonly Transfer[]> {
  return (await dex.transfers.list({ wallet, limit: ROWS })).data;
}

/** What came to a wallet and left it without a swap, the newest first. */
export function transferLines(transfers: readonly Transfer[], wallet: string): string[] {
  if (transfers.length === 0) return ['Nothing: all that it holds it bought.'];
  const columns = [
    { title: 'time', align: 'left' },
    { title: 'way', align: 'left' },
    { title: 'token', align: 'left' },
    { title: 'amount', align: 'right' },
    { title: 'kind', align: 'left' },
  ] as const;
  return tableLines(
    columns,
    transfers.map(({ block_time: time, to, token, token_symbol: symbol, token_amount: amount, kind }) => [
      formatTime(time),
      to === wallet ? 'in' : 'out',
      symbol ?? shortAddress(token),
      formatCompact(amount),
      kind ?? '',
    ]),
  );
}
