import { type ErrorCode, type ErrorDetail, SwapfoldError } from '../errors.ts';
import type { Clause } from './clause.ts';
import { filterLimits } from './operators.ts';
import type { FilterContext } from './target.ts';

/** A filter while it is read. `root` is its name in messages. */
export interface Reading {
  readonly context: FilterContext;
  readonly root: string;
  readonly faults: Fault[];
  conditions: number;
}

export interface Fault extends ErrorDetail {
  readonly code: ErrorCode;
}

/** Enough to correct a filter by; finding more would cost time that a hostile request should not get. */
const MAX_FAULTS = 8;

/** What stands for a clause at fault, until the reading ends in an error. */
export const faulty: Clause = { kind: 'group', operator: '$or', of: [] };

export function newReading(context: FilterContext): Reading {
  return { context, root: context.path ?? 'filter', faults: [], conditions: 0 };
}

/** Notes a fault; reading goes on, to find more. */
export function noteFault(reading: Reading, code: ErrorCode, path: string, message: string): Clause {
  reading.faults.push({ code, path, message });
  return faulty;
}

export function hasEnoughFaults(reading: Reading): boolean {
  return reading.faults.length >= MAX_FAULTS;
}

/** The error of the first fault, with the details of all. */
export function faultError(faults: readonly Fault[]): SwapfoldError {
  const [first] = faults as [Fault];
  const details = faults.map(({ path, message }) => ({ path, message }));
  return new SwapfoldError(first.code, first.message, { details });
}

export function checkDepth({ root }: Reading, depth: number, at: string): void {
  if (depth <= filterLimits.depth) return;
  throw overLimit(at, `${root} nests deeper than ${filterLimits.depth} levels; flatten it.`);
}

/** Counts a condition; an empty filter counts as one. */
export function countCondition(reading: Reading, at: string): void {
  reading.conditions += 1;
  const most = filterLimits.conditions;
  if (reading.conditions <= most) return;
  const advice = 'use $in for lists of values, or fewer conditions';
  throw overLimit(at, `${reading.root} holds more than ${most} conditions; ${advice}.`);
}

export function checkItems({ root }: Reading, operator: string, items: readonly unknown[], at: string): void {
  const most = filterLimits.items;
  if (items.length <= most) return;
  throw overLimit(at, `"${operator}" in ${root} holds ${items.length} items; at most ${most} may be.`);
}

function overLimit(path: string, message: string): SwapfoldError {
  return faultError([{ code: 'invalid-filter', path, message }]);
}
