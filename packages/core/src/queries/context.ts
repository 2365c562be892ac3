import type { CacheView } from '../cache/process-memory.ts';
import { lastSeqAt } from '../records/chain-order.ts';
import type { FoldContext } from '../refresh/context.ts';
import { compare, compareMostly, type Predicate } from '../storage/predicate.ts';
import type { Yielder } from '../yielder.ts';

/** Thrown by `requireScan`: the question is answered again, from a reader for any number of rows. */
export const scanRequired = Symbol('scan required');

/** What a query may use: one consistent state of the store, and the as-of time that it answers for. */
export interface QueryContext extends FoldContext {
  /** Says that the answer takes more than some rows by their keys: before they are read, since it may begin the question anew. */
  readonly requireScan: () => void;
  /** Whether the caller asked for this as-of time: then profiles are folded for it. */
  readonly isAsOfAsked: boolean;
  /** What is cached of the state that the reader reads: nothing for another as-of time than that of the newest state. */
  readonly cache: CacheView;
  /** How a question that works for long lets others have their turn. */
  readonly yielder: () => Yielder;
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
