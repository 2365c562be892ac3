import { isManaged, swapKindsOf } from './event-kinds.ts';
import type { EventLog } from './event-log.ts';
import { callers } from './manager-calls.ts';
import type { Calls, Movement, PoolSwap } from './movement.ts';
import { liquidityTopics, nativePayouts, TRANSFER, UNWRAPPED, vaultOf, WRAPPED } from './trader-rules.ts';
import { addressWord, word, wordCount } from './words.ts';

/** A swap within the movements, as an account of its own that gets one token and gives the other. */
export interface Exchange {
  readonly at: number;
  /** The swap, if its pool is followed. */
  readonly swap: PoolSwap | undefined;
  /** Places of the movements into it and out of it. */
  readonly ins: number[];
  readonly outs: number[];
}

/** What moved in a part of a transaction, in the order of its logs, with the accounts that only pass tokens on told apart. */
export interface Movements {
  readonly list: readonly Movement[];
  /** Swaps, by the account that they are in `list`. */
  readonly exchanges: ReadonlyMap<string, Exchange>;
  /** Liquidity of pools that swapped as well, and the calls of a manager by one caller, by the account that they are in `list`. */
  readonly liquidity: ReadonlySet<string>;
  readonly calls: ReadonlyMap<string, Calls>;
  /** Contracts that told of a swap, and vaults of managers. */
  readonly pools: ReadonlySet<string>;
}

interface Happening {
  readonly at: number;
  /** What a movement at the pool before it belongs to. */
  readonly account: string;
}

/** The account that a swap is among the movements. */
export const accountOf = ({ at, contract }: { readonly at: number; readonly contract: string }): string =>
  `${contract}#${at}`;

/**
 * The movements of a part of a transaction: transfers, tokens that wrap the native one, and both sides of swaps in pools of a manager, which
 * settles differences alone. What is minted comes from the token's own contract, and what is burned goes there.
 *
 * - Movements at a pool are of its next swap, and of the one before at a pool that tells of a swap first; those before a mint or a burn of its
 *   shares are liquidity. Movements at a manager are of the calls of one caller.
 * - `native`: the token that wraps the native one.
 */
export function movementsOf(
  events: readonly EventLog[],
  swaps: readonly PoolSwap[],
  native: string | undefined,
): Movements {
  const raw = withPayouts(rawMovements(events, native), nativePayouts(events));
  const followed = new Map(swaps.map((swap) => [swap.at, swap]));
  const exchanges = new Map<string, Exchange>();
  const happenings = new Map<string, Happening[]>();
  const managed: { readonly at: number; readonly contract: string; readonly caller: string }[] = [];
  for (const { at, contract, caller } of allSwaps(events, swaps)) {
    if (caller !== undefined) managed.push({ at, contract, caller });
    const account = accountOf({ at, contract });
    if (caller === undefined || followed.has(at))
      exchanges.set(account, { at, swap: followed.get(at), ins: [], outs: [] });
    if (caller === undefined) listOf(happenings, contract).push({ at, account });
  }
  const liquidity = new Set<string>();
  for (const event of events) {
    const of = happenings.get(event.address);
    if (of === undefined || !isLiquidity(event)) continue;
    const account = `${event.address}#liquidity`;
    liquidity.add(account);
    of.push({ at: event.at, account });
  }
  const nameAt = poolNames(happenings, raw, liquidity);
  const manager = callers(managed, swaps, raw);
  const list = raw.map((movement): Movement => {
    const { at, token, from, to, amount, isNative } = movement;
    const giver = nameAt(from, movement) ?? manager.nameOf(from, movement) ?? from;
    const receiver = nameAt(to, movement) ?? manager.nameOf(to, movement) ?? to;
    return giver === from && receiver === to ? movement : { at, token, from: giver, to: receiver, amount, isNative };
  });
  for (const { at, contract, caller, ...swap } of swaps) {
    if (caller === undefined) continue;
    const [account, calls] = [accountOf({ at, contract }), `${vaultOf(contract)}|${caller}`];
    list.push({ at, token: swap.tokenIn, from: calls, to: account, amount: swap.amountIn, isNative: swap.isNativeIn });
    list.push({
      at,
      token: swap.tokenOut,
      from: account,
      to: calls,
      amount: swap.amountOut,
      isNative: swap.isNativeOut,
    });
  }
  if (managed.length > 0) list.sort((a, b) => a.at - b.at);
  for (const [i, { from, to }] of list.entries()) {
    exchanges.get(from)?.outs.push(i);
    exchanges.get(to)?.ins.push(i);
  }
  return {
    list,
    exchanges,
    liquidity,
    calls: manager.calls,
    pools: new Set([...happenings.keys(), ...manager.vaults]),
  };
}

/** All swaps that logs tell of, and those that are followed. */
function* allSwaps(
  events: readonly EventLog[],
  swaps: readonly PoolSwap[],
): Generator<{ readonly at: number; readonly contract: string; readonly caller: string | undefined }> {
  const told = new Set<number>();
  for (const { at, address, topics, data } of events) {
    const kind = swapKindsOf(topics[0]!)?.[0];
    if (kind === undefined || topics.length !== 3 || wordCount(data) !== kind.swapWords) continue;
    told.add(at);
    yield { at, contract: address, caller: isManaged(kind) ? addressWord(topics[2]!) : undefined };
  }
  for (const swap of swaps) if (!told.has(swap.at)) yield swap;
}

const zero = `0x${'0'.repeat(40)}`;

/** Transfers, and what was wrapped and unwrapped, of which some tokens tell by both events. */
function rawMovements(events: readonly EventLog[], native: string | undefined): Movement[] {
  const found: Movement[] = [];
  // One text for each account, of which the sum that maps find it by is made once.
  const accounts = new Map<string, string>();
  const accountIn = (topic: string): string => {
    const account = addressWord(topic);
    const known = accounts.get(account);
    if (known === undefined) accounts.set(account, account);
    return known ?? account;
  };
  for (const { at, address: token, topics, data } of events) {
    const kind = topics[0];
    const isTransfer = kind === TRANSFER && topics.length === 3;
    if (!isTransfer && !((kind === WRAPPED || kind === UNWRAPPED) && topics.length === 2)) continue;
    if (wordCount(data) !== 1) continue;
    const amount = word(data, 0);
    const [first, second] = [accountIn(topics[1]!), isTransfer ? accountIn(topics[2]!) : zero];
    const [from, to] = kind === WRAPPED ? [zero, first] : [first, second];
    if (amount === 0n || from === to) continue;
    const isNative = (!isTransfer || token === native) && (from === zero || to === zero);
    const movement = { at, token, from: from === zero ? token : from, to: to === zero ? token : to, amount, isNative };
    const last = found.at(-1);
    if (!isTransfer && last !== undefined && isSame(last, movement)) found[found.length - 1] = movement;
    else if (!(isTransfer && last?.isNative === true && isSame(last, movement))) found.push(movement);
  }
  return found;
}

/** What a settlement unwraps for orders goes to whom they are of, if it is enough for all. */
function withPayouts(raw: readonly Movement[], payouts: ReturnType<typeof nativePayouts>): readonly Movement[] {
  const all = payouts.reduce((sum, { amount }) => sum + amount, 0n);
  if (all === 0n) return raw;
  return raw.flatMap((movement) => {
    const { from, amount, isNative } = movement;
    if (!isNative || from !== payouts[0]!.from || amount < all) return movement;
    return payouts.map(({ to, amount: paid }) => ({ ...movement, to, amount: paid, isNative: false }));
  });
}

const isSame = (a: Movement, b: Movement): boolean =>
  b.at - a.at === 1 && a.token === b.token && a.from === b.from && a.to === b.to && a.amount === b.amount;

/** Whether a pool tells that shares of it were minted or burned, or a position changed. */
function isLiquidity({ topics }: EventLog): boolean {
  const [kind] = topics;
  if (kind !== TRANSFER) return liquidityTopics.has(kind!);
  return topics.length === 3 && (addressWord(topics[1]!) === zero || addressWord(topics[2]!) === zero);
}

/** Names the side of a movement that is a pool. Shape: `undefined` for any other account, and for shares of the pool itself. */
function poolNames(
  happenings: ReadonlyMap<string, Happening[]>,
  raw: readonly Movement[],
  liquidity: Set<string>,
): (account: string, movement: Movement) => string | undefined {
  const firstMovement = new Map<string, number>();
  for (const { at, from, to } of raw)
    for (const account of [from, to])
      if (happenings.has(account) && !firstMovement.has(account)) firstMovement.set(account, at);
  for (const of of happenings.values()) of.sort((a, b) => a.at - b.at);
  return (account, { at, token }) => {
    const of = happenings.get(account);
    if (of === undefined || token === account) return undefined;
    const next = firstBehind(of, at);
    // Some pools tell of a swap before they move its tokens.
    if (firstMovement.get(account)! > of[0]!.at) return of[Math.max(0, next - 1)]!.account;
    if (next < of.length) return of[next]!.account;
    const rest = `${account}#liquidity`;
    liquidity.add(rest);
    return rest;
  };
}

/** The place of the first of what happened that is behind a log. */
function firstBehind(of: readonly Happening[], at: number): number {
  let [low, high] = [0, of.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (of[middle]!.at > at) high = middle;
    else low = middle + 1;
  }
  return low;
}

function listOf<T>(lists: Map<string, T[]>, key: string): T[] {
  let list = lists.get(key);
  if (list === undefined) {
    list = [];
    lists.set(key, list);
  }
  return list;
}
