import { type Exchange, exchangesOf } from './exchange.ts';
import { type Hop, indexOf, type Whole } from './hop.ts';
import { eventHops } from './jupiter.ts';
import type { Movement } from './movements.ts';
import { netsOf } from './nets.ts';
import { isOther } from './other-programs.ts';
import { type Protocol, poolPlace, protocolOf } from './protocols.ts';
import { dataOf, type Step } from './steps.ts';
import type { Undecoded } from './undecoded.ts';
import { isPlain, SOL } from './well-known.ts';

/**
 * The hops of a transaction, in the order in which they ran: each instruction that exchanged, and none of those that called it. Instructions
 * of known exchanges that show no exchange are counted.
 */
export function hopsOf(whole: Whole, undecoded: Undecoded): Hop[] {
  const { steps } = whole;
  const hops: Hop[] = [];
  const found = new Set<number>();
  // Those that were called stand behind who called them.
  for (let at = steps.length - 1; at >= 0; at--) {
    const step = steps[at]!;
    if (isPlain(step.program) || isOther(step.program)) continue;
    const movements = movementsIn(whole.movements, at, step.end);
    if (movements.length === 0 || hasWithin(found, at, step.end)) continue;
    const some = hopsOfStep(whole, { step, at, movements });
    if (some.length > 0) found.add(at);
    else if (isSwap(step)) undecoded.no_exchange++;
    hops.push(...some);
  }
  const said = eventHops(whole, found);
  undecoded.no_exchange = Math.max(0, undecoded.no_exchange - said.explained);
  return [...hops, ...said.hops].sort((a, b) => a.index - b.index);
}

interface Called {
  readonly step: Step;
  readonly at: number;
  readonly movements: readonly Movement[];
}

function hopsOfStep(whole: Whole, { step, at, movements }: Called): Hop[] {
  const { keys, signers } = whole;
  const protocol = protocolOf(step.program);
  const beginning = protocol?.others || protocol?.pools ? beginningOf(step) : '';
  if (protocol?.others?.some((start) => beginning.startsWith(start))) return [];
  const taker = protocol?.taker === undefined ? undefined : keys[step.accounts[protocol.taker] ?? -1];
  const exchanges = exchangesOf(movements, { signers, taker, isKnown: protocol !== undefined });
  const sold = exchanges.length === 0 && protocol?.paysLamports ? soldFor(movements, signers) : undefined;
  const all = sold === undefined ? exchanges : [sold];
  if (protocol === undefined && !all.every((one) => isPlausible(whole, one, { step, at, movements }))) return [];
  const place = protocol && poolPlace(protocol, beginning);
  return all.map((exchange, i) => ({
    wallet: exchange.trader,
    trader: exchange.trader,
    tokenIn: exchange.tokenIn,
    amountIn: exchange.amountIn,
    tokenOut: exchange.tokenOut,
    amountOut: exchange.amountOut,
    poolOwner: exchange.poolOwner,
    at: exchange.at,
    step,
    from: at,
    to: step.end,
    protocol: protocol?.name ?? step.program,
    pool: poolOf(place, exchange, { step, keys, isOne: all.length === 1 }),
    index: indexOf(i === 0 ? step : whole.steps[exchange.at]!),
    lacksLamports: sold !== undefined,
  }));
}

/**
 * Whether an exchange of a program that nobody knows is one: tokens with pieces, moved by the program's own calls. A lender that takes back a
 * loan and returns what was pledged has one of both moved by another program.
 */
function isPlausible({ decimalsOf, steps }: Whole, { tokenIn, tokenOut, trader }: Exchange, of: Called): boolean {
  if (decimalsOf(tokenIn) === 0 || decimalsOf(tokenOut) === 0) return false;
  const own = of.movements.filter(({ from, to }) => from === trader || to === trader);
  return own.every(({ at }) => steps[at]!.height === of.step.height + 1);
}

function poolOf(
  place: Protocol['pool'],
  { poolOwner }: Exchange,
  { step, keys, isOne }: { readonly step: Step; readonly keys: readonly string[]; readonly isOne: boolean },
): string | undefined {
  if (place === undefined) return undefined;
  return place === 'owner' || !isOne ? poolOwner : keys[step.accounts[place] ?? -1];
}

/** A token that was given to a pool which pays lamports by itself. */
function soldFor(movements: readonly Movement[], signers: ReadonlySet<string>): Exchange | undefined {
  const givers = [...netsOf(movements).values()].filter(({ given, got }) => given.length === 1 && got.length === 0);
  const giver = givers.find(({ owner }) => signers.has(owner)) ?? givers[0];
  const [tokenIn] = giver?.given ?? [];
  if (giver === undefined || tokenIn === undefined || tokenIn === SOL) return undefined;
  const sale = movements.filter(({ from, mint }) => from === giver.owner && mint === tokenIn);
  const [largest] = [...sale].sort((a, b) => (a.arrived > b.arrived ? -1 : 1));
  const amountIn = sale.reduce((total, { arrived }) => total + arrived, 0n);
  const of = { trader: giver.owner, tokenIn, amountIn, tokenOut: SOL, amountOut: 0n };
  return { ...of, poolOwner: largest?.to, at: movements[0]!.at };
}

function isSwap(step: Step): boolean {
  const swaps = protocolOf(step.program)?.swaps;
  if (swaps === undefined) return false;
  const beginning = beginningOf(step);
  return swaps.some((start) => beginning.startsWith(start));
}

/** The first 8 bytes of its data in hexadecimal digits. */
const beginningOf = (step: Step): string => Buffer.from(dataOf(step).subarray(0, 8)).toString('hex');

/** The movements of the steps from one on to before another: they stand in the order of their steps. */
export function movementsIn(movements: readonly Movement[], from: number, to: number): readonly Movement[] {
  let begin = 0;
  while (begin < movements.length && movements[begin]!.at < from) begin++;
  let end = begin;
  while (end < movements.length && movements[end]!.at < to) end++;
  return begin === end ? none : movements.slice(begin, end);
}

const none: readonly Movement[] = [];

function hasWithin(found: ReadonlySet<number>, from: number, to: number): boolean {
  for (const at of found) if (at >= from && at < to) return true;
  return false;
}
