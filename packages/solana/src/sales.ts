import type { Hop, Whole } from './hop.ts';
import { paidByEvent } from './pump.ts';
import type { Transfer } from './transfers.ts';
import type { Undecoded } from './undecoded.ts';
import { SOL } from './well-known.ts';

/** Hops whose amounts are all known, and the transfers with the lamports that pools paid by themselves. */
export interface Paid {
  readonly hops: readonly Hop[];
  readonly transfers: readonly Transfer[];
}

/**
 * What pools paid in lamports, which no instruction shows: what the trader has more than instructions explain, or what the pool's own events
 * say if that is less, because a refund of another program may be in it, or because there are more such sales.
 *
 * - `unexplained`: lamports that an account has more than instructions explain, by index.
 */
export function withPaidLamports(
  { keys, steps, transfers }: Whole,
  hops: readonly Hop[],
  { unexplained, undecoded }: { readonly unexplained: (index: number) => bigint; readonly undecoded: Undecoded },
): Paid {
  const sales = hops.filter(({ lacksLamports }) => lacksLamports);
  if (sales.length === 0) return { hops, transfers };
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
    transfers: [...transfers, ...[...paid].map(([hop, amount]) => paymentOf(hop, amount))].sort((a, b) => a.at - b.at),
  };
}

const sumOf = (amounts: readonly (bigint | undefined)[]): bigint => amounts.reduce<bigint>((a, b) => a + (b ?? 0n), 0n);

/** The payment, as a transfer at the place of the instruction. */
function paymentOf({ from: at, poolOwner, trader, outs }: Hop, amount: bigint): Transfer {
  const accounts = { source: undefined, target: undefined, from: poolOwner, to: trader };
  const payment = {
    at,
    kind: 'transfer',
    mint: SOL,
    ...accounts,
    sent: amount,
    arrived: amount,
    saysFee: true,
  } as const;
  outs.push(payment);
  return payment;
}
