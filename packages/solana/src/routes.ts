import type { Hop, Whole } from './hop.ts';
import type { Movement } from './movements.ts';
import { type Net, netsOf } from './nets.ts';
import { isOther } from './other-programs.ts';
import { protocolOf } from './protocols.ts';
import { isTipAccount } from './tips.ts';

/**
 * Finds the wallets that hops were for, and what these gave first and got last.
 *
 * Each instruction of the message is looked at by itself. The wallet is the trader, if that signs, else the one who in the end has less of what
 * went in and more of what came out. The amounts of the first and the last token become what the wallet's own accounts gave and got, fees of
 * platforms included. Hops in between stay as the pools saw them.
 */
export function findWallets(whole: Whole, hops: readonly Hop[]): void {
  const byOuter = new Map<number, Hop[]>();
  for (const hop of hops) {
    const some = byOuter.get(hop.step.outer);
    if (some === undefined) byOuter.set(hop.step.outer, [hop]);
    else some.push(hop);
  }
  for (const some of byOuter.values()) findInOuter(whole, some);
}

function findInOuter(whole: Whole, hops: readonly Hop[]): void {
  const nets = netsOf(movementsOfRoute(whole, hops));
  const lost = new Set<Hop>();
  for (const trader of new Set(hops.map((hop) => hop.trader))) {
    const own = hops.filter((hop) => hop.trader === trader);
    const wallet = walletOf(whole, own, nets);
    for (const hop of own)
      if (wallet === undefined) lost.add(hop);
      else hop.wallet = wallet;
  }
  // What a router passes on is of the wallet of the hop before or behind.
  for (let found: Hop | undefined; lost.size > 0; lost.delete(found)) {
    const isNext = (hop: Hop, other: Hop): boolean =>
      !lost.has(other) && (other.tokenOut === hop.tokenIn || other.tokenIn === hop.tokenOut);
    found = [...lost].find((hop) => hops.some((other) => isNext(hop, other)));
    if (found === undefined) break;
    found.wallet = hops.find((other) => isNext(found!, other))!.wallet;
  }
  for (const wallet of new Set(hops.map((hop) => hop.wallet))) {
    const net = nets.get(wallet);
    const own = hops.filter((hop) => hop.wallet === wallet);
    if (net !== undefined) setOwnAmounts(own, net);
  }
}

/** Tokens that only go in, and those that only come out, of some hops. */
function ends(hops: readonly Hop[]): { readonly first: readonly string[]; readonly last: readonly string[] } {
  const [ins, outs] = [new Set(hops.map(({ tokenIn }) => tokenIn)), new Set(hops.map(({ tokenOut }) => tokenOut))];
  return { first: [...ins].filter((mint) => !outs.has(mint)), last: [...outs].filter((mint) => !ins.has(mint)) };
}

/** Shape: `undefined` if nobody has what the hops exchanged. */
function walletOf({ signers }: Whole, hops: readonly Hop[], nets: ReadonlyMap<string, Net>): string | undefined {
  const { trader } = hops[0]!;
  if (signers.has(trader)) return trader;
  const { first, last } = ends(hops);
  const gave = (net: Net): boolean => first.some((mint) => net.of(mint) < 0n);
  const got = (net: Net): boolean => last.some((mint) => net.of(mint) > 0n);
  const own = nets.get(trader);
  if (own !== undefined && gave(own) && got(own)) return trader;
  const pools = new Set(hops.map(({ poolOwner }) => poolOwner));
  const others = [...nets.values()].filter(({ owner }) => owner !== trader && !pools.has(owner));
  const both = others.filter((net) => gave(net) && got(net));
  const giving = others.filter((net) => gave(net) && signers.has(net.owner));
  return (both.find(({ owner }) => signers.has(owner)) ?? both[0] ?? giving[0])?.owner;
}

/** What hops moved, and what those that called them did: no deposit into a pool or a loan within the same instruction, and no tip. */
function movementsOfRoute({ steps, movements }: Whole, hops: readonly Hop[]): Movement[] {
  const { outer } = hops[0]!.step;
  const apart: (readonly [from: number, to: number])[] = [];
  for (const [at, step] of steps.entries()) {
    if (step.outer !== outer || !(isOther(step.program) || protocolOf(step.program) !== undefined)) continue;
    if (!hops.some(({ from, to }) => (from >= at && from < step.end) || (at >= from && at < to)))
      apart.push([at, step.end]);
  }
  return movements.filter(
    ({ at, to }) =>
      steps[at]!.outer === outer && !isTipAccount(to) && !apart.some(([from, end]) => at >= from && at < end),
  );
}

/** Sets the first and the last amounts of hops to those of the wallet. */
function setOwnAmounts(hops: readonly Hop[], net: Net): void {
  const { first, last } = ends(hops);
  for (const mint of first) spread(hops, { mint, by: 'tokenIn', amount: 'amountIn', total: -net.of(mint) });
  for (const mint of last) spread(hops, { mint, by: 'tokenOut', amount: 'amountOut', total: net.of(mint) });
}

interface Spread {
  readonly mint: string;
  readonly by: 'tokenIn' | 'tokenOut';
  readonly amount: 'amountIn' | 'amountOut';
  readonly total: bigint;
}

/** Spreads an amount over the hops of a token, by what each had of it. */
function spread(hops: readonly Hop[], { mint, by, amount, total }: Spread): void {
  const some = hops.filter((hop) => hop[by] === mint);
  const sum = some.reduce((all, hop) => all + hop[amount], 0n);
  if (total <= 0n || sum <= 0n || sum === total) return;
  let left = total;
  for (const [i, hop] of some.entries()) {
    const part = i === some.length - 1 ? left : (total * hop[amount]) / sum;
    left -= part;
    hop[amount] = part;
  }
}
