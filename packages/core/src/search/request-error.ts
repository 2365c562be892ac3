import { type ErrorCode, SwapfoldError } from '../errors.ts';

/** The error of one fault: what is wrong at `path` of the request, and what would do. */
export function requestError(code: ErrorCode, path: string, message: string, cause?: unknown): SwapfoldError {
  return new SwapfoldError(code, message, { cause, details: [{ path, message }] });
}
