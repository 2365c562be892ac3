import type { Hop, Whole } from './hop.ts';
import type { Movement } from './movements.ts';
import { paidByEvent } from './pump.ts';
import type { Undecoded } from './undecoded.ts';
import { SOL } from './well-known.ts';

/** Hops whose amounts are all known, and the movements with the lamports that pools paid by themselves. */
export interface Paid {
  readonly hops: readonly Hop[];
  readonly movements: readonly Movement[];
}

/**
 * What pools paid in lamports, which no instruction shows: what the trader has more than instructions explain, or what the pool's own events
 * say if that is less, because a refund of another program may be in it, or because there are more such sales.
 *
 * - `unexplained`: lamports that an account has more than instructions explain, by index.
 */
export function withPaidLamports(
  { keys, steps, movements }: Whole,
  hops: readonly Hop[],
  { unexplained, undecoded }: { readonly unexplained: (index: number) => bigint; readonly undecoded: Undecoded },
): Paid {
  const sales = hops.filter(({ lacksLamports }) => lacksLamports);
  if (sales.length === 0) return { hops, movements };
  const paid = new Map<Hop, bigint>();
  for (const trader of new Set(sales.map((hop) => hop.trader))) {
    const own = sales.filter((hop) => hop.trader === trader);
    const received = unexplained(keys.indexOf(trader));
    const said = own.map(({ from, to }) => paidByEvent(steps, from, to));
    if (own.length === 1) {
      const [event = received] = said;
      const amount = event < received ? event : received;
      if (amount > 0n) paid.set(own[0]!, amount);
    } else if (said.every((amount) => amount !== undefined) && sumOf(said) <= received)
      for (const [i, hop] of own.entries()) paid.set(hop, said[i]!);
  }
  undecoded.no_amount += sales.length - paid.size;
  return {
    hops: hops.flatMap((hop) => {
      if (!hop.lacksLamports) return [hop];
      const amountOut = paid.get(hop);
      if (amountOut === undefined) return [];
      hop.amountOut = amountOut;
      hop.lacksLamports = false;
      return [hop];
    }),
    movements: [...movements, ...[...paid].map(([hop, amount]) => paymentOf(hop, amount))],
  };
}

const sumOf = (amounts: readonly (bigint | undefined)[]): bigint => amounts.reduce<bigint>((a, b) => a + (b ?? 0n), 0n);

const paymentOf = ({ from, poolOwner, trader }: Hop, amount: bigint): Movement => ({
  at: from,
  kind: 'transfer',
  mint: SOL,
  from: poolOwner,
  to: trader,
  source: undefined,
  target: undefined,
  sent: amount,
  arrived: amount,
  saysFee: true,
});
