import { NO_ID } from '../records/columns.ts';
import type { Swaps } from './value.ts';

/**
 * The pools that the trades of one wallet in one transaction went through: those of the swaps that touch the traded token, and of the
 * swaps that routing hops join to them. A swap that only shares a quote token with them belongs to another trade.
 *
 * - `rows`: the swaps, in chain order.
 * - Shape: for a traded token its pools, each once, in the order of their first swaps; swaps without a pool have none.
 */
export function poolsOfRoutes(
  { columns: c }: Swaps,
  rows: readonly number[],
  hops: ReadonlySet<number>,
): (token: number) => readonly number[] {
  const rowsOf = new Map<number, number[]>();
  for (const row of rows) {
    const [given, received] = [c.token_in[row]!, c.token_out[row]!];
    if (given === received) continue;
    for (const token of [given, received]) {
      const known = rowsOf.get(token);
      if (known === undefined) rowsOf.set(token, [row]);
      else known.push(row);
    }
  }
  return (token) => {
    const route = new Set<number>();
    const reached = new Set([token]);
    // The loop goes on with the hops that it adds.
    for (const stop of reached) {
      for (const row of rowsOf.get(stop)!) {
        route.add(row);
        for (const next of [c.token_in[row]!, c.token_out[row]!]) if (hops.has(next)) reached.add(next);
      }
    }
    const pools = Array.from(route)
      .sort((a, b) => a - b)
      .map((row) => c.pool[row]!);
    return Array.from(new Set(pools)).filter((pool) => pool !== NO_ID);
  };
}
