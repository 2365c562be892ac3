import { comparePlaces, type Place } from './place.ts';

/** A transfer of the token from one wallet to another. */
export interface Passed extends Place {
  readonly tx_hash: string;
  readonly from: number;
  readonly to: number;
  readonly amount: number;
}

/** A wallet that others may have got the token from, and since when: the dev at any time. */
export type Roots = ReadonlyMap<number, Place | 'ever'>;

export interface InsiderCase {
  readonly roots: Roots;
  /** In chain order. */
  readonly transfers: readonly Passed[];
  /** The first sell of wallets that have sold. */
  readonly firstSells: ReadonlyMap<number, Place>;
  /** Pools, burn addresses and the dev: no insiders, and nothing but the dev passes on. */
  readonly excluded: ReadonlySet<number>;
  /** Whole tokens that an insider got at least. */
  readonly least: number;
  readonly steps: number;
}

/** An insider: the transfers that count, what they add up to, and in how many steps it came from the dev or a bundler. */
export interface Insider {
  readonly amount: number;
  readonly steps: number;
  readonly transfers: readonly Passed[];
}

/** Part of the least amount that rounding may take. */
const ROUNDING = 1e-9;

interface Got {
  amount: number;
  /** By step, what came in as many. */
  readonly byStep: number[];
  /** Since it got enough. */
  steps: number | undefined;
  readonly transfers: Passed[];
}

/** The insiders by wallet, in the order in which they got enough. */
export function findInsiders({ roots, transfers, firstSells, excluded, least, steps }: InsiderCase) {
  const got = new Map<number, Got>();
  for (const transfer of transfers) {
    const step = 1 + stepsTo(transfer);
    const sold = firstSells.get(transfer.to);
    if (step > steps || excluded.has(transfer.to) || transfer.from === transfer.to) continue;
    if (sold !== undefined && comparePlaces(transfer, sold) > 0) continue;
    const own = got.get(transfer.to) ?? { amount: 0, byStep: [], steps: undefined, transfers: [] };
    got.set(transfer.to, own);
    own.amount += transfer.amount;
    own.byStep[step] = (own.byStep[step] ?? 0) + transfer.amount;
    own.transfers.push(transfer);
    own.steps = enoughIn(own, least, steps);
  }
  const found = new Map<number, Insider>();
  for (const [wallet, { amount, steps, transfers }] of got)
    if (steps !== undefined && firstSells.has(wallet)) found.set(wallet, { amount, steps, transfers });
  return found as ReadonlyMap<number, Insider>;

  /** In how many steps what the sender passes on has come from the dev or a bundler: infinitely many of anybody else. */
  function stepsTo(transfer: Passed): number {
    const since = roots.get(transfer.from);
    if (since === 'ever' || (since !== undefined && comparePlaces(transfer, since) >= 0)) return 0;
    if (excluded.has(transfer.from)) return Number.POSITIVE_INFINITY;
    return got.get(transfer.from)?.steps ?? Number.POSITIVE_INFINITY;
  }
}

/** The fewest steps in which enough came. */
function enoughIn({ byStep }: Got, least: number, steps: number): number | undefined {
  let sum = 0;
  for (let step = 1; step <= steps; step++) {
    sum += byStep[step] ?? 0;
    if (sum >= least * (1 - ROUNDING)) return step;
  }
  return undefined;
}
