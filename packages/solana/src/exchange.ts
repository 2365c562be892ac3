import { grouped } from './grouped.ts';
import type { Exchange } from './hop.ts';
import { type Net, netsOf } from './nets.ts';
import type { Transfer } from './transfers.ts';

interface Of {
  readonly signers: ReadonlySet<string>;
  /** The taker of an order, if the layout names it. */
  readonly taker: string | undefined;
  /** The account of the pool, if the layout names it: often the owner of its token accounts. */
  readonly pool: string | undefined;
  /** Whether the program is known to exchange, so that what goes to another owner than it came from is an exchange, too. */
  readonly isKnown: boolean;
  /** Whether the accounts of an owner that these transfers touch move nothing elsewhere in the transaction. */
  readonly isQuiet: (owner: string) => boolean;
}

/**
 * What the instruction of a pool exchanged, by the transfers below it: two opposite ones between the trader's accounts and others.
 *
 * - Shape: one exchange a pool, in the order of the route; none of an instruction that exchanges nothing.
 */
export function exchangesOf(transfers: readonly Transfer[], of: Of): readonly Exchange[] {
  const nets = [...netsOf(transfers).values()];
  const trader = traderOf(nets, of);
  if (trader === undefined) return of.isKnown ? sentOn(transfers, nets, of) : [];
  // Who gets shares of a pool, or gives them back, adds liquidity or takes it.
  if (transfers.some(({ kind, from, to }) => kind !== 'transfer' && (from ?? to) === trader.owner)) return [];
  return alongPools(exchangeOf(trader.owner, trader.pair!, transfers), nets, transfers);
}

function exchangeOf(
  trader: string,
  [tokenIn, tokenOut]: readonly [string, string],
  transfers: readonly Transfer[],
): Exchange {
  const [ins, outs]: [Transfer[], Transfer[]] = [[], []];
  let [amountIn, amountOut] = [0n, 0n];
  for (const transfer of transfers) {
    const { kind, from, to, mint, sent, arrived } = transfer;
    if (kind !== 'transfer' || from === to) continue;
    if (from === trader && mint === tokenIn) {
      ins.push(transfer);
      amountIn += sent;
    } else if (to === trader && mint === tokenOut) {
      outs.push(transfer);
      amountOut += arrived;
    } else if (to === trader && mint === tokenIn) amountIn -= arrived;
    else if (from === trader && mint === tokenOut) amountOut -= sent;
  }
  // Fees of others are smaller than what is swapped.
  const [poolIn, poolOut] = [largest(ins, 'arrived'), largest(outs, 'sent')];
  return { trader, tokenIn, amountIn, tokenOut, amountOut, poolIn, poolOut, ins, outs, poolOwner: undefined };
}

/**
 * The one who trades, of those who give and get. The pool's accounts give and get as well: it is the one that the layout names, or the one that
 * moves nothing elsewhere. Shape: `undefined` if only the pool gives and gets, because a router gives and a wallet gets.
 */
function traderOf(nets: readonly Net[], { signers, taker, pool, isQuiet }: Of): Net | undefined {
  const both = nets.filter((net) => net.pair !== undefined).sort((a, b) => a.firstGift - b.firstGift);
  const named = both.find(({ owner }) => owner === taker) ?? both.find(({ owner }) => signers.has(owner));
  if (named !== undefined) return named;
  const others = both.filter(({ owner }) => owner !== pool);
  const busy = others.find(({ owner }) => !isQuiet(owner));
  if (busy !== undefined) return busy;
  if (both.length > others.length || both.length > 1) return others[0];
  // Of a vault whose pool has an account of its own for each token, all are quiet.
  return nets.every((net) => net.pair !== undefined || (isQuiet(net.owner) && !signers.has(net.owner)))
    ? others[0]
    : undefined;
}

/** An exchange whose outcome goes to another owner than who gave. */
function sentOn(transfers: readonly Transfer[], nets: readonly Net[], of: Of): readonly Exchange[] {
  const pool = nets.find((net) => net.pair !== undefined);
  const givers = nets
    .filter(({ sides: [given, got] }) => given && got === null)
    .sort((a, b) => Number(of.isQuiet(a.owner)) - Number(of.isQuiet(b.owner)) || a.firstGift - b.firstGift);
  const giver = givers.find(({ sides: [given] }) => pool === undefined || given === pool.pair![1]);
  const tokenIn = giver?.sides[0];
  if (giver === undefined || !tokenIn || transfers.some(({ kind }) => kind !== 'transfer')) return [];
  const moved = transfers.filter(({ from, to }) => from !== to);
  const others = new Set(moved.map(({ mint }) => mint).filter((mint) => mint !== tokenIn));
  const [tokenOut] = others;
  if (tokenOut === undefined || others.size > 1) return [];
  const ins = moved.filter(({ from, mint }) => from === giver.owner && mint === tokenIn);
  const paid = moved
    .filter(({ mint }) => mint === tokenOut)
    .reduce((best, one) => (one.arrived > best.arrived ? one : best));
  const amounts = { amountIn: sum(ins, 'sent'), amountOut: paid.arrived };
  const [poolIn, poolOut] = pool === undefined ? [largest(ins, 'arrived'), paid.sent] : amountsOf(pool);
  const tokens = { trader: giver.owner, tokenIn, tokenOut };
  return [{ ...tokens, ...amounts, poolIn, poolOut, ins, outs: [paid], poolOwner: pool?.owner }];
}

/** One exchange for each pool that the tokens went through, if its accounts show what came in and what went out. */
function alongPools(whole: Exchange, nets: readonly Net[], transfers: readonly Transfer[]): readonly Exchange[] {
  const others = nets.filter((net) => net.owner !== whole.trader && net.pair !== undefined);
  if (others.length === 0) return [{ ...whole, poolOwner: whole.outs[0]?.from }];
  const pools = grouped(others, (net) => net.pair![1]);
  const path: Exchange[] = [];
  for (let token = whole.tokenIn; token !== whole.tokenOut || path.length === 0; ) {
    const pool = pools.get(token)?.shift();
    if (pool === undefined) return [{ ...whole, poolOwner: whole.outs[0]?.from }];
    const [given, got] = pool.pair!;
    const { trader } = whole;
    const [poolIn, poolOut] = amountsOf(pool);
    const amounts = { amountIn: poolIn, amountOut: poolOut, poolIn, poolOut };
    path.push({ trader, tokenIn: got, tokenOut: given, ...amounts, ins: [], outs: [], poolOwner: pool.owner });
    token = given;
  }
  const [{ poolIn, poolOut, poolOwner }] = path as [Exchange];
  if (path.length === 1) return [{ ...whole, poolIn, poolOut, poolOwner }];
  const [into, out] = [grouped(transfers, ({ to }) => to), grouped(transfers, ({ from }) => from)];
  return path.map((one, i) => {
    const [isFirst, isLast] = [i === 0, i === path.length - 1];
    const ins = into.get(one.poolOwner)?.filter(({ mint }) => mint === one.tokenIn) ?? [];
    const outs = out.get(one.poolOwner)?.filter(({ mint }) => mint === one.tokenOut) ?? [];
    return {
      ...one,
      ...(isFirst ? { amountIn: whole.amountIn, ins: whole.ins } : { ins }),
      // What a token withholds between two pools is in nobody's book.
      ...(isLast ? { amountOut: whole.amountOut, outs: whole.outs } : { outs, amountOut: path[i + 1]!.amountIn }),
    };
  });
}

/** What a pool with one pair got and gave. */
function amountsOf(pool: Net): [poolIn: bigint, poolOut: bigint] {
  const [given, got] = pool.pair!;
  return [pool.of(got), -pool.of(given)];
}

const largest = (transfers: readonly Transfer[], what: 'sent' | 'arrived'): bigint =>
  transfers.reduce((most, transfer) => (transfer[what] > most ? transfer[what] : most), 0n);

const sum = (transfers: readonly Transfer[], what: 'sent' | 'arrived'): bigint =>
  transfers.reduce((total, transfer) => total + transfer[what], 0n);
