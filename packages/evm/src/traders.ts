import type { EventLog } from './event-log.ts';
import { linksOf } from './links.ts';
import type { PoolSwap } from './movement.ts';
import { accountOf, type Movements, movementsOf } from './movements.ts';
import { type Operation, operationsOf } from './operations.ts';
import { OwnAmounts } from './own-amounts.ts';
import type { TransactionFacts } from './receipts.ts';
import { Tracer, type Way } from './trace.ts';
import { isNeverTrader, orderContracts, type TraderRule, traderRules } from './trader-rules.ts';

/** Who made a swap, with what that wallet itself gave and got. */
export interface Traded {
  readonly wallet: string;
  /** Whether no rule found the wallet, so that the sender counts. */
  readonly isAssumed: boolean;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** What the wallet paid the chain for the transaction, in the smallest unit of the native token; `undefined` if nobody said. */
  readonly fee: bigint | undefined;
}

/** Tokens of a chain that no stranger has made. */
export interface KnownTokens {
  /** The one that wraps the native token. */
  readonly native: string | undefined;
  /** Of a chain without any, every token is taken at its word. */
  readonly quotes: ReadonlySet<string>;
}

/** Swaps that are looked at together: those of an operation, or the others of a transaction. */
interface Part {
  readonly events: readonly EventLog[];
  readonly swaps: readonly PoolSwap[];
  /** Who has the swaps that no rule gives to another account: the sender, or the operation's account. */
  readonly sender: string;
  /** The contract that the sender called, of its own will. */
  readonly called: () => string | undefined;
  readonly fee: bigint | undefined;
}

/**
 * Who made the swaps of a transaction, in the order of the swaps, which is that of their logs: docs/guides/chain.md has the rules. A swap
 * within an operation of ERC-4337 is looked at with the logs of the operation alone.
 */
export function tradersOf(facts: TransactionFacts, swaps: readonly PoolSwap[], tokens: KnownTokens): Traded[] {
  const plain = plainly(facts, swaps);
  if (plain !== undefined) return plain;
  const events = facts.events();
  const operations = operationsOf(events);
  const found = new Map<PoolSwap, Traded>();
  const take = (part: Part): void => {
    for (const [i, traded] of tradersIn(part, tokens).entries()) found.set(part.swaps[i]!, traded);
  };
  const isIn = ({ at }: { readonly at: number }, { from, to }: Operation): boolean => at > from && at < to;
  for (const operation of operations) {
    const those = swaps.filter((swap) => isIn(swap, operation));
    const within = events.filter((event) => isIn(event, operation));
    const { sender, fee } = operation;
    if (those.length > 0) take({ events: within, swaps: those, sender, called: () => undefined, fee });
  }
  const rest = swaps.filter((swap) => !found.has(swap));
  const { sender, fee, called } = facts;
  const outside =
    operations.length === 0
      ? events
      : events.filter((event) => !operations.some((each) => isIn(event, each) || event.at === each.to));
  if (rest.length > 0) take({ events: outside, swaps: rest, sender, called, fee });
  return swaps.map((swap) => found.get(swap)!);
}

/**
 * Of a transaction whose sender gave exactly what went in or got exactly what came out of a route, and which has no more transfers than the
 * route needs: all is the sender's. Most transactions are such, and this takes a fifth of the time that their traces do.
 */
function plainly({ sender, fee, glance }: TransactionFacts, swaps: readonly PoolSwap[]): Traded[] | undefined {
  if (glance === undefined || glance.swaps !== swaps.length || glance.transfers > 2 * swaps.length) return undefined;
  for (const [i, { tokenOut, amountOut }] of swaps.entries()) {
    const next = swaps[i + 1];
    if (next !== undefined && (next.tokenIn !== tokenOut || next.amountIn !== amountOut)) return undefined;
  }
  const { tokenIn, amountIn } = swaps[0]!;
  const { tokenOut, amountOut } = swaps.at(-1)!;
  const [ofIn, ofOut] = [glance.ofSender(tokenIn), glance.ofSender(tokenOut)];
  const isExact = (ofIn.gave ?? amountIn) === amountIn && (ofOut.got ?? amountOut) === amountOut;
  const isAbsent = ofIn.gave === undefined && ofOut.got === undefined;
  if (!isExact || isAbsent || ofOut.gave !== undefined || ofIn.got !== undefined) return undefined;
  return swaps.map((swap) => ({
    wallet: sender,
    isAssumed: false,
    amountIn: swap.amountIn,
    amountOut: swap.amountOut,
    fee,
  }));
}

/** A swap with both ways of it. */
interface Traced {
  readonly swap: PoolSwap;
  readonly back: Way;
  readonly on: Way;
}

function tradersIn(part: Part, { native, quotes }: KnownTokens): Traded[] {
  const { events, swaps, sender } = part;
  const moved = movementsOf(events, swaps, native);
  const links = linksOf(moved);
  const named = namedIn(events);
  const stops = new Set([sender, ...named]);
  const tracer = new Tracer({
    moved,
    links,
    stops,
    firm: native === undefined ? quotes : new Set([...quotes, native]),
  });
  const traced = swaps.map((swap): Traced => {
    const exchange = moved.exchanges.get(accountOf(swap))!;
    return { swap, back: tracer.back(exchange), on: tracer.on(exchange) };
  });
  const rules = new Rules(part, moved, { stops, isOpen: quotes.size === 0 });
  const wallets = traced.map((each) => rules.walletOf(each));
  const payments = new Map<number, string>();
  for (const [i, { back }] of traced.entries()) {
    const payment = paymentOf(back);
    if (payment !== undefined && wallets[i] !== undefined) payments.set(payment, wallets[i]);
  }
  const own = new OwnAmounts({ moved, links });
  return traced.map(({ swap, back, on }, i) => {
    const found = wallets[i] ?? payments.get(paymentOf(back) ?? -1);
    const wallet = found ?? sender;
    const hasOut = on.accounts.has(wallet) || on.byAccount.has(wallet);
    const [amountIn, amountOut] = own.of(swap, moved.exchanges.get(accountOf(swap))!, wallet, hasOut);
    return { wallet, isAssumed: found === undefined, amountIn, amountOut, fee: wallet === sender ? part.fee : 0n };
  });
}

const rulesByTopic: ReadonlyMap<string, TraderRule> = new Map(traderRules.map((rule) => [rule.topic, rule]));

/** Accounts that order contracts name whose word is taken, and contracts that say of themselves that they executed. */
function namedIn(events: readonly EventLog[]): readonly string[] {
  const named: string[] = [];
  for (const event of events) {
    const { accounts, trusted } = rulesByTopic.get(event.topics[0]!) ?? {};
    for (const account of accounts?.(event, events) ?? [])
      if (trusted!.has(event.address) || account === event.address) named.push(account);
  }
  return named;
}

/** The first movement of most of what was paid. */
function paymentOf(back: Way): number | undefined {
  const [payer] = largest(back.byAccount) ?? [];
  return payer === undefined ? undefined : back.movements.get(payer);
}

function largest(ends: ReadonlyMap<string, number>): readonly [account: string, weight: number] | undefined {
  let found: readonly [string, number] | undefined;
  for (const each of ends) if (found === undefined || each[1] > found[1]) found = each;
  return found;
}

/** A half, less what rounding takes. */
const HALF = 0.5 - 1e-9;

/** The rules by which a swap is of an account, the first that fits. */
class Rules {
  readonly #part: Part;
  readonly #moved: Movements;
  readonly #stops: ReadonlySet<string>;
  #tokens: ReadonlySet<string> | undefined;
  /** Accounts that got anything. */
  #receivers: ReadonlySet<string> | undefined;
  /** Whether every token is taken at its word. */
  readonly #isOpen: boolean;
  /** Whether a known contract filled an order. */
  #hasOrder: boolean | undefined;

  constructor(part: Part, moved: Movements, of: { stops: ReadonlySet<string>; isOpen: boolean }) {
    this.#part = part;
    this.#moved = moved;
    this.#stops = of.stops;
    this.#isOpen = of.isOpen;
  }

  /** `undefined` if no rule fits. */
  walletOf(traced: Traced): string | undefined {
    return (
      this.#byEnd(traced) ??
      this.#keeper(traced) ??
      this.#ofOwn(traced) ??
      this.#borrower(traced) ??
      this.#ordered(traced)
    );
  }

  /** The sender, or an account that an order names, that has half of either end: of what was paid, before what came out. */
  #byEnd({ back, on }: Traced): string | undefined {
    for (const way of [back, on])
      for (const account of this.#stops)
        if ((way.byAccount.get(account) ?? 0) + (way.native.get(account) ?? 0) >= HALF * way.whole && way.whole > 0)
          return account;
    return undefined;
  }

  /** The one account on the paying way that keeps half of what came out, or put it into liquidity. */
  #keeper(traced: Traced): string | undefined {
    const { back, on } = traced;
    const kept = [...on.byAccount].filter(([account]) => back.accounts.has(account));
    // Of what it turned into the native token, an account keeps what was its own.
    for (const [account, weight] of on.native)
      if ((back.byAccount.get(account) ?? 0) >= HALF * back.whole || back.circle >= HALF) kept.push([account, weight]);
    const most = kept.filter(([account, weight]) => weight >= HALF * on.whole && this.#mayTrade(account, traced));
    return most.length === 1 ? most[0]![0] : undefined;
  }

  /** The token's contract that sold its own token, or the caller of a manager that sold what nobody paid it for. */
  #ofOwn({ swap, back }: Traced): string | undefined {
    const ofToken = back.byAccount.get(swap.tokenIn) ?? 0;
    if (back.whole > 0 && ofToken >= HALF * back.whole) return swap.tokenIn;
    const [caller, weight] = largest(back.callers) ?? ['', 0];
    return weight > 0 && weight >= HALF * back.whole ? caller : undefined;
  }

  /** Who borrowed what was paid, or paid with what came out. */
  #borrower(traced: Traced): string | undefined {
    const { back, on } = traced;
    const [account, weight] = largest(back.borrowed) ?? ['', 0];
    if (weight >= HALF * (back.whole + back.circle) && weight > 0)
      return this.#mayTrade(account, traced) ? account : undefined;
    if (back.circle < HALF) return undefined;
    const those = [...back.accounts].filter((each) => this.#mayTrade(each, traced));
    those.sort((a, b) => (on.byAccount.get(b) ?? 0) - (on.byAccount.get(a) ?? 0));
    return those[0];
  }

  /** Who paid into an order that a known contract filled, and got nothing that a log shows. */
  #ordered({ back }: Traced): string | undefined {
    const [payer, weight] = largest(back.byAccount) ?? ['', 0];
    if (!(weight > 0 && weight >= HALF * back.whole && this.#fillsOrder())) return undefined;
    this.#receivers ??= new Set(this.#moved.list.map(({ to }) => to));
    return this.#receivers.has(payer) || this.#isPassing(payer) ? undefined : payer;
  }

  /** Whether an account only passes on what it gets, or may not trade for other reasons. */
  #isPassing(account: string): boolean {
    this.#tokens ??= new Set(this.#moved.list.map(({ token }) => token));
    return this.#moved.pools.has(account) || this.#tokens.has(account) || isNeverTrader(account);
  }

  /** Whether an account may have a swap: it took part by a token that nobody can forge, or agreed otherwise. */
  #mayTrade(account: string, { back, on }: Traced): boolean {
    if (this.#isPassing(account)) return false;
    const isProven = back.proven.has(account) || on.proven.has(account);
    return isProven || this.#isOpen || account === this.#part.called() || this.#fillsOrder();
  }

  #fillsOrder(): boolean {
    this.#hasOrder ??= this.#part.events.some(
      ({ address, topics }) => orderContracts.get(topics[0]!)?.has(address) === true,
    );
    return this.#hasOrder;
  }
}
