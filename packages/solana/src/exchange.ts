import type { Movement } from './movements.ts';
import { type Net, netsOf } from './nets.ts';

/** What one pool exchanged. */
export interface Exchange {
  /** Whose accounts gave and got: a wallet, or a program that routes for one. */
  readonly trader: string;
  readonly tokenIn: string;
  /** What arrived at the pool, its fees included. */
  readonly amountIn: bigint;
  readonly tokenOut: string;
  /** What arrived at the trader. */
  readonly amountOut: bigint;
  /** Who owns the pool's token accounts, if it is one. */
  readonly poolOwner: string | undefined;
  /** Place of the step of its first movement. */
  readonly at: number;
}

interface Of {
  readonly signers: ReadonlySet<string>;
  /** The taker of an order, if the layout names it. */
  readonly taker: string | undefined;
  /** Whether the program is known to exchange, so that what goes to another owner than it came from is an exchange, too. */
  readonly isKnown: boolean;
}

/**
 * What the instruction of a pool exchanged, by the transfers below it: two opposite ones between the trader's accounts and others.
 *
 * - Shape: one exchange a pool, in the order of the route; none of an instruction that exchanges nothing.
 */
export function exchangesOf(movements: readonly Movement[], of: Of): readonly Exchange[] {
  const nets = [...netsOf(movements).values()];
  const trader = traderOf(nets, of);
  if (trader === undefined) return of.isKnown ? sentOn(movements, nets) : [];
  // Who gets shares of a pool, or gives them back, adds liquidity or takes it.
  if (movements.some(({ kind, from, to }) => kind !== 'transfer' && (from ?? to) === trader.owner)) return [];
  const [tokenIn, tokenOut] = trader.pair!;
  const own = movements.filter(({ from, to }) => from === trader.owner || to === trader.owner);
  const returned = sum(own, ({ to, mint }) => to === trader.owner && mint === tokenIn, 'arrived');
  const paid = sum(own, ({ from, mint }) => from === trader.owner && mint === tokenOut, 'sent');
  const whole: Exchange = {
    trader: trader.owner,
    tokenIn,
    amountIn: sum(own, ({ from, mint }) => from === trader.owner && mint === tokenIn, 'arrived') - returned,
    tokenOut,
    amountOut: sum(own, ({ to, mint }) => to === trader.owner && mint === tokenOut, 'arrived') - paid,
    poolOwner: undefined,
    at: movements[0]!.at,
  };
  return alongPools(whole, nets, movements);
}

/** The one who trades: not the pool, whose accounts give and get as well. */
function traderOf(nets: readonly Net[], { signers, taker }: Of): Net | undefined {
  const both = nets.filter((net) => net.pair !== undefined).sort((a, b) => a.firstGift - b.firstGift);
  const named = both.find(({ owner }) => owner === taker);
  if (named !== undefined) return named;
  const signing = both.find(({ owner }) => signers.has(owner));
  if (signing !== undefined) return signing;
  // Whoever routes for a wallet gives before the pool does.
  const first = Math.min(...nets.map(({ firstGift }) => firstGift));
  return both.find(({ firstGift }) => firstGift === first);
}

/** An exchange whose outcome goes to another owner than who gave. */
function sentOn(movements: readonly Movement[], nets: readonly Net[]): readonly Exchange[] {
  const [giver] = [...nets].sort((a, b) => a.firstGift - b.firstGift);
  const [tokenIn, ...more] = giver?.given ?? [];
  if (giver === undefined || tokenIn === undefined || more.length > 0 || giver.got.length > 0) return [];
  if (movements.some(({ kind }) => kind !== 'transfer')) return [];
  const transfers = movements.filter(({ from, to }) => from !== to);
  const others = new Set(transfers.map(({ mint }) => mint).filter((mint) => mint !== tokenIn));
  const [tokenOut] = others;
  if (tokenOut === undefined || others.size > 1) return [];
  const pool = nets.find(({ pair }) => pair?.[0] === tokenOut && pair[1] === tokenIn);
  const amountIn = sum(transfers, ({ from, mint }) => from === giver.owner && mint === tokenIn, 'arrived');
  const largest = transfers
    .filter(({ mint }) => mint === tokenOut)
    .reduce((best, one) => (one.arrived > best.arrived ? one : best));
  const { owner: trader } = giver;
  const amountOut = largest.arrived;
  return [{ trader, tokenIn, amountIn, tokenOut, amountOut, poolOwner: pool?.owner, at: movements[0]!.at }];
}

/** One exchange for each pool that the tokens went through, if its accounts show what came in and what went out. */
function alongPools(whole: Exchange, nets: readonly Net[], movements: readonly Movement[]): readonly Exchange[] {
  const pools = nets.filter(({ owner, pair }) => owner !== whole.trader && pair !== undefined);
  const path: Exchange[] = [];
  for (let token = whole.tokenIn; token !== whole.tokenOut || path.length === 0; ) {
    const pool = pools.find(({ owner, pair }) => pair![1] === token && !path.some((one) => one.poolOwner === owner));
    if (pool === undefined) return [{ ...whole, poolOwner: giverOf(whole, movements) }];
    const [given, got] = pool.pair!;
    const at = movements.find(({ to, mint }) => to === pool.owner && mint === got)?.at ?? whole.at;
    const { trader } = whole;
    const amounts = { amountIn: pool.of(got), amountOut: -pool.of(given) };
    path.push({ trader, tokenIn: got, tokenOut: given, ...amounts, poolOwner: pool.owner, at });
    token = given;
  }
  const [first, last] = [path[0]!, path.at(-1)!];
  if (path.length === 1) return [{ ...whole, poolOwner: first.poolOwner }];
  path[0] = { ...first, amountIn: whole.amountIn, at: whole.at };
  path[path.length - 1] = { ...last, amountOut: whole.amountOut };
  return path;
}

/** The owner of the account that paid the trader. */
const giverOf = ({ trader, tokenOut }: Exchange, movements: readonly Movement[]): string | undefined =>
  movements.find(({ to, mint }) => to === trader && mint === tokenOut)?.from;

type Test = (movement: Movement) => boolean;

/** What the transfers that pass a test come to. Those of an owner to itself count nothing. */
function sum(movements: readonly Movement[], test: Test, what: 'sent' | 'arrived'): bigint {
  let total = 0n;
  for (const movement of movements)
    if (movement.kind === 'transfer' && movement.from !== movement.to && test(movement)) total += movement[what];
  return total;
}
