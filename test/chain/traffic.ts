import type { Hex } from 'viem';
import type { Anvil } from './anvil.ts';
import { send, sending, type Transaction } from './contracts.ts';
import { type Exchange, type Route, type Token, units } from './exchange.ts';

/** Numbers from 0 to below 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Routes of one, two and three pools, both versions, both ways. */
export function routesOf({ tokens }: Pick<Exchange, 'tokens'>): readonly Route[] {
  const of = (symbol: string): Token => tokens.find((token) => token.symbol === symbol)!;
  const [usdc, wbtc, aaa, weth] = ['USDC', 'WBTC', 'AAA', 'WETH'].map(of) as [Token, Token, Token, Token];
  const oneWay: readonly Route[] = [
    { version: 'v2', path: [usdc, weth] },
    { version: 'v2', path: [usdc, weth, aaa] },
    { version: 'v3', path: [usdc, weth], fees: [500] },
    { version: 'v3', path: [usdc, weth, wbtc], fees: [500, 3000] },
    { version: 'v3', path: [aaa, usdc, weth, wbtc], fees: [10_000, 500, 3000] },
  ];
  return oneWay.flatMap((route) => [
    route,
    { ...route, path: [...route.path].reverse(), ...(route.fees && { fees: [...route.fees].reverse() }) },
  ]);
}

/** Whole tokens of a trade, roughly. */
export const typical: Readonly<Record<string, number>> = { USDC: 2000, WBTC: 0.05, AAA: 100, WETH: 1 };

/** Transactions of swaps that a seed gives. */
export function* trades(exchange: Exchange, seed: number): Generator<Transaction, never> {
  const random = randomOf(seed);
  const routes = routesOf(exchange);
  for (;;) {
    const route = routes[Math.floor(random() * routes.length)]!;
    const trader = exchange.traders[Math.floor(random() * exchange.traders.length)]!;
    const first = route.path[0]!;
    yield exchange.swap(
      trader,
      route,
      units(first, typical[first.symbol]! * (0.2 + random())) + BigInt(Math.floor(random() * 1000)),
    );
  }
}

/** Mines blocks of transactions, as many as `sizes` has numbers; gives the hashes of the transactions. */
export async function mineBlocks(
  chain: Anvil,
  of: Iterator<Transaction, unknown>,
  sizes: readonly number[],
): Promise<Hex[]> {
  const hashes: Hex[] = [];
  for (const size of sizes) {
    const transactions = Array.from({ length: size }, () => of.next().value as Transaction);
    hashes.push(...(await send(chain, transactions.map(sending))));
    await chain.call('anvil_mine', '0x1');
  }
  return hashes;
}
