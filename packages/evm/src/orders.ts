import type { EventLog } from './event-log.ts';
import { exchangers, type PoolSwap, tookPart } from './exchangers.ts';
import type { Flows } from './flows.ts';
import { type TraderRule, traderRules } from './trader-rules.ts';

const orderRules = traderRules.filter((rule) => rule.of === 'tokens');

interface Surroundings {
  readonly swaps: readonly PoolSwap[];
  readonly flows: Flows;
  readonly events: readonly EventLog[];
  readonly sender: string;
}

/** The account whose order, or whose Safe, a swap is of, if there is one. */
export function orderAccount(swap: PoolSwap, of: Surroundings): string | undefined {
  let only: string | undefined;
  for (const rule of orderRules) {
    const accounts = accountsOf(rule, of);
    const account = accounts.length === 0 ? undefined : bestOf(accounts, swap, of);
    if (account !== undefined) return account;
    if (only === undefined && accounts.length === 1 && rule.trusted.size > 0) only = accounts[0];
  }
  // A swap between two others in pools that are not followed has neither token of the order.
  return only;
}

/**
 * Accounts of the events of a rule that took part: an event of anybody counts only for who exchanged what the swaps did, or for the contract
 * itself, as a Safe that sells the native token or gives its owner what it bought. A token is no Safe, and the word of a contract that paid for
 * nothing does not count against a sender whose tokens were exchanged.
 */
function accountsOf(rule: TraderRule, { swaps, flows, events, sender }: Surroundings): string[] {
  const { topic, accounts, trusted } = rule;
  const found = new Set<string>();
  const isOfSender = tookPart(flows.of(sender), swaps);
  const isToken = (address: string): boolean =>
    swaps.some((swap) => swap.tokenIn === address || swap.tokenOut === address);
  // A part that somebody was made to give does not make the swap its own.
  const paidFor = (who: string): boolean =>
    swaps.some(({ tokenIn, amountIn }) => 2n * flows.given(who, tokenIn) >= amountIn);
  let exchanging: readonly string[] | undefined;
  for (const event of events) {
    if (event.topics[0] !== topic) continue;
    const named = accounts === undefined ? exchangers(swaps, flows, sender) : accounts(event, events);
    for (const account of named) {
      const { gave, got } = flows.of(account);
      const isMine = !isOfSender || (paidFor(account) && !paidFor(sender));
      const isOwn = account === event.address && !isToken(account) && isMine;
      const isTrusted = trusted.has(event.address) || isOwn;
      if (!isTrusted) exchanging ??= exchangers(swaps, flows, sender);
      if (isTrusted ? gave.size + got.size > 0 : exchanging!.includes(account)) found.add(account);
    }
  }
  return [...found];
}

/** The account whose tokens a swap exchanged: that of its own tokens, else that of the swaps before or behind it on the route. */
function bestOf(accounts: readonly string[], swap: PoolSwap, { swaps, flows }: Surroundings): string | undefined {
  const seen = new Set<PoolSwap>();
  let front = [swap];
  while (front.length > 0) {
    for (const each of front) seen.add(each);
    const found = strongest(accounts, front, flows);
    if (found !== undefined) return found;
    const isNext = (other: PoolSwap): boolean =>
      front.some(({ tokenIn, tokenOut }) => other.tokenOut === tokenIn || other.tokenIn === tokenOut);
    front = swaps.filter((other) => !seen.has(other) && isNext(other));
  }
  return undefined;
}

/** Of accounts that gave the token in or got the token out, those of both before those of one, then the one with the largest amount. */
function strongest(accounts: readonly string[], swaps: readonly PoolSwap[], flows: Flows): string | undefined {
  let best: { readonly account: string; readonly sides: number; readonly amount: bigint } | undefined;
  for (const account of accounts)
    for (const { tokenIn, tokenOut } of swaps) {
      const [given, taken] = [flows.given(account, tokenIn), -flows.given(account, tokenOut)];
      const sides = (given > 0n ? 1 : 0) + (taken > 0n ? 1 : 0);
      const amount = given > 0n ? given : taken;
      if (sides === 0) continue;
      if (best === undefined || sides > best.sides || (sides === best.sides && amount > best.amount))
        best = { account, sides, amount };
    }
  return best?.account;
}
