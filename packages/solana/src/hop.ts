import type { Exchange } from './exchange.ts';
import type { Movement } from './movements.ts';
import type { Step } from './steps.ts';

/** An exchange of a pool, by the instruction that made it. */
export interface Hop extends Exchange {
  /** Whose swap it is: first that of the trader, once the whole route is seen the one whom it was for. */
  wallet: string;
  amountIn: bigint;
  amountOut: bigint;
  readonly step: Step;
  /** Places of the steps below the instruction: from its own to the one behind. */
  readonly from: number;
  readonly to: number;
  readonly protocol: string;
  readonly pool: string | undefined;
  /** `outer x 4096 + inner + 1`, of the second and later pools of an instruction by their first transfer. */
  readonly index: number;
  /** Whether the lamports that the pool paid are still to be found. */
  lacksLamports: boolean;
}

/** What a transaction is, as far as its hops go. */
export interface Whole {
  readonly keys: readonly string[];
  readonly steps: readonly Step[];
  readonly movements: readonly Movement[];
  readonly signers: ReadonlySet<string>;
  readonly decimalsOf: (mint: string) => number | undefined;
}

/** Places within an outer instruction: 0 is the outer one itself. */
const INNER = 4096;

export const indexOf = ({ outer, inner }: Step): number => outer * INNER + inner + 1;
