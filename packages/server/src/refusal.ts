import { type ErrorCode, type ErrorDetail, SwapfoldError } from '@swapfold/core';

/** The body of every answer that is an error. */
export interface ErrorBody {
  readonly error: string;
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  readonly request_id: string;
}

/** An error as callers may see it: their mistakes in full, of ours only that there was one. */
export function visibleError(error: unknown): SwapfoldError {
  if (!(error instanceof SwapfoldError)) return internal;
  if (error.status < 500 || error.code === 'unavailable') return error;
  return error.status === 503 ? unavailable : internal;
}

export function errorBody({ message, code, details }: SwapfoldError, requestId: string): ErrorBody {
  return { error: message, code, details, request_id: requestId };
}

const internal = new SwapfoldError(
  'internal',
  'The server failed at this request; its operator finds the cause in the log, under the request_id.',
);
const unavailable = new SwapfoldError('unavailable', 'The store is not open now; try again later.');
