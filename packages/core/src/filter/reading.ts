import type { ErrorCode, SwapfoldError } from '../errors.ts';
import { type Fault, faultError, MAX_FAULTS } from '../faults.ts';
import type { Clause } from './clause.ts';
import { filterLimits } from './operators.ts';
import type { FilterContext } from './target.ts';

/** What reading a request finds beside its meaning. */
export interface Notes {
  readonly faults: Fault[];
  /** Labels that its filters ask for. Only the store knows all that there are. */
  readonly labels: LabelUse[];
}

/** A label that a filter asks for. */
export interface LabelUse {
  readonly label: string;
  /** Where it stands in the request. */
  readonly path: string;
  /** The name of the filter in messages. */
  readonly root: string;
}

export function newNotes(): Notes {
  return { faults: [], labels: [] };
}

/** A filter while it is read. `root` is its name in messages. */
export interface Reading {
  readonly context: FilterContext;
  readonly root: string;
  readonly notes: Notes;
  conditions: number;
}

/** What stands for a clause at fault, until the reading ends in an error. */
export const faulty: Clause = { kind: 'group', operator: '$or', of: [] };

export function newReading(context: FilterContext, notes: Notes): Reading {
  return { context, root: context.path ?? 'filter', notes, conditions: 0 };
}

/** Notes a fault; reading goes on, to find more. */
export function noteFault(reading: Reading, code: ErrorCode, path: string, message: string): Clause {
  reading.notes.faults.push({ code, path, message });
  return faulty;
}

export function hasEnoughFaults(reading: Reading): boolean {
  return reading.notes.faults.length >= MAX_FAULTS;
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
