import type { Step } from './steps.ts';
import type { Transfer } from './transfers.ts';

/** What one pool exchanged, by the transfers of it. */
export interface Exchange {
  /** Whose accounts gave and got: a wallet, or a program that routes for one. */
  readonly trader: string;
  readonly tokenIn: string;
  readonly tokenOut: string;
  /** What left the accounts that gave, and what arrived at those that got; the wallet's own once that is found. */
  amountIn: bigint;
  amountOut: bigint;
  /** What arrived at the pool, and what it sent; 0 if nothing shows it. */
  readonly poolIn: bigint;
  readonly poolOut: bigint;
  /** Transfers into the pool, with fees that go elsewhere, and out of it. */
  readonly ins: readonly Transfer[];
  readonly outs: Transfer[];
  /** Who owns the pool's token accounts, if it is one. */
  readonly poolOwner: string | undefined;
}

/** An exchange of a pool, by the instruction that made it. */
export interface Hop extends Exchange {
  /** Whose swap it is: first that of the trader, then of whom the trace finds. */
  wallet: string;
  readonly step: Step;
  /** Places of the steps below the instruction: from its own to the one behind. */
  readonly from: number;
  readonly to: number;
  readonly protocol: string;
  readonly pool: string | undefined;
  /** `outer x 4096 + inner + 1`, of the second and later pools of an instruction by their first transfer. */
  readonly index: number;
  /** Whether an account paid that is not the wallet's, as an escrow of its order. */
  isEscrowed: boolean;
  /** Whether the lamports that the pool paid are still to be found. */
  lacksLamports: boolean;
}

/** What a transaction is, as far as its hops go. */
export interface Whole {
  readonly keys: readonly string[];
  readonly steps: readonly Step[];
  readonly transfers: readonly Transfer[];
  readonly signers: ReadonlySet<string>;
  readonly decimalsOf: (mint: string) => number | undefined;
}

/** Places within an outer instruction: 0 is the outer one itself. */
const INNER = 4096;

export const indexOf = ({ outer, inner }: Step): number => outer * INNER + inner + 1;
