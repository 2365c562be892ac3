import type { RawMeta } from './raw.ts';
import { isTipAccount } from './tips.ts';
import type { Transfer } from './transfers.ts';

/**
 * What wallets paid for a transaction, in lamports: its fee, who pays it, and tips.
 *
 * - `payer`: the first account of the transaction.
 */
export function feesOf(
  payer: string | undefined,
  { fee }: RawMeta,
  transfers: readonly Transfer[],
): (wallet: string) => bigint {
  const tips = new Map<string | undefined, bigint>();
  for (const { from, to, sent } of transfers) if (isTipAccount(to)) tips.set(from, (tips.get(from) ?? 0n) + sent);
  return (wallet) => (tips.get(wallet) ?? 0n) + (wallet === payer ? BigInt(fee) : 0n);
}
