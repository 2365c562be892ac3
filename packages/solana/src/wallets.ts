import { grouped } from './grouped.ts';
import type { Hop, Whole } from './hop.ts';
import { type Net, netsOf } from './nets.ts';
import { isOther } from './other-programs.ts';
import { protocolOf } from './protocols.ts';
import { isTipAccount } from './tips.ts';
import { Trace } from './trace.ts';
import { type Transfer, transfersIn } from './transfers.ts';

/**
 * Finds the wallets that hops were for, and what these gave first and got last.
 *
 * Hops that pass on what others gave are one route. It is the signer's that has half of what went in or came out, else that of the account which
 * keeps half of what came out, else that of who paid.
 */
export function findWallets(whole: Whole, hops: readonly Hop[]): void {
  const transfers = followed(whole, hops);
  const trace = new Trace(transfers, hops);
  for (const route of routesOf(hops, trace)) {
    const wallet = walletOf(route, trace, whole);
    for (const hop of route) hop.wallet = wallet;
  }
  setAmounts({ ...whole, transfers }, hops, trace);
}

/** What was moved but for tips, and for what lies below a lender, a farm or a pool that exchanged nothing: no part of a swap. */
function followed({ steps, transfers }: Whole, hops: readonly Hop[]): Transfer[] {
  const [begins, within] = [new Uint32Array(steps.length + 1), new Uint8Array(steps.length)];
  for (const { from, to } of hops) {
    begins[from + 1]!++;
    within.fill(1, from, to);
  }
  for (let at = 0; at < steps.length; at++) begins[at + 1]! += begins[at]!;
  const isApart = new Uint8Array(steps.length);
  for (let [at, apart] = [0, 0]; at < steps.length; at++) {
    const { program, end } = steps[at]!;
    const mayBe = within[at] === 0 && end > apart && begins[end] === begins[at];
    if (mayBe && (isOther(program) || protocolOf(program) !== undefined)) apart = end;
    if (at < apart) isApart[at] = 1;
  }
  return transfers.filter(
    ({ at, kind, from, to }) => kind === 'transfer' && from !== to && isApart[at] === 0 && !isTipAccount(to),
  );
}

/** The hops that pass on what others gave, together. */
function routesOf(hops: readonly Hop[], trace: Trace): Iterable<readonly Hop[]> {
  if (hops.length === 1) return [hops];
  const next = new Map<Hop, Hop>();
  const first = (hop: Hop): Hop => {
    let root = hop;
    for (let up = next.get(root); up !== undefined; up = next.get(root)) root = up;
    for (let at = hop; at !== root; ) {
      const up = next.get(at)!;
      next.set(at, root);
      at = up;
    }
    return root;
  };
  for (const hop of hops)
    for (const transfer of hop.ins) {
      const from = trace.originOf(transfer)?.hop;
      if (from !== undefined && first(from) !== first(hop)) next.set(first(hop), first(from));
    }
  return grouped(hops, first).values();
}

function walletOf(route: readonly Hop[], trace: Trace, { keys, transfers, signers }: Whole): string {
  const only = onlyPayer(route, trace);
  if (only !== undefined && signers.has(only)) return only;
  const paid = new Shares();
  for (const { ins } of route) for (const one of ins) paid.add(one.mint, trace.originOf(one)?.payer, one.sent);
  const payers = paid.halves;
  const paying = payers.find(({ owner }) => signers.has(owner));
  if (paying !== undefined) return paying.owner;
  const kept = new Shares();
  for (let i = route.length - 1; i >= 0; i--)
    for (const one of route[i]!.outs) kept.add(one.mint, trace.endOf(one)?.keeper, one.arrived);
  // Of an account of tokens, nobody says whose it is: neither the node nor a transfer out of it.
  const isNobodys = (owner: string): boolean =>
    transfers.some(({ to, target }) => to === owner && target !== undefined && keys[target] === owner);
  const keepers = kept.halves.filter(({ owner }) => !isNobodys(owner));
  const signer = keepers.find(({ owner }) => signers.has(owner));
  if (signer !== undefined) return signer.owner;
  const [payer, keeper] = [payers[0], keepers[0]];
  const { trader } = route.find((hop) => signers.has(hop.trader)) ?? route[0]!;
  // Who gets back what it gave has lent it.
  const isLoan = payer !== undefined && payer.owner === keeper?.owner && payer.mint === keeper.mint;
  return (isLoan && signers.has(trader) ? trader : undefined) ?? keeper?.owner ?? payer?.owner ?? trader;
}

/** Who paid for all hops of a route, if that is one. */
function onlyPayer(route: readonly Hop[], trace: Trace): string | undefined {
  let only: string | undefined;
  for (const { ins } of route)
    for (const transfer of ins) {
      const payer = trace.originOf(transfer)?.payer;
      if (payer === undefined || (only !== undefined && payer !== only)) return undefined;
      only = payer;
    }
  return only;
}

/** What owners have of tokens. */
class Shares {
  readonly #mints = new Map<string, { total: bigint; readonly owners: Map<string, bigint> }>();

  add(mint: string, owner: string | undefined, amount: bigint): void {
    let all = this.#mints.get(mint);
    if (all === undefined) {
      all = { total: 0n, owners: new Map() };
      this.#mints.set(mint, all);
    }
    all.total += amount;
    if (owner !== undefined) all.owners.set(owner, (all.owners.get(owner) ?? 0n) + amount);
  }

  /** Who has half of a token, by the tokens in their order. */
  get halves(): { readonly owner: string; readonly mint: string }[] {
    const halves: { readonly owner: string; readonly mint: string }[] = [];
    for (const [mint, { total, owners }] of this.#mints)
      for (const [owner, share] of owners) if (2n * share >= total) halves.push({ owner, mint });
    return halves;
  }
}

/**
 * Sets the amounts of hops to those of the wallet: what it, or who paid for it, gave first, and what it got last, with fees of the instruction. What
 * one hop passes on to another is the same in both, but for what the wallet has more of it.
 */
function setAmounts(whole: Whole, hops: readonly Hop[], trace: Trace): void {
  const scopeOf = scopes(whole);
  for (const [scope, within] of grouped(hops, scopeOf)) {
    const own = grouped(within, (hop) => hop.wallet);
    const nets = netsOf(transfersIn(whole.transfers, scope, whole.steps[scope]!.end), own);
    for (const [wallet, some] of own) setOwn(some, trace, nets.get(wallet));
  }
}

function setOwn(hops: readonly Hop[], trace: Trace, net: Net | undefined): void {
  const ins = grouped(hops, ({ tokenIn }) => tokenIn);
  const outs = grouped(hops, ({ tokenOut }) => tokenOut);
  for (const [mint, some] of ins)
    if (!outs.has(mint)) spread(some, 'amountIn', paidFor(some, trace, net?.of(mint) ?? 0n));
  for (const [mint, some] of outs) {
    const change = net?.of(mint) ?? 0n;
    const passed = ins.get(mint)?.reduce((total, { amountIn }) => total + amountIn, change);
    spread(some, 'amountOut', passed ?? (change > 0n ? change : gotOf(some, trace)));
  }
}

/** What was given for hops: by the wallet, whose change is given, or by who paid for it. */
function paidFor(hops: readonly Hop[], trace: Trace, change: bigint): bigint {
  let paid = 0n;
  for (const hop of hops)
    for (const transfer of hop.ins) {
      const origin = trace.originOf(transfer);
      if (origin?.payer === undefined || (origin.payer !== hop.wallet && change < 0n)) continue;
      paid += origin.paid;
      hop.isEscrowed ||= origin.payer !== hop.wallet;
    }
  return -change > paid ? -change : paid;
}

/** What arrived at who keeps it. */
function gotOf(hops: readonly Hop[], trace: Trace): bigint {
  const ends = hops.flatMap(({ outs }) => outs.map((transfer) => trace.endOf(transfer)));
  return ends.reduce((total, end) => total + (end?.keeper === undefined ? 0n : end.got), 0n);
}

/**
 * The step whose fees count to a hop: the instruction of the message, if the wallet signed that, else the one below it, because a program signed for
 * the wallet.
 */
function scopes({ steps, signers }: Whole): (hop: Hop) => number {
  const [first, second] = [new Int32Array(steps.length), new Int32Array(steps.length)];
  for (let at = 0; at < steps.length; at++) {
    const { height } = steps[at]!;
    first[at] = height === 1 ? at : first[at - 1]!;
    second[at] = height <= 2 ? at : second[at - 1]!;
  }
  return ({ from, wallet }) => (signers.has(wallet) ? first : second)[from]!;
}

/** Spreads an amount over hops, by what each had of it. */
function spread(hops: readonly Hop[], amount: 'amountIn' | 'amountOut', total: bigint): void {
  const sum = hops.reduce((all, hop) => all + hop[amount], 0n);
  if (total <= 0n || sum <= 0n || sum === total) return;
  let left = total;
  for (const [i, hop] of hops.entries()) {
    const part = i === hops.length - 1 ? left : (total * hop[amount]) / sum;
    left -= part;
    hop[amount] = part;
  }
}
