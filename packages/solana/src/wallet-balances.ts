import type { Accounts } from './accounts.ts';
import type { Hop } from './hop.ts';
import type { RawMeta } from './raw.ts';
import { SOL } from './well-known.ts';

/** What a wallet held of the tokens of a hop, in the smallest unit; `undefined` if the transaction does not show it. */
export interface HopBalances {
  readonly beforeIn: bigint | undefined;
  readonly afterIn: bigint | undefined;
  readonly beforeOut: bigint | undefined;
  readonly afterOut: bigint | undefined;
}

interface Held {
  readonly before: bigint;
  readonly after: bigint;
}

/** What is held between hops, of which some are left. */
interface State {
  left: number;
  now: bigint;
  readonly after: bigint;
}

/** All accounts of a wallet in a token that the transaction shows; of SOL, lamports and wrapped together. */
function heldBy(wallet: string, mint: string, { keys, meta, accounts }: Of): Held | undefined {
  let held: Held | undefined;
  const add = (before: bigint, after: bigint): void => {
    held = { before: (held?.before ?? 0n) + before, after: (held?.after ?? 0n) + after };
  };
  for (const account of accounts.each())
    if (account.isReported && account.owner === wallet && account.mint === mint) add(account.before, account.after);
  const at = mint === SOL ? keys.indexOf(wallet) : -1;
  if (at >= 0) add(BigInt(meta.preBalances[at] ?? 0), BigInt(meta.postBalances[at] ?? 0));
  return held;
}

interface Of {
  readonly keys: readonly string[];
  readonly meta: RawMeta;
  readonly accounts: Accounts;
}

/**
 * What the wallets of hops held before and after each of them, in their order.
 *
 * The first hop of a token begins with what was held before the transaction, the last one ends with what was held after it, fees and rent
 * included; those in between go by the amounts.
 */
export function balancesOf(hops: readonly Hop[], of: Of): HopBalances[] {
  const known = new Map<string, Map<string, State | undefined>>();
  const note = (wallet: string, mint: string): void => {
    let own = known.get(wallet);
    if (own === undefined) {
      own = new Map();
      known.set(wallet, own);
    }
    const state = own.get(mint);
    if (state !== undefined) state.left++;
    else if (!own.has(mint)) {
      const held = heldBy(wallet, mint, of);
      own.set(mint, held && { left: 1, now: held.before, after: held.after });
    }
  };
  for (const { wallet, tokenIn, tokenOut, isEscrowed } of hops) {
    if (!isEscrowed) note(wallet, tokenIn);
    note(wallet, tokenOut);
  }
  const step = (wallet: string, mint: string, change: bigint): Held | undefined => {
    const state = known.get(wallet)?.get(mint);
    if (state === undefined) return undefined;
    const before = state.now;
    const next = before + change;
    state.left--;
    state.now = state.left === 0 ? state.after : next < 0n ? 0n : next;
    return { before, after: state.now };
  };
  return hops.map(({ wallet, tokenIn, amountIn, tokenOut, amountOut, isEscrowed }) => {
    const given = isEscrowed ? undefined : step(wallet, tokenIn, -amountIn);
    const got = step(wallet, tokenOut, amountOut);
    return { beforeIn: given?.before, afterIn: given?.after, beforeOut: got?.before, afterOut: got?.after };
  });
}
