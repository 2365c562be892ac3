import type { EventLog } from './event-log.ts';
import { exchangers, type PoolSwap, tookPart } from './exchangers.ts';
import { Flows } from './flows.ts';
import { operationsOf } from './operations.ts';
import { orderAccount } from './orders.ts';
import type { TransactionFacts } from './receipts.ts';
import { ownSide } from './wallet-side.ts';

/** Who made a swap, with what that wallet itself gave and got. */
export interface Traded {
  readonly wallet: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** What the wallet paid the chain for the transaction, in the smallest unit of the native token; `undefined` if nobody said. */
  readonly fee: bigint | undefined;
}

/** Swaps of one wallet, and what its accounts did meanwhile. */
interface Share {
  readonly wallet: string;
  readonly fee: bigint | undefined;
  readonly flows: Flows;
  readonly swaps: PoolSwap[];
}

/**
 * Who made the swaps of a transaction, in the order of the swaps, which is that of their logs.
 *
 * - A swap within an operation of ERC-4337 is of the operation's sender. Others are of the account of an order, of a Safe, of the one account
 *   whose tokens were exchanged, or of the sender of the transaction: `traderRules`.
 * - Amounts: the first token of a wallet's swaps that went in and the last that came out are as the wallet gave and got them: `ownSide`.
 */
export function tradersOf(facts: TransactionFacts, swaps: readonly PoolSwap[]): Traded[] {
  const { sender } = facts;
  if (facts.isPlain) return plainly(facts, swaps);
  const events = facts.events();
  const shares = new Map<string, Share>();
  const shareOf = new Array<Share>(swaps.length);
  const put = (i: number, key: string, make: () => Omit<Share, 'swaps'>): void => {
    let share = shares.get(key);
    if (share === undefined) {
      share = { ...make(), swaps: [] };
      shares.set(key, share);
    }
    share.swaps.push(swaps[i]!);
    shareOf[i] = share;
  };
  const operations = operationsOf(events);
  const rest: PoolSwap[] = [];
  for (const [i, swap] of swaps.entries()) {
    const operation = operations.find(({ from, to }) => swap.at > from && swap.at < to);
    if (operation === undefined) {
      rest.push(swap);
      continue;
    }
    const { sender: wallet, from, to, fee } = operation;
    const within = (): Flows => new Flows(events.filter(({ at }) => at > from && at < to));
    put(i, `operation ${to}`, () => ({ wallet, fee, flows: within() }));
  }
  const flows = new Flows(operations.length === 0 ? events : outside(events, operations));
  for (const [i, swap] of swaps.entries()) {
    if (shareOf[i] !== undefined) continue;
    const wallet = orderAccount(swap, { swaps: rest, flows, events, sender }) ?? traderOf(rest, sender, flows);
    put(i, wallet, () => ({ wallet, fee: wallet === sender ? facts.fee : 0n, flows }));
  }
  const own = new Map<PoolSwap, readonly [bigint, bigint]>();
  for (const share of shares.values())
    for (const [swap, amounts] of ownSide(share.flows.of(share.wallet), share.swaps)) own.set(swap, amounts);
  return swaps.map((swap, i) => {
    const { wallet, fee } = shareOf[i]!;
    const [amountIn, amountOut] = own.get(swap) ?? [swap.amountIn, swap.amountOut];
    return { wallet, fee, amountIn, amountOut };
  });
}

const outside = (events: readonly EventLog[], operations: ReturnType<typeof operationsOf>): EventLog[] =>
  events.filter(({ at }) => !operations.some(({ from, to }) => at > from && at <= to));

/** Of a transaction without any event of a rule: all swaps are of one wallet. */
function plainly({ sender, fee: paid, own: ofSender, events }: TransactionFacts, swaps: readonly PoolSwap[]): Traded[] {
  const isOwn = tookPart(ofSender, swaps);
  const flows = isOwn ? undefined : new Flows(events());
  const wallet = flows === undefined ? sender : traderOf(swaps, sender, flows);
  const fee = wallet === sender ? paid : 0n;
  const own = ownSide(flows?.of(wallet) ?? ofSender, swaps);
  return swaps.map((swap) => {
    const [amountIn, amountOut] = own.get(swap) ?? [swap.amountIn, swap.amountOut];
    return { wallet, fee, amountIn, amountOut };
  });
}

/** The sender if the swaps exchanged its tokens or nobody else's, else the one account whose tokens they exchanged. */
function traderOf(swaps: readonly PoolSwap[], sender: string, flows: Flows): string {
  if (tookPart(flows.of(sender), swaps)) return sender;
  const exchanged = exchangers(swaps, flows, sender);
  return exchanged.length === 1 ? exchanged[0]! : sender;
}
