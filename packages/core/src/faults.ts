import { type ErrorCode, type ErrorDetail, SwapfoldError } from './errors.ts';
import { formatTime } from './time.ts';

/** One thing that is wrong with a request. */
export interface Fault extends ErrorDetail {
  /** The code of the error, if this fault is the first. */
  readonly code: ErrorCode;
  /** What the error says of it, if the message needs its path beside it. Default: the message. */
  readonly sentence?: string;
}

/** Enough to correct a request by; finding more would cost time that a hostile request should not get. */
export const MAX_FAULTS = 16;

/** The error of what is wrong with a request: its code and sentence are those of the first fault, its details list the first sixteen. */
export function faultError(faults: readonly Fault[], cause?: unknown): SwapfoldError {
  const [first] = faults as readonly [Fault];
  const { code, sentence = first.message } = first;
  const details = faults.slice(0, MAX_FAULTS).map(({ path, message }) => ({ path, message }));
  const more = details.length - 1;
  const message = more === 0 ? sentence : `${sentence.replace(/\.$/, '')} (and ${more} more).`;
  return new SwapfoldError(code, message, { details, cause });
}

/** What `check` throws of the faults of a request, as faults; what it returns, otherwise. */
export function noteThrown<R>(faults: Fault[], check: () => R): R | undefined {
  try {
    return check();
  } catch (error) {
    if (!(error instanceof SwapfoldError) || error.details.length === 0) throw error;
    faults.push(...error.details.map((detail) => ({ ...detail, code: error.code })));
    return undefined;
  }
}

/** The error of one fault: what is wrong at `path` of the request, and what would do. */
export function requestError(code: ErrorCode, path: string, message: string, cause?: unknown): SwapfoldError {
  return faultError([{ code, path, message }], cause);
}

/** The fault of a range that ends before it begins. Unix seconds, fractions allowed. */
export function orderFault(from: number, to: number | undefined): Fault | undefined {
  if (to === undefined || from <= to) return undefined;
  const [later, earlier] = [formatTime(Math.floor(from)), formatTime(Math.floor(to))];
  const message = `"from" (${later}) is after "to" (${earlier}); swap them.`;
  return { code: 'invalid-range', path: 'from', message };
}
