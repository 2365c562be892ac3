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
    const wallet = walletOf(route, trace, whole.signers);
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
  let apart = 0;
  const isApart = steps.map(({ program, end }, at) => {
    const isLeftOut = isOther(program) || protocolOf(program) !== undefined;
    if (isLeftOut && within[at] === 0 && begins[end] === begins[at]) apart = Math.max(apart, end);
    return at < apart;
  });
  return transfers.filter(
    ({ at, kind, from, to }) => kind === 'transfer' && from !== to && !isApart[at] && !isTipAccount(to),
  );
}

/** The hops that pass on what others gave, together. */
function routesOf(hops: readonly Hop[], trace: Trace): Iterable<readonly Hop[]> {
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

function walletOf(route: readonly Hop[], trace: Trace, signers: ReadonlySet<string>): string {
  const payers = halves(
    route.flatMap(({ ins }) => ins),
    (transfer) => trace.originOf(transfer)?.payer,
    'sent',
  );
  const paying = payers.find(({ owner }) => signers.has(owner));
  if (paying !== undefined) return paying.owner;
  const keepers = halves(
    [...route].reverse().flatMap(({ outs }) => outs),
    (transfer) => trace.endOf(transfer)?.keeper,
    'arrived',
  );
  const signer = keepers.find(({ owner }) => signers.has(owner));
  if (signer !== undefined) return signer.owner;
  const [payer, keeper] = [payers[0], keepers[0]];
  const { trader } = route.find((hop) => signers.has(hop.trader)) ?? route[0]!;
  // Who gets back what it gave has lent it.
  const isLoan = payer !== undefined && payer.owner === keeper?.owner && payer.mint === keeper.mint;
  return (isLoan && signers.has(trader) ? trader : undefined) ?? keeper?.owner ?? payer?.owner ?? trader;
}

/** Who has half of a token in some transfers, by the tokens in their order. */
function halves(
  transfers: readonly Transfer[],
  ownerOf: (transfer: Transfer) => string | undefined,
  what: 'sent' | 'arrived',
): { readonly owner: string; readonly mint: string }[] {
  return [...grouped(transfers, ({ mint }) => mint)].flatMap(([mint, some]) => {
    const shares = new Map<string, bigint>();
    let total = 0n;
    for (const transfer of some) {
      total += transfer[what];
      const owner = ownerOf(transfer);
      if (owner !== undefined) shares.set(owner, (shares.get(owner) ?? 0n) + transfer[what]);
    }
    return [...shares].filter(([, share]) => 2n * share >= total).map(([owner]) => ({ owner, mint }));
  });
}

/**
 * Sets the amounts of hops to those of the wallet: what it, or who paid for it, gave first, and what it got last, with fees of the instruction. What
 * one hop passes on to another is the same in both, but for what the wallet has more of it.
 */
function setAmounts(whole: Whole, hops: readonly Hop[], trace: Trace): void {
  const scopeOf = scopes(whole);
  const nets = new Map<number, Map<string, Net>>();
  for (const [scope, within] of grouped(hops, scopeOf)) {
    const known = nets.get(scope) ?? netsOf(transfersIn(whole.transfers, scope, whole.steps[scope]!.end));
    nets.set(scope, known);
    for (const [wallet, own] of grouped(within, (hop) => hop.wallet)) setOwn(own, trace, known.get(wallet));
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
  for (const [at, { height }] of steps.entries()) {
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
