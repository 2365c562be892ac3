import type { Accounts } from './accounts.ts';
import type { Moved, Transfer } from './transfers.ts';
import { SOL } from './well-known.ts';

/**
 * Holds the transfers of each token account to what the node says that it held before and after.
 *
 * - What is missing of a token that withholds fees did not arrive: it is taken from the transfers to the account, in proportion.
 * - Shape: the accounts whose transfers contradict what they held. Wrapped SOL that was opened, closed or brought level in the transaction
 *   goes by lamports and is not looked at.
 */
export function settle(accounts: Accounts, { transfers, wrapped }: Moved): ReadonlySet<number> {
  const wrong = new Set<number>();
  const change = new Map<number, bigint>();
  for (const { source, target, sent, arrived } of transfers) {
    if (source !== undefined) change.set(source, (change.get(source) ?? 0n) - sent);
    if (target !== undefined) change.set(target, (change.get(target) ?? 0n) + arrived);
  }
  for (const [index, moved] of change) {
    const account = accounts.get(index);
    if (account === undefined || (account.mint === SOL && wrapped.has(index))) continue;
    const surplus = moved - (account.after - account.before);
    if (surplus === 0n) continue;
    const mayWithhold = surplus > 0n && account.mayWithhold;
    if (mayWithhold && withhold(untoldTo(index, transfers), surplus)) continue;
    wrong.add(index);
  }
  return wrong;
}

/** Transfers to an account that do not say what is withheld. */
const untoldTo = (index: number, transfers: readonly Transfer[]): readonly Transfer[] =>
  transfers.filter(({ target, saysFee }) => target === index && !saysFee);

/** Takes a fee from transfers. Shape: whether they are large enough. */
function withhold(transfers: readonly Transfer[], fee: bigint): boolean {
  const sum = transfers.reduce((total, { sent }) => total + sent, 0n);
  if (sum < fee) return false;
  let left = fee;
  for (const [i, transfer] of transfers.entries()) {
    const part = i === transfers.length - 1 ? left : (fee * transfer.sent) / sum;
    transfer.arrived -= part;
    left -= part;
  }
  return true;
}
