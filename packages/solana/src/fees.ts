import type { Movement } from './movements.ts';
import type { RawMeta } from './raw.ts';
import { isTipAccount } from './tips.ts';

/**
 * What a wallet paid for a transaction, in lamports: its fee, if it was the one who pays, and tips.
 *
 * - `payer`: the first account of the transaction.
 */
export function feeOf(
  wallet: string,
  payer: string | undefined,
  meta: RawMeta,
  movements: readonly Movement[],
): bigint {
  const tips = movements.filter(({ from, to }) => from === wallet && isTipAccount(to));
  const fee = wallet === payer ? BigInt(meta.fee) : 0n;
  return tips.reduce((total, { sent }) => total + sent, fee);
}
