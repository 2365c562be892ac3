import type { Kept } from '../kept/kept.ts';
import type { Roles } from '../ledger/roles.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import type { FoldContext } from '../refresh/context.ts';
import { compare, compareMostly, type Predicate } from '../storage/predicate.ts';
import type { Yielder } from '../yielder.ts';
import type { ReadAhead } from './read-ahead.ts';

/** Thrown by `requireScan`: the question is answered again, from a reader for any number of rows. */
export const scanRequired = Symbol('scan required');

/** What a query may use: one consistent state of the store, and the as-of time that it answers for. */
export interface QueryContext extends FoldContext {
  /** Says that the answer takes more than some rows by their keys: before they are read, since it may begin the question anew. */
  readonly requireScan: () => void;
  readonly roles: Roles;
  /** Whether the caller asked for this as-of time: then profiles are folded for it. */
  readonly isAsOfAsked: boolean;
  /**
   * What the process keeps of the state that the reader reads; `undefined` once the store has moved on, and for another as-of time than that
   * of the newest state. Ask anew after each wait: what is kept may be that of a later commit by then.
   */
  readonly kept: () => Kept | undefined;
  /** Asks in the background for what is to be kept. */
  readonly ahead?: ReadAhead | undefined;
  /** How a question that works for long lets others have their turn. */
  readonly yielder: () => Yielder;
}

/** Keeps what was read, unless the store has moved on since. */
export function keep(context: QueryContext, fill: (kept: Kept) => void): void {
  const kept = context.kept();
  if (kept !== undefined) fill(kept);
}

/** The greatest seq that the as-of time lets through. */
export function lastSeq(context: QueryContext): number {
  return lastSeqAt(context.asOf);
}

/** Rows up to the as-of time: nearly all, where the question is not about an instant that was asked for. */
export function untilAsOf(context: QueryContext): Predicate {
  return (context.isAsOfAsked ? compare : compareMostly)('seq', 'lte', lastSeq(context));
}

/** `NaN` as `null`, and no negative zero. */
export function orNull(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}
