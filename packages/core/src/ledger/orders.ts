import { addTo } from '../records/key-index.ts';
import { type Flow, flowsOf } from './flows.ts';
import type { Roles } from './roles.ts';
import { type Face, traceOrder } from './trace.ts';
import type { Swaps } from './value.ts';

/** The flows of a wallet in a transaction. */
export interface Netted {
  readonly all: readonly Flow[];
  /** Those that are not passed over. */
  readonly left: readonly Flow[];
  readonly traded: readonly Flow[];
}

/**
 * The other side of each trade: the tokens that its swaps, and the routes that they are part of, gave or brought for it, by the traded
 * token (docs/reference/metrics.md, "Trades"). A token without one is no trade.
 */
export function otherSides(
  swaps: Swaps,
  rows: readonly number[],
  { all, left, traded }: Netted,
  roles: Roles,
): ReadonlyMap<number, readonly Face[]> {
  const sides = new Map<number, readonly Face[]>();
  const ends = new Set<number>();
  for (const flow of left) if (!traded.includes(flow)) ends.add(flow.token);
  for (const order of ordersOf(swaps, rows, ends)) {
    const isWhole = order.length === rows.length;
    const flows = isWhole ? all : flowsOf(swaps, order, roles);
    const tokens = isWhole ? undefined : new Set(flows.map(({ token }) => token));
    const own = isWhole ? traded : traded.filter(({ token }) => tokens!.has(token));
    if (own.length === 0) continue;
    const faced = flows.filter(({ token, net }) => ends.has(token) && net !== 0);
    const plain = plainSides(own, faced);
    const found = plain ?? traceOrder(swaps, { rows: order, flows, traded: own, isEnd: (token) => ends.has(token) });
    for (const { token, net } of own) {
      const side = found.get(token)!.filter((face) => Math.sign(face.net) === -Math.sign(net));
      if (side.length > 0) sides.set(token, side);
    }
  }
  return sides;
}

/** The sides of an order that has one trade for all that went the other way, or one token for one other; `undefined` of any other order. */
function plainSides(own: readonly Flow[], faced: readonly Flow[]): ReadonlyMap<number, readonly Face[]> | undefined {
  const [a, b] = own;
  if (own.length === 1)
    return faced.every(({ net }) => Math.sign(net) !== Math.sign(a!.net)) ? new Map([[a!.token, faced]]) : undefined;
  if (own.length > 2 || faced.length > 0 || Math.sign(a!.net) === Math.sign(b!.net)) return undefined;
  return new Map([
    [a!.token, [b!]],
    [b!.token, [a!]],
  ]);
}

/** The orders of swaps, each in chain order: those that share a token belong together, unless it is one of `ends`. */
function ordersOf(
  { columns: c }: Swaps,
  rows: readonly number[],
  ends: ReadonlySet<number>,
): Iterable<readonly number[]> {
  if (rows.length === 1) return [rows];
  // By row, and by token that joins rows, the earlier row that it belongs to; the first row of an order has itself.
  const earlier = new Map<number, number>();
  const rowOf = new Map<number, number>();
  const firstOf = (row: number): number => {
    let first = row;
    while (earlier.get(first) !== first) first = earlier.get(first)!;
    earlier.set(row, first);
    return first;
  };
  for (const row of rows) {
    const tokens = [c.token_in[row]!, c.token_out[row]!];
    if (tokens[0] === tokens[1]) continue;
    earlier.set(row, row);
    for (const token of tokens) {
      if (ends.has(token)) continue;
      const [a, b] = [firstOf(rowOf.get(token) ?? row), firstOf(row)];
      earlier.set(Math.max(a, b), Math.min(a, b));
      rowOf.set(token, row);
    }
  }
  const orders = new Map<number, number[]>();
  for (const row of earlier.keys()) addTo(orders, firstOf(row), row);
  return orders.values();
}
